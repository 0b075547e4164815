"""Programs with a fuzzer's entry, ``LLVMFuzzerTestOneInput``, in place of ``main``: their input is standard input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from clew.base.errors import UserError
from clew.base.options import Request
from clew.program.module import Program
from clew.runtime.linking import FUZZER, is_fuzzed

USUAL_INPUT = 64
"""Bytes of its input in ``clew test``, where nobody says how many."""
Asked = TypeVar("Asked", bound=Request)


def with_fuzzer_input(request: Asked, program: Program, warn: Callable[[str], None] | None = None) -> Asked:
    """The request; where the program has a fuzzer's entry, with as much standard input as its input may have.

    Where the user does not say how much, it is the usual number, which ``warn`` is told, or else a UserError: a verdict
    needs a bound that somebody wants.
    """
    fuzzed = request.function is None and is_fuzzed(program)
    if request.input_size is not None:
        if not fuzzed:
            raise UserError(f"--input-size is for a program with {FUZZER} and without main; --stdin N for this one")
        return replace(request, stdin=request.input_size, input_size=None)
    if not fuzzed or request.stdin is not None:
        return request
    if warn is None:
        raise UserError(f"the program has no main, but {FUZZER}; say with --input-size N how many bytes it is given")
    warn(f"{FUZZER} is given at most {USUAL_INPUT} bytes; --input-size N for another number")
    return replace(request, stdin=USUAL_INPUT)
