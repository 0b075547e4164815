"""Target probes: calls before what ``clew reach`` looks for; a path that executes one ends there.

    if.then:                             if.then:
      %sum = add i32 %a, %b       ->       call void @clew.target()
                                           %sum = add i32 %a, %b

The probe has the location of what it stands before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from clew.analysis.model_effect import ENDS
from clew.base.location import Location
from clew.checks.properties import Site
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.program import instructions as ir
from clew.program.editing import call_to
from clew.program.module import Block, Program
from clew.program.values import GlobalRef

TARGET = "clew.target"
REACHED = "reached"
"""The kind of ``Failed`` that a path at a probe ends with: no error, but what ``clew reach`` looks for."""


def insert_probes(program: Program, places: Iterable[tuple[Site, Location | None]]) -> Program:
    """The program with a probe before each of these sites."""
    by_function: dict[str, dict[str, dict[int, Location | None]]] = {}
    for site, location in places:
        by_function.setdefault(site.function, {}).setdefault(site.block, {})[site.index] = location
    functions = dict(program.functions)
    for name, by_block in by_function.items():
        function = functions[name]
        blocks = tuple(_with_probes(block, by_block.get(block.name, {})) for block in function.blocks)
        functions[name] = dataclasses.replace(function, blocks=blocks)
    return dataclasses.replace(program, functions=functions)


def probes_of(program: Program) -> tuple[Site, ...]:
    """Where the program has probes."""
    return tuple(
        Site(function.name, block.name, index)
        for function in program.functions.values()
        for block in function.blocks
        for index, instruction in enumerate(block.instructions)
        if isinstance(instruction, ir.Call) and instruction.callee == GlobalRef(TARGET)
    )


def _with_probes(block: Block, places: dict[int, Location | None]) -> Block:
    def call(place: Location | None) -> ir.Call:
        return call_to(TARGET, location=place)

    return block.inserted({index: (call(place),) for index, place in places.items()}) if places else block


@model(TARGET, overrides=True, effect=ENDS)
def target(call: Invocation) -> None:
    """Whoever comes here has reached the target."""
    call.fail(REACHED, "the target is reached")
