"""What a phase of a command is, and what it is given."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from clew.base.budget import Budget
from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.execute.run import Run
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import ExploreSettings, PreparedRun, prepare_run
from clew.program.module import Program
from clew.report.listener import Listener

R = TypeVar("R", bound=Request)


@dataclass(frozen=True, slots=True)
class Context(Generic[R]):
    """What the phases of a command have in common."""

    request: R
    listener: Listener
    budget: Budget
    """Of the whole command."""
    ledger: Ledger
    program: Program
    """As it was loaded."""

    def prepare_run(self, settings: ExploreSettings) -> PreparedRun:
        """A new run over the program."""
        return prepare_run(self.request, self.listener, self.budget, settings, self.program, self.ledger.findings)


def is_spent(effort: int | None, run: Run) -> bool:
    """Whether a run has had more forks and thousands of instructions than ``effort``, if that is limited."""
    return effort is not None and run.statistics.forks + run.statistics.instructions // 1000 > effort


class Phase(Protocol):
    """A piece of work that can be left, and be taken up again where it was."""

    @property
    def over(self) -> bool:
        """Whether there is nothing to take up again."""

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until there is nothing left to do, the budget is spent, or the effort (what that is, each phase says).

        Findings, coverage, losses and answers are in the ledger then, also if the watchdog ends this.
        """
