"""Immediate dominators of the blocks of one function, for the verifier.

The iterative algorithm of Cooper, Harvey and Kennedy. Blocks are numbers in reverse postorder, so the
entry is 0 and a dominator's number is never greater than the dominated block's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def reverse_postorder(entry: str, successors: Mapping[str, Sequence[str]]) -> list[str]:
    """The blocks reachable from ``entry``, each before its successors except along back edges."""
    order: list[str] = []
    seen = {entry}
    stack = [(entry, iter(successors[entry]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(successors[target])))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


class Dominators:
    """Answers whether one reachable block dominates another."""

    def __init__(self, entry: str, successors: Mapping[str, Sequence[str]]) -> None:
        order = reverse_postorder(entry, successors)
        self.number = {block: index for index, block in enumerate(order)}
        predecessors: list[list[int]] = [[] for _ in order]
        for block in order:
            for target in successors[block]:
                predecessors[self.number[target]].append(self.number[block])
        self._enter, self._leave = _intervals(_immediate(predecessors))

    def dominates(self, above: str, below: str) -> bool:
        """Whether every path from the entry to ``below`` passes ``above`` (a block dominates itself)."""
        a, b = self.number[above], self.number[below]
        return self._enter[a] <= self._enter[b] and self._leave[b] <= self._leave[a]


def _immediate(predecessors: list[list[int]]) -> list[int]:
    """The immediate dominator of each block; the entry's is itself."""
    idom = [-1] * len(predecessors)
    idom[0] = 0
    changed = True
    while changed:
        changed = False
        for block in range(1, len(predecessors)):
            best = -1
            for other in predecessors[block]:
                if idom[other] >= 0:
                    best = other if best < 0 else _meet(idom, best, other)
            if idom[block] != best:
                idom[block] = best
                changed = True
    return idom


def _meet(idom: list[int], a: int, b: int) -> int:
    """The nearest block that dominates both."""
    while a != b:
        if a > b:
            a = idom[a]
        else:
            b = idom[b]
    return a


def _intervals(idom: list[int]) -> tuple[list[int], list[int]]:
    """Times of entering and leaving each block in a walk over the dominator tree."""
    children: list[list[int]] = [[] for _ in idom]
    for block in range(1, len(idom)):
        children[idom[block]].append(block)
    enter, leave = [0] * len(idom), [0] * len(idom)
    clock, stack = 0, [(0, False)]
    while stack:
        block, done = stack.pop()
        clock += 1
        if done:
            leave[block] = clock
        else:
            enter[block] = clock
            stack.append((block, True))
            stack.extend((child, False) for child in children[block])
    return enter, leave
