"""Properties of programs with arrays that hold by what is known of one cell of them.

The program is changed to one that remembers one cell (see ``clew.techniques.invariants.cells``), and another phase
decides what is left: it is about numbers. What none of its paths violates is proved. A path that violates something may
be one that the program does not have: then nothing is known about that.
"""

from __future__ import annotations

import math
from dataclasses import replace

from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.frontend.promote import promote
from clew.jobs.phases.acceleration_proof import AccelerationProof, holding
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import heap_options, wanted_kinds
from clew.jobs.reexecution import find_entry
from clew.report.kinds import PLACED
from clew.report.listener import Listener
from clew.techniques.invariants.cells.localizing import localized
from clew.techniques.invariants.cells.one_cell import with_one_cell
from clew.techniques.tasks import Proved

EFFORT = 20_000
"""Of the phase that decides the changed program."""


class CellProof:
    """One cell of all arrays, and what it proves."""

    ready = None
    technique = "cells"

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # most of it is no exploration

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent; the effort is that of another phase, limited in any case.

        Nothing is proved where accesses of memory are asked about: those of arrays are gone.
        """
        self.over = True
        ledger, request = self._context.ledger, self._context.request
        kinds = wanted_kinds(request, DEFAULT_CHECKS)
        if not ledger.findings.unasked and kinds <= PLACED and request.function is None:
            entry = find_entry(self._context.program, request.function, heap_options(request))
            name = entry.function.name
            program = with_one_cell(self._context.program, name)
            if program is not None:
                self._decide(replace(self._context, program=promote(localized(program, name))), share)
        ledger.technique = self.technique

    def _decide(self, given: Context[VerifyRequest], share: Budget) -> None:
        context = replace(
            given,
            request=replace(given.request, unroll=None),
            listener=Listener(),
            budget=share,
            ledger=given.ledger.of_helper(),
        )
        AccelerationProof(context).run(share, EFFORT)
        proved = holding(given.ledger.properties, context.ledger, context.ledger.findings.seen())
        given.ledger.answer_open(dict.fromkeys(proved, Proved("by what holds of every cell of its arrays")))
