"""A program made ready for native runs, on one page."""

from __future__ import annotations

from clew.base.cache import Cache
from clew.native.build import Building, check_host
from clew.native.emit.module import emit_program
from clew.native.executor import NativeExecutor
from clew.program.module import Function, Program


class NativeProgram:
    """``entry`` as a program of its own, with these arguments: the compiler is at work beside the caller until
    ``executor`` or ``stop``.

    ``counted``: as mutation wants it; without it runs are faster. Unsupported where the program is for another
    processor, or does not fit into the arena.
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
        self._code = emit_program(program, entry, arguments, counted)
        self._building = Building(self._code.text, cache)

    @property
    def is_compiled(self) -> bool:
        """Whether nobody has to wait for the compiler."""
        return not self._building.is_at_work

    def executor(self, stdin: int | None = None) -> NativeExecutor:
        """An executor that gives the program so many bytes of standard input at most.

        Unsupported where the program cannot be compiled.
        """
        return NativeExecutor(self._building.finish(), self._code, stdin)

    def stop(self) -> None:
        """It is not needed: the compiler ends."""
        self._building.stop()
