"""The program's memory: objects at flat addresses, copy-on-write between states.

    space      AddressSpace, what the executor talks to
    pages, views       where objects live; the tables that generated code reads and writes through
    object, storage    one object's bytes: concrete, symbolic words, uninitialised, SMT array
    bulk               copies and fills
    symbolic, offsets  accesses at symbolic offsets
    resolve            which objects a symbolic pointer may point into
    globals, constants a program's globals, functions and constants
    describe, errors   what is said about bad accesses

Sits above ``expr`` and ``program``; knows nothing of solvers, paths or instructions.
"""
