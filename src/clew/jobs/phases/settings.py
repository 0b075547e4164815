"""How the runs of phases explore, and which properties there are to decide."""

from __future__ import annotations

from clew.base.options import ReachRequest, VerifyRequest
from clew.checks.properties import Property, properties
from clew.execute.instrument.targets import REACHED
from clew.execute.machine import Machine
from clew.jobs.prepare import ExploreSettings
from clew.program.module import Function, Program
from clew.techniques.unmodelled import called_from_outside

DEFAULT_CHECKS = ("assert", "abort")
"""What to verify where the user does not say; ``abort`` does not count where programs state assumptions with it."""

LARGE = 64
"""Blocks of a program that takes long to reason about as a whole."""


def verify_settings(request: VerifyRequest, traced: bool = False) -> ExploreSettings:
    """Of runs that decide properties; ``traced`` if a technique leads their states, which then minds the bound."""
    bound = None if traced else request.unroll
    convert = not request.keep_branches
    return ExploreSettings("error", "dfs", bound, checks=DEFAULT_CHECKS, traced=traced, convert=convert)


def reach_settings(request: ReachRequest, traced: bool = False) -> ExploreSettings:
    """Of runs that look for a target; ``traced`` if a technique leads their states."""
    kinds, convert = frozenset((REACHED,)), not request.keep_branches
    return ExploreSettings("error", "dfs", kinds=kinds, traced=traced, convert=convert)


def properties_of(machine: Machine, kinds: frozenset[str] | None, entry: Function) -> tuple[Property, ...]:
    """What there is to decide in a program that is ready to run."""
    assert kinds is not None
    outside = called_from_outside(machine.program, machine.callees, entry)
    return properties(machine.program, kinds, entry, outside)


def is_large(program: Program) -> bool:
    """Whether a program takes long to reason about as a whole."""
    return sum(len(function.blocks) for function in program.functions.values()) > LARGE
