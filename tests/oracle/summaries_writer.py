"""What the drawn programs with loops to summarize are written with: inputs, places that count, guards, looks.

Stands on ``verify_writer`` for the text. Nothing is kept from wrapping or from undefined behaviour: both are part of
what is compared. A program whose runs are too long is thrown away when its truth is looked for.

    place     an integer that loops change: a local, a global, a member, a cell, behind a pointer
    look      a line ``LOOK(value) -> statement``, which becomes ``if (COND(claim about value)) statement`` once the
              values that all inputs bring there are known
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from oracle.verify_writer import COMPARISONS, Writer

TAGS = {
    "signed char": "char", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort", "int": "int",
    "unsigned": "uint", "long": "long",
}  # fmt: skip
LIMITS = {
    "signed char": (-128, 127),
    "unsigned char": (0, 255),
    "short": (-32768, 32767),
    "unsigned short": (0, 65535),
    "int": (-(2**31), 2**31 - 1),
    "unsigned": (0, 2**32 - 1),
    "long": (-(2**63), 2**63 - 1),
}
TYPES = ("int",) * 4 + ("unsigned",) * 3 + ("unsigned char", "signed char") * 2 + ("short", "unsigned short", "long")
NARROW = ("signed char", "unsigned char")
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
MOST_LOOKS = 9


@dataclass(frozen=True)
class Place:
    """Something that loops change."""

    text: str
    type: str


@dataclass(frozen=True)
class Input:
    """An input and its values; a parameter of a function has the values that calls give it."""

    text: str
    type: str
    low: int
    high: int


class IterationWriter(Writer):
    """Draws functions with loops over at most ``combinations`` different inputs."""

    def __init__(self, random: Random, combinations: int) -> None:
        super().__init__(random, 0)
        self.left = combinations
        self.inputs: list[Input] = []
        self.places: list[Place] = []
        self.changed: list[Place] = []
        """What loops changed: worth looking at."""
        self.moving: list[Place] = []
        """What the loops around change with every iteration."""
        self.loops: tuple[Callable[[IterationWriter], None], ...] = ()
        self.helpers: list[Callable[[IterationWriter], None]] = []
        """Calls that move places on."""
        self.depth = 0
        self.looks = 0
        self.leaving: tuple[str, ...] = ()
        """Statements that end the function early."""
        self.declared: list[str] = []
        """Locals that can be seen from here."""

    # --- inputs and places

    def read_input(self, bits: int = 2) -> None:
        """One more input, if as many combinations are left."""
        type_ = self.random.choice(TYPES)
        least, most = LIMITS[type_]
        width = self.random.choice((2, 3, 4, 5, 7, 9, 12))
        spans = [(0, width)] * 4 + [(1, width)] * 2 + [(least, least + 3), (most - width, most), (95, 95 + width)]
        spans += [(-3, width - 3)] * 3 if least < 0 else []
        spans += [(least, most)] * 3 if type_ in NARROW else [(0, 120)]
        if not self.inputs and self.chance(0.8):
            spans = [(0, 12), (0, 20), (1, 30), (0, 40), (3, 60)]  # a bound for loops
        low, high = self.random.choice(spans)
        if high - low + 1 > self.left:
            low, high = 0, max(1, min(self.left, 6) - 1)
        if high - low + 1 > self.left:
            return
        self.left //= high - low + 1
        name = self.name("in")
        self.line(f"IN({name}, {type_}, {TAGS[type_]}, {number(low)}, {number(high)});")
        self.inputs.append(Input(name, type_, low, high))

    def local(self, type_: str | None = None, value: str | None = None) -> Place:
        place = Place(self.name("v"), type_ or self.random.choice(TYPES))
        self.line(f"{place.type} {place.text} = {self.start(place.type) if value is None else value};")
        self.declared.append(place.text)
        return place

    def home(self) -> Place:
        """A place for a loop to change: one that is there, or a new local."""
        if self.places and self.chance(0.55):
            place = self.random.choice(self.places)
            if self.chance(0.4):
                self.line(f"{place.text} = {self.start(place.type)};")
            return place
        place = self.local()
        self.places.append(place)
        return place

    def start(self, type_: str = "int") -> str:
        """Where something begins to count; small types are soon at their end."""
        if type_ in LIMITS and type_ not in ("int", "long") and self.chance(0.3):
            return number(LIMITS[type_][self.random.randrange(2)] + self.random.randint(-9, 9))
        texts = ["0"] * 5 + [self.constant(1, 9), "-3", "100"]
        texts += [source.text for source in self.inputs[-2:]]
        texts += [f"{source.text} {self.random.choice('+-')} {self.constant(1, 5)}" for source in self.inputs[-1:]]
        return self.random.choice(texts)

    # --- parts of loops

    def fixed(self) -> str:
        """A value that does not change while the innermost loop runs, mostly an input."""
        random = self.random
        if not self.inputs or self.chance(0.25):
            return str(random.choice((0, 1, 2, 3, 5, 8, 10, 20, 50, 100)))
        source = random.choice(self.inputs).text
        return random.choice(
            (source, source, source, f"{source} + {self.constant(1, 9)}", f"{source} - {self.constant(1, 3)}",
             f"2 * {source}", f"{random.choice(self.inputs).text} + {source}", f"(unsigned char){source}")
        )  # fmt: skip

    def limit(self) -> str:
        """Where a loop that starts near zero may well end, not too soon."""
        known = [source.text for source in self.inputs if source.low >= -3 and 10 <= source.high <= 300]
        if not known or self.chance(0.15):
            return self.fixed()
        source = self.random.choice(known)
        return self.random.choice((source, source, f"{source} + {self.constant(1, 9)}", f"2 * {source}"))

    def stride(self) -> str:
        """By how much a place moves: a constant other than zero, or an input."""
        if self.inputs and self.chance(0.25):
            source = self.random.choice(self.inputs)
            return self.random.choice((source.text, source.text, f"{source.text} + 1", f"(1 - {source.text})"))
        return str(self.random.choice((1, 1, 1, 2, 3, 4, 7, -1, -2, -5)))

    def affine(self, moving: list[Place]) -> str:
        """Something that moves by the same amount in every iteration."""
        random = self.random
        place, other = random.choice(moving).text, random.choice(moving).text
        texts = [place] * 4 + [f"{place} + {self.constant(1, 4)}", f"2 * {place}", f"{self.fixed()} - {place}"]
        texts += [f"{place} - {other}", f"{place} + {other}"] if place != other else []
        return random.choice([*texts, f"(long){place}", f"(unsigned){place}"])

    def guard(self, moving: list[Place]) -> str:
        """Any relation between something that moves and something that does not, or moves as well."""
        left, relation = self.affine(moving), self.random.choice(COMPARISONS)
        right = self.affine(moving) if len(moving) > 1 and self.chance(0.2) else self.fixed()
        if self.chance(0.3):
            left, right, relation = right, left, MIRRORED[relation]
        return f"COND({left} {relation} {right})"

    def move(self, place: Place, by: str | None = None) -> None:
        """One step of a place, written in one of many ways."""
        x, by = place.text, self.stride() if by is None else by
        if by in ("1", "-1") and self.chance(0.6):
            sign = "++" if by == "1" else "--"
            self.line(self.random.choice((f"{x}{sign};", f"{sign}{x};")))
        elif self.helpers and self.chance(0.2):
            self.random.choice(self.helpers)(self)
        else:
            negative = by.startswith("-")
            texts = [f"{x} -= {by[1:]};" if negative else f"{x} += {by};", f"{x} = {x} + {by};", f"{x} = {by} + {x};"]
            self.line(self.random.choice(texts))

    # --- places to look at

    def look(self, value: str | None = None, then: str | None = None) -> None:
        if self.looks >= MOST_LOOKS:
            return
        self.looks += 1
        if then is None:
            then = self.random.choice(
                ("sink++;", "abort();", "reach_error();", "reach_error();", "assert", *self.leaving[:1])
            )
        self.line(f"LOOK({self.measure() if value is None else value}) -> {then}")

    def measure(self) -> str:
        random = self.random
        worthy = self.changed[-4:] or self.places
        if not worthy:
            return self.fixed()
        x, y = random.choice(worthy).text, random.choice(worthy).text
        texts = [x] * 6 + [f"{x} - {self.fixed()}", f"(unsigned char){x}"]
        texts += [f"{x} - {y}", f"{x} + {y}"] if x != y else []
        return random.choice(texts)

    def out(self) -> str:
        """A statement that leaves the innermost loop."""
        ways = ["break;"] * 4 + [*self.leaving, "abort();", "reach_error();"]
        return self.random.choice(ways if self.in_loop else ways[4:])

    # --- structure

    @contextmanager
    def block(self, head: str, times: int = 1, tail: str = "}") -> Iterator[None]:
        """What is declared or read inside is not to be seen outside."""
        declared, inputs = len(self.declared), len(self.inputs)
        with super().block(head, times, tail):
            yield
        gone = set(self.declared[declared:])
        del self.declared[declared:]
        del self.inputs[inputs:]
        self.places = [place for place in self.places if place.text not in gone]
        self.changed = [place for place in self.changed if place.text not in gone]

    @contextmanager
    def around(self, head: str, moving: list[Place], tail: str = "}") -> Iterator[None]:
        """A loop."""
        kept, self.moving = self.moving, [*self.moving, *moving]
        self.depth += 1
        with self.loop(head, 1, tail):
            yield
        self.depth -= 1
        self.changed += [place for place in moving if not head.startswith(f"for ({place.type} {place.text} =")]
        self.moving = kept

    @contextmanager
    def function(self, head: str, leaving: tuple[str, ...], parameters: list[Input]) -> Iterator[None]:
        """A function of its own: it sees the globals and its parameters."""
        outer = self.inputs, self.places, self.changed, self.moving, self.leaving, self.left
        self.inputs, self.places = parameters, [place for place in self.places if place.text.startswith("g")]
        self.changed, self.moving, self.leaving, self.left = [], [], leaving, 1
        with self.block(head):
            yield
        self.inputs, self.places, self.changed, self.moving, self.leaving, self.left = outer


def number(value: int) -> str:
    """As C reads it: the least of each type has no literal."""
    if value in (-(2**31), -(2**63)):
        return f"({value + 1}{'L' if value < -(2**40) else ''} - 1)"
    return f"{value}L" if abs(value) >= 2**31 else str(value)
