"""Loops out of nothing: inputs, a number K, sums over the iterations, and random values and conditions made of these.

Every value is there twice, as an expression and as a function on plain integers that knows nothing of expressions.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from clew.base.bits import as_number
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.summaries.generic_iteration import Counter
from clew.techniques.summaries.induction import InductionForm, form_of

WIDTHS = (2, 3, 4, 6)
Assignment = dict[Expr, int]


@dataclass(frozen=True)
class Value:
    """An expression, and what it is worth."""

    expr: Any
    width: int
    """0 for a condition."""
    worth: Callable[[Assignment], Any]


def modulo(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def fits(value: int, width: int, signed: bool) -> bool:
    """Whether a bit-vector, read like that, can be this number."""
    return as_number(modulo(value, width), width, signed) == value


RELATIONS: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "ult": lambda a, b, w: a < b,
    "ule": lambda a, b, w: a <= b,
    "ugt": lambda a, b, w: a > b,
    "uge": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: as_number(a, w, True) < as_number(b, w, True),
    "sle": lambda a, b, w: as_number(a, w, True) <= as_number(b, w, True),
    "sgt": lambda a, b, w: as_number(a, w, True) > as_number(b, w, True),
    "sge": lambda a, b, w: as_number(a, w, True) >= as_number(b, w, True),
    "sadd_overflow": lambda a, b, w: not fits(as_number(a, w, True) + as_number(b, w, True), w, True),
    "ssub_overflow": lambda a, b, w: not fits(as_number(a, w, True) - as_number(b, w, True), w, True),
    "smul_overflow": lambda a, b, w: not fits(as_number(a, w, True) * as_number(b, w, True), w, True),
    "uadd_overflow": lambda a, b, w: not fits(a + b, w, False),
    "usub_overflow": lambda a, b, w: not fits(a - b, w, False),
    "umul_overflow": lambda a, b, w: not fits(a * b, w, False),
}
ORDERS = tuple(RELATIONS)[2:10]
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "udiv": lambda a, b: a // b if b else -1,
    "urem": lambda a, b: a % b if b else a,
}


def symbolic(symbol: Expr) -> Value:
    return Value(symbol, symbol.width, lambda env: env[symbol])


def constant(number: int, width: int) -> Value:
    return Value(number, width, lambda env: number)


def compute(name: str, a: Value, b: Value) -> Value:
    w, operation = a.width, OPERATIONS[name]
    expr = getattr(build, name)(a.expr, b.expr, w)
    return Value(expr, w, lambda env: modulo(operation(a.worth(env), b.worth(env)), w))


def compare(name: str, a: Value, b: Value) -> Value:
    relation, w = RELATIONS[name], a.width
    expr = getattr(build, name)(a.expr, b.expr, w)
    return Value(expr, 0, lambda env: relation(a.worth(env), b.worth(env), w))


def extend(a: Value, to: int, signed: bool) -> Value:
    expr = (build.sext if signed else build.zext)(a.expr, a.width, to)
    return Value(expr, to, lambda env: modulo(as_number(a.worth(env), a.width, signed), to))


def cut(a: Value, to: int) -> Value:
    return Value(build.trunc(a.expr, to), to, lambda env: modulo(a.worth(env), to))


def choose(c: Value, a: Value, b: Value) -> Value:
    expr = build.ite(c.expr, a.expr, b.expr, bv(a.width))
    return Value(expr, a.width, lambda env: a.worth(env) if c.worth(env) else b.worth(env))


def negate(c: Value) -> Value:
    return Value(build.lnot(c.expr), 0, lambda env: not c.worth(env))


def both(a: Value, b: Value) -> Value:
    return Value(build.land(a.expr, b.expr), 0, lambda env: a.worth(env) and b.worth(env))


def either(a: Value, b: Value) -> Value:
    return Value(build.lor(a.expr, b.expr), 0, lambda env: a.worth(env) or b.worth(env))


class Loop:
    """A loop with random values in it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counter = Counter("K")
        self.numbers = {self.counter.at(width): InductionForm(0, 1, width) for width in WIDTHS}
        self.inputs = {width: [build.symbol(f"{name}{width}", bv(width)) for name in "abc"] for width in WIDTHS}
        self.sums: dict[Expr, tuple[Value, Value]] = {}
        """Variables, with their first values and what iteration K adds to each."""
        self.symbols = dict(self.numbers)
        """With their forms: K in every width, and the sums."""

    # Values

    def plain(self, width: int, depth: int = 1) -> Value:
        """The same in all iterations."""
        r = self.random
        if depth == 0 or r.random() < 0.5:
            return symbolic(r.choice(self.inputs[width])) if r.random() < 0.6 else self.number(width)
        match r.randrange(6):
            case 0 if width > WIDTHS[0]:
                narrow = r.choice([w for w in WIDTHS if w < width])
                return extend(self.plain(narrow, depth - 1), width, r.random() < 0.5)
            case 1 if width < WIDTHS[-1]:
                return cut(self.plain(r.choice([w for w in WIDTHS if w > width]), depth - 1), width)
            case 2:
                return choose(self.fact(), self.plain(width, depth - 1), self.plain(width, depth - 1))
        return compute(r.choice(list(OPERATIONS)), self.plain(width, depth - 1), self.plain(width, depth - 1))

    def number(self, width: int) -> Value:
        top = 1 << (width - 1)
        return constant(
            modulo(self.random.choice((0, 1, 2, -1, top, top - 1, self.random.getrandbits(width))), width), width
        )

    def value(self, width: int, depth: int, sums: bool = True) -> Value:
        """Another in each iteration, as a rule; ``sums``: whether sums may be part of it."""
        r = self.random
        if depth == 0:
            pick = r.random()
            if pick < 0.45:
                return symbolic(self.counter.at(width))
            return self.sum(width) if pick < 0.6 and sums else self.plain(width)
        below = self.value(width, depth - 1, sums)
        match r.randrange(11):
            case 0 | 1 | 2 | 3:
                return compute(r.choice(("add", "add", "sub")), below, self.value(width, r.randrange(depth), sums))
            case 4 | 5:
                return compute("mul", below, self.plain(width))
            case 6:
                return compute("sub", constant(0, width), below)
            case 7:
                return Value(build.not_(below.expr, width), width, lambda env: modulo(~below.worth(env), width))
            case 8 if width > WIDTHS[0]:
                narrow = r.choice([w for w in WIDTHS if w < width])
                return extend(self.value(narrow, depth - 1, sums), width, r.random() < 0.5)
            case 9 if width < WIDTHS[-1]:
                return cut(self.value(r.choice([w for w in WIDTHS if w > width]), depth - 1, sums), width)
            case 10:
                return choose(self.fact(), below, self.value(width, depth - 1, sums))
        return below

    def sum(self, width: int) -> Value:
        """A variable to which every iteration adds something linear."""
        known = [symbol for symbol in self.sums if symbol.width == width]
        if known and self.random.random() < 0.5:
            return symbolic(self.random.choice(known))
        added = self.value(width, 2, sums=False)
        form = form_of(added.expr, width, self.numbers)
        if form is None or form.bends or len(self.sums) == 2:
            return symbolic(self.counter.at(width))
        return self.accumulate(self.plain(width), added)

    def accumulate(self, start: Value, added: Value) -> Value:
        """A variable with its first value and what iteration K, which is not told of other sums, adds to it."""
        width = start.width
        form = form_of(added.expr, width, self.numbers)
        assert form is not None and not form.bends
        symbol = build.symbol(f"sum{len(self.sums)}.{width}", bv(width))
        self.sums[symbol] = start, added
        self.symbols[symbol] = InductionForm(start.expr, form.base, width, form.step, form.spans)
        return symbolic(symbol)

    def k(self, width: int) -> Value:
        return symbolic(self.counter.at(width))

    def input(self, name: str, width: int) -> Value:
        return symbolic(build.symbol(f"{name}{width}", bv(width)))

    # Conditions

    def fact(self) -> Value:
        """The same in all iterations."""
        width = self.random.choice(WIDTHS)
        return compare(self.random.choice(("ult", "sle", "eq")), self.plain(width, 0), self.plain(width, 0))

    def bound(self) -> Value:
        """A comparison with a constant, the same in all iterations."""
        width = self.random.choice(WIDTHS)
        names = ("eq", "ne", *ORDERS)
        return compare(self.random.choice(names), self.plain(width, self.random.randrange(3)), self.number(width))

    def relation(self, name: str | None = None) -> Value:
        width, depth = self.random.choice(WIDTHS), self.random.randrange(3)
        chosen = name or self.random.choice(list(RELATIONS))
        return compare(chosen, self.value(width, depth), self.value(width, self.random.randrange(3)))

    def condition(self, depth: int = 2) -> Value:
        match self.random.randrange(6 if depth else 3):
            case 3:
                return both(self.condition(depth - 1), self.condition(depth - 1))
            case 4:
                return either(self.condition(depth - 1), self.condition(depth - 1))
            case 5:
                return negate(self.condition(depth - 1))
        return self.relation()

    # Executions

    def assignments(self, count: int) -> list[Assignment]:
        """Values of the inputs: at random, most of them near the ends of their ranges."""
        symbols = list(itertools.chain.from_iterable(self.inputs.values()))
        return [{symbol: self._some(symbol) for symbol in symbols} for _ in range(count)]

    def _some(self, symbol: Expr) -> int:
        top = symbol.mask >> 1
        picked = (0, 1, -1, top, top + 1, *(self.random.getrandbits(symbol.width) for _ in range(4)))
        return self.random.choice(picked) & symbol.mask

    def run(self, inputs: Assignment, count: int) -> Iterator[Assignment]:
        """The first iterations: what every symbol is worth in each."""
        sums = {symbol: start.worth(inputs) for symbol, (start, _) in self.sums.items()}
        for number in range(count):
            env = {**inputs, **{symbol: number & symbol.mask for symbol in self.numbers}, **sums}
            yield env
            sums = {symbol: (env[symbol] + added.worth(env)) & symbol.mask for symbol, (_, added) in self.sums.items()}
