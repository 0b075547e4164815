"""Rounds of a loop in which no error is supposed to happen: calls in programs whose loops are opened for k-induction.

    clew.induction.arrive()                     control comes to the head of a loop
    clew.induction.open()                       what comes now makes a state up: an error in it says nothing
    clew.induction.suppose(left, objects, ...)  for so many rounds, a path that ends in an error is of no interest
    clew.induction.stay(condition)              nor is one that leaves the loop in such a round
    clew.induction.round(left, objects, ...)    one round is over, in a state other than all before it; if none is
                                                left, errors count again as they did before ``open``

An activation of a loop opens a level, and rounds of loops inside of it open others above. What ``suppose`` and
``round`` are given is the state at the head of the loop: addresses and sizes of so many ``objects``, then values.

Who listens is told of each state at a head that is followed by supposed rounds (``Events.supposed_state``), and may
send others from there to see which errors they come to before they are at heads more often: these are ``Probing``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.analysis.model_effect import ASSUMES
from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd
from clew.execute.ends import Dropped, Failed, Lost
from clew.execute.events import SupposedState
from clew.execute.extensions import Extension
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.memory.errors import AccessError
from clew.program import instructions as ir
from clew.program.editing import call_to
from clew.program.types import I32
from clew.program.values import ConstInt, Value
from clew.report.records import LossKind

ARRIVE = "clew.induction.arrive"
STAY = "clew.induction.stay"
OPEN = "clew.induction.open"
SUPPOSE = "clew.induction.suppose"
ROUND = "clew.induction.round"
NOT_MADE = "a state at the head of a loop that cannot be made up"

WORD = 4
"""Bytes of objects that are compared at once."""

TOLD = 2
"""The first argument of ``suppose`` and ``round`` that tells of the state."""

HeadState = tuple[tuple[Any, int], ...]
"""What a loop changes, at its head: words of objects, then values of registers, each with its width."""


def arrive() -> ir.Call:
    """The call where control comes to the head of a loop."""
    return call_to(ARRIVE)


def stay(condition: Value) -> ir.Call:
    """The call that ends the path where it leaves a loop in a supposed round."""
    return call_to(STAY, condition)


def open_level() -> ir.Call:
    """The call after which a state is made up."""
    return call_to(OPEN)


def suppose(left: Value, objects: Sequence[tuple[Value, int]], values: Sequence[Value]) -> ir.Call:
    """The call before so many rounds without errors; the state is told, if they are to differ."""
    return call_to(SUPPOSE, left, *_told(objects, values))


def another_round(left: Value, objects: Sequence[tuple[Value, int]], values: Sequence[Value]) -> ir.Call:
    """The call at the end of such a round; ``left``: how many are to follow."""
    return call_to(ROUND, left, *_told(objects, values))


def _told(objects: Sequence[tuple[Value, int]], values: Sequence[Value]) -> tuple[Value, ...]:
    places = (part for address, size in objects for part in (address, ConstInt(I32, size)))
    return (ConstInt(I32, len(objects)), *places, *values)


@dataclass(frozen=True, slots=True)
class _Level:
    """One activation of a loop."""

    supposes: bool = False
    """Whether its rounds are without errors; otherwise its state is being made up."""
    states: tuple[HeadState, ...] = ()
    """At its head so far, where they are to differ."""


@dataclass(frozen=True, slots=True)
class Hypotheses(Extension):
    """The activations that a path is in rounds of without errors, the innermost last."""

    levels: tuple[_Level, ...] = ()

    @property
    def supposes_no_errors(self) -> bool:
        return bool(self.levels) and self.levels[-1].supposes

    def end(self, end: PathEnd) -> PathEnd:
        """An error in a supposed round is none, and one of what makes a state up is a loss."""
        if not self.levels or not isinstance(end, Failed):
            return end
        if not self.levels[-1].supposes:
            return Lost(LossKind.UNSUPPORTED, NOT_MADE)
        return Lost(LossKind.BOUNDED, end.bound) if end.bound else Dropped()


def _levels(call: Invocation) -> tuple[_Level, ...]:
    known = call.state.extension(Hypotheses)
    return known.levels if known is not None else ()


@dataclass(frozen=True, slots=True)
class Probing(Extension):
    """Of a state that was sent from a head to see what happens: it may come to so many ``heads`` of loops."""

    heads: int


@model(ARRIVE, overrides=True, effect=ASSUMES)
def _arrive(call: Invocation) -> None:
    probing = call.state.extension(Probing)
    if probing is None:
        return
    if not probing.heads:
        raise Dropped
    call.state.extend(Probing(probing.heads - 1))


@model(STAY, overrides=True, effect=ASSUMES)
def _stay(call: Invocation, condition: Any) -> None:
    if call.state.extension(Probing) is None:
        call.assume(condition)


@model(OPEN, overrides=True, effect=ASSUMES)
def _open(call: Invocation) -> None:
    if call.state.extension(Probing) is not None:
        raise Dropped  # what follows is made up
    call.state.extend(Hypotheses((*_levels(call), _Level())))


@model(SUPPOSE, overrides=True, effect=ASSUMES)
def _suppose(call: Invocation, left: int, objects: int, *told: Any) -> None:
    if call.state.extension(Probing) is None:
        *around, _ = _levels(call)
        _tell(call, left)
        state = _head_state(call, objects, told)
        call.state.extend(Hypotheses((*around, _Level(True, () if state is None else (state,)))))


@model(ROUND, overrides=True, effect=ASSUMES)
def _round(call: Invocation, left: int, objects: int, *told: Any) -> None:
    if call.state.extension(Probing) is None:
        *around, level = _levels(call)
        state = _head_state(call, objects, told) if level.states else None
        if state is not None:
            for earlier in level.states:
                call.assume(_differs(earlier, state))
            level = _Level(True, (*level.states, state))
        _tell(call, left)
        call.state.extend(Hypotheses((*around, level) if left else tuple(around)))


def _tell(call: Invocation, left: int) -> None:
    """Tell who listens, before a round; that may end the path."""
    for listener in call.state.run.events.supposed_state if left else ():
        listener(SupposedState(call.state, call.frame, call.point, call.live, left))


def _head_state(call: Invocation, objects: int, told: tuple[Any, ...]) -> HeadState | None:
    """What is to differ from round to round; None if there is nothing, or it cannot be read."""
    found: list[tuple[Any, int]] = []
    for number in range(objects):
        address, size = told[2 * number : 2 * number + 2]
        for offset in range(0, size, WORD):
            length = min(WORD, size - offset)
            try:
                found.append((call.state.memory.load_bits(address + offset, length), 8 * length))
            except AccessError:
                return None
    for place, value in enumerate(told[2 * objects :], 2 * objects):
        found.append((value, call.argument_bits(TOLD + place)))
    return tuple(found) or None


def _differs(one: HeadState, other: HeadState) -> Any:
    pairs = zip(one, other, strict=True)
    return build.disjunction(
        [
            build.lnot(build.iff(before, now)) if width == 1 else build.ne(before, now, width)
            for (before, width), (now, _) in pairs
        ]
    )
