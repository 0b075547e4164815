"""Properties of programs with arrays that hold by what is known of one cell of them.

The program is changed to one that remembers one cell (see ``clew.techniques.invariants.cells``): it is about numbers.
"""

from __future__ import annotations

from clew.base.budget import Budget
from clew.frontend.promote import promote
from clew.jobs.phases.changed_program import ChangedProgramProof
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import wanted_kinds
from clew.program.module import Program
from clew.report.kinds import PLACED
from clew.techniques.invariants.cells.localizing import localized
from clew.techniques.invariants.cells.one_cell import with_one_cell


class CellProof(ChangedProgramProof):
    """One cell of all arrays, and what it proves."""

    technique = "cells"

    def _changed(self, share: Budget) -> tuple[Program, str] | None:
        """None as well where accesses of memory are asked about: those of arrays are gone."""
        request = self._context.request
        if not wanted_kinds(request, DEFAULT_CHECKS) <= PLACED or request.function is not None:
            return None
        name = self._facts.entry.function.name
        program = with_one_cell(self._context.program, name)
        if program is None:
            return None
        return promote(localized(program, name)), "by what holds of every cell of its arrays"
