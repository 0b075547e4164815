"""What the drawn programs for path merging are written with: inputs, places that hold state, statements that change it.

Stands on ``verify_writer`` for the text. Ways through a program differ in what they leave in its places, and meet
again; what became of the difference is looked at later, or never.

    place     an integer that can be assigned to: a local, a global, a member, a cell, behind a pointer, on the heap
    look      a line ``LOOK(value)``: it becomes an error or a branch once it is known which values come there
              (``merging_claims``)

Inputs have few values each, so that there are few enough paths to run all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from oracle.verify_writer import COMPARISONS, Writer

TAGS = {
    "int": "int",
    "unsigned": "uint",
    "unsigned char": "uchar",
    "signed char": "char",
    "short": "short",
    "long": "long",
}
TYPES = ("int",) * 5 + ("unsigned", "unsigned char", "signed char", "short", "long", "_Bool")
MOST_LOOKS = 9
MOST_NESTING = 4


@dataclass(frozen=True)
class Place:
    """Something that holds a part of the state."""

    text: str
    plain: bool = True
    """An ``int`` whose address can be taken."""


Shape = Callable[["MergeWriter"], None]


class MergeWriter(Writer):
    """Draws functions over at most about ``combinations`` different inputs."""

    def __init__(self, random: Random, combinations: int) -> None:
        super().__init__(random, 0)
        self.left = combinations
        self.inputs: list[str] = []
        self.spans: dict[str, tuple[int, int]] = {}
        """Of the inputs whose values are known."""
        self.places: list[Place] = []
        self.touched: list[Place] = []
        """Changed on some ways only: worth looking at."""
        self.looks = 0
        self.leaving: tuple[str, ...] = ()
        """Statements that end the function early."""
        self.callees: list[Shape] = []
        self.acts: tuple[Shape, ...] = ()
        self.uses_stdin = False

    # --- inputs

    def affords(self, ways: int) -> bool:
        """Whether the program may have so many times more runs; if so, that is counted."""
        ways **= min(self.work, 6)
        if ways > self.left:
            return False
        self.left //= ways
        return True

    def ask(self) -> str | None:
        """One more input: of a few values, or any value at all that few conditions look at."""
        if self.chance(0.2) and self.affords(4):
            name = self.name("in")
            type_ = self.random.choice(("int", "unsigned", "unsigned char", "short", "long"))
            self.line(f"WIDE({name}, {type_}, {TAGS[type_]});")
            self.inputs.append(name)
            return name
        low, high = self.random.choice(
            ((0, 1), (0, 1), (0, 2), (0, 3), (0, 3), (-1, 1), (0, 5), (-2, 2), (1, 4), (0, 7))
        )
        if not self.affords(high - low + 1):
            low, high = 0, 1
            if not self.affords(2):
                return None
        name, type_ = self.name("in"), self.random.choice(("int", "int", "int", "signed char", "short", "long"))
        self.line(f"IN({name}, {type_}, {TAGS[type_]}, {low}, {high});")
        self.inputs.append(name)
        self.spans[name] = low, high
        return name

    def input(self) -> str:
        """An input that is there already; an expression over one sometimes."""
        if not self.inputs:
            return self.ask() or "zero"
        text = self.random.choice(self.inputs)
        return self.random.choice((text, text, text, f"({text} & 1)", f"({text} & 3)"))

    # --- values and conditions

    def place(self) -> Place:
        if not self.places:
            self.local()
        if self.touched and self.chance(0.3):
            return self.random.choice(self.touched)
        return self.random.choice(self.places)

    def plain(self) -> str:
        """An ``int`` whose address can be taken."""
        plain = [place.text for place in self.places if place.plain]
        return self.random.choice(plain) if plain else self.local("int").text

    def changed(self) -> str:
        """A place that differs between ways, mostly."""
        return (self.random.choice(self.touched[-6:]) if self.touched and self.chance(0.8) else self.place()).text

    def local(self, type_: str | None = None, value: str | None = None) -> Place:
        type_ = type_ or self.random.choice(TYPES)
        place = Place(self.name("v"), type_ == "int")
        self.line(f"{type_} {place.text} = {self.constant(0, 3) if value is None else value};")
        self.places.append(place)
        return place

    def value(self) -> str:
        """A value that stays small."""
        x = self.place().text
        return self.random.choice(
            (self.constant(0, 7), self.constant(0, 7), self.constant(-1, 3), self.input(), f"{x} + 1",
             f"({x} & 7)", f"({x} ^ {self.constant(1, 3)})", f"({self.input()} & 3) + {self.constant(0, 4)}",
             f"({x} & 3) * 2 + ({self.input()} & 1)", f"3 - ({x} & 3)")
        )  # fmt: skip

    def atom(self) -> str:
        random, compare = self.random, self.random.choice(COMPARISONS)
        kind = random.random()
        if kind < 0.65 and self.inputs:
            return self._about_input()
        if kind < 0.85:
            return f"{self.changed()} {compare} {self.constant(0, 4)}"
        if kind < 0.93:
            return f"{self.changed()} {compare} {self.input()}"
        x, y = self.place().text, self.changed()
        return f"{x} {compare} {y}" if x != y else f"{x} {compare} {self.constant(0, 4)}"

    def _about_input(self) -> str:
        """A condition that some values of an input fulfil."""
        random, name = self.random, self.random.choice(self.inputs)
        if self.chance(0.2):
            return f"({name} & {random.choice((1, 1, 2, 3))})"
        low, high = self.spans.get(name, (0, 3))
        bound = random.randint(low, high)
        texts = [f"{name} == {bound}", f"{name} != {bound}"]
        texts += [f"{name} > {random.randint(low, high - 1)}", f"{name} < {random.randint(low + 1, high)}"] * 2
        others = [other for other in self.inputs if other != name]
        texts += [f"{name} {random.choice(('<', '==', '>'))} {random.choice(others)}"] if others else []
        return random.choice(texts)

    def test(self) -> str:
        """A condition."""
        if self.chance(0.25):
            return f"{self.atom()} {self.random.choice(('&&', '||'))} {self.atom()}"
        return self.atom()

    # --- statements

    def change(self, place: Place | None = None) -> None:
        """Something happens to a place."""
        place = place or self.place()
        x = place.text
        self.line(
            self.random.choice(
                (f"{x} = {self.value()};", f"{x} = {self.value()};", f"{x} = {self.constant(0, 7)};",
                 f"{x} = ({x} + {self.constant(1, 3)}) & 15;", f"{x} ^= {self.constant(1, 3)};",
                 f"{x} = !{x};", f"{x} |= {self.constant(1, 4)};", f"{x} = ({x} + {self.input()}) & 15;")
            )
        )  # fmt: skip
        self.touched.append(place)

    def swap(self) -> None:
        x, y, t = self.place(), self.place(), self.name("t")
        self.line(f"{{ int {t} = {x.text}; {x.text} = {y.text}; {y.text} = {t}; }}")
        self.touched += (x, y)

    def dead(self) -> None:
        """A difference that nobody looks at."""
        name = self.name("dead")
        self.line(f"volatile int {name} = {self.value()};" if self.chance(0.3) else f"int {name} = {self.value()};")
        if self.chance(0.5):
            self.line(f"sink = {name};")

    def branch(self) -> None:
        with self.block(f"if ({self.test()})"):
            self.body(2)
        if self.nesting < 3 and self.chance(0.15):
            with self.block(f"else if ({self.test()})"):
                self.body(1)
        if self.chance(0.5):
            with self.block("else"):
                self.body(2)

    def choice(self) -> None:
        x, test = self.place(), self.test()
        self.line(f"{x.text} = {test} ? {self.value()} : {self.value()};")
        self.touched.append(x)

    def switch(self) -> None:
        loop, self.in_loop = self.in_loop, 0
        with self.block(f"switch ({self.random.choice((self.input(), f'{self.changed()} & 3'))})"):
            for case in self.random.sample(range(4), self.random.randint(2, 3)):
                self.line(f"case {case}:")
                with self.block(""):
                    self.body(1)
                if self.chance(0.7):
                    self.line("break;")
            if self.chance(0.5):
                self.line("default:")
                with self.block(""):
                    self.body(1)
        self.in_loop = loop

    def loop_over(self) -> None:
        """A loop of a few rounds, as many as an input says, or fewer."""
        i, most = self.name("i"), self.random.choice((2, 3))
        bound = self.random.choice((str(most), f"({self.input()} & 3)", f"({self.changed()} & 3)"))
        head = self.random.choice(
            (f"for (int {i} = 0; {i} < {bound}; {i}++)", f"for (int {i} = {bound}; {i} > 0; {i}--)",
             f"for (int {i} = 0; {i} < {most} && {self.atom()}; {i}++)")
        )  # fmt: skip
        with self.loop(head, most):
            self.places_seen(i)
            self.body(2)
            if self.chance(0.4):
                self.line(f"if ({self.test()}) {self.random.choice(('break;', 'continue;', *self.leaving))}")

    def places_seen(self, name: str) -> None:
        """A variable that is looked at and not assigned to."""
        self.inputs.append(name)

    def leave(self) -> None:
        ways = [*self.leaving, *(["break;", "continue;"] if self.in_loop else [])]
        if ways:
            self.line(f"if ({self.test()}) {self.random.choice(ways)}")

    def jump(self) -> None:
        label = self.name("over")
        self.line(f"if ({self.test()}) goto {label};")
        with self.block(""):
            self.body(1)
        self.line(f"{label}: ;")

    def call(self) -> None:
        if self.callees:
            self.random.choice(self.callees)(self)
        else:
            self.change()

    def act(self) -> None:
        if self.work <= 3:
            self.random.choice(self.acts)(self)

    def look(self, value: str | None = None) -> None:
        if self.looks < MOST_LOOKS:
            self.looks += 1
            self.line(f"LOOK({self.measure() if value is None else value});")

    def measure(self) -> str:
        """What to look at: several differences at once, so that few ways have all of them."""
        x, y, z = self.changed(), self.changed(), self.changed()
        y = y if y != x else self.input()
        return self.random.choice(
            (x, x, f"{x} * 3 + {y}", f"{x} + {y} * 4", f"({x} & 7) + ({y} & 7) * 8 + ({z} & 7) * 64", f"{x} - {y}",
             f"{x} - {self.input()}", f"({x} & 3) * 4 + ({self.input()} & 3)", f"({self.input()} & 7) + {x}",
             f"{x} == {y}", f"({x} > 1) + ({y} > 1) + ({z} > 1)")
        )  # fmt: skip

    def item(self) -> None:
        flat = [self.change] * 5 + [self.swap, self.dead, self.choice, self.call, self.call]
        flat += [self.look, self.leave] if self.nesting else []
        deep = [self.branch] * 6 + [self.switch, self.loop_over, self.jump, self.act, self.act]
        self.random.choice(flat + (deep if self.nesting < MOST_NESTING else []))()

    def body(self, most: int = 2) -> None:
        for _ in range(self.random.randint(1, most)):
            self.item()

    # --- structure

    @contextmanager
    def block(self, head: str, times: int = 1, tail: str = "}") -> Iterator[None]:
        """What is declared or read inside is not to be seen outside."""
        places, inputs = list(self.places), list(self.inputs)
        with super().block(head, times, tail):
            yield
        self.places, self.inputs = places, inputs
        known = {place.text for place in places}
        self.touched = [place for place in self.touched if place.text in known]

    @contextmanager
    def function(self, head: str, leaving: tuple[str, ...], inputs: list[str], places: list[Place]) -> Iterator[None]:
        """A function of its own: it sees globals, and its parameters."""
        outer = self.inputs, self.places, self.touched, self.leaving, self.in_loop
        self.inputs, self.touched, self.leaving, self.in_loop = inputs, [], leaving, 0
        self.places = [place for place in outer[1] if place.text.startswith("g")] + places
        with self.block(head):
            yield
        self.inputs, self.places, self.touched, self.leaving, self.in_loop = outer
