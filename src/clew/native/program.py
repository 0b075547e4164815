"""A program made ready for native runs, on one page."""

from __future__ import annotations

from functools import partial

from clew.base.cache import Cache
from clew.base.errors import Unsupported
from clew.base.forked import Beside, TookTooLong
from clew.native.build import Building, check_host
from clew.native.emit.module import NativeCode, emit_program
from clew.native.executor import NativeExecutor
from clew.program.module import Function, Program

SMALL = 5_000
"""Instructions of a program whose code is written at once, in a tenth of a second."""


class NativeProgram:
    """``entry`` as a program of its own, with these arguments: its code is written beside the caller until ``compile``,
    then the compiler is at work until ``executor``; both until ``stop``.

    ``counted``: as mutation wants it; without it runs are faster. Unsupported where the program is for another
    processor; ``compile`` finds out whether it fits into the arena.
    """

    def __init__(
        self,
        program: Program,
        entry: Function,
        arguments: tuple[bytes | int, ...] = (),
        cache: Cache | None = None,
        counted: bool = True,
    ) -> None:
        check_host(program.triple, program.layout.pointer_bits)
        self._cache = cache
        write = partial(_written, program, entry, arguments, counted)
        self._writing = Beside(write, here=program.size() <= SMALL)
        self._code: NativeCode | None = None
        self._building: Building | None = None

    @property
    def is_written(self) -> bool:
        """Whether nobody has to wait for the code."""
        return self._writing.is_done

    def compile(self) -> bool:
        """Begin to compile, if that is not so yet; whether nobody has to wait for the compiler. Unsupported where the
        program has no code."""
        return not self._compiling()[1].is_at_work

    def _compiling(self) -> tuple[NativeCode, Building]:
        if self._code is None or self._building is None:
            try:
                code = self._writing.result()
            except TookTooLong:
                raise Unsupported("native code of this program: its writer has ended") from None
            if isinstance(code, str):
                raise Unsupported(code)
            self._code, self._building = code, Building(code.text, self._cache)
        return self._code, self._building

    def executor(self, stdin: int | None = None) -> NativeExecutor:
        """An executor that gives the program so many bytes of standard input at most.

        Unsupported where the program cannot be compiled.
        """
        code, building = self._compiling()
        return NativeExecutor(building.finish(), code, stdin)

    def stop(self) -> None:
        """It is not needed: who is at work ends."""
        self._writing.stop()
        if self._building is not None:
            self._building.stop()


def _written(program: Program, entry: Function, arguments: tuple[bytes | int, ...], counted: bool) -> NativeCode | str:
    """The code, or why there is none."""
    try:
        return emit_program(program, entry, arguments, counted)
    except Unsupported as problem:
        return problem.feature
