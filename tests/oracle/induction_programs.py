"""Random programs of a few bytes with loops that need not end, whose reachable states can be enumerated.

``draw(seed)`` gives a program over three bytes and an array of four, local or global, with loops, inputs, calls and
places for assertions, each with conditions to choose from. It can be written as C for Clew, with one condition at each
place, and as a graph of single steps for an enumeration (``oracle.induction_native``), which tries all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

VARIABLES = ("x", "y", "z")
CANDIDATES = 14
"""Conditions at each place."""
DEPTH = 2
"""Of loops and branches within each other."""


@dataclass(frozen=True)
class Set:
    """An assignment; ``mask``: of an input instead of a value."""

    target: str
    value: str
    mask: int | None = None


@dataclass(frozen=True)
class Index:
    """Accesses ``t[index]``, which may be outside."""

    index: str


@dataclass(frozen=True)
class If:
    condition: str | None
    """None for an input."""
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class While:
    condition: str | None
    body: tuple[Statement, ...]
    tested_last: bool = False


@dataclass(frozen=True)
class Leave:
    """``break``, ``continue`` or ``return 0``."""

    word: str


@dataclass(frozen=True)
class Assume:
    """Ends the program where a condition does not hold."""

    condition: str


@dataclass(frozen=True)
class Call:
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Assert:
    place: int


Statement = Set | Index | If | While | Leave | Assume | Call | Assert


@dataclass(frozen=True)
class Drawn:
    """A program; ``places`` are the conditions to choose from."""

    seed: int
    body: tuple[Statement, ...]
    starts: dict[str, int]
    array: tuple[int, ...]
    is_global: bool
    signed: frozenset[str]
    """The variables that are."""
    places: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """Of its function; those of all that belongs to it begin with it."""
        return f"p{self.seed}_"

    def source(self) -> list[str]:
        """The lines of a function that asserts the first condition at each place, and of all that belongs to it."""
        return _Source(self).written()


def draw(seed: int) -> Drawn:
    """The program of a seed."""
    return _Drawing(Random(seed), seed).program()


class _Drawing:
    def __init__(self, random: Random, seed: int) -> None:
        self._random = random
        self._seed = seed
        self._places = 0
        self._global = random.random() < 0.4
        self._hostile = random.random() < 0.25
        """Whether indices may be outside of the array."""

    def program(self) -> Drawn:
        random = self._random
        body: list[Statement] = []
        for _ in range(random.choice((1, 1, 1, 2))):
            if random.random() < 0.3:
                body.append(self._set())
            body.append(self._loop(DEPTH))
        body.append(self._assert())
        starts = {name: random.choice((0, 0, 1, 2, random.randrange(256))) for name in VARIABLES}
        array = tuple(random.choice((0, 0, 1, 3)) for _ in range(4))
        places = tuple(tuple(self._claim() for _ in range(CANDIDATES)) for _ in range(self._places))
        signed = frozenset(name for name in VARIABLES if random.random() < 0.25)
        starts = {name: value - 256 if name in signed and value > 127 else value for name, value in starts.items()}
        return Drawn(self._seed, tuple(body), starts, array, self._global, signed, places)

    def _loop(self, depth: int) -> While:
        random = self._random
        body = self._block(depth - 1, random.randint(2, 4), in_loop=True)
        if random.random() < 0.8:
            body.insert(random.choice((len(body), random.randint(0, len(body)))), self._assert())
        condition = random.choice((None, None, None, "1", self._condition()))
        return While(condition, tuple(body), random.random() < 0.25)

    def _block(self, depth: int, count: int, in_loop: bool = False) -> list[Statement]:
        return [self._statement(depth, in_loop) for _ in range(count)]

    def _statement(self, depth: int, in_loop: bool) -> Statement:
        random = self._random
        way = random.random()
        if depth > 0 and way < 0.12:
            return self._loop(depth)
        if depth > 0 and way < 0.35:
            then = self._block(depth - 1, random.randint(1, 2), in_loop)
            other = self._block(depth - 1, 1, in_loop) if random.random() < 0.5 else []
            return If(random.choice((None, self._condition(), self._condition())), tuple(then), tuple(other))
        if in_loop and way < 0.39:
            word = random.choice(("break", "break", "continue", "continue", "return 0"))
            return If(random.choice((None, self._condition())), (Leave(word),))
        if way < 0.41:
            return Assume(self._condition())
        if self._global and depth > 0 and way < 0.48:
            return Call((*self._block(0, 2), self._assert()) if random.random() < 0.5 else tuple(self._block(0, 2)))
        if self._hostile and way < 0.55:
            return Index(random.choice(VARIABLES))
        return self._set()

    def _set(self) -> Set:
        random = self._random
        target = random.choice((*VARIABLES, *VARIABLES, f"t[{self._index()}]"))
        if random.random() < 0.12:
            return Set(target, "", random.choice((1, 3)))
        if random.random() < 0.3:
            return Set(target, f"{target} + {random.choice((1, 1, 2, 3, 16))}")
        return Set(target, self._value())

    def _index(self) -> str:
        random = self._random
        return random.choice((str(random.randrange(4)), f"{random.choice(VARIABLES)} & 3"))

    def _atom(self) -> str:
        return self._random.choice((*VARIABLES, *VARIABLES, f"t[{self._index()}]"))

    def _value(self) -> str:
        random = self._random
        a, b, c = self._atom(), self._atom(), random.choice((1, 1, 2, 2, 3, 4, 7, 16))
        return random.choice(
            (a, str(random.choice((0, 0, 1, 2, 5))), f"{a} + {c}", f"{a} + {c}", f"{a} - {c}", f"{a} + {b}",
             f"{a} ^ {c}", f"{a} & {random.choice((1, 3, 7, 15))}", f"({a} + {c}) % {random.choice((3, 5, 10))}",
             f"{a} * {random.choice((2, 3, 5))}", f"{a} == {c} ? 0 : {a} + 1", f"{a} < {b} ? {b} : {a}", f"{a} >> 1",
             f"{a} * {b}", f"{a} / ({b} | 1)")
        )  # fmt: skip

    def _condition(self) -> str:
        random = self._random
        a, c = self._atom(), random.choice((1, 2, 5, 9, 100, 250))
        return random.choice((f"{a} < {c}", f"{a} != {c}", f"{a} == {c}", f"({a} & 1) == 0", f"{a} <= {self._atom()}"))

    def _claim(self) -> str:
        random = self._random
        a, b, c = self._atom(), self._atom(), random.choice((0, 1, 2, 3, 4, 5, 8, 10, 15, 16, 100, 200, 255))
        return random.choice(
            (f"{a} != {random.randrange(256)}", f"{a} != {c}", f"{a} <= {c}", f"{a} >= {c}", f"{a} == {b}",
             f"({a} & 1) == {random.randrange(2)}", f"{a} <= {b}", f"{a} != {b}", f"{a} + {b} != {c}",
             f"({a} + {b}) % 2 == {random.randrange(2)}", f"{a} == {c}", f"{a} % 3 != {random.randrange(3)}")
        )  # fmt: skip

    def _assert(self) -> Assert:
        self._places += 1
        return Assert(self._places - 1)


@dataclass
class _Source:
    drawn: Drawn
    bodies: list[list[str]] = field(default_factory=list)
    """Of functions, in the order of their numbers."""

    def written(self) -> list[str]:
        drawn = self.drawn
        storage = "static " if drawn.is_global else "  "
        data = [
            f"{storage}{'signed' if name in drawn.signed else 'unsigned'} char {name} = {value};"
            for name, value in drawn.starts.items()
        ]
        data.append(f"{storage}unsigned char t[4] = {{{', '.join(map(str, drawn.array))}}};")
        main = self._function(f"int {drawn.name}(void)", drawn.body, [] if drawn.is_global else data)
        parts = [data if drawn.is_global else [], *self.bodies, main]
        return [re.sub(r"\b([xyzt])\b", rf"{drawn.name}\1", line) for part in parts for line in part]

    def _function(self, head: str, body: Sequence[Statement], first: list[str]) -> list[str]:
        lines = [f"{head} {{", *first]
        self._block(lines, body, "  ")
        if head.startswith("int"):
            lines.append("  return 0;")
        lines.append("}")
        return lines

    def _block(self, lines: list[str], body: Sequence[Statement], indent: str) -> None:
        for statement in body:
            self._statement(lines, statement, indent)

    def _statement(self, lines: list[str], statement: Statement, indent: str) -> None:
        inner = indent + "  "
        match statement:
            case Set(target, value, mask):
                text = value if mask is None else f"__VERIFIER_nondet_uchar() & {mask}"
                lines.append(f"{indent}{target} = {text};")
            case Index(index):
                lines.append(f"{indent}t[{index}] = 1;")
            case If(condition, then, otherwise):
                lines.append(f"{indent}if ({_test(condition)}) {{")
                self._block(lines, then, inner)
                if otherwise:
                    lines.append(f"{indent}}} else {{")
                    self._block(lines, otherwise, inner)
                lines.append(f"{indent}}}")
            case While(condition, body, tested_last):
                lines.append(f"{indent}do {{" if tested_last else f"{indent}while ({_test(condition)}) {{")
                self._block(lines, body, inner)
                lines.append(f"{indent}}} while ({_test(condition)});" if tested_last else f"{indent}}}")
            case Leave(word):
                lines.append(f"{indent}{word};")
            case Assume(condition):
                lines.append(f"{indent}__VERIFIER_assume({condition});")
            case Call(body):
                number = len(self.bodies)
                self.bodies.append(self._function(f"static void {self.drawn.name}f{number}(void)", body, []))
                lines.append(f"{indent}{self.drawn.name}f{number}();")
            case Assert(place):
                lines.append(f"{indent}if (!({self.drawn.places[place][0]})) reach_error(); // {place}")


def _test(condition: str | None) -> str:
    return "__VERIFIER_nondet_uchar() & 1" if condition is None else condition


def written(programs: Sequence[Drawn]) -> tuple[str, list[dict[int, int]]]:
    """C code with the functions of programs; for each, the places of assertions by their lines."""
    text = ["extern unsigned char __VERIFIER_nondet_uchar(void);", "extern void __VERIFIER_assume(int);"]
    text.append("extern void reach_error(void);")
    places: list[dict[int, int]] = []
    for drawn in programs:
        own = drawn.source()
        marked = enumerate(own, len(text) + 1)
        places.append({line: int(content.rpartition("// ")[2]) for line, content in marked if _MARK in content})
        text += own
    return "\n".join(text) + "\n", places


_MARK = "reach_error(); // "
