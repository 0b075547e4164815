"""Where promoted variables need a phi: pruned SSA, for all variables at once.

A set of variables is a Python integer with a bit for each, so that one operation works on
thousands of them: the time is that of a few passes over the blocks, whatever the number of variables.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.analysis.graph import ControlFlow, DominatorTree, dominance_frontiers, postorder


def live_on_entry(graph: ControlFlow, reads: Sequence[int], writes: Sequence[int]) -> list[int]:
    """For each block, the variables whose value on entry may still be read.

    ``reads`` are those a block reads before writing them, ``writes`` those it writes.
    """
    live = list(reads)
    order = postorder(graph.successors)
    waiting = set(order)
    while waiting:
        for block in order:
            if block not in waiting:
                continue
            waiting.discard(block)
            out = 0
            for target in graph.successors[block]:
                out |= live[target]
            fresh = reads[block] | (out & ~writes[block])
            if fresh != live[block]:
                live[block] = fresh
                waiting.update(graph.predecessors[block])
        waiting.intersection_update(order)
    return live


def place_phis(graph: ControlFlow, tree: DominatorTree, writes: Sequence[int], live: Sequence[int]) -> list[int]:
    """For each block, the variables that need a phi there: iterated dominance frontiers, where live."""
    frontiers = dominance_frontiers(graph, tree)
    phis = [0] * len(graph)
    work = [block for block in tree.preorder if writes[block]]
    while work:
        block = work.pop()
        values = writes[block] | phis[block]
        for join in frontiers[block]:
            more = values & live[join] & ~phis[join]
            if more:
                phis[join] |= more
                work.append(join)
    return phis


def members(bits: int) -> list[int]:
    """The numbers in a set."""
    result = []
    while bits:
        low = bits & -bits
        result.append(low.bit_length() - 1)
        bits ^= low
    return result
