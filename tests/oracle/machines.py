"""Random programs with loops that never end: small machines that read an input in each round, and what they can do.

A program is written twice, in C and in Python, from the same draft. The Python form is run from every state that it can
get into at the head of its loop, with every input; so it is known of each assertion whether it can fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

STATES = 6_000
"""Of one program, beyond which it is not enumerated."""
RUNS = 150_000
MOST_INPUTS = 12
"""Inputs read in one round."""


class TooLarge(Exception):
    """The program has too many states to try them all."""


@dataclass(frozen=True)
class Machine:
    """A program in C; ``step`` is one round of it in Python, ``asserts`` the lines of its assertions."""

    seed: int
    source: str
    asserts: tuple[int, ...]
    python: str


class _Stopped(Exception):
    """The program ends: an assumption does not hold, or the loop is left."""


class _Failed(Exception):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def violated(machine: Machine) -> frozenset[int]:
    """The assertions, by number, that some sequence of inputs violates."""
    inputs = _Inputs()
    scope: dict[str, Any] = {"nondet": inputs.next, "Stop": _Stopped, "Fail": _Failed}
    exec(machine.python, scope)
    first: tuple[int, ...] = scope["FIRST"]
    step: Callable[[tuple[int, ...]], tuple[int, ...]] = scope["step"]
    found: set[int] = set()
    seen, work, runs = {first}, [first], 0
    while work:
        state = work.pop()
        for _ in inputs.all():
            runs += 1
            try:
                after = step(state)
            except _Stopped:
                continue
            except _Failed as failure:
                found.add(failure.number)
                continue
            if after not in seen:
                seen.add(after)
                work.append(after)
            if len(seen) > STATES or runs > RUNS:
                raise TooLarge
    return frozenset(found)


class _Inputs:
    """Every sequence of inputs that one round can read, one after the other."""

    def __init__(self) -> None:
        self._values: list[int] = []
        self._sizes: list[int] = []
        self._read = 0

    def all(self) -> Iterator[None]:
        self._values, self._sizes = [], []
        while True:
            self._read = 0
            yield
            del self._values[self._read :], self._sizes[self._read :]
            while self._values and self._values[-1] == self._sizes[-1] - 1:
                self._values.pop()
                self._sizes.pop()
            if not self._values:
                return
            self._values[-1] += 1

    def next(self, size: int) -> int:
        if self._read == len(self._values):
            if self._read == MOST_INPUTS:
                raise TooLarge
            self._values.append(0)
            self._sizes.append(size)
        self._read += 1
        return self._values[self._read - 1]


# Programs


@dataclass(frozen=True)
class _Variable:
    name: str
    ctype: str
    size: int
    """Values: 0 .. size - 1. A power of two where it wraps around by itself."""
    local: bool = False
    elements: int = 0


class _Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.c: list[str] = []
        self.py: list[str] = []
        self.depth = 0
        self.loops = 0
        self.asserts: list[str] = []
        self.variables: list[_Variable] = []
        self.inputs = 0
        self.counters = 0
        self.is_straight = False

    def both(self, c: str, py: str) -> None:
        pad = "  " * self.depth
        self.c.append(pad + c)
        self.py.append(pad + py)

    # Expressions: texts that mean the same in both languages, all values small and not negative

    def scalar(self) -> _Variable:
        return self.random.choice([v for v in self.variables if not v.elements])

    def place(self, v: _Variable) -> str:
        return f"{v.name}[{self.value(0)} & {v.elements - 1}]" if v.elements else v.name

    def value(self, depth: int = 1) -> str:
        draw = self.random.random()
        if draw < 0.25:
            return str(self.random.randrange(8))
        if depth <= 0 or draw < 0.65:
            return self.scalar().name
        arrays = [v for v in self.variables if v.elements]
        if arrays and draw < 0.75:
            return self.place(self.random.choice(arrays))
        op = self.random.choice(["+", "+", "&", "|", "^"])
        return f"({self.value(depth - 1)} {op} {self.value(depth - 1)})"

    def condition(self, depth: int = 1) -> tuple[str, str]:
        draw = self.random.random()
        if depth > 0 and draw < 0.3:
            (a, b), (x, y) = self.condition(depth - 1), self.condition(depth - 1)
            c, py = self.random.choice([("&&", "and"), ("||", "or")])
            return f"({a} {c} {x})", f"({b} {py} {y})"
        v = self.scalar()
        if draw < 0.75:
            op = self.random.choice(["==", "!=", "<", ">=", "=="])
            most = v.size if self.random.random() < 0.5 else min(v.size, 9)
            text = f"({v.name} {op} {self.random.randrange(most)})"
        else:
            text = f"({self.value()} {self.random.choice(['==', '!=', '<', '<='])} {self.value()})"
        return text, text

    # Statements

    def block(self, size: int, depth: int) -> None:
        self.depth += 1
        before = len(self.py)
        for _ in range(size):
            self.statement(depth)
        if len(self.py) == before:
            self.both(";", "pass")
        self.depth -= 1

    def statement(self, depth: int) -> None:
        draw = self.random.random()
        if draw < 0.4 or depth <= 0:
            self.assign()
        elif draw < 0.5:
            self.read()
        elif draw < 0.75:
            self.choice(depth)
        elif draw < 0.83:
            self.cases(depth)
        elif draw < 0.88:
            self.repeat(depth)
        elif draw < 0.92:
            self.give_up()
        else:
            self.check()

    def straight(self) -> None:
        """A statement of a loop in which no ways come together."""
        self.is_straight = True
        v, draw = self.scalar(), self.random.random()
        if draw < 0.3:
            v = max((each for each in self.variables if not each.elements), key=lambda each: each.size)
            text = f"({v.name} != {self.random.randrange(v.size)})"
            self.check((text, text))
        elif draw < 0.6:
            self.set(v.name, v, f"{v.name} + {self.random.choice([1, 2, 3, 5, v.size - 1])}")
        elif draw < 0.8:
            self.both("if (__VERIFIER_nondet_bool()) goto out;", "if nondet(2): raise Stop")
        else:
            self.check()

    def set(self, place: str, v: _Variable, value: str) -> None:
        self.both(f"{place} = ({value}) & {v.size - 1};", f"{place} = ({value}) & {v.size - 1}")

    def assign(self) -> None:
        v = self.random.choice(self.variables)
        place, draw = self.place(v), self.random.random()
        if draw < 0.35:
            self.set(place, v, f"{place} + {self.random.choice([1, 1, 1, 2, 3])}")
        elif draw < 0.5:
            most = self.random.randrange(1, v.size)
            self.both(f"if ({place} < {most}) {place}++;", f"if {place} < {most}: {place} += 1")
        elif draw < 0.6:
            c, py = self.condition(0)
            self.both(f"{place} = {c};", f"{place} = int({py})")
        else:
            self.set(place, v, self.value())

    def read(self) -> None:
        v = self.scalar()
        size = self.random.choice([2, 2, 4, v.size if v.size <= 8 else 4])
        size = min(size, v.size)
        form = self.random.randrange(3)
        py = f"{v.name} = nondet({size})"
        if form == 0:
            self.both(f"{v.name} = __VERIFIER_nondet_uchar() & {size - 1};", py)
        elif form == 1:
            self.both(f"{v.name} = __VERIFIER_nondet_uchar() % {size};", py)
        else:
            self.both(f"{v.name} = below({size});", py)

    def choice(self, depth: int) -> None:
        if self.random.random() < 0.35:
            c, py = "__VERIFIER_nondet_bool()", "nondet(2)"
        else:
            c, py = self.condition()
        self.both(f"if ({c}) {{", f"if {py}:")
        self.block(self.random.randrange(1, 4), depth - 1)
        if self.random.random() < 0.5:
            self.both("} else {", "else:")
            self.block(self.random.randrange(1, 3), depth - 1)
        self.c.append("  " * self.depth + "}")

    def cases(self, depth: int) -> None:
        v = self.scalar()
        self.counters += 1
        chosen = f"chosen{self.counters}"
        self.c.append("  " * self.depth + f"switch ({v.name}) {{")
        self.py.append("  " * self.depth + f"{chosen} = {v.name}")
        for number in range(self.random.randrange(2, 5)):
            self.c.append("  " * self.depth + f"case {number}:")
            self.py.append("  " * self.depth + f"{'el' if number else ''}if {chosen} == {number}:")
            self.block(self.random.randrange(1, 3), depth - 1)
            self.c.append("  " * self.depth + "  break;")
        self.c.append("  " * self.depth + "}")

    def repeat(self, depth: int) -> None:
        self.counters += 1
        name, count = f"i{self.counters}", self.random.randrange(2, 4)
        self.both(f"for (int {name} = 0; {name} < {count}; {name}++) {{", f"for {name} in range({count}):")
        self.loops += 1
        self.block(self.random.randrange(1, 3), depth - 1)
        self.loops -= 1
        self.c.append("  " * self.depth + "}")

    def give_up(self) -> None:
        c, py = self.condition()
        if self.loops or self.random.random() < 0.5:
            self.both(f"if (!{c}) exit(0);", f"if not {py}: raise Stop")
        else:
            self.both(f"if ({c}) goto out;", f"if {py}: raise Stop")

    def check(self, condition: tuple[str, str] | None = None) -> None:
        c, py = condition or self.condition(2)
        number = len(self.asserts)
        self.asserts.append(c)
        self.both(f"assert({c}); /* {number} */", f"if not {py}: raise Fail({number})")


def generate(seed: int) -> Machine:
    """A program."""
    w = _Writer(seed)
    r = w.random
    tiny = r.random() < 0.4
    kinds = ["unsigned char", "int", "unsigned", "short"]
    for number in range(r.randrange(1, 3) if tiny else r.randrange(2, 6)):
        w.variables.append(_Variable(f"v{number}", r.choice(kinds), r.choice([2, 2, 4, 4, 8]), r.random() < 0.5))
    if not tiny and r.random() < 0.4:
        w.variables.append(_Variable("ring", "unsigned char", r.choice([2, 4]), r.random() < 0.5, r.choice([2, 4])))
    if r.random() < (0.8 if tiny else 0.5):
        w.variables.append(_Variable("tick", r.choice(kinds), r.choice([16, 64, 256]), r.random() < 0.5))
    if tiny and r.random() < 0.5:
        w.variables.append(_Variable("tock", r.choice(kinds), r.choice([32, 128]), r.random() < 0.5))
    if tiny and r.random() < 0.5:
        w.straight()
    for _ in range(r.randrange(1, 4) if tiny else r.randrange(3, 8)):
        if w.is_straight:
            w.straight()
        else:
            w.statement(1 if tiny else 3)
    if not any("nondet" in line for line in w.py):
        w.read()
    w.check()
    return _written(w, seed)


def _written(w: _Writer, seed: int) -> Machine:
    def declared(v: _Variable) -> str:
        return f"{v.ctype} {v.name}[{v.elements}] = {{0}};" if v.elements else f"{v.ctype} {v.name} = 0;"

    head = [
        "#include <assert.h>",
        "#include <stdlib.h>",
        "extern unsigned char __VERIFIER_nondet_uchar(void);",
        "extern _Bool __VERIFIER_nondet_bool(void);",
        "static unsigned char below(unsigned char n) {",
        "  unsigned char x = __VERIFIER_nondet_uchar();",
        "  if (x >= n) exit(0);",
        "  return x;",
        "}",
        *(declared(v) for v in w.variables if not v.local),
        "int main(void) {",
        *("  " + declared(v) for v in w.variables if v.local),
        "  while (1) {",
    ]
    lines = [*head, *("    " + line for line in w.c), "  }", "out:", "  return 0;", "}", ""]
    names, first, packed = [], [], []
    for v in w.variables:
        names.append(v.name)
        first.append((0,) * v.elements if v.elements else 0)
        packed.append(f"tuple({v.name})" if v.elements else v.name)
    lists = [f"  {v.name} = list({v.name})" for v in w.variables if v.elements]
    python = [
        f"FIRST = {tuple(first)!r}",
        "def step(state):",
        f"  {', '.join(names)}, = state",
        *lists,
        *("  " + line for line in w.py),
        f"  return {', '.join(packed)},",
        "",
    ]
    at = {int(line.split("/*")[1].split("*/")[0]): n for n, line in enumerate(lines, 1) if "/*" in line}
    return Machine(seed, "\n".join(lines), tuple(at[number] for number in range(len(w.asserts))), "\n".join(python))
