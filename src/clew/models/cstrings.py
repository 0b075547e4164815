"""Strings in memory as the models of string.h see them: bytes that may be symbolic, and how far they go.

A model reads a ``Span`` (see ``spans``): the bytes from an address up to the first sure NUL, the end of the object,
the first byte nobody has written, or the function's own limit. It computes for every position whether the C
function stops there, hands that list to ``settle``, which states in one requirement that the function stops before
the span ends, and builds its result with ``first``, ``earlier`` and the like: nothing here forks per byte.

Invariant: reading spans changes nothing; a byte counts as zero or not zero if the path already says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from clew.base.dataclass import dataclass
from clew.execute import pointers
from clew.execute.invocation import Invocation
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.ranges import interval
from clew.expr.rewrite.choice import ite_bv
from clew.memory import describe

FORMULA_LIMIT = 4096
"""Symbolic bytes that one call looks at; what strings longer than that do is not explored."""

END = ("end", "")
SIZED = ("out-of-bounds", "access past the end of an object whose size depends on the input")
BOUND = ("", f"a string with more than {FORMULA_LIMIT} symbolic bytes")
UNSET_END = ("uninitialized", "an uninitialized byte decides where a string ends")


@dataclass(frozen=True, slots=True)
class Reach:
    """Memory from an address on: ``length`` bytes, and what it would be to touch one byte more."""

    address: BV
    length: int
    beyond: tuple[str, str] | None
    """Kind and message of the error; None where the function itself goes no further. ``END`` stands for the
    error memory itself gives: wording that looks at all objects."""
    offset: BV = 0
    extent: BV | None = None
    """The size of the object, where that or the offset in it is symbolic."""
    write: bool = False

    def valid(self, index: int, bits: int) -> Bool:
        """Whether the byte at an index below ``length`` is in the object."""
        return True if self.extent is None else build.ult(build.add(self.offset, index, bits), self.extent, bits)


@dataclass(frozen=True, slots=True)
class Span(Reach):
    """Bytes that are read one after the other; a sure NUL can only be the last."""

    values: tuple[BV, ...] = ()
    zero: tuple[Bool, ...] = ()
    """Whether each byte is the terminator."""
    start: BV = 0
    """Where in ``values`` the string starts: not 0 only in what ``scan`` gives."""
    started: tuple[Bool, ...] = ()
    """Whether the string has started at each byte; empty if it has at the first."""

    def masked(self, conditions: Sequence[Bool]) -> list[Bool]:
        """Conditions on bytes, as far as the bytes belong to the string."""
        if not self.started:
            return list(conditions)
        return [build.land(on, condition) for on, condition in zip(self.started, conditions, strict=True)]

    @property
    def concrete(self) -> bool:
        return not any(isinstance(value, Expr) for value in self.values)


def limit_of(count: BV) -> int:
    """The largest value a count can have."""
    return interval(count)[1]


def fault(call: Invocation, address: int, write: bool) -> tuple[str, str]:
    """Kind and message of an access to an address that lies in no object."""
    return pointers.what_fails(describe.fault(call.state.memory, address, 1, write))


def is_zero(call: Invocation, value: BV) -> Bool:
    """Whether a byte is NUL; the path may know."""
    return known(call, build.eq(value, 0, 8))


def known(call: Invocation, condition: Bool) -> Bool:
    """A condition, or its truth where the path states it."""
    if isinstance(condition, Expr):
        if call.state.implies(condition):
            return True
        if call.state.implies(build.lnot(condition)):
            return False
    return condition


def settle(call: Invocation, stops: Sequence[Bool], spans: Sequence[Reach], limit: BV | None = None) -> None:
    """Require that the function stops at one of the positions, or at ``limit``, and in valid memory.

    ``stops`` holds a condition for each position that all spans have.
    """
    bits = call.pointer_bits
    terms = [build.land(stop, _valid(spans, index, bits)) for index, stop in enumerate(stops)]
    if limit is not None:
        terms.append(_fits(call, spans, limit, len(stops)))
    _insist_on(call, build.disjunction(terms), spans, len(stops))


def settle_whole(call: Invocation, span: Reach, count: BV) -> None:
    """Require that all of ``count`` bytes are there."""
    _insist_on(call, _fits(call, [span], count, span.length), [span], span.length)


def _insist_on(call: Invocation, safe: Bool, spans: Sequence[Reach], reached: int) -> None:
    """Require ``safe``; where it does not hold, the function goes on after ``reached`` bytes, or leaves an object."""
    if safe is True:
        return
    kind, message = _first_fault(call, spans, reached)
    if (kind, message) == UNSET_END:
        # Objects of symbolic size are never initialised to their last byte: they may end before it.
        insist(call, build.lor(safe, _valid(spans, reached, call.pointer_bits)), *SIZED)
    insist(call, safe, kind, message)


def _valid(spans: Sequence[Reach], index: int, bits: int) -> Bool:
    return build.conjunction([span.valid(index, bits) for span in spans if span.extent is not None])


def _fits(call: Invocation, spans: Sequence[Reach], count: BV, most: int) -> Bool:
    bits = call.pointer_bits
    inside = [
        build.ule(build.add(count, span.offset, bits), span.extent, bits) for span in spans if span.extent is not None
    ]
    # The sum cannot wrap where the first condition holds.
    return build.conjunction([build.ule(count, most, bits), *inside])


def _first_fault(call: Invocation, spans: Sequence[Reach], reached: int) -> tuple[str, str]:
    """The error of going on after ``reached`` bytes."""
    for span in spans:
        if span.length == reached and span.beyond is not None:
            return span.beyond if span.beyond is not END else fault(call, int_of(span.address) + reached, span.write)
    return SIZED


def insist(call: Invocation, condition: Bool, kind: str, message: str) -> None:
    """A requirement; one on undefined values fails as such, and a bound of ours is noted and assumed."""
    state = call.state
    if isinstance(condition, Expr) and state.run.undefined:
        call.require_defined(condition, UNSET_END[1])
    if kind:
        call.require(condition, kind, message)
    elif condition is not True:
        state.run.note_loss("bounded", message, state)
        call.assume(condition)


# Formulas over positions


def int_of(address: BV) -> int:
    """An address that is known to be concrete."""
    assert not isinstance(address, Expr)
    return address


def first(conditions: Sequence[Bool], default: int, width: int) -> BV:
    """The first position at which a condition holds; ``default`` where there is none."""
    result: BV = default
    for index in range(len(conditions) - 1, -1, -1):
        result = ite_bv(conditions[index], index, result, width)
    return result


def earlier(conditions: Iterable[Bool]) -> list[Bool]:
    """For every position, and the one after the last, whether no condition held before it."""
    result: list[Bool] = [True]
    for condition in conditions:
        result.append(build.land(result[-1], build.lnot(condition)))
    return result


def one_of(value: BV, members: Collection[int], width: int) -> Bool:
    """Whether a value is in a set of numbers, range by range."""
    if not isinstance(value, Expr):
        return value in members
    return build.disjunction([_between(value, low, high, width) for low, high in _ranges(frozenset(members))])


def _between(value: BV, low: int, high: int, width: int) -> Bool:
    if low == high:
        return build.eq(value, low, width)
    return build.ult(build.sub(value, low, width), high - low + 1, width)


@lru_cache(256)
def _ranges(members: frozenset[int]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for member in sorted(members):
        if result and result[-1][1] == member - 1:
            result[-1] = (result[-1][0], member)
        else:
            result.append((member, member))
    return result


def length(span: Span, default: int, width: int) -> BV:
    """The length of a string whose terminator is in the span, else ``default``."""
    return build.sub(first(span.zero, default, width), span.start, width)


def cut(call: Invocation, span: Span, limit: BV) -> Span:
    """The string that ends after ``limit`` bytes at the latest; what the limit allows was read as ``span``."""
    bits = call.pointer_bits
    values: list[BV] = []
    for index, value in enumerate(span.values):
        passed = build.ule(limit, index, bits)
        values.append(ite_bv(passed, 0, value, 8))
        if passed is True:
            break
    if span.beyond is None and not (values and is_zero(call, values[-1]) is True):
        values.append(0)
    zero = tuple(is_zero(call, value) for value in values)
    return Span(span.address, len(values), span.beyond, span.offset, span.extent, False, tuple(values), zero)


# Letters without regard to case, in the C locale

UPPER = range(ord("A"), ord("Z") + 1)
LOWER = range(ord("a"), ord("z") + 1)
_GAP = ord("a") - ord("A")


def lowered(value: BV, width: int) -> BV:
    """tolower."""
    return ite_bv(one_of(value, UPPER, width), build.add(value, _GAP, width), value, width)


def raised(value: BV, width: int) -> BV:
    """toupper."""
    return ite_bv(one_of(value, LOWER, width), build.sub(value, _GAP, width), value, width)


def folded_equal(a: BV, b: BV) -> Bool:
    """Whether two bytes are the same letter; against a constant that takes two plain equations."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return build.eq(lowered(a, 8), lowered(b, 8), 8)
    if isinstance(a, Expr):
        a, b = b, a
    low, high = lowered(a, 8), raised(a, 8)
    return build.lor(build.eq(b, low, 8), build.eq(b, high, 8))
