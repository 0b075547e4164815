"""What a technique is: a folder of this package with one class, and a line in ``clew.techniques.registry``.

A technique is made for one run, and takes part in it in this order; each step is optional:

    made = Technique.make(request)         its options; None if the request does not want it
    program = made.prepare(program, entry) changes the program that is run, so that it tells what the technique needs
    searcher = made.searcher(searcher, ..) has a say in what is explored next
    made.attach(exploration)               listens to events of the run (``clew.execute.events``)

What it keeps with states is an extension of theirs (``clew.execute.extensions``). A technique that is not made costs
nothing: no call in the program, no listener. It must not lose a branch or a bug, nor change what a seed leads to; the
suite ``tests/unit/techniques/conformance.py`` holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clew.base.options import TestRequest
from clew.program.module import Program

if TYPE_CHECKING:
    from clew.execute.coverage import Edge
    from clew.execute.pending import Searcher
    from clew.execute.run import Run
    from clew.execute.state import State
    from clew.report.records import LoopStatement
    from clew.search.registry import SearchContext


@dataclass(frozen=True, slots=True)
class Exploration:
    """A run that is about to start."""

    run: Run
    start: Callable[[], State]
    """A new first state of the run."""
    takes: Callable[[State, Edge], bool]
    """Whether the inputs of a path, run once more, lead it over an edge."""


class Technique:
    """Base class: a technique that does nothing."""

    @classmethod
    def make(cls, request: TestRequest) -> Technique | None:
        """The technique for a run of ``clew test``; None where it does not apply."""
        return cls()

    def prepare(self, program: Program, entry: str) -> Program:
        """The program that is to be run, from the function ``entry`` on."""
        return program

    def searcher(self, searcher: Searcher, name: str | None, context: SearchContext) -> Searcher:
        """The searcher of the run: ``searcher``, which has a name or is the default, or one around it."""
        return searcher

    def attach(self, exploration: Exploration) -> None:
        """Listen to a run; its first state does not exist yet."""

    def statements(self) -> tuple[LoopStatement, ...]:
        """What there is to say about each loop of the program, when the run is over."""
        return ()
