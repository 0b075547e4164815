"""From files to a program: find the compiler, compile, link, read, promote, cache."""

from clew.base.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions

__all__ = ["Cache", "CompileOptions", "load"]
