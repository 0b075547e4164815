"""How often loops must go round for the branches of a program to be reached: the least counts that invariants allow."""

from __future__ import annotations

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Linear
from clew.analysis.absint.variables import Count
from clew.execute.coverage import is_implicit
from clew.program import instructions as ir

FAR = 100_000
"""Iterations that no exploration goes through one by one."""


def needed_rounds(invariants: Invariants) -> dict[tuple[str, str], int]:
    """For each loop, by function and header: the iterations that some branch outcome cannot do without."""
    needed: dict[tuple[str, str], int] = {}
    for frame in invariants.frames:
        name = frame.function.name
        outline = invariants.outline(frame.number)
        heads = [outline.graph.names[loop.header] for loop in outline.forest.loops]
        needed.update({(name, head): needed.get((name, head), 0) for head in heads})
        for block in frame.function.blocks if heads else ():
            targets = ir.successors(block.terminator)
            if len(targets) < 2 or is_implicit(block.terminator):
                continue
            for target in targets:
                state = invariants.on_edge(frame.number, block.name, target)
                for head in heads if not state.is_bottom else ():
                    least, _ = state.bounds(Linear.of(Count(frame.number, head)))
                    if least is not None and least <= FAR:
                        needed[name, head] = max(needed[name, head], least)
    return needed
