"""Contracts of recursive functions: what holds of all calls, by induction on the height of the tree of calls."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.execute.context import RunOptions
from clew.execute.run import Run
from clew.execute.state import State
from clew.techniques.invariants.candidates.induction import Induction
from clew.techniques.invariants.candidates.limits import USUAL, Limits
from clew.techniques.invariants.candidates.program_conditions import constants_of, program_conditions
from clew.techniques.invariants.candidates.runs import setting_of
from clew.techniques.invariants.candidates.samples import samples_of
from clew.techniques.invariants.candidates.segments import segments_of
from clew.techniques.invariants.candidates.templates import Hints
from clew.techniques.invariants.contracts.contract import Component, Contract, empty_contract
from clew.techniques.invariants.contracts.cutting import cut_recursion, points_of, shown


def find_contracts(
    effects: ModRef,
    component: Component,
    start: Callable[[Run], State],
    options: RunOptions,
    budget: Budget,
    limits: Limits = USUAL,
) -> dict[str, Contract] | None:
    """What holds of all calls, when runs begin with ``start``; None where not all that happens can be followed."""
    program = effects.program
    empty = {name: empty_contract(program, component, name) for name in component.names}
    points = points_of(component, empty)
    setting = setting_of(start, options, budget, limits)
    segments = segments_of(cut_recursion(effects, component, empty, probed=True), setting, limits)
    if segments is None or budget.is_out_of_time():
        return None
    budget.exhausted()  # others may have their turn
    samples = samples_of(shown(program, component, empty), len(points), setting, limits)
    hints = []
    for name, contract in empty.items():
        function = program.functions[name]
        for point in (contract.before, contract.after):
            inside, outside = program_conditions(function, point, range(len(function.blocks)))
            hints.append(Hints(inside, outside, _constants(effects, name)))
    found = Induction(points, segments, samples, hints, setting, limits).holding([()] * len(points))
    held = [tuple(condition for condition, _ in of_point) for of_point in found]
    return {
        name: dataclasses.replace(contract, required=held[2 * number], ensured=held[2 * number + 1])
        for number, (name, contract) in enumerate(empty.items())
    }


def _constants(effects: ModRef, name: str) -> dict[int, list[int]]:
    """Numbers of a function, and of those that call it."""
    found: dict[int, list[int]] = {}
    callers = [other for other in effects.program.functions if name in _callees(effects, other)]
    for function in dict.fromkeys((name, *callers)):
        for width, numbers in constants_of(effects.program.functions[function]).items():
            found.setdefault(width, []).extend(number for number in numbers if number not in found.get(width, ()))
    return found


def _callees(effects: ModRef, name: str) -> tuple[str, ...]:
    return () if effects.program.functions[name].is_declaration else effects.calls.callees(name)
