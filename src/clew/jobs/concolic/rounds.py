"""How often loops should go round: what a flip of one pass cannot say.

A branch on a counter depends on no input: only the loop does that counts. So the numbers that branches compare with are
tried as numbers of rounds. Where the conditions of a loop's passes are a progression, one term against
numbers at equal distances, they tell what holds of the input for any number of rounds, also for more than a run had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import pairwise

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.jobs.concolic.terms import Terms
from clew.native.library import PREFIX
from clew.native.trace import Record, Trace
from clew.native.trace_ops import NodeOp, RecordKind
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import ConstInt, Register
from clew.report.records import BranchId

MOST_ROUNDS = 1 << 16
"""Numbers beyond are taken for something else."""
MOST_NUMBERS = 60
LEAST_PASSES = 3
"""Of a progression."""
_COMPARISONS = frozenset(range(NodeOp.EQ, NodeOp.SLE + 1))


def wanted_rounds(functions: Mapping[str, Function], covered: Set[BranchId]) -> frozenset[int]:
    """The numbers that branches compare with of which one outcome is covered and the other one is not, and those next
    to them."""
    found: dict[int, None] = {}
    for function in functions.values():
        if not function.name.startswith(PREFIX):
            for number in _compared(function, covered):
                found.update(dict.fromkeys(range(max(number - 1, 1), number + 2)))
    return frozenset(list(found)[: 3 * MOST_NUMBERS])


def _compared(function: Function, covered: Set[BranchId]) -> Iterator[int]:
    for block in function.blocks:
        terminator = block.terminator
        if not isinstance(terminator, ir.Branch) or terminator.implicit:
            continue
        outcomes = {(function.name, block.name, place) for place in (0, 1)}
        if len(outcomes & covered) != 1 or not isinstance(terminator.condition, Register):
            continue
        for one in block.instructions:
            if isinstance(one, ir.Compare) and one.result == terminator.condition:
                for value in (one.left, one.right):
                    if isinstance(value, ConstInt) and 1 < value.value <= MOST_ROUNDS:
                        yield value.value


@dataclass(frozen=True, slots=True)
class Progression:
    """Passes of a loop in a trace that compare one term with a first number, a second one a step further, and so on."""

    position: int
    """Of the first pass in the trace."""
    site: int
    term: Expr
    op: int
    width: int
    is_left: bool
    """Whether the term is the left operand."""
    first: int
    step: int
    stays: int
    """The outcome that goes on with the loop."""

    def leaves_after(self, rounds: int) -> Bool:
        """What has to hold for so many rounds, one or more."""
        return build.land(self._has(rounds - 1, self.stays), self._has(rounds, 1 - self.stays))

    def _has(self, rounds: int, outcome: int) -> Bool:
        number = (self.first + self.step * rounds) % (1 << self.width)
        left, right = (self.term, number) if self.is_left else (number, self.term)
        condition: Bool = Terms.combined(self.op, left, right, self.width)
        return condition if outcome else build.lnot(condition)


def progressions(trace: Trace, terms: Terms) -> Iterator[Progression]:
    """Of all loops of a trace, the first of each place."""
    passes: dict[int, list[tuple[int, Record]]] = {}
    for position, record in enumerate(trace.records):
        if record.kind == RecordKind.FORK:
            passes.setdefault(record.site, []).append((position, record))
    for found in passes.values():
        if len(found) >= LEAST_PASSES and (made := _progression(found, trace, terms)) is not None:
            yield made


def _progression(passes: list[tuple[int, Record]], trace: Trace, terms: Terms) -> Progression | None:
    """What the first passes of a place have in common, if it is a progression."""
    numbers: list[int] = []
    shape: tuple[Expr, int, int, bool] | None = None
    for _, record in passes[:LEAST_PASSES]:
        node = trace.node(record.node)
        if node.op not in _COMPARISONS or (node.a and node.b):
            return None
        term = terms.of(node.a or node.b)
        here = (term, node.op, node.width, bool(node.a))
        if type(term) is not Expr or here != (shape or here) or record.taken != passes[0][1].taken:
            return None
        shape = here
        numbers.append(node.immediate)
    assert shape is not None
    steps = {(later - earlier) % (1 << shape[2]) for earlier, later in pairwise(numbers)}
    if len(steps) != 1 or 0 in steps:
        return None
    position, first = passes[0]
    return Progression(position, first.site, *shape, numbers[0], steps.pop(), first.taken)
