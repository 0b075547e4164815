"""Assertions that fail, and calls that mark an error."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(Check("assert", "assert() that fails, reach_error() and the like", ("assert", "error-call")))
