"""Merge points: calls where paths meet that inputs have separated, which tell those who listen to a run.

    join:                              join:
      %i = phi ...                       %i = phi ...
      ...                                call void @clew.merge_point(<name>)

Who listens to merge points (``Events.merge_point``) says where they are. Generated code makes the call only while the
``Watch`` of that name is on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from clew.analysis.model_effect import READS
from clew.execute.events import MergePoint
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.program import instructions as ir
from clew.program.editing import call_to
from clew.program.module import Function, Program
from clew.program.values import MetadataArg

MERGE_POINT = "clew.merge_point"


Places = tuple[tuple[str, int], ...]
"""Of one function: blocks, and the instructions before which something goes."""


def insert_merge_points(program: Program, places: Mapping[str, Places]) -> Program:
    """The program with a call of ``clew.merge_point`` at each place, by function."""
    functions = {
        name: _with_calls(function, places[name]) if places.get(name) else function
        for name, function in program.functions.items()
    }
    return dataclasses.replace(program, functions=functions)


def _with_calls(function: Function, places: Places) -> Function:
    by_block: dict[str, dict[int, tuple[ir.Instruction, ...]]] = {}
    for block, index in places:
        by_block.setdefault(block, {})[index] = (
            call_to(MERGE_POINT, MetadataArg(merge_point_name(function.name, (block, index)))),
        )
    blocks = (block.inserted(by_block[block.name]) if block.name in by_block else block for block in function.blocks)
    return dataclasses.replace(function, blocks=tuple(blocks))


def merge_point_name(function: str, place: tuple[str, int]) -> str:
    """What the merge point at a place of a function is called."""
    return f"{function}:{place[0]}:{place[1]}"


@model(MERGE_POINT, overrides=True, watched=True, effect=READS)
def merge_point(call: Invocation, _: Any) -> None:
    """Control is at a merge point: listeners are told, who may end the path or change its state."""
    name = call.argument(0)
    assert isinstance(name, MetadataArg)
    for listener in call.state.run.events.merge_point:
        listener(MergePoint(call.state, call.frame, call.point, call.live, name.text))
