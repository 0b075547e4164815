"""What a worker on another machine is given: the program as it was loaded, and the request."""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Interrupt
from clew.base.cache import digest
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.options import TestRequest
from clew.frontend.storage import dump, restore
from clew.program.module import Program


@dataclass(frozen=True, slots=True)
class Package:
    """For all workers of one run. It names no clock and no folder of the machine that it comes from."""

    request: TestRequest
    program: bytes

    @property
    def digest(self) -> str:
        """Tells programs from each other."""
        return digest(self.program)

    def load(self) -> Program:
        """The program."""
        program = restore(self.program)
        if program is None:
            raise UserError("the program was damaged on its way to a worker")
        return program


def pack(request: TestRequest, program: Program, workers: int, memory_mb: float | None) -> Package:
    """The package for so many workers, each with so much memory; None for what its machine has."""
    data = dump(program)
    if data is None:
        raise UserError("the program is nested too deeply to be sent to other machines: leave out --cluster")
    asked = replace(
        request, jobs=workers, cluster=None, workers=None, memory_mb=memory_mb,
        seconds=None, began=None, seeds=None, build=None, recipes=(), notes=(), emit=None, interrupt=Interrupt(),
    )  # fmt: skip
    return Package(asked, data)
