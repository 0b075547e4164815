"""Which successor of a branch is taken when the condition, as the source has it, is true.

Clang compiles no negation in a condition: ``if (!(x > 7))`` branches on ``x > 7`` with its targets exchanged. The names
of its blocks tell the targets of the whole condition (``if.then``, ``cond.false``, ...), and those between operands
tell the operators:

    if (!(a && !b)) ...      entry:          br a, land.lhs.true, if.then       a: true leads on to the other operand
                             land.lhs.true:  br b, if.then, if.end              !b: true leads to if.end

From targets and operators a condition is found that is compiled to just these branches: that with the fewest
negations, as others can have the same code (``a && !(b || c)`` and ``!(!(a && !b) || c)``). A branch is *negated* if a
negation stands directly before its operand. Where names tell nothing (code without them, loops, which Clang compiles
as they are), no branch is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from clew.analysis.graph import NONE, ControlFlow, DominatorTree, control_flow, dominators
from clew.program import instructions as ir
from clew.program.module import Function

_WHOLE = {"if.then": True, "if.else": False, "cond.true": True, "cond.false": False, "land.rhs": True, "lor.rhs": False}
"""Targets of whole conditions that nothing else leads to, and the truth that does."""
_VALUES = frozenset(("land.rhs", "lor.rhs"))
"""Those of a left operand whose operator gives a value."""
_OPERANDS = frozenset(("land.lhs.true", "lor.lhs.false", "cond.true", "cond.false"))
"""Where an operand begins that is not the first."""
_WITHIN = frozenset(("land.end", "lor.end", "cond.end", "cont", ""))
"""Blocks in which the evaluation of an operand goes on."""
LONGEST = 40
"""Operands of a condition; of longer ones only the last is looked at."""


class Conditions(NamedTuple):
    """What the branches of a function have to do with the source's conditions, by the names of their blocks."""

    negated: frozenset[str] = frozenset()
    """They go to their second target when the source's condition, or operand, is true."""
    operands: frozenset[str] = frozenset()
    """They decide on an operand of ``&&``, ``||`` or ``?:``, not on a whole condition."""


class _Operand(NamedTuple):
    """A branch: its successors, and the block where the evaluation of its condition begins."""

    block: str
    yes: str
    no: str
    start: str


class _Reading(NamedTuple):
    """A way to read a condition: how many negations it has, and which operands have one directly before them."""

    negations: int
    negated: tuple[str, ...] = ()


def conditions(function: Function) -> Conditions:
    """How the branches of a function stand in the source."""
    branches = {block.name: block.terminator for block in function.blocks if _is_condition(block.terminator)}
    if not any(_base(target) in _WHOLE for branch in branches.values() for target in ir.successors(branch)):
        return Conditions()
    return _Finder(function, branches).find()


def _is_condition(terminator: ir.Instruction) -> bool:
    return isinstance(terminator, ir.Branch) and not terminator.implicit and terminator.if_true != terminator.if_false


def _base(name: str) -> str:
    """A block's name without the number that makes it unique."""
    return name.rstrip("0123456789")


class _Finder:
    """Finds all conditions of one function."""

    def __init__(self, function: Function, branches: Mapping[str, ir.Instruction]) -> None:
        self._graph: ControlFlow = control_flow(function)
        self._number = self._graph.numbers
        self._operands: dict[str, _Operand] = {}
        compound = any(_base(name) in _OPERANDS for name in self._graph.names)
        for name, branch in branches.items():
            assert isinstance(branch, ir.Branch)
            start = self._start(name) if compound else name
            self._operands[name] = _Operand(name, branch.if_true, branch.if_false, start)

    def _start(self, name: str) -> str:
        """The block where the operand begins that a branch decides on."""
        number = self._number[name]
        for _ in self._graph.names:  # not for ever: code that nothing leads to may go in circles
            above = self._above(number) if _base(self._graph.names[number]) in _WITHIN else NONE
            if above == NONE:
                break
            number = above
        return self._graph.names[number]

    def _above(self, number: int) -> int:
        """The block that dominates a block directly: mostly the only one before it."""
        before = self._graph.predecessors[number]
        return before[0] if len(before) == 1 and number else self._dominators.parent[number]

    @cached_property
    def _dominators(self) -> DominatorTree:
        return dominators(self._graph)

    def find(self) -> Conditions:
        """Larger conditions are read first: their operands are no conditions."""
        negated: set[str] = set()
        operands: set[str] = set()
        read: set[str] = set()
        roots = [(name, self._chain(name)) for name in self._graph.names if _base(name) in _WHOLE]
        for target, chain in sorted(roots, key=lambda root: -len(root[1])):
            parts, reading = self._longest(target, chain)
            fresh = {part.block for part in parts} - read
            negated |= fresh & set(reading.negated)
            if len(parts) > 1 or _base(target) in _VALUES:
                operands |= fresh
            read |= fresh
        return Conditions(frozenset(negated), frozenset(operands))

    def _chain(self, target: str) -> list[_Operand]:
        """The operands that may belong to a condition that leads to ``target``, in order."""
        found: dict[str, _Operand] = {}
        work = [target]
        seen = {target}
        while work and len(found) <= LONGEST:
            for number in self._graph.predecessors[self._number[work.pop()]]:
                operand = self._operands.get(self._graph.names[number])
                if operand is None or operand.block in found:
                    continue
                found[operand.block] = operand
                if _base(operand.start) in _OPERANDS and operand.start not in seen:
                    seen.add(operand.start)
                    work.append(operand.start)
        return sorted(found.values(), key=lambda operand: self._number[operand.block])

    def _longest(self, target: str, chain: list[_Operand]) -> tuple[list[_Operand], _Reading]:
        """The last operands of a chain that can be read as one condition."""
        truth = _WHOLE[_base(target)]
        for first in range(max(0, len(chain) - LONGEST), len(chain)):
            operands = chain[first:]
            inner = {operand.start for operand in operands[1:]}
            others = {side for operand in operands for side in (operand.yes, operand.no)} - inner - {target}
            if len(others) == 1:
                other = others.pop()
                reading = _read(operands, *((target, other) if truth else (other, target)))
                if reading is not None:
                    return operands, reading
        return [], _Reading(0)


def _read(operands: list[_Operand], yes: str, no: str) -> _Reading | None:
    """The condition with the fewest negations that leads to ``yes`` or ``no`` by these branches, if there is one."""

    @cache
    def best(first: int, last: int, yes: str, no: str) -> _Reading | None:
        if {operands[last].yes, operands[last].no} != {yes, no}:
            return None  # whatever comes before it, the last operand decides
        plain, turned = exactly(first, last, yes, no, 0), exactly(first, last, no, yes, 1)
        return _simplest((plain, turned))

    def exactly(first: int, last: int, yes: str, no: str, turned: int) -> _Reading | None:
        """With so many negations before the whole, which count."""
        if first == last:
            operand = operands[first]
            fits = (operand.yes, operand.no) == (yes, no)
            return _Reading(turned, (operand.block,) * turned) if fits else None
        readings = (split(first, middle, last, yes, no, turned) for middle in range(first, last))
        return _simplest(readings)

    def split(first: int, middle: int, last: int, yes: str, no: str, turned: int) -> _Reading | None:
        """As an operator after operand ``middle``."""
        after = operands[middle + 1].start
        match _base(after):
            case "land.lhs.true":
                return _both(best(first, middle, after, no), best(middle + 1, last, yes, no), turned)
            case "lor.lhs.false":
                return _both(best(first, middle, yes, after), best(middle + 1, last, yes, no), turned)
            case "cond.true" if not turned:  # !(a ? b : c) is compiled as a ? !b : !c
                return choice(first, middle, last, yes, no)
        return None

    def choice(first: int, middle: int, last: int, yes: str, no: str) -> _Reading | None:
        start = operands[middle + 1].start
        for end in range(middle + 1, last):
            other = operands[end + 1].start
            if _base(other) == "cond.false":
                sides = _both(best(middle + 1, end, yes, no), best(end + 1, last, yes, no))
                whole = _both(best(first, middle, start, other), sides)
                if whole is not None:
                    return whole
        return None

    return best(0, len(operands) - 1, yes, no)


def _simplest(readings: Iterable[_Reading | None]) -> _Reading | None:
    """That with the fewest negations, and the first of those."""
    found = (reading for reading in readings if reading is not None)
    return min(found, key=lambda reading: reading.negations, default=None)


def _both(one: _Reading | None, other: _Reading | None, negations: int = 0) -> _Reading | None:
    """Both parts of a condition, with negations before it."""
    if one is None or other is None:
        return None
    return _Reading(one.negations + other.negations + negations, one.negated + other.negated)
