"""Random functions that go over small arrays, next to the same without a loop: every element must be the same.

    void f0(unsigned char x, unsigned char y) {
      for (int i = 1; i < (x & 7); i += 1) { a[i + 1] = i * 3; if (b[i] > y) b[2 * i] = a[i]; }
      ...                                   /* the same on ra and rb, one round after the other */
      assert(a[0] == ra[0]); ...
    }

In some functions the two differ in a number, or the one without a loop reads everything as it was before the loop: then
assertions fail for some inputs, which running them tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

SIZE = 12
"""Elements of an array."""
ROUNDS = 6
TYPES = ("signed char", "unsigned char", "short", "int", "unsigned", "long long")
COUNTERS = ("int", "unsigned", "unsigned char", "short", "long long", "unsigned long")


@dataclass(frozen=True)
class ArrayFunction:
    """A function of two numbers, ``0 <= x, y < domain``; ``source`` ends with a newline."""

    name: str
    source: str
    domain: int = 8


@dataclass(frozen=True)
class _Loop:
    """``for (counter i = start; i sign end; i += step) body``; end and body have ``{a}`` and ``{b}`` for
    the arrays that are written, ``{of_a}`` and ``{of_b}`` for those that are read.
    """

    counter: str
    start: str
    sign: str
    end: str
    step: int
    body: str
    flat: str = ""
    """The body without loops, if it has any."""


def array_function(random: Random, number: int) -> ArrayFunction:
    """A function over the arrays that a file declares (``declarations``)."""
    name = f"f{number}"
    loops = [_loop(random) for _ in range(random.choice((1, 1, 2, 2, 3)))]
    lines = [f"void {name}(unsigned char x, unsigned char y) {{", "  x &= 7; y &= 7;"]
    if random.randrange(3):
        lines.append("  for (int i = 0; i < 12; i++) { a[i] = i * 5 - y; b[i] = 40 - i; }")
        lines.append("  for (int i = 0; i < 12; i++) { ra[i] = a[i]; rb[i] = b[i]; }")
    for loop in loops:
        text, end = (part.format(a="a", b="b", of_a="a", of_b="b") for part in (loop.body, loop.end))
        head = f"for (i = {loop.start}; i {loop.sign} {end}; i += {loop.step})"
        lines.append(f"  {{ {loop.counter} i; {head} {{ {text} }} last = i; }}")
        lines.append(f"  {{ {loop.counter} i = {loop.start};")
        flat = loop.flat or loop.body
        other = flat if random.randrange(5) else _mutated(random, flat)
        read = {"of_a": "ra", "of_b": "rb"}
        if random.randrange(2):  # as if no round read what others have written
            lines.append("  __builtin_memcpy(sa, ra, sizeof sa); __builtin_memcpy(sb, rb, sizeof sb);")
            read = {"of_a": "sa", "of_b": "sb"}
        text, end = (part.format(a="ra", b="rb", **read) for part in (other, loop.end))
        rounds = f"if (i {loop.sign} {end}) {{ {text} i += {loop.step};"
        lines += [f"  {rounds}" for _ in range(ROUNDS + 1)]
        lines.append("  " + "}" * (ROUNDS + 1))
        lines.append("  assert(last == i); }")
    lines += [f"  assert({which}[{k}] == r{which}[{k}]);" for which in "ab" for k in range(SIZE)]
    return ArrayFunction(name, "\n".join([*lines, "}"]) + "\n")


def declarations(random: Random) -> str:
    """The arrays of a file."""
    one, other = random.choice(TYPES), random.choice(TYPES)
    return f"{one} a[{SIZE}], ra[{SIZE}], sa[{SIZE}]; {other} b[{SIZE}], rb[{SIZE}], sb[{SIZE}]; long long last;\n"


def _loop(random: Random) -> _Loop:
    counter = random.choice(COUNTERS)
    step = random.choice((1, 1, 1, 2, 3, -1, -1, -2))
    low = random.randrange(3)
    if step > 0:
        end = random.choice((str(low + random.randrange(1, ROUNDS * min(step, 2))), f"({low} + (x % {ROUNDS}))"))
        sign = random.choice(("<", "<", "<=")) if step > 1 or random.randrange(3) else "!="
        start = str(low)
        highest = low + (ROUNDS - 1) * min(step, 2) + 1
    else:
        start, end, sign = random.choice(("7", "(x + 2)")), str(low), ">" if step < -1 or random.randrange(2) else "!="
        highest = 9
        if sign == "!=" and low > 2 - 1:
            sign = ">"
        if step < -1:
            end = str(low + 2)
    if step == 1 and random.randrange(4) == 0:  # a limit that the loop itself may change
        sign, end = "<", f"{low} + ({random.choice(('{of_a}', '{of_b}'))}[{random.randrange(6)}] & 3)"
    if random.randrange(8) == 0:
        return _nest(random)
    if random.randrange(12) == 0:  # a counter that wraps around
        target, value = random.choice(("{a}", "{b}")), _value(random, 1, 3)
        return _Loop("unsigned char", "253", "!=", "2", 1, f"{target}[(unsigned char)(i + 4)] = {value};")
    body = " ".join(_statement(random, low, highest) for _ in range(random.choice((1, 1, 2))))
    return _Loop(counter, start, sign, end, step, body)


def _nest(random: Random) -> _Loop:
    """A loop that goes over rows."""
    width, array = random.choice((2, 3)), random.choice("ab")
    value = random.choice(("i", "k", "i + 2 * k", "k > 0 ? x : i", _value(random, 0, 3)))
    place = random.choice((f"{width} * i + k", f"{width} * i + k", f"{width} * i + {width - 1} - k", "i + k"))
    store = f"{{{array}}}[{place}] = {value};"
    if random.randrange(3) == 0:
        store = f"if ({_value(random, 0, 3)} > {random.randrange(4)}) {store}"
    flat = " ".join(f"{{{{ int k = {k}; {store} }}}}" for k in range(width))
    nested = f"for (int k = 0; k < {width}; k++) {{{{ {store} }}}}"
    return _Loop(random.choice(("int", "unsigned")), "0", "<", random.choice(("4", "(x % 5)")), 1, nested, flat)


def _place(random: Random, low: int, highest: int) -> str:
    """An index that is in bounds for every number of a loop."""
    choices = [
        (text, ends)
        for text, ends in (
            ("i", (low, highest)),
            ("i + 1", (low + 1, highest + 1)),
            ("i - 1", (low - 1, highest - 1)),
            ("11 - i", (11 - highest, 11 - low)),
            ("2 * i", (2 * low, 2 * highest)),
            ("2 * i + 1", (2 * low + 1, 2 * highest + 1)),
            ("i + y", (low, highest + 7)),
            ("3", (3, 3)),
            ("y", (0, 7)),
        )
        if ends[0] >= 0 and ends[1] < SIZE
    ]
    return random.choice([text for text, _ in choices])


def _value(random: Random, low: int, highest: int) -> str:
    place = _place(random, low, highest)
    return random.choice(
        (
            str(random.randrange(20)), "i", f"i * {random.randrange(2, 9)} + {random.randrange(9)}", "x - i", "y",
            f"{{of_a}}[{place}]", f"{{of_b}}[{place}]", f"{{of_b}}[{place}] + i", f"{{of_a}}[{place}] + 1",
            f"{{of_a}}[{place}] + x", f"{{of_b}}[{place}] * 2", f"i % {random.randrange(2, 5)}",
            f"i > {random.randrange(5)} ? y : {{of_b}}[{place}]",
        )
    )  # fmt: skip


def _statement(random: Random, low: int, highest: int) -> str:
    target = f"{random.choice(('{a}', '{b}'))}[{_place(random, low, highest)}]"
    store = f"{target} = {_value(random, low, highest)};"
    kind = random.randrange(5)
    if kind == 1:  # what another round may have written
        store = f"{target} = {{of_{target[1]}}}[{_place(random, low, highest)}] + {random.randrange(3)};"
    if kind == 0:
        condition = f"{_value(random, low, highest)} > {random.randrange(8)}"
        otherwise = f" else {target} = {_value(random, low, highest)};" if random.randrange(2) else ""
        return f"if ({condition}) {store}{otherwise}"
    return store


def _mutated(random: Random, body: str) -> str:
    """The body with another value in one store, for some of the rounds."""
    ends = [at for at, letter in enumerate(body) if letter == ";"]
    at = random.choice(ends)
    change = random.choice((f" + (i == {random.randrange(6)})", f" + (i > {random.randrange(6)})", " + x / 5", " + 1"))
    return f"{body[:at]}{change}{body[at:]}"
