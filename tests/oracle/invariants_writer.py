"""Places and expressions of random programs whose integers add up, wrap around, and are cast from type to type.

Below ``invariants_programs``, which has statements. Much here is linear with small steps, as only that gives invariants
worth checking; the rest is what an analysis has to be careful with. Nothing is kept defined: a run that fails ends
there, and what was before is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

WIDE = ("int", "int", "int", "unsigned", "unsigned", "long", "unsigned long")
NARROW = ("signed char", "unsigned char", "short", "unsigned short")
INPUT = {
    "signed char": "char",
    "unsigned char": "uchar",
    "short": "short",
    "unsigned short": "ushort",
    "int": "int",
    "unsigned": "uint",
    "long": "long",
    "unsigned long": "ulong",
    "_Bool": "bool",
}
"""What gives an input of a type."""
RELATIONS = ("<", "<", "<=", ">", ">=", "!=", "==")
EXTREMES = (127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647, -2147483648, 4294967295, -128, -129, -32768)


@dataclass(frozen=True)
class Place:
    """Something that can be assigned to."""

    text: str
    type: str
    own: bool = True
    """An object of its own, whose address may be taken."""


class ExpressionWriter:
    """Draws expressions over what is in scope."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.indent = 0
        self.places: list[Place] = []
        self.read_only: list[Place] = []
        """Counters that only their loop changes, most of the time."""
        self.arrays: list[tuple[str, str, int]] = []
        """Name, type of an element, length: a power of two."""
        self.pointers: list[tuple[str, str]] = []
        self.functions: list[tuple[str, str, tuple[str, ...]]] = []
        """Name, type of the result, types of the parameters."""
        self._names = 0

    # Text

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        """Lines between braces, with what they declare out of sight afterwards."""
        self.line(f"{head} {{")
        self.indent += 1
        kept = list(self.places), list(self.read_only), list(self.arrays), list(self.pointers)
        yield
        self.places, self.read_only, self.arrays, self.pointers = kept
        self.indent -= 1
        self.line(tail)

    def name(self, start: str) -> str:
        self._names += 1
        return f"{start}{self._names}"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def type(self) -> str:
        if self.chance(0.03):
            return "_Bool"
        return self.random.choice(NARROW if self.chance(0.35) else WIDE)

    # Values

    def number(self) -> str:
        kind = self.random.random()
        if kind < 0.7:
            return str(self.random.randint(-3, 12))
        if kind < 0.9:
            return str(self.random.randint(-200, 1000))
        return f"({self.random.choice(EXTREMES)}L)" if self.chance(0.5) else str(self.random.randint(-70000, 70000))

    def readable(self) -> list[str]:
        return [place.text for place in (*self.places, *self.read_only)]

    def variable(self) -> str:
        known = self.readable()
        return self.random.choice(known) if known else self.number()

    def leaf(self) -> str:
        kind = self.random.random()
        if kind < 0.25:
            return self.number()
        if kind < 0.32 and self.arrays:
            name, _, length = self.random.choice(self.arrays)
            return f"{name}[{self.variable()} & {length - 1}]"
        if kind < 0.38 and self.pointers:
            return f"*{self.random.choice(self.pointers)[0]}"
        return self.variable()

    def affine(self) -> str:
        """A sum of few variables with small factors."""
        random = self.random
        kind = random.randrange(6)
        if kind == 0:
            return self.number()
        if kind == 1:
            return self.variable()
        if kind == 2:
            return f"{self.variable()} {random.choice('+-')} {self.number_of_size(9)}"
        if kind == 3:
            return f"{self.variable()} {random.choice('+-')} {self.variable()}"
        if kind == 4:
            return f"{random.choice((2, 3, 4, -1, -2))} * {self.variable()} {random.choice('+-')} {self.variable()}"
        return f"{self.variable()} {random.choice('+-')} {self.variable()} {random.choice('+-')} {random.randint(0, 9)}"

    def number_of_size(self, most: int) -> str:
        return str(self.random.randint(0, most))

    def expression(self, depth: int = 2) -> str:
        random = self.random
        if depth == 0 or self.chance(0.15):
            return self.leaf()
        if self.chance(0.35):
            return f"({self.affine()})"
        a = self.expression(depth - 1)
        match random.randrange(14):
            case 0 | 1:
                return f"({a} {random.choice('+-')} {self.expression(depth - 1)})"
            case 2:
                return f"({a} * {random.choice((self.number_of_size(9), self.number(), self.leaf()))})"
            case 3:
                return f"({a} / {self.divisor()})"
            case 4:
                return f"({a} % {self.divisor()})"
            case 5:
                return f"({a} {random.choice(('<<', '>>'))} {random.choice((1, 1, 2, 3, 7, 15, 16, 31))})"
            case 6:
                return f"({a} & {random.choice((1, 3, 7, 15, 127, 255, 256, 65535, -2, -4, -8, self.leaf()))})"
            case 7:
                return f"({a} {random.choice('|^')} {random.choice((1, 2, 7, 128, -1, self.leaf()))})"
            case 8:
                return f"({self.condition(depth - 1)} ? {a} : {self.expression(depth - 1)})"
            case 9:
                return f"({random.choice('-~!')}{self.wrapped(a)})"
            case 10 | 11:
                return f"(({self.type()}){self.wrapped(a)})"
            case 12:
                return f"({self.condition(depth - 1)})"
            case _:
                return self.call() or a

    @staticmethod
    def wrapped(text: str) -> str:
        return text if text.startswith("(") else f"({text})"

    def divisor(self) -> str:
        kind = self.random.random()
        if kind < 0.75:
            return self.random.choice(("2", "2", "3", "4", "5", "7", "8", "10", "16", "255", "(-1)", "(-2)", "(-3)"))
        if kind < 0.95:
            return f"({self.variable()} | 1)"
        return f"({self.variable()})"

    def condition(self, depth: int = 1) -> str:
        random = self.random
        left = self.affine() if self.chance(0.6) else self.expression(depth)
        right = self.affine() if self.chance(0.4) else self.number()
        text = f"{left} {random.choice(RELATIONS)} {right}"
        if self.chance(0.12):
            text = f"({self.type()})({left}) {random.choice(RELATIONS)} {right}"
        if depth and self.chance(0.2):
            text = f"({text}) {random.choice(('&&', '||', '&', '|'))} ({self.condition(0)})"
        if self.chance(0.08):
            text = f"!({text})"
        return text

    def call(self) -> str | None:
        """Of a function of the program, if there is one."""
        if not self.functions:
            return None
        name, _, parameters = self.random.choice(self.functions)
        return f"{name}({', '.join(self.argument(kind) for kind in parameters)})"

    def argument(self, kind: str) -> str:
        if not kind.endswith("*"):
            return self.affine() if self.chance(0.7) else self.expression(1)
        target = kind[:-2]
        known = [f"&{place.text}" for place in self.places if place.own and place.type == target]
        known += [name for name, element, _ in self.arrays if element == target]
        known += [
            f"&{name}[{self.random.randrange(length)}]" for name, element, length in self.arrays if element == target
        ]
        known += [name for name, element in self.pointers if element == target]
        return self.random.choice(known) if known else f"({target} *)&spare"

    def input(self, kind: str) -> str:
        text = f"__VERIFIER_nondet_{INPUT[kind]}()"
        if self.chance(0.4):
            return f"{text} % {self.random.choice((3, 10, 20, 100))}"
        return f"{text} & {self.random.choice((1, 7, 15, 31))}" if self.chance(0.3) else text
