"""Inputs of a failure made plain, and what each of them is for: found out by running the program with others.

Bytes that are not needed are cut out of texts (``jobs.spare_bytes``). Groups of bytes become zero, halves of them where
that is too much (delta debugging); numbers that are left come closer to zero. Whatever is changed, the failure is the
same, and the path to it no longer. What an input is for shows where the path turns when it is something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from clew.base.numerals import NUMERAL
from clew.execute.short_inputs import least
from clew.jobs.spare_bytes import without_spare_bytes
from clew.report.csyntax import c_value
from clew.report.minimal import Purpose
from clew.report.path import PathStep
from clew.report.values import InputValue, Value

Inputs = tuple[InputValue, ...]
Length = Callable[[Inputs], int | None]
"""How long the path is to the failure with other inputs; None where they do not show it."""
Trace = Callable[[Inputs], tuple[bool, tuple[PathStep, ...]]]
"""Whether inputs show the failure, and the path that they take."""
Spot = tuple[int, int]
"""A part of the inputs: the position of an input, and that of a byte in it, -1 for all of one that is a number."""

MOST_TRIES = 300
MOST_PURPOSES = 64
"""Parts of inputs of which it is told what they are for; those that are not zero come first."""


class _Descent:
    """From inputs to others that show the failure on a path that is no longer, as often as that may be tried."""

    def __init__(self, inputs: Inputs, length: Length) -> None:
        self.best = inputs
        self._length, self._tries = length, MOST_TRIES
        self._most = length(inputs)

    def accept(self, changed: Inputs) -> bool:
        self._tries -= 1
        now = self._length(changed) if self._tries > 0 and changed != self.best else None
        if now is None or self._most is None or now > self._most:
            return False
        self.best, self._most = changed, now
        return True


def shorter(inputs: Inputs, length: Length) -> Inputs:
    """Inputs with texts as short as could be found."""
    return without_spare_bytes(inputs, _Descent(inputs, length).accept)


def plainer(inputs: Inputs, length: Length) -> Inputs:
    """Inputs with as few parts that are not zero as could be found, and those close to zero."""
    descent = _Descent(inputs, length)
    accept = descent.accept
    groups = [[spot for spot in spots(inputs) if part(inputs, spot)]]
    while groups:
        group = groups.pop()
        if group and not accept(_changed(descent.best, dict.fromkeys(group, 0))) and len(group) > 1:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    for spot in spots(descent.best):
        _closer(spot, lambda: descent.best, accept)
    return descent.best


def _closer(spot: Spot, current: Callable[[], Inputs], accept: Callable[[Inputs], bool]) -> None:
    """Bring a part that is not zero closer to zero, by bisection."""
    value = part(current(), spot)
    if not isinstance(value, int):
        return
    sign = 1 if value > 0 else -1
    least(abs(value), lambda size: accept(_changed(current(), {spot: sign * size})))


def purposes(inputs: Inputs, trace: Trace, source: Callable[[PathStep], str]) -> Iterator[Purpose]:
    """What the parts of the inputs are for that cannot be something else; ``source`` gives the line of a step."""
    _, path = trace(inputs)
    most_likely = sorted(_told_spots(inputs), key=lambda spot: not part(inputs, spot))[:MOST_PURPOSES]
    for spot in sorted(most_likely):
        at, byte = spot
        value = inputs[at]
        name = value.name if byte < 0 else f"{value.name}[{byte}]"
        number = InputValue("", "unsigned char", 8, part(inputs, spot)) if byte >= 0 else value
        text = _purpose(inputs, spot, path, trace, source)
        if text:
            yield Purpose(name, c_value(number), text)


def _purpose(
    inputs: Inputs, spot: Spot, path: Sequence[PathStep], trace: Trace, source: Callable[[PathStep], str]
) -> str:
    """The last decision of the path that another value turns; nothing where all values that were tried will do."""
    turns: list[int] = []
    for other in _others(part(inputs, spot), inputs[spot[0]]):
        shows, turned = trace(_changed(inputs, {spot: other}))
        if not shows:
            turns.append(_turn(path, turned))
    if not turns:
        return ""
    last = max(turns)
    if last == len(path):
        return "decides the failure itself"
    outcome = f" ({path[last].outcome})" if path[last].outcome else ""
    return f"decides line {path[last].location.line}{outcome}: {source(path[last])}"


def _turn(path: Sequence[PathStep], other: Sequence[PathStep]) -> int:
    """At which step of a path another one leaves it; the number of steps where it does not."""
    for at, (step, turned) in enumerate(zip_longest(path, other)):
        if step is None or turned is None:
            break
        if (step.location, step.outcome) != (turned.location, turned.outcome):
            return at
    return len(path)


def _others(value: Value, declared: InputValue) -> Iterator[Value]:
    """Other values to try, which most likely make a difference."""
    if isinstance(value, float):
        yield from (0.0 if value else 1.0, -value if value else -1.0, value + 1.0)
    elif isinstance(value, int):
        top = (1 << (8 if isinstance(declared.value, bytes) else declared.bits - 1)) - 1
        yield from dict.fromkeys(one for one in (0, value + 1, value - 1, 1, 97, top) if one != value)


def spots(inputs: Inputs) -> list[Spot]:
    """The parts that may be something else: not the memory itself, nor pointers, which say how it hangs together."""
    found: list[Spot] = []
    for at, value in enumerate(inputs):
        if value.kind in ("memory", "call") or value.points is not None:
            continue
        if isinstance(value.value, bytes):
            found += [(at, byte) for byte in range(len(value.value))]
        else:
            found.append((at, -1))
    return found


def _told_spots(inputs: Inputs) -> list[Spot]:
    """Without bytes of files in which numbers or words are inputs themselves: their places are not those of a test."""
    names = [value.name for value in inputs]
    files = {found[1] for name in names if (found := NUMERAL.fullmatch(name))}
    return [spot for spot in spots(inputs) if spot[1] < 0 or names[spot[0]].split(" from ")[0] not in files]


def part(inputs: Inputs, spot: Spot) -> int | float:
    """The value of a part."""
    value = inputs[spot[0]].value
    return value[spot[1]] if isinstance(value, bytes) else value


def _changed(inputs: Inputs, changes: dict[Spot, int] | dict[Spot, Value]) -> Inputs:
    found = list(inputs)
    for (at, byte), new in changes.items():
        old = found[at].value
        if isinstance(old, bytes) and isinstance(new, int):
            found[at] = replace(found[at], value=old[:byte] + bytes([new & 0xFF]) + old[byte + 1 :])
        elif isinstance(old, float):
            found[at] = replace(found[at], value=float(new) if not isinstance(new, bytes) else old)
        else:
            found[at] = replace(found[at], value=new)
    return tuple(found)
