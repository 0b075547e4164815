"""Programs with a fuzzer's entry, ``LLVMFuzzerTestOneInput``, in place of ``main``: their input is standard input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.base.errors import UserError
from clew.base.options import Request, TestRequest
from clew.program.module import Program
from clew.runtime.linking import FUZZER, is_fuzzed

USUAL_INPUT = 64
"""Bytes of its input in ``clew test``, where nobody says how many."""


def check_fuzzer_input(request: Request, program: Program) -> None:
    """UserError where a program has such an entry, and the user does not say how much input it gets."""
    if request.stdin is None and request.function is None and is_fuzzed(program):
        raise UserError(f"the program has no main, but {FUZZER}; say with --stdin N how many bytes it is given at most")


def with_fuzzer_input(request: TestRequest, program: Program, warn: Callable[[str], None]) -> TestRequest:
    """The request; where the program has a fuzzer's entry, with standard input."""
    if request.stdin is None and request.function is None and is_fuzzed(program):
        warn(f"{FUZZER} is given at most {USUAL_INPUT} bytes; --stdin N for another number")
        return replace(request, stdin=USUAL_INPUT)
    return request
