"""Clew's own model of LLVM IR: immutable, typed, free of any llvmlite object.

Produced by ``clew.frontend``, consumed by ``clew.analysis`` and ``clew.execute``.
"""
