"""Calls that instrumentation puts into a program for the engine: each file has the rewrite, the model and its effect.

No C program can define functions of these names (``clew.loop.header``, ``clew.merge_point``, ``clew.target``, ...), and
a program that is not instrumented pays nothing for them. Their models register with ``clew.execute.library``, which is
below ``clew.models``: so one file can hold all three, and no layer above has to know their names.
"""
