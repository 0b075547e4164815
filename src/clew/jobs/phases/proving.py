"""What phases that decide properties have in common."""

from __future__ import annotations

from clew.base.options import VerifyRequest
from clew.checks.properties import Property, properties
from clew.execute.machine import Machine
from clew.jobs.prepare import ExploreSettings
from clew.program.module import Function
from clew.techniques.external_calls import called_from_outside

DEFAULT_CHECKS = ("assert", "abort")
"""What to check where the user does not say; ``abort`` does not count where programs state assumptions with it."""


def verify_settings(request: VerifyRequest, traced: bool = False) -> ExploreSettings:
    """How runs that decide properties explore; ``traced`` if a technique leads their states, which minds the bound."""
    return ExploreSettings(
        "error",
        "dfs",
        None if traced else request.unroll,
        checks=DEFAULT_CHECKS,
        traced=traced,
        convert=not request.keep_branches,
    )


def properties_of(machine: Machine, kinds: frozenset[str] | None, entry: Function) -> tuple[Property, ...]:
    """What there is to decide in a program."""
    assert kinds is not None
    outside = called_from_outside(machine.program, machine.callees, entry)
    return properties(machine.program, kinds, entry, outside)
