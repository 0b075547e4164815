"""Reader of LLVM 22's textual IR: text -> ``Program``. Needs no LLVM at all.

Line-oriented, as LLVM prints: ``module`` sorts lines, ``header``/``body`` read functions, ``straight``,
``accesses`` and ``control`` their instructions, ``debuginfo`` what only people need.
"""

from clew.frontend.reader.module import read_file, read_module

__all__ = ["read_file", "read_module"]
