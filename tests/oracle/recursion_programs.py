"""Random programs with recursive functions over bytes, and which of their assertions ever fail.

A function takes one or two bytes, ends below some number, calls itself or its partner with less, and does arithmetic
with what comes back; it may count in a global variable. The same functions are run here on all inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random

MASK = 255
_DEEPEST = 300
_OPERATIONS = ("+", "-", "^", "&", "|")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Endless(Exception):
    """A call does not come to its end."""


@dataclass(frozen=True)
class Drawn:
    """A program and, for each line with an assertion, whether it can fail."""

    source: str
    fails: dict[int, bool]


@dataclass(frozen=True)
class _Function:
    name: str
    partner: str
    guard: str
    base: str
    step: str
    other: str
    result: str
    count: str

    def text(self) -> str:
        return (
            f"unsigned char {self.name}(unsigned char n, unsigned char m) {{\n"
            f"  {self.count}\n"
            f"  if ({self.guard}) return {self.base};\n"
            f"  unsigned char r = {self.partner}({self.step}, {self.other});\n"
            f"  return {self.result};\n}}\n"
        )


class _World:
    """Runs drawn functions."""

    def __init__(self, functions: list[_Function]) -> None:
        self.g = 0
        self._functions = {one.name: one for one in functions}

    def call(self, name: str, n: int, m: int, depth: int = 0) -> int:
        if depth > _DEEPEST:
            raise Endless
        one = self._functions[name]
        if one.count:
            self.g = self.g + 1 & MASK
        if _value(one.guard, n=n, m=m):
            return _value(one.base, n=n, m=m) & MASK
        r = self.call(one.partner, _value(one.step, n=n, m=m) & MASK, _value(one.other, n=n, m=m) & MASK, depth + 1)
        return _value(one.result, n=n, m=m, r=r) & MASK


def _value(text: str, **names: int) -> int:
    return int(eval(text, {}, names))


def generate(seed: int) -> Drawn:
    """The program of a seed."""
    random = Random(seed)
    pair = random.random() < 0.3
    draw = partial(_draw, random)
    functions = [draw("f", "h"), draw("h", "f")] if pair else [draw("f", "f")]
    most, second = random.choice((255, 255, 100, 30)), random.choice((0, 1, 3))
    results = _all(functions, most, second)
    conditions = [_condition(random, results) for _ in range(3)]
    lines = ["#include <assert.h>", "unsigned char __VERIFIER_nondet_uchar(void);", "unsigned char g;"]
    lines += [f"unsigned char {one.name}(unsigned char n, unsigned char m);" for one in functions]
    lines += "".join(one.text() for one in functions).splitlines()
    lines += ["int main(void) {", "  unsigned char n = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar();"]
    lines += [f"  if (n > {most} || m > {second}) return 0;", "  unsigned char r = f(n, m);"]
    fails: dict[int, bool] = {}
    for number, condition in enumerate(conditions):
        earlier = conditions[:number]
        reached = [one for one in results if all(_value(text, **one) for text in earlier)]
        lines.append(f"  assert({condition});")
        fails[len(lines)] = not all(_value(condition, **one) for one in reached)
    return Drawn("\n".join([*lines, "  return 0;", "}", ""]), fails)


def _draw(random: Random, name: str, partner: str) -> _Function:
    bound = random.choice((0, 0, 1, 2, 5, 100))
    step = f"n - {random.choice((1, 1, 1, 2, 3))}" if random.random() < 0.85 else f"n + {random.choice((1, 3))}"
    guard = random.choice((f"n <= {bound}", f"n == {bound}", f"n < {bound + 1}", f"n > {bound + 100}"))
    return _Function(
        name,
        partner,
        guard,
        random.choice(("0", "1", "n", "m", "m + 1", "n - 10", "7")),
        step,
        random.choice(("m", "m", "m + 1", "m ^ 1", "n & 1")),
        random.choice(
            ("r", "r + 1", "r + n", "r + 2", "r ^ 1", "r + m", "n - r", "r + r", "r | 1", "1 - r", "r + n + m", "r & 3")
        ),
        random.choice(("", "", "g++;")),
    )


def _all(functions: list[_Function], most: int, second: int) -> list[dict[str, int]]:
    """What all calls from main give that come to an end."""
    found = []
    for n in range(most + 1):
        for m in range(second + 1):
            world = _World(functions)
            try:
                r = world.call("f", n, m)
            except Endless:
                continue
            found.append({"n": n, "m": m, "r": r, "g": world.g})
    return found


def _condition(random: Random, results: list[dict[str, int]]) -> str:
    """A condition about the result, one that holds if a few attempts give one."""
    text = _random_condition(random)
    for _ in range(random.choice((0, 30, 60))):
        if all(_value(text, **one) for one in results):
            break
        text = _random_condition(random)
    return text


def _random_condition(random: Random) -> str:
    number = random.choice((0, 1, 2, 3, 7, 10, 91, 100, 255, random.randrange(256)))
    return random.choice(
        (
            f"r {random.choice(_COMPARISONS)} {number}",
            f"r {random.choice(_COMPARISONS)} n",
            f"((r {random.choice(_OPERATIONS)} n) & {random.choice((1, 3, 255))}) == {random.randrange(4)}",
            f"(r & {random.choice((1, 3))}) == {random.randrange(2)}",
            f"((2 * r - n * n - n) & 255) == {random.randrange(2)}",
            f"((g - n - {random.randrange(3)}) & 255) == 0",
            f"g {random.choice(_COMPARISONS)} {number}",
        )
    )
