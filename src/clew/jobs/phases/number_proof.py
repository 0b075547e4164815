"""Properties of programs that read numbers with ``scanf``, proved for any numbers, without text."""

from __future__ import annotations

from clew.base.budget import Budget
from clew.frontend.promote import promote
from clew.jobs.phases.changed_program import ChangedProgramProof
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import wanted_kinds
from clew.program.module import Program
from clew.techniques.invariants.any_numbers import with_any_numbers


class NumberProof(ChangedProgramProof):
    """Any numbers in the place of those that are read, and what that proves."""

    technique = "numbers"

    def _changed(self, share: Budget) -> tuple[Program, str] | None:
        """None as well where uninitialized variables are asked about: what was not read may be one."""
        if "uninitialized" in wanted_kinds(self._context.request, DEFAULT_CHECKS):
            return None
        program = with_any_numbers(self._context.program)
        return None if program is None else (promote(program), "for any numbers that it may read")
