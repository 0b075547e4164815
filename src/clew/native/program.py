"""A program made ready for native runs, on one page."""

from __future__ import annotations

from clew.base.errors import Unsupported
from clew.frontend.cache import Cache
from clew.native.build import build_library, check_host
from clew.native.emit.module import emit_program
from clew.native.executor import NativeExecutor
from clew.native.places import TooLarge
from clew.program.module import Function, Program


def native_executor(
    program: Program,
    entry: Function,
    arguments: tuple[bytes | int, ...] = (),
    stdin: int | None = None,
    cache: Cache | None = None,
    counted: bool = True,
) -> NativeExecutor:
    """An executor that runs ``entry`` as a program, with these arguments and so many bytes of standard input at most.

    ``counted``: as mutation wants it; without it runs are faster. Unsupported where the program is for another
    processor, does not fit into the arena, or cannot be compiled.
    """
    check_host(program.triple, program.layout.pointer_bits)
    try:
        code = emit_program(program, entry, arguments, counted)
    except TooLarge:
        raise Unsupported("native runs of a program with so many variables or branches") from None
    return NativeExecutor(build_library(code.text, cache), code, stdin)
