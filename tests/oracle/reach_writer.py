"""What the drawn programs for ``clew reach`` are written with: counters, conditions on them, and bodies of loops.

Stands on ``verify_writer``. Signed overflow wraps in these programs, so counters may grow as they like; everything else
is defined, and every loop ends: variables that loops count with are ``fixed`` cells, which bodies do not assign to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from oracle.verify_writer import COMPARISONS, Array, Cell, Scope, Writer

MOST_WORK = 80
"""How often a place in a loop may run."""
MOST_DEPTH = 2
UNSIGNED = ("unsigned", "unsigned char", "unsigned short")
COUNTERS = ("int",) * 6 + ("unsigned", "unsigned", "unsigned char", "signed char", "short", "unsigned short", "long")


@dataclass(frozen=True)
class Counter:
    """A variable, or another place, that loops change."""

    text: str
    type: str


@dataclass(frozen=True)
class Helper:
    """A function that is called as a statement; ``cost`` is how much work one call is at most."""

    call: Callable[[LoopWriter], None]
    cost: int = 1


class LoopWriter(Writer):
    """Draws functions with loops. ``combinations`` is how many different inputs the program may have."""

    def __init__(self, random: Random, combinations: int, clean: bool = False) -> None:
        super().__init__(random, 0)
        self.clean = clean
        """Only what has a simple recurrence: arithmetic progressions and resets, plain conditions."""
        self.left = combinations
        self.counters: list[Counter] = []
        self.helpers: list[Helper] = []
        self.loops: tuple[Callable[[LoopWriter], None], ...] = ()
        self.leaving: tuple[str, ...] = ()
        """Statements that end the function early."""
        self.depth = 0
        self.may_continue = False
        self.observed = 0
        self.changed: set[str] = set()
        """Counters that something was done to; those are worth looking at."""

    # --- inputs

    def allows(self, domain: int) -> bool:
        """Whether one more input here, with so many values, is within the limit; if so, it is counted."""
        ways = domain**self.work
        if ways > self.left:
            return False
        self.left //= ways
        return True

    def input(self, name: str, low: int, high: int) -> str:
        """An expression or the declaration's end that reads a value between two bounds."""
        masked = low == 0 and high & (high + 1) == 0
        if masked and self.chance(0.6):
            tag = self.random.choice(("uchar", "uchar", "char", "uint", "int", "short"))
            return f"__VERIFIER_nondet_{tag}() & {high}"
        tag = self.random.choice(("int", "int", "char", "short", "long"))
        if self.chance(0.5) or "return 0;" not in self.leaving:
            return f"__VERIFIER_nondet_{tag}(); __VERIFIER_assume({name} >= {low} && {name} <= {high})"
        return f"__VERIFIER_nondet_{tag}(); if ({name} < {low} || {name} > {high}) return 0"

    def declare_input(self) -> None:
        ranges = ((0, 7), (0, 3), (0, 1), (0, 5), (1, 4), (1, 3), (-2, 3), (-1, 1), (2, 6))
        fitting = [(low, high) for low, high in ranges if high - low < self.left]
        if not fitting:
            return
        low, high = self.random.choice(fitting)
        self.left //= high - low + 1
        name = self.name("in")
        self.line(f"int {name} = {self.input(name, low, high)};")
        self.scope.cells.append(Cell(name, "int", self.scope.level, fixed=(low, high)))

    def declare_inputs_array(self) -> None:
        """Elements that are inputs of few values each."""
        name, length, most = self.name("a"), self.random.choice((3, 4, 4, 6)), self.random.choice((1, 1, 2, 3))
        type_ = self.random.choice(("int", "int", "int", "unsigned char"))
        if self.left < 4 * (most + 1) ** length:
            return
        self.left //= (most + 1) ** length
        self.line(f"{type_} {name}[{length}] = {{0}};")
        with self.block(f"for (int k = 0; k < {length}; k++)"):
            self.line(f"{name}[k] = {self.input(f'{name}[k]', 0, most) if most != 2 else self.three(name)};")
        self.scope.arrays.append(Array(name, type_, length, self.scope.level))

    def three(self, name: str) -> str:
        return f"__VERIFIER_nondet_uchar() & 3; __VERIFIER_assume({name}[k] != 3)"

    # --- what conditions are about

    def inputs(self) -> list[Cell]:
        return [cell for cell in self.scope.cells if cell.text.startswith("in")]

    def rounds(self) -> list[Cell]:
        """The variables of the loops around, outermost first."""
        return [cell for cell in self.scope.cells if cell.fixed and not cell.text.startswith("in")]

    def counter(self) -> Counter:
        return self.random.choice(self.counters)

    def place(self) -> Counter:
        """A counter to change."""
        counter = self.counter()
        self.changed.add(counter.text)
        return counter

    def element(self) -> str | None:
        """An element of an array, mostly the one that belongs to this round."""
        if not self.scope.arrays:
            return None
        array = self.random.choice(self.scope.arrays)
        here = [cell for cell in self.rounds() if cell.fixed and cell.fixed[0] >= 0]
        if here and self.chance(0.8):
            cell = here[-1] if self.chance(0.75) else self.random.choice(here)
            return f"{array.text}[{self.reduced(cell.value, array.length).text}]"
        return f"{array.text}[{self.index(array.length)}]"

    def atom(self) -> str:
        random, kind = self.random, self.random.random()
        around, element = self.rounds(), self.element()
        compare = random.choice(COMPARISONS)
        if kind < 0.35 and element:
            return f"{element} {random.choice(('==', '==', '!=', '>', '<'))} {self.constant(0, 2)}"
        if kind < 0.6 and around:
            i = random.choice(around[-2:]).text
            limit = random.choice([cell.text for cell in (*around, *self.inputs()) if cell.text != i] or ["2"])
            return random.choice(
                (f"{i} {compare} {self.constant(0, 5)}", f"{i} % {random.choice((2, 3))} == {self.constant(0, 1)}",
                 f"{i} {compare} {limit}", f"({i} & 1)")
            )  # fmt: skip
        if kind < 0.8 and self.inputs():
            return f"{random.choice(self.inputs()).text} {compare} {self.constant(0, 4)}"
        counter, other = self.counter().text, self.counter().text
        return random.choice(
            (f"{counter} {compare} {self.constant(0, 9)}", f"({counter} & {random.choice((1, 2, 4))})",
             f"{counter} {random.choice(('<', '==', '!='))} {other}", f"!{counter}")
        )  # fmt: skip

    def guard(self) -> str:
        """A condition on elements, on variables of loops, on inputs, on counters."""
        kind = self.random.random()
        if kind < 0.05 and self.scope.cells and not self.clean:
            return self.condition(1)[1:-1]
        if kind < (0.12 if self.clean else 0.3):
            return f"{self.atom()} {self.random.choice(('&&', '&&', '||'))} {self.atom()}"
        return self.atom()

    # --- statements

    def bump(self) -> None:
        """Something that chains know how to count, mostly; sometimes something that they do not."""
        counter, random = self.place(), self.random
        x, element = counter.text, self.element()
        steps = [f"{x}++", f"{x}++", f"{x} += {self.constant(2, 5)}", f"{x} -= {self.constant(1, 4)}", f"{x}--"]
        steps += [f"{x} = {self.constant(0, 3)}"] * 2
        steps += [f"{x} += {cell.text}" for cell in self.inputs()[-1:]]
        if self.clean:
            self.line(f"{random.choice(steps)};")
            return
        steps += [f"{x} *= {random.choice((2, 3))}", f"{x} ^= 1", f"{x} = !{x}", f"{x} = -{x}"]
        steps += [f"{x} {random.choice(('+=', '+=', '-=', '='))} {cell.text}" for cell in self.inputs()[-2:]]
        steps += [f"{x} {random.choice(('+=', '-=', '='))} {cell.text}" for cell in self.rounds()[-1:]]
        steps += [f"{x} {random.choice(('+=', '='))} {element}"] if element else []
        steps += [f"{x} <<= 1"] if counter.type in UNSIGNED else []
        steps += [f"{x} += {random.choice((100, 77, 30000))}"] if counter.type != "int" else []
        steps += [f"{x} {random.choice(('+=', '='))} {self.counter().text}"]
        self.line(f"{random.choice(steps)};")

    def store(self) -> None:
        """What no branch can be converted around."""
        around = self.rounds()
        if around and self.chance(0.6):
            self.line(f"marks[{self.reduced(around[-1].value, 8).text}] = {self.counter().text};")
        else:
            self.line(f"marks[{self.constant(0, 7)}]++;")

    def branch(self) -> None:
        with self.block(f"if ({self.guard()})"):
            self.body(2)
        while not self.clean and self.chance(0.25):
            with self.block(f"else if ({self.guard()})"):
                self.body(1)
        if self.chance(0.35):
            with self.block("else"):
                self.body(1)

    def switch(self) -> None:
        subject = self.random.choice(
            [self.reduced(cell.value, 4).text for cell in (*self.rounds(), *self.inputs())]
            + [text for text in (self.element(),) if text]
            + [f"({self.counter().text} & 3)"]
        )
        loop, self.in_loop = self.in_loop, 0
        with self.block(f"switch ({subject})"):
            for case in self.random.sample(range(4), self.random.randint(2, 3)):
                self.line(f"case {case}:")
                with self.block(""):
                    self.body(1)
                if self.chance(0.75):
                    self.line("continue;" if self.may_continue and self.chance(0.15) else "break;")
            if self.chance(0.5):
                self.line("default:")
                with self.block(""):
                    self.body(1)
        self.in_loop = loop

    def leave(self) -> None:
        """Out of the round, the loop or the function."""
        ways = ["break;"] * 3 if self.in_loop else []
        ways += ["continue;"] * 2 if self.may_continue else []
        ways += list(self.leaving) if not ways or self.chance(0.3) else []
        if ways:
            self.line(f"if ({self.guard()}) {self.random.choice(ways)}")

    def read(self) -> None:
        """An input in this round."""
        if self.work > 1 and self.allows(2):
            name = self.name("in")
            self.line(f"int {name} = __VERIFIER_nondet_{self.random.choice(('uchar() & 1', 'bool()'))};")
            self.scope.cells.append(Cell(name, "int", self.scope.level, fixed=(0, 1)))
            with self.block(f"if ({name})"):
                self.bump()
        else:
            self.bump()

    def call(self) -> None:
        affordable = [helper for helper in self.helpers if helper.cost * self.work <= MOST_WORK]
        if affordable:
            self.random.choice(affordable).call(self)
        else:
            self.bump()

    def look(self) -> None:
        """A place for a target: the condition for it is decided once the values seen here are known."""
        if self.observed >= 12:
            return
        self.observed += 1
        self.line(f"observe(1, {self.measure()});" + (f" observe(1, {self.measure()});" if self.chance(0.4) else ""))

    def measured(self) -> str:
        """A counter that is worth looking at."""
        names = [counter.text for counter in self.counters]
        worthy = [name for name in names if name in self.changed] if self.chance(0.9) else []
        return self.random.choice(worthy or names)

    def measure(self) -> str:
        x, y, kind = self.measured(), self.counter().text, self.random.random()
        if kind < 0.2 and x != y:
            return self.random.choice((f"{x} + {y}", f"{x} - {y}", f"{x} * 2 - {y}"))
        if kind < 0.35 and self.rounds():
            return self.rounds()[-1].text
        if kind < 0.45:
            return (self.inputs() and f"{x} - {self.random.choice(self.inputs()).text}") or x
        return x

    def inner(self) -> None:
        if self.depth < MOST_DEPTH and self.work * 3 <= MOST_WORK:
            self.random.choice(self.loops)(self)
        else:
            self.branch()

    def item(self) -> None:
        flat = [self.bump] * 5 + [self.store, self.read, self.call, self.call]
        deep = [self.branch] * 5 + [self.switch, self.inner] if self.nesting < 4 else []
        here = [self.leave] * 2 + [self.look] if self.in_loop else []
        if self.clean:
            flat = [self.bump] * 4 + [self.store, self.call]
            deep = [self.branch] * 4 + [self.switch, self.inner] if self.nesting < 3 else []
            here = [self.leave, self.look] if self.in_loop else []
        self.random.choice(flat + deep + here)()

    def body(self, most: int = 2) -> None:
        for _ in range(self.random.randint(1, most)):
            self.item()

    @contextmanager
    def around(
        self, head: str, times: int, variable: Cell | None, tail: str = "}", steps: bool = True
    ) -> Iterator[None]:
        """A loop. ``steps``: its head moves on, so that ``continue`` does not make it endless."""
        kept, self.may_continue = self.may_continue, steps
        self.depth += 1
        with self.loop(head, max(times, 1), tail):
            if variable is not None:
                self.scope.cells.append(variable)
            yield
        self.depth -= 1
        self.may_continue = kept

    @contextmanager
    def function(
        self, head: str, leaving: tuple[str, ...], parameters: dict[str, tuple[int, int] | None]
    ) -> Iterator[None]:
        """A function of its own: it sees the globals and its parameters, those with a range as fixed cells."""
        outer, counters, left, kept = self.scope, self.counters, self.left, self.leaving
        self.scope = Scope([], [array for array in outer.arrays if array.level == 0], [], [], 1)
        self.counters = [counter for counter in counters if counter.text.startswith("g")]
        self.leaving, self.left = leaving, 1
        with self.block(head):
            for name, fixed in parameters.items():
                if fixed is None:
                    self.counters.append(Counter(name, "int"))
                else:
                    self.scope.cells.append(Cell(name, "int", 1, fixed))
            yield
        self.scope, self.counters, self.left, self.leaving = outer, counters, left, kept
