"""Properties that are proved on a changed program, which another phase decides.

The changed program can do whatever the program itself can, and perhaps more. What none of its paths violates is proved.
A path that violates something may be one that the program does not have: then nothing is known about that.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar

from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.jobs.phases.acceleration_proof import EFFORT, AccelerationProof, holding
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.program.module import Program
from clew.report.listener import Listener
from clew.techniques.cover_goals import has_loops
from clew.techniques.tasks import Proved


class ChangedProgramProof(ABC):
    """A phase that proves by one changed program; each kind of change is a class of its own."""

    ready = None
    technique: ClassVar[str]

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self._facts = LoopFacts(context)
        self.over = False

    @abstractmethod
    def _changed(self, share: Budget) -> tuple[Program, str] | None:
        """The changed program, and what a proof rests on, for people; None if the program cannot be changed."""

    def seconds_left(self, worked: float) -> float:
        return math.inf  # most of it is no exploration

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent; the effort is that of another phase, limited in any case."""
        self.over = True
        ledger = self._context.ledger
        changed = None if ledger.findings.unasked else self._changed(share)
        if changed is not None:
            self._decide(*changed, share)
        ledger.technique = self.technique

    def _decide(self, program: Program, reason: str, share: Budget) -> None:
        """Prove what holds of the changed program."""
        given, ledger = self._context, self._context.ledger.of_helper()
        request = replace(given.request, unroll=None)
        context = Context(request, Listener(), share, ledger, program)
        phase = AccelerationProof(context) if has_loops(program) else Exhaustive(context)
        phase.run(share, EFFORT)
        proved = holding(given.ledger.properties, ledger, ledger.findings.seen())
        given.ledger.answer_open(dict.fromkeys(proved, Proved(reason)))
