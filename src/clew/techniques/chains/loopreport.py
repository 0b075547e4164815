"""What ``clew loops`` tells: loops, their chains, variables as functions of counters, ways out. Plain data.

As text (``LoopReport.lines``)::

    main (p.c:5)
      loop at p.c:8, counted by i
        c1   when i < 15 && A[i] == 1: a += 1, i += 1
        c2   when i < 15 && A[i] != 1: i += 1
        i = k1 + k2 (exact)
        a = k1 (modulo 2^32)
        leaves at p.c:8 when k1 + k2 >= 15
          one iteration earlier, if there was one: k1 + k2 - 1 < 15
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clew import __version__
from clew.base.budget import StopReason
from clew.base.location import Location
from clew.report.records import place

Line = tuple[str, str]
"""Text and its style, as in ``clew.report.text``."""


def source_order(location: Location | None) -> tuple[str, int, int]:
    """To sort by."""
    return (location.file, location.line, location.column) if location else ("", 0, 0)


@dataclass(frozen=True, slots=True)
class ChainNote:
    """Ways through a loop's body that do the same to its variables."""

    number: int
    """Of its counter, too: chain ``c1`` is executed ``k1`` times."""
    condition: str
    updates: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "chain": f"c{self.number}",
            "counter": f"k{self.number}",
            "condition": self.condition,
            "updates": list(self.updates),
        }


@dataclass(frozen=True, slots=True)
class VariableNote:
    """A variable behind all complete iterations."""

    name: str
    function: str
    """Of the counters; ``unknown`` if it is none that can be told."""
    kind: str
    """``sum``, ``product``, ``set`` (the last chain that sets it counts), ``unknown``."""
    bits: int
    exact: bool
    """Whether no step wraps: then the function is one of integers, not only modulo 2^bits."""

    @property
    def text(self) -> str:
        if self.kind in ("unknown", "set"):
            return f"{self.name} = {self.function}"
        return f"{self.name} = {self.function} ({'exact' if self.exact else f'modulo 2^{self.bits}'})"

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "function": self.function,
            "kind": self.kind,
            "bits": self.bits,
            "exact": self.exact,
        }


@dataclass(frozen=True, slots=True)
class ExitNote:
    """A way out of a loop: when it is taken, and what held one iteration earlier."""

    location: Location | None
    condition: str
    before: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {**place(self.location), "condition": self.condition, "before": list(self.before)}


@dataclass(frozen=True, slots=True)
class LoopNote:
    """One loop."""

    location: Location | None
    depth: int
    """1 for an outermost loop."""
    counting: tuple[str, ...] = ()
    """Variables that bound the number of iterations: each moves in one direction, and does not wrap."""
    chains: tuple[ChainNote, ...] = ()
    variables: tuple[VariableNote, ...] = ()
    exits: tuple[ExitNote, ...] = ()
    loops: tuple[LoopNote, ...] = ()
    """Those inside of it."""

    def to_json(self) -> dict[str, object]:
        return {
            **place(self.location),
            "depth": self.depth,
            "bounded": bool(self.counting),
            "counting": list(self.counting),
            "chains": [chain.to_json() for chain in self.chains],
            "variables": [variable.to_json() for variable in self.variables],
            "exits": [way.to_json() for way in self.exits],
            "loops": [loop.to_json() for loop in self.loops],
        }

    def lines(self, inside: LoopNote | None = None) -> Iterator[Line]:
        indent = "  " * self.depth
        around = f" in that at line {inside.location.line}" if inside is not None and inside.location else ""
        bounded = f", counted by {', '.join(self.counting)}" if self.counting else ""
        yield f"{indent}loop at {self.location or 'an unknown place'}{around}{bounded}", "bold"
        indent += "  "
        if not self.chains:
            yield f"{indent}no iteration is ever complete", ""
        for chain in self.chains:
            yield f"{indent}c{chain.number:<3} when {chain.condition}: {', '.join(chain.updates) or 'nothing'}", ""
        for variable in self.variables:
            yield f"{indent}{variable.text}", "green" if variable.kind != "unknown" else "yellow"
        for way in self.exits:
            where = f" at {way.location}" if way.location else ""
            yield f"{indent}leaves{where} when {way.condition}", ""
            yield from ((f"{indent}  one iteration earlier, if there was one: {text}", "dim") for text in way.before)
        for loop in self.loops:
            yield from loop.lines(self)


@dataclass(frozen=True, slots=True)
class FunctionNote:
    """A function with loops."""

    name: str
    location: Location | None
    loops: tuple[LoopNote, ...] = ()
    unsupported: str = ""
    """Why nothing is known of its loops."""

    def to_json(self) -> dict[str, object]:
        return {
            "function": self.name,
            **place(self.location),
            "unsupported": self.unsupported or None,
            "loops": [loop.to_json() for loop in self.loops],
        }

    def lines(self) -> Iterator[Line]:
        yield f"{self.name} ({self.location})" if self.location else self.name, "bold"
        if self.unsupported:
            yield f"  chains do not support {self.unsupported}", "yellow"
        for loop in self.loops:
            yield from loop.lines()


@dataclass(frozen=True, slots=True)
class LoopReport:
    """All functions with loops, in the order of the source."""

    functions: tuple[FunctionNote, ...] = ()
    stopped: StopReason | None = None
    """What ended the look at the program before its end."""

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "command": "loops",
            "functions": [function.to_json() for function in self.functions],
            "stopped": self.stopped and str(self.stopped),
        }

    def lines(self) -> list[Line]:
        """For people."""
        lines: list[Line] = []
        for function in self.functions:
            lines += [("", "")] * bool(lines)
            lines += function.lines()
        if self.stopped is not None:
            return [*lines, (f"stopped early ({self.stopped}): there may be more loops", "yellow")]
        return lines or [("no loops", "")]
