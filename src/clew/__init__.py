"""Clew: a symbolic execution engine for C that finds the way through a program's paths."""

__version__ = "0.1.0"
__all__ = ["__version__"]
