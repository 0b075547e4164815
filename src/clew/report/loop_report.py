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
        closure: exact
        summary: best effort (A[i] == 1 depends on more than induction variables)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.location import Location, source_order
from clew.report.description import Description
from clew.report.lines import Line
from clew.report.records import NOT_SUMMARIZED, SOUND, LoopStatement, fields_to_json


@dataclass(frozen=True, slots=True)
class ChainNote:
    """Ways through a loop's body that do the same to its variables."""

    number: int
    """Of its counter, too: chain ``c1`` is executed ``k1`` times."""
    condition: str
    updates: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {"chain": f"c{self.number}", "counter": f"k{self.number}", **fields_to_json(self, "number")}


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


@dataclass(frozen=True, slots=True)
class ExitNote:
    """A way out of a loop: when it is taken, and what held one iteration earlier."""

    location: Location | None
    condition: str
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SummaryNote:
    """Whether one run through a loop can stand for any number of iterations: what a short run of the program shows."""

    statement: LoopStatement | None
    """None if that run did not come to the loop."""

    @property
    def text(self) -> str:
        if self.statement is None:
            return "not met in a short run"
        if self.statement.status == SOUND:
            return "sound"
        status = "none" if self.statement.status == NOT_SUMMARIZED else "best effort"
        return f"{status} ({self.statement.reason})" if self.statement.reason else status

    def to_json(self) -> dict[str, object]:
        if self.statement is None:
            return {"status": "not met", "reason": ""}
        return {"status": self.statement.status, "reason": self.statement.reason}


class Statements:
    """What runs said about loops, by place. A later run adds what earlier ones did not meet."""

    def __init__(self) -> None:
        self._exact: dict[tuple[str, int, int], LoopStatement] = {}
        self._lines: dict[tuple[str, int], LoopStatement] = {}

    def add(self, statements: Iterable[LoopStatement]) -> None:
        for statement in statements:
            where = statement.location
            if where is not None:
                self._exact.setdefault(source_order(where), statement)
                self._lines.setdefault((where.file, where.line), statement)

    def about(self, where: Location | None) -> LoopStatement | None:
        """The statement for a loop at this place: checks that are compiled in may shift it within its line."""
        if where is None:
            return None
        return self._exact.get(source_order(where)) or self._lines.get((where.file, where.line))


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
    closure: str = ""
    """How well any number of iterations is known as one relation: ``exact``, or what it is and why."""
    summary: SummaryNote | None = None
    """None if the program was not run."""
    ends: str = ""
    """Why it ends, whatever the inputs; empty if that is not known."""

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self) | {"bounded": bool(self.counting)}

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
        if self.closure:
            yield f"{indent}closure: {self.closure}", ""
        if self.ends:
            yield f"{indent}ends: {self.ends}", "green"
        if self.summary is not None:
            yield f"{indent}summary: {self.summary.text}", ""
        for loop in self.loops:
            yield from loop.lines(self)

    def ended(self, endings: Mapping[Location | None, str]) -> LoopNote:
        """With what is known about why this loop and those inside of it end, by place."""
        inner = tuple(loop.ended(endings) for loop in self.loops)
        return replace(self, loops=inner, ends=endings.get(self.location, ""))

    def summarized(self, statements: Statements) -> LoopNote:
        """With what a run says about this loop and those inside of it."""
        inner = tuple(loop.summarized(statements) for loop in self.loops)
        return replace(self, loops=inner, summary=SummaryNote(statements.about(self.location)))


@dataclass(frozen=True, slots=True)
class FunctionLoops:
    """A function and its loops."""

    name: str
    location: Location | None
    loops: tuple[LoopNote, ...] = ()
    unsupported: str = ""
    """Why nothing is known of its loops."""

    def to_json(self) -> dict[str, object]:
        return {"function": self.name, **fields_to_json(self, "name"), "unsupported": self.unsupported or None}

    def lines(self) -> Iterator[Line]:
        yield f"{self.name} ({self.location})" if self.location else self.name, "bold"
        if self.unsupported:
            yield f"  chains do not support {self.unsupported}", "yellow"
        for loop in self.loops:
            yield from loop.lines()

    def summarized(self, statements: Statements) -> FunctionLoops:
        """With what runs say about its loops."""
        return replace(self, loops=tuple(loop.summarized(statements) for loop in self.loops))

    def ended(self, endings: Mapping[Location | None, str]) -> FunctionLoops:
        """With what is known about why its loops end, by place."""
        return replace(self, loops=tuple(loop.ended(endings) for loop in self.loops))

    def met(self, statements: Statements) -> bool:
        """Whether a run came to all of its outermost loops."""
        return all(statements.about(loop.location) is not None for loop in self.loops)


class LoopReport(Description[FunctionLoops]):
    """What ``clew loops`` tells of all functions with loops."""

    command = "loops"
    nothing = "no loops"
    incomplete = "there may be more loops"
