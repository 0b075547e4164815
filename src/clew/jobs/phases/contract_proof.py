"""Properties that hold at any depth of recursion, by contracts of the functions that call themselves.

Recursion is cut open at contracts that were found for it (see ``clew.techniques.invariants.contracts``).
"""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget
from clew.jobs.phases.changed_program import ChangedProgramProof
from clew.jobs.phases.loop_facts import LoopFacts
from clew.program.module import Program
from clew.techniques.invariants.contracts.contract import component_of, recursive_components
from clew.techniques.invariants.contracts.cutting import cut_recursion
from clew.techniques.invariants.contracts.find import find_contracts


class ContractProof(ChangedProgramProof):
    """Contracts of recursive functions, and what they prove."""

    technique = "contracts"

    def _changed(self, share: Budget) -> tuple[Program, str] | None:
        """With the recursion of all components cut that can be."""
        program, effects, entry = self._context.program, self._facts.effects, self._facts.entry
        done: list[str] = []
        for names in recursive_components(effects, entry.function.name):
            component = component_of(effects, names)
            if component is None:
                continue
            contracts = find_contracts(effects, component, entry.start, self._facts.options, share)
            if contracts is not None:
                program = cut_recursion(effects, component, contracts)
                effects = LoopFacts(replace(self._context, program=program)).effects
                done += names
        return (program, f"by contracts of recursive functions ({', '.join(done)})") if done else None
