"""The invariants of a program that is ready to run, by abstract interpretation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from clew.analysis.absint.analyse import Invariants, Limits, analyse
from clew.analysis.mod_ref import ModRef
from clew.analysis.scopes import Scopes
from clew.execute.machine import Machine
from clew.program.values import Register


def find(
    machine: Machine,
    entry: str,
    domain: str = "polyhedra",
    limits: Limits | None = None,
    named: bool = False,
    stop: Callable[[], bool] = lambda: False,
    effects: ModRef | None = None,
) -> Invariants | None:
    """What holds where, when a program starts at ``entry``; None if it is too large, or ``stop`` says so.

    ``named``: values that C variables have are kept for as long as they have them, not only as long as code needs them.
    """
    program = machine.program
    scopes = cache(lambda function: Scopes(program.functions[function]))

    def kept(function: str, block: str) -> frozenset[str]:
        if not named:
            return frozenset()
        contents = scopes(function).start(block).values()
        parameters = (parameter.value for parameter in program.functions[function].parameters)
        values = (*(content.value for content in contents if not content.in_memory), *parameters)
        return frozenset(value.name for value in values if isinstance(value, Register))

    if effects is None:
        effects = ModRef(program, machine.callees)
    return analyse(effects, entry, domain, limits, kept, stop)
