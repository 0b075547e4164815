"""C functions, as LLVM blocks, turned into Python functions.

``plan`` cuts a function into trees of blocks, ``emitter`` writes a tree as Python source, the other
modules hold one family of instructions each, ``compiled`` keeps the result.
"""
