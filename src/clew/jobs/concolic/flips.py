"""The conditions of a trace that may be turned around, each with the earlier ones that have to do with it.

Which bytes of the input a node depends on is found for all nodes at once, as sets of bits; terms are made only of the
conditions that a flip needs: those before it that share input with it, directly or through others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from clew.base.dataclass import dataclass
from clew.base.memo import remembered
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.jobs.concolic.rounds import Progression, progressions
from clew.jobs.concolic.terms import Terms
from clew.native.emit.context import Site
from clew.native.trace import NODE, Record, Trace
from clew.native.trace_ops import NodeOp, RecordKind
from clew.program import instructions as ir
from clew.program.module import Function
from clew.report.records import BranchId
from clew.solver.path import conjuncts

_ADDRESS = 64


@dataclass(frozen=True, slots=True)
class Flip:
    """Another outcome than the one that a run had at a record."""

    position: int
    """Of the record in the trace."""
    site: Site
    outcome: int | str
    """Of a branch 0 or 1, of a switch the target, else what is wished for."""
    branch: BranchId | None
    """The outcome's name in coverage, if it has one."""
    context: tuple[int, int]
    """How the run came here: the outcome before it, and about how often it was here already."""
    rounds: int
    """How often exactly, or, of a loop as a whole, how often it should go round."""
    loop: Progression | None = None

    @property
    def key(self) -> tuple[Site, int | str]:
        """What is counted: the outcome at this place."""
        return self.site, self.outcome


class Flips:
    """All flips of one trace."""

    def __init__(self, trace: Trace, functions: Mapping[str, Function]) -> None:
        self._trace = trace
        self._functions = functions
        self.terms = Terms(trace)
        self.lost = next((n for n, one in enumerate(trace.records) if one.kind == RecordKind.LOST), len(trace.records))
        """The position from which on the trace does not have everything."""

    def all(self, rounds: Iterable[int] = ()) -> Iterator[Flip]:
        """In the order of the trace; then other numbers of ``rounds`` of its loops, as far as they tell."""
        before, passes = 0, Counter[int]()
        for position, record in enumerate(self._trace.records):
            if record.kind == RecordKind.LOST or not self._inputs[record.node]:
                continue
            site = self._trace.sites[record.site]
            for outcome, branch in self._outcomes(record, site):
                count = passes[record.site]
                yield Flip(position, site, outcome, branch, (before, count.bit_length()), count)
            passes[record.site] += 1
            if record.kind in (RecordKind.FORK, RecordKind.CASE):
                before = record.site * 2 + (record.taken & 1)
        wanted = sorted(rounds)
        for loop in progressions(self._trace, self.terms) if wanted else ():
            for number in wanted:
                site = self._trace.sites[loop.site]
                yield Flip(loop.position, site, f"{number} rounds", None, (0, 0), number, loop)

    def _outcomes(self, record: Record, site: Site) -> Iterator[tuple[int | str, BranchId | None]]:
        if record.kind == RecordKind.FORK:
            yield 1 - record.taken, self._branch(site, 1 - record.taken)
        elif record.kind == RecordKind.CASE:
            yield from self._other_cases(record, site)
        elif record.kind == RecordKind.BOUNDS:
            yield "outside", None
        else:
            yield "other", None

    def _terminator(self, site: Site) -> ir.Instruction:
        function, block, _ = site
        return next(one for one in self._functions[function].blocks if one.name == block).terminator

    def _branch(self, site: Site, taken: int) -> BranchId | None:
        function, block, kind = site
        if kind != "branch":
            return None
        terminator = self._terminator(site)
        assert isinstance(terminator, ir.Branch)
        return None if terminator.implicit else (function, block, 1 - taken)

    def _other_cases(self, record: Record, site: Site) -> Iterator[tuple[int | str, BranchId | None]]:
        terminator = self._terminator(site)
        assert isinstance(terminator, ir.Switch)
        targets = ir.successors(terminator)
        taken = _target(terminator, record.value)
        for position, target in enumerate(targets):
            if target != taken:
                yield target, (site[0], site[1], position)

    # Conditions

    def wanted(self, flip: Flip) -> Bool:
        """What has to hold for a flip."""
        if flip.loop is not None:
            return flip.loop.leaves_after(flip.rounds)
        record = self._trace.records[flip.position]
        term = self.terms.of(record.node)
        if record.kind == RecordKind.FORK:
            return build.lnot(term) if record.taken else term
        if record.kind == RecordKind.CASE:
            terminator = self._terminator(flip.site)
            assert isinstance(terminator, ir.Switch) and isinstance(flip.outcome, str)
            return self._case(terminator, flip.outcome, record.node)
        return build.lnot(self.held(flip.position))

    def _case(self, terminator: ir.Switch, target: str, node: int) -> Bool:
        term, width = self.terms.of(node), self.terms.width(node)
        if target == terminator.default:
            others = [_equal(term, value, width) for value, to in terminator.cases if to != target]
            return build.lnot(build.disjunction(others))
        return build.disjunction([_equal(term, value, width) for value, to in terminator.cases if to == target])

    @remembered
    def held(self, position: int) -> Bool:
        """What a record says of the input: true for the input of the trace."""
        record = self._trace.records[position]
        if record.kind == RecordKind.LOST:
            return True
        term = self.terms.of(record.node)
        if record.kind == RecordKind.FORK:
            found: Bool = term if record.taken else build.lnot(term)
            return found
        if record.kind == RecordKind.BOUNDS:
            last = build.ule(term, record.more - record.taken, _ADDRESS)
            return build.land(build.ule(record.value, term, _ADDRESS), last)
        width = self.terms.width(record.node)
        if record.kind == RecordKind.CASE:
            terminator = self._terminator(self._trace.sites[record.site])
            assert isinstance(terminator, ir.Switch)
            return self._case(terminator, _target(terminator, record.value), record.node)
        return _equal(term, record.value, width)

    def prefix(self, flip: Flip) -> frozenset[Expr]:
        """What was found out before, as far as it shares input with a flip."""
        found: set[Expr] = set()
        for position in self._related(flip.position):
            condition = self.held(position)
            if type(condition) is Expr:
                found.update(conjuncts(condition))
        return frozenset(found)

    def _related(self, position: int) -> list[int]:
        """The earlier records that share input with one, directly or through others."""
        reached = self._inputs[self._trace.records[position].node]
        found: list[int] = []
        waiting = list(self._distinct[: self._distinct_before[position]])
        while True:
            near = [one for one in waiting if self._inputs[self._trace.records[one].node] & reached]
            if not near:
                return found
            found += near
            for one in near:
                reached |= self._inputs[self._trace.records[one].node]
            taken = set(near)
            waiting = [one for one in waiting if one not in taken]

    @cached_property
    def _distinct(self) -> list[int]:
        """Records that depend on input, in order."""
        return [n for n, one in enumerate(self._trace.records) if self._inputs[one.node]]

    @cached_property
    def _distinct_before(self) -> list[int]:
        """For each record, how many of them come before it."""
        counts, count = [], 0
        for record in self._trace.records:
            counts.append(count)
            count += bool(self._inputs[record.node])
        return counts

    @cached_property
    def _inputs(self) -> list[int]:
        """Of each node, the bytes of input that it depends on, as bits of a number."""
        found = [0]
        for op, _, _, a, b, c, immediate, _ in NODE.iter_unpack(self._trace.nodes[NODE.size :]):
            found.append(1 << immediate if op == NodeOp.INPUT else found[a] | found[b] | found[c])
        return found


def _target(terminator: ir.Switch, value: int) -> str:
    return next((target for case, target in terminator.cases if case == value), terminator.default)


def _equal(term: Bool, value: int, width: int) -> Bool:
    if width == 1:
        return build.iff(term, bool(value))
    return build.eq(term, value, width)
