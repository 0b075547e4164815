"""Loops of the shapes that people write, at random: ``draw(seed)`` gives one of those, or one of no shape at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from oracle.loops_programs import LoopProgram, Vocabulary, series

Shape = Callable[[Vocabulary], tuple[str, str]]
"""The condition and the body of a loop."""


def _free(v: Vocabulary) -> tuple[str, str]:
    condition = v.random.choice(("1", v.coin(), v.condition(), v.condition(), v.condition()))
    return condition, v.block(v.random.choice((1, 2, 2, 3, 3, 4)))


def _condition(v: Vocabulary) -> str:
    return v.random.choice(("1", v.coin(), v.condition(), v.condition()))


def _counter(v: Vocabulary) -> tuple[str, str]:
    """Up or down, and perhaps over the bound; the others in lock step."""
    r, (first, *others) = v.random, v.names
    step, bound = r.choice((1, 1, 2, 3, 4, 5, 7)), r.choice((v.bound(), v.variable()))
    up = r.random() < 0.6
    compare = r.choice(("<", "<=", "!=")) if up else r.choice((">", ">=", "!="))
    body = [f"{first} {'+' if up else '-'}= {step};"]
    body += [f"{other} {r.choice(('+=', '-='))} {r.choice((1, 1, 2, 3))};" for other in others]
    r.shuffle(body)
    return f"{first} {compare} {bound}", " ".join(body)


def _phases(v: Vocabulary) -> tuple[str, str]:
    r, a, b = v.random, v.names[0], v.names[-1]
    first, second = sorted((abs(v.bound()), abs(v.bound())))
    step, down = r.choice((1, 1, 2, 3)), r.choice(("+=", "-="))
    body = f"if ({a} < {first}) {b} += {v.constant()};"
    if r.random() < 0.5:
        body += f" else if ({a} < {second}) {b} {down} {v.constant()};"
    body += f" else {b} {down} {v.constant()}; {a} += {step};"
    return r.choice(("1", f"{a} < {second + r.choice((0, 1, 4))}", f"{a} != {second}", v.condition())), body


def _around(v: Vocabulary) -> tuple[str, str]:
    """A counter that begins anew."""
    r, a, b = v.random, v.names[0], v.names[-1]
    modulus, step = r.choice((2, 3, 4, 5, 7)), r.choice((1, 1, 2))
    turn = r.choice(
        (
            f"{a} = ({a} + {step}) % {modulus};",
            f"{a} += {step}; if ({a} >= {modulus}) {a} = 0;",
            f"if ({a} == {modulus}) {{ {a} = 0; {b} += 1; }} else {a} += 1;",
            f"if (++{a} == {modulus}) {a} = 0;",
        )
    )
    more = r.choice(("", f"{b} += {v.constant()};", f"if ({a} == 0) {b} += {v.constant()};"))
    return _condition(v), r.choice((f"{turn} {more}", f"{more} {turn}"))


def _choices(v: Vocabulary) -> tuple[str, str]:
    """Inputs say what is counted."""
    r, names = v.random, v.names
    if r.random() < 0.4:
        cases = [f"case {n}: {name} += {v.constant()}; break;" for n, name in enumerate(names)]
        always = f"{names[0]} += 1;" if r.random() < 0.4 else ""
        return r.choice(("1", f"{names[0]} < {abs(v.bound())}")), f"switch (DIE()) {{ {' '.join(cases)} }} {always}"
    body = f"if (COIN()) {{ {r.choice(names)} += {v.constant()}; }} else {{ {r.choice(names)} += {v.constant()}; }}"
    if r.random() < 0.4:
        body = f"if (COIN()) {{ if ({v.condition()}) {r.choice(names)} += {v.constant()}; }} else {body}"
    if r.random() < 0.3:
        body += f" if ({v.condition()}) {v.leaving()}"
    return r.choice(("1", v.condition())), body


def _machine(v: Vocabulary) -> tuple[str, str]:
    """A state, and what happens in it."""
    r, a = v.random, v.names[0]
    cases = []
    for number in range(r.choice((2, 3))):
        work = f"{r.choice(v.names)} += {v.constant()};" if r.random() < 0.7 else ""
        go = f"{a} = {r.randrange(4)};"
        go = f"if ({v.coin()}) {go}" if r.random() < 0.4 else go
        cases.append(f"case {number}: {work} {go} break;")
    default = r.choice(("", f"default: {a} = 0;", f"default: {v.leaving()}"))
    return _condition(v), f"switch ({a}) {{ {' '.join(cases)} {default} }}"


def _transfer(v: Vocabulary) -> tuple[str, str]:
    """From one to another; greatest common divisors; swaps."""
    r, a, b = v.random, v.names[0], v.names[-1]
    body = r.choice(
        (
            f"{a} -= 1; {b} += {r.choice((1, 1, 2))};",
            f"if ({a} > {b}) {a} -= {b}; else {b} -= {a};",
            f"int t = {a}; {a} = {b}; {b} = t + {v.constant()};",
            f"int t = {a} + {b}; {a} = t > {abs(v.bound())} ? t - {abs(v.bound())} : t;",
            f"if ({a} < {b}) {a} += 1; else {b} += {r.choice((1, 2))};",
        )
    )
    return r.choice((f"{a} != 0", f"{a} > 0", f"{a} != {b}", v.condition())), body


def _series(v: Vocabulary) -> tuple[str, str]:
    first = v.names[0]
    return v.random.choice(("1", v.coin(), f"{first} < {v.bound()}", f"{first} != {v.bound()}")), series(v)


def _growth(v: Vocabulary) -> tuple[str, str]:
    r, a, b = v.random, v.names[0], v.names[-1]
    body = f"{a} = {r.choice((2, 2, 3))} * {a} + {v.constant()};"
    if b != a:
        body += f" {b} {r.choice(('+=', '-='))} {r.choice((1, 1, 2, a))};"
    return r.choice((f"{a} < {abs(v.bound())}", f"{b} != {v.bound()}", v.condition())), body


def _nested(v: Vocabulary) -> tuple[str, str]:
    r, a, b, c = v.random, v.names[0], v.variable(), v.names[-1]
    bound = r.choice((str(r.choice((2, 3, 4))), a, v.variable()))
    inside = f"{c} += {v.constant()};" if c != b else ""
    if r.random() < 0.25:
        inside += f" if ({v.condition()}) break;"
    inner = f"{b} = {r.choice((0, 0, 1))}; while ({b} < {bound}) {{ SPIN(); {b} += {r.choice((1, 1, 2))}; {inside} }}"
    step = f"{a} += {v.constant()};"
    return r.choice((f"{a} < {abs(v.bound())}", v.condition())), r.choice((f"{inner} {step}", f"{step} {inner}"))


def _search(v: Vocabulary) -> tuple[str, str]:
    """With several ways out."""
    r, a = v.random, v.names[0]
    ways = [f"if ({v.condition()}) {v.leaving()}" for _ in range(r.choice((1, 2)))]
    parts = [*ways, f"{a} += {v.constant()};", r.choice(("", v.assignment()))]
    r.shuffle(parts)
    return r.choice(("1", f"{a} < {v.bound()}", v.condition())), " ".join(parts)


def _inputs(v: Vocabulary) -> tuple[str, str]:
    r, a, b = v.random, v.names[0], v.names[-1]
    body = r.choice(
        (
            f"{a} = DIE(); {b} += {a};",
            f"{b} += DIE(); if ({b} > {abs(v.bound())}) {v.leaving()}",
            f"int t = DIE(); if (t > {a}) {a} = t; else {b} += t;",
            f"int t = DIE(); ASSUME(t < {a}); {b} += t; {a} += 1;",
            f"if (DIE() == 2) {a} += {v.constant()}; {b} += {v.constant()};",
        )
    )
    return r.choice(("1", "COIN()", v.condition())), body


def _partly(v: Vocabulary) -> tuple[str, str]:
    """What is not followed, beside a counter that is."""
    a = v.names[0]
    return f"{a} < {abs(v.bound())}", f"{v.havoc()} {a} += 1; {v.random.choice(('', v.statement()))}"


_SHAPES: tuple[Shape, ...] = (
    _counter, _counter, _phases, _phases, _around, _choices, _machine, _transfer, _series, _growth, _nested, _search,
    _inputs, _partly,
)  # fmt: skip


def draw(seed: int) -> LoopProgram:
    """The loop of a seed."""
    r = Random(seed)
    v = Vocabulary(r, f"f{seed}")
    shape = _free if r.random() < 0.4 else r.choice(_SHAPES)
    condition, body = shape(v)
    if shape is not _free and r.random() < 0.3:
        body = r.choice((f"{body} {v.statement()}", f"{v.statement()} {body}"))
    outer = frozenset(name for name in v.names if r.random() < 0.15)
    at_the_end = r.random() < 0.15
    start = None
    if r.random() < 0.06:
        start = tuple(r.choice((0, 0, 0, 1, *(() if kind in ("b1", "s3") else (2, 5)))) for _, kind in v.variables)
    return LoopProgram(v.name, v.variables, outer, condition, body, at_the_end, start, "".join(v.helpers))
