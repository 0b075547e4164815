"""What the drawn programs for ``clew verify`` are written with: scopes, expressions with ranges, statements.

Everything drawn is free of undefined behaviour. Every expression has type ``int`` and a known range, so that signed
arithmetic is used where it cannot overflow, and unsigned arithmetic elsewhere. A pointer only ever holds the address
of an object that lives at least as long as the pointer. Loops have bounds that their bodies cannot change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

LEAST, MOST = -(2**31), 2**31 - 1
RANGES = {
    "int": (LEAST, MOST),
    "unsigned": (LEAST, MOST),  # as it is read: through a cast to int
    "unsigned char": (0, 255),
    "signed char": (-128, 127),
    "short": (-32768, 32767),
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True)
class Value:
    """An expression of type int and the range of its values."""

    text: str
    low: int
    high: int


@dataclass(frozen=True)
class Cell:
    """A scalar lvalue. ``level`` says how long it lives: 0 for ever, higher means in a more deeply nested block."""

    text: str
    type: str
    level: int
    fixed: tuple[int, int] | None = None
    """The range of a variable that nothing may assign to."""

    @property
    def value(self) -> Value:
        low, high = self.fixed or RANGES[self.type]
        return Value(f"(int){self.text}" if self.type == "unsigned" else self.text, low, high)


@dataclass(frozen=True)
class Array:
    text: str
    type: str
    length: int
    level: int


@dataclass(frozen=True)
class Pointer:
    """A variable that points to an ``int``, always."""

    text: str
    level: int


@dataclass
class Scope:
    cells: list[Cell]
    arrays: list[Array]
    pointers: list[Pointer]
    records: list[str]
    """Structs ``struct pair``, whose members are cells too."""
    level: int = 0

    def inner(self) -> Scope:
        return Scope(list(self.cells), list(self.arrays), list(self.pointers), list(self.records), self.level + 1)


Shape = Callable[["Writer"], None]
"""Writes some statements around what is in scope."""


class Writer:
    """Draws one function after the other into ``lines``."""

    def __init__(self, random: Random, input_bits: int) -> None:
        self.random = random
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0
        self.bits = input_bits
        self.scope = Scope([], [], [], [])
        self.in_main = False
        self.in_loop = 0
        self.nesting = 0
        self.work = 1
        """How often the current place runs at most; loops multiply it."""
        self.shapes: tuple[Shape, ...] = ()
        self.calls: list[Shape] = []

    # --- text

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    @contextmanager
    def block(self, head: str, times: int = 1, tail: str = "}") -> Iterator[None]:
        """``head { ... }``, in a scope of its own; a loop says how many times it runs at most."""
        outer, work = self.scope, self.work
        self.line(f"{head} {{" if head else "{")
        self.indent += 1
        self.nesting += 1
        self.scope = self.scope.inner()
        self.work *= times
        yield
        self.scope, self.work = outer, work
        self.indent -= 1
        self.nesting -= 1
        self.line(tail)

    @contextmanager
    def loop(self, head: str, times: int, tail: str = "}") -> Iterator[None]:
        self.in_loop += 1
        with self.block(head, times, tail):
            yield
        self.in_loop -= 1

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # --- declarations

    def declare(self, type_: str = "int", value: str | None = None) -> str:
        name = self.name("v")
        self.line(f"{type_} {name} = {self.fitting(type_) if value is None else value};")
        self.scope.cells.append(Cell(name, type_, self.scope.level))
        return name

    def declare_array(self, type_: str = "int", length: int = 4) -> Array:
        array = Array(self.name("m"), type_, length, self.scope.level)
        values = ", ".join(self.fitting(type_, 1) for _ in range(self.random.choice((1, length))))
        self.line(f"{type_} {array.text}[{length}] = {{{values}}};")
        self.scope.arrays.append(array)
        return array

    def declare_pointer(self) -> str:
        name = self.name("p")
        self.line(f"int *{name} = {self.address()};")
        self.scope.pointers.append(Pointer(name, self.scope.level))
        return name

    def declare_record(self) -> str:
        name = self.name("s")
        self.line(f"struct pair {name} = {{{self.fitting('int')}, {self.constant(0, 99)}, {self.constant(0, 99)}}};")
        self.add_record(name, self.scope.level)
        return name

    def add_record(self, text: str, level: int, arrow: str = ".") -> None:
        for member, type_ in (("x", "int"), ("y", "unsigned char"), ("z", "short")):
            self.scope.cells.append(Cell(f"{text}{arrow}{member}", type_, level))
        if arrow == ".":
            self.scope.records.append(text)

    # --- expressions

    def constant(self, low: int = 0, high: int = 9) -> str:
        return str(self.random.randint(low, high))

    def leaf(self) -> Value:
        random, scope = self.random, self.scope
        kind = random.random()
        if kind < 0.18:
            number = random.choice((0, 1, 1, 2, 3, 4, 5, 7, 8, 15, 16, 100))
            return Value(str(number), number, number)
        if kind < 0.36 and scope.arrays:
            array = random.choice(scope.arrays)
            return Cell(f"{array.text}[{self.index(array.length)}]", array.type, 0).value
        if kind < 0.46 and scope.pointers:
            return Value(f"*{random.choice(scope.pointers).text}", LEAST, MOST)
        # What was declared last is what the statements around are about.
        cells = scope.cells[-6:] if self.chance(0.6) else scope.cells
        return random.choice(cells).value

    def index(self, length: int) -> str:
        """An index into an array: a constant, a variable that fits, or something cut to fit."""
        kind = self.random.random()
        if kind < 0.35:
            return str(self.random.randrange(length))
        fixed = [c.text for c in self.scope.cells if c.fixed and c.fixed[0] >= 0 and c.fixed[1] < length]
        if fixed and kind < 0.75:
            return self.random.choice(fixed)
        return self.reduced(self.random.choice(self.scope.cells).value, length).text

    def reduced(self, value: Value, count: int) -> Value:
        """The value brought into 0 .. count - 1."""
        if value.low >= 0 and value.high < count:
            return value
        if count & (count - 1) == 0:
            return Value(f"({value.text} & {count - 1})", 0, count - 1)
        if value.low >= 0:
            return Value(f"({value.text} % {count})", 0, count - 1)
        return Value(f"(int)((unsigned)({value.text}) % {count}u)", 0, count - 1)

    def expression(self, depth: int = 2) -> Value:
        random = self.random
        if depth == 0 or self.chance(0.25):
            return self.leaf()
        a = self.expression(depth - 1)
        kind = random.randrange(12)
        if kind < 4:
            return self.arithmetic(random.choice("++-*"), a, self.expression(depth - 1))
        if kind < 6:
            return self.reduced(a, random.choice((2, 3, 4, 5, 8, 10, 16)))
        if kind == 6:
            return self.bitwise(random.choice("&|^"), a, self.expression(depth - 1))
        if kind == 7:
            return Value(f"({self.comparison(1)})", 0, 1)
        if kind == 8:
            b = self.expression(depth - 1)
            return Value(f"({self.condition(1)} ? {a.text} : {b.text})", min(a.low, b.low), max(a.high, b.high))
        if kind == 9:
            type_ = random.choice(("unsigned char", "signed char", "short"))
            return Value(f"({type_})({a.text})", *RANGES[type_])
        if kind == 10:
            by = random.choice((2, 3, 5))
            return Value(f"({a.text} / {by})", -(-a.low // by) if a.low < 0 else a.low // by, max(a.high, 0) // by)
        return Value(f"({a.text} >> {random.randint(1, 3)})", min(a.low, 0), max(a.high, 0))

    def arithmetic(self, operator: str, a: Value, b: Value) -> Value:
        """Signed where the result fits; else of operands cut down, or of unsigned operands, where it wraps."""
        for left, right in ((a, b), (self.reduced(a, 16), self.reduced(b, 8)) if self.chance(0.7) else (a, b)):
            corners = [_apply(operator, x, y) for x in (left.low, left.high) for y in (right.low, right.high)]
            if min(corners) > LEAST and max(corners) <= MOST:
                return Value(f"({left.text} {operator} {right.text})", min(corners), max(corners))
        return Value(f"(int)((unsigned)({a.text}) {operator} (unsigned)({b.text}))", LEAST, MOST)

    def bitwise(self, operator: str, a: Value, b: Value) -> Value:
        bits = max(_bits(v) for value in (a, b) for v in (value.low, value.high))
        low = 0 if a.low >= 0 and b.low >= 0 else -(1 << bits)
        return Value(f"({a.text} {operator} {b.text})", low, (1 << bits) - 1)

    def comparison(self, depth: int = 2) -> str:
        left = self.expression(depth)
        if self.chance(0.6):
            left = self.reduced(left, self.random.choice((3, 4, 8)))
            right = str(self.random.randint(left.low, min(left.high, left.low + 8)))
        else:
            right = self.expression(depth - 1).text
        return f"{left.text} {self.random.choice(COMPARISONS)} {right}"

    def condition(self, depth: int = 2) -> str:
        if self.chance(0.3):
            return f"({self.comparison(depth)} {self.random.choice(('&&', '||'))} {self.comparison(1)})"
        if self.chance(0.12):
            return f"(!{self.condition(1)})"
        return f"({self.comparison(depth)})"

    def test(self) -> str:
        """A condition that depends on the inputs, most of the time."""
        free = [cell.value for cell in self.scope.cells if cell.text.startswith("in")]
        if self.chance(0.6):
            value = self.random.choice(free)
            return (
                f"{value.text} {self.random.choice(COMPARISONS)} {self.random.randint(0, max(1, min(value.high, 7)))}"
            )
        return self.condition()[1:-1]

    def small(self, count: int) -> str:
        """A number in 0 .. count - 1, mostly one that depends on the inputs."""
        return self.reduced(self.expression(1), count).text

    def fitting(self, type_: str, depth: int = 2) -> str:
        """A value to store into a cell of a type, mostly a small one; often one that only the path decides."""
        if self.chance(0.35):
            return self.constant()
        value = self.expression(depth)
        if value.high - value.low > 1000 and self.chance(0.7):
            value = self.reduced(value, self.random.choice((4, 8, 10, 16, 64)))
        low, high = (0, MOST) if type_ == "unsigned" else RANGES[type_]
        return value.text if low <= value.low and value.high <= high else f"({type_})({value.text})"

    # --- places

    def writable(self) -> Cell:
        """Somewhere to store to."""
        scope, kind = self.scope, self.random.random()
        if kind < 0.3 and scope.arrays:
            array = self.random.choice(scope.arrays)
            return Cell(f"{array.text}[{self.index(array.length)}]", array.type, array.level)
        if kind < 0.45 and scope.pointers:
            return Cell(f"*{self.random.choice(scope.pointers).text}", "int", 0)
        return self.random.choice([cell for cell in scope.cells if cell.fixed is None])

    def address(self, level: int | None = None) -> str:
        """The address of an int that lives at least as long as ``level``."""
        level = self.scope.level if level is None else level
        cells = [f"&{c.text}" for c in self.scope.cells if c.type == "int" and c.level <= level and c.fixed is None]
        arrays = [a for a in self.scope.arrays if a.type == "int" and a.level <= level]
        pointers = [p.text for p in self.scope.pointers if p.level <= level]
        if arrays and self.chance(0.3):
            array = self.random.choice(arrays)
            return f"&{array.text}[{self.index(array.length)}]"
        if pointers and self.chance(0.15):
            return self.random.choice(pointers)
        return self.random.choice(cells)

    def ints(self) -> Array:
        """An array of ints."""
        arrays = [array for array in self.scope.arrays if array.type == "int"]
        return self.random.choice(arrays) if arrays else self.declare_array()

    # --- statements

    def observe(self, value: str | None = None, guard: str = "1") -> None:
        """A place for an assertion: what it says is decided once the values seen here are known."""
        self.line(f"observe({guard}, {self.expression(2).text if value is None else value});")

    def read_input(self, bits: int = 2) -> None:
        bits = min(self.bits, bits)
        if bits <= 0 or self.work > 1 or not self.in_main:
            return self.assign()
        self.bits -= bits
        name = self.name("in")
        if bits == 1 and self.chance(0.5):
            self.line(f"int {name} = __VERIFIER_nondet_bool();")
        else:
            self.line(f"int {name} = __VERIFIER_nondet_uchar() & {(1 << bits) - 1};")
        self.scope.cells.append(Cell(name, "int", self.scope.level, fixed=(0, (1 << bits) - 1)))
        return None

    def assign(self) -> None:
        place = self.writable()
        if place.type == "unsigned" and self.chance(0.3):
            self.line(f"{place.text} = {place.text} * {self.constant(2, 7)}u + (unsigned)({self.expression(1).text});")
        else:
            self.line(f"{place.text} = {self.fitting(place.type)};")

    def point(self) -> None:
        if not self.scope.pointers:
            self.declare_pointer()
        pointer = self.random.choice(self.scope.pointers)
        self.line(f"{pointer.text} = {self.address(pointer.level)};")

    def statements(self, count: int) -> None:
        for _ in range(count):
            self.statement()

    def body(self, most: int = 2) -> None:
        self.statements(self.random.randint(1, most))

    def statement(self) -> None:
        flat = [self.assign] * 5 + [self.point, self.read_input, self.call, self.call, self.look]
        deep = [self.branch, self.branch, self.counted, self.shape, self.shape, self.machine, self.switch, self.jump]
        deep = deep if self.nesting < 4 and self.work < 30 else []
        leaving = [self.leave_loop, self.leave_loop, self.assume] if self.in_loop else [self.assume]
        self.random.choice(flat + deep + leaving)()

    def look(self) -> None:
        guard = "1" if self.chance(0.6) else f"({self.test()})"
        self.observe(guard=guard)

    def call(self) -> None:
        if self.calls and self.work < 20:
            self.random.choice(self.calls)(self)
        else:
            self.assign()

    def shape(self) -> None:
        self.random.choice(self.shapes)(self)

    def branch(self) -> None:
        with self.block(f"if ({self.test()})"):
            self.body()
        if self.chance(0.6):
            with self.block("else"):
                self.body()

    def counted(self) -> None:
        """A for loop up to a constant or to a number that depends on the inputs; maybe down, maybe in steps."""
        i, most, last = self.name("i"), self.random.randint(2, 4), 0
        bound = str(most) if self.chance(0.45) else f"{self.small(most + 1)}"
        if self.chance(0.25):
            head = f"for (int {i} = {bound}; {i} > 0; {i}--)"
            last = 1
        elif bound.isdigit():
            head = f"for (int {i} = 0; {i} < {bound}; {i}++)"
        else:
            limit = self.name("n")
            self.line(f"const int {limit} = {bound};")
            head = f"for (int {i} = 0; {i} < {limit}; {i}++)"
        with self.loop(head, most):
            self.scope.cells.append(Cell(i, "int", self.scope.level, fixed=(0, most - 1 + last)))
            self.body(3)

    def machine(self) -> None:
        """A while or do-while loop over a state that its body changes, with a bound on its rounds."""
        state, rounds, most = self.name("q"), self.name("i"), self.random.randint(3, 5)
        self.line(f"int {state} = {self.small(3)};")
        self.line(f"int {rounds} = 0;")
        going = f"{state} != {self.random.randint(1, 3)} && {rounds} < {most}"
        do = self.chance(0.35)
        with self.loop("do" if do else f"while ({going})", most, f"}} while ({going});" if do else "}"):
            self.scope.cells.append(Cell(state, "int", self.scope.level, fixed=(0, 3)))
            self.line(f"{rounds}++;")
            with self.block(f"if ({state} == 0 && {self.condition(1)})"):
                self.assign()
                self.line(f"{state} = {self.random.randint(1, 3)};")
            with self.block(f"else if ({state} == {self.random.randint(1, 2)})"):
                self.assign()
                self.line(f"{state} = {self.small(4)};")
            with self.block("else"):
                self.assign()
                self.line(f"{state} = ({state} + 1) & 3;")
        self.scope.cells.append(Cell(state, "int", self.scope.level, fixed=(0, 3)))

    def switch(self) -> None:
        choices = self.random.choice((3, 4, 8))
        with self.block(f"switch ({self.small(choices)})"):
            loop, self.in_loop = self.in_loop, 0
            for case in self.random.sample(range(choices), self.random.randint(2, 3)):
                self.line(f"case {case}:")
                with self.block(""):
                    self.body()
                if self.chance(0.55):
                    self.line("break;")
            if self.chance(0.7):
                self.line("default:")
                with self.block(""):
                    self.body()
            self.in_loop = loop

    def jump(self) -> None:
        """A goto forward, or one back that is taken at most twice."""
        label = self.name("at")
        if self.chance(0.6):
            self.line(f"if ({self.test()}) goto {label};")
            with self.block(""):
                self.body()
            self.line(f"{label}:;")
        else:
            rounds = self.name("i")
            self.line(f"int {rounds} = 0;")
            self.line(f"{label}:;")
            with self.block("", 3):
                self.body()
            self.line(f"if ({rounds}++ < 2 && {self.condition(1)}) goto {label};")

    def leave_loop(self) -> None:
        self.line(f"if ({self.test()}) {self.random.choice(('break', 'break', 'continue'))};")

    def assume(self) -> None:
        """Something that most runs fulfil."""
        value = self.reduced(self.expression(1), self.random.choice((4, 8)))
        if value.high > value.low:
            self.line(
                f"__VERIFIER_assume({value.text} != {self.random.randint(value.low, min(value.high, value.low + 7))});"
            )


def _apply(operator: str, x: int, y: int) -> int:
    return x + y if operator == "+" else x - y if operator == "-" else x * y


def _bits(value: int) -> int:
    return value.bit_length() if value >= 0 else (~value).bit_length()
