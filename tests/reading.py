"""Programs that many tests in a row ask about are compiled and read once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from clew.base.options import Request
from clew.jobs import prepare
from clew.program.module import Program
from clew.report.listener import Listener

_load = prepare._load


class ReadOnce:
    """Takes the place of ``prepare._load``, for tests whose files do not change; keeps the last few programs.

    That every run of Clew compiles its files is a matter of the tests of the front end.
    """

    MOST = 4

    def __init__(self) -> None:
        self.programs: OrderedDict[tuple[object, ...], Program] = OrderedDict()

    def __call__(
        self,
        request: Request,
        listener: Listener,
        sanitize: tuple[str, ...],
        extra: tuple[str, ...],
        meanwhile: Callable[[], object],
    ) -> Program:
        how = (request.compiler_flags, request.target, request.data_model, request.clang, sanitize, extra)
        wanted = (request.files, *how)
        if wanted not in self.programs:
            self.programs[wanted] = _load(request, listener, sanitize, extra, meanwhile)
        self.programs.move_to_end(wanted)
        while len(self.programs) > self.MOST:
            self.programs.popitem(last=False)
        return self.programs[wanted]
