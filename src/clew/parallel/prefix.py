"""A job that travels: what leads to a place on a path, as plain data that any process can follow.

A prefix is the history of a path (``clew.execute.history``) up to a place, with a digest of the decisions on the way,
by which whoever has followed it sees that it has come to the same place. In its plain form it is made of lists, numbers
and strings alone. Models are told as what is different from the one before.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.history import PathPlace, PathStep, StepKind
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.semantics import ArrayValue
from clew.expr.sort import BOOL, Sort, SortKind, array, bv, floating

Plain = list[Any]
"""What JSON can write down."""
Values = Mapping[Expr, Any]
"""The inputs of a model, by symbol."""
_FORMAT = 2
"""Of marshalled data: the last one that says the same of equal values, whoever else holds them."""
_MODELS = (StepKind.MODEL, StepKind.ANSWER)


@dataclass(frozen=True, slots=True)
class Prefix:
    """A place on a path from which something is to be explored."""

    packed: bytes
    """The steps of the history, the oldest first: whoever only hands it on need not look into it."""
    choices: int
    executed: int
    """Instructions up to here; of a sibling that nobody has run, those that were counted before its fork: the same one
    may have more where another path ends on the way."""
    depth: int = 0
    generation: int = 0
    covered_new: bool = False
    """Whether the path has covered something that no test shows yet."""
    decisions: int = 0
    digest: int = 0
    """How many decisions there are on the way, and their digest."""
    whole: bool = False
    """Whether all that can follow from here is to be explored, even if some of it was: a technique has gone on from
    here in a way of its own, which no history tells."""

    @property
    def place(self) -> tuple[int, ...]:
        """Tells it from other prefixes, most likely."""
        return (self.digest, self.decisions, self.choices, self.executed, len(self.packed))

    def steps(self) -> list[Plain]:
        """The history in its plain form, the oldest step first."""
        return [marshal.loads(step) for step in marshal.loads(self.packed)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Tens of thousands are written down when a run ends: in half the time that Python takes by itself."""
        told = (self.packed, self.choices, self.executed, self.depth, self.generation, self.covered_new)
        return Prefix, (*told, self.decisions, self.digest, self.whole)


def prefix_of(pending: Pending) -> Prefix:
    """The prefix that leads to a sibling that waits, or to where it was last before somebody put it elsewhere."""
    told, state = pending.told, pending.state
    if not isinstance(told, Prefix) or (told.whole, told.covered_new) != (
        state.departure is not None,
        state.covered_new,
    ):
        told = pending.told = _prefix_of(state)
    return told


def _prefix_of(state: State) -> Prefix:
    at: PathPlace = state.place
    decisions = at.decisions
    return Prefix(
        marshal.dumps(_encoded(at.history), _FORMAT),
        at.choices,
        at.steps,
        state.depth,
        state.generation,
        state.covered_new,
        0 if decisions is None else decisions.length,
        0 if decisions is None else decisions.digest,
        state.departure is not None,
    )


# Steps


def _encoded(last: PathStep | None) -> list[bytes]:
    """All steps up to ``last``, the oldest first. Many paths have most of them in common: each is packed once."""
    found: list[bytes] = []
    at = last
    while at is not None:
        found.append(at.packed or _packed(at))
        at = at.previous
    found.reverse()
    return found


def _packed(step: PathStep) -> bytes:
    changes: Plain | None = None
    if step.values is not None:
        before = step.previous
        while before is not None and before.values is None:
            before = before.previous
        changes = _changes({} if before is None or before.values is None else before.values, step.values)
    told = list(step.value) if isinstance(step.value, tuple) else step.value
    step.packed = pack([int(step.kind), step.number, changes, told])
    return step.packed


def pack(plain: Plain) -> bytes:
    """A step in its plain form, as bytes: the same ones in every process."""
    return marshal.dumps(plain, _FORMAT)


def decoded(values: Values, plain: Plain) -> PathStep:
    """A step from its plain form; ``values`` are those of the model that the path had last."""
    kind, number, changes, told = plain
    kind = StepKind(kind)
    changed: dict[Expr, Any] | None = None
    if kind in _MODELS and changes is not None:
        changed = dict(values)
        for name, sort, value in changes:
            symbol = _symbol(name, sort)
            if value is None:
                changed.pop(symbol, None)
            else:
                changed[symbol] = _value(value)
    step = PathStep(None, kind, int(number), changed, tuple(told) if isinstance(told, list) else told)
    step.packed = pack(plain)
    return step


def _changes(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Plain:
    """What is to be changed in a model to have another one: symbols with their values, or with None to have none."""
    changes = [
        [symbol.value, _sort_name(symbol.sort), _plain_value(value)]
        for symbol, value in after.items()
        if symbol not in before or before[symbol] is not value and before[symbol] != value
    ]
    gone = [[symbol.value, _sort_name(symbol.sort), None] for symbol in before if symbol not in after]
    return changes + gone


@cache
def _sort_name(sort: Sort) -> str:
    if sort.kind is SortKind.ARRAY:
        return f"a{sort.index_width}.{sort.element_width}"
    return {SortKind.BOOL: "b", SortKind.BV: f"{sort.width}", SortKind.FLOAT: f"f{sort.width}"}[sort.kind]


@cache
def _sort(name: str) -> Sort:
    if name[0] == "a":
        index, element = name[1:].split(".")
        return array(int(index), int(element))
    if name[0] == "f":
        return floating(int(name[1:]))
    return BOOL if name == "b" else bv(int(name))


@cache
def _symbol(name: str, sort: str) -> Expr:
    return build.symbol(name, _sort(sort))


def _plain_value(value: Any) -> Any:
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, ArrayValue):
        return [value.default, value.data.hex(), sorted([at, element] for at, element in value.written.items())]
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, str):
        return Fraction(plain) if plain.lstrip("-").replace("/", "").isdecimal() else float.fromhex(plain)
    if isinstance(plain, list):
        default, data, written = plain
        result = ArrayValue(default, bytes.fromhex(data))
        for at, element in written:
            result = result.with_element(at, element)
        return result
    return plain
