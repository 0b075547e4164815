"""Loops that meet the conditions of the theory: what they change are induction variables, what they ask is about those.

Any number of guards, in the head, in the body, at the end; all relations, both polarities; steps of any size and sign,
also inputs; nested and in sequence; variables of any type in any place. What varies is how a loop is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle.summaries_writer import MIRRORED, NARROW, OPPOSITE, IterationWriter, Place

FUEL = (9, 20, 40, 70)


@dataclass(frozen=True)
class Plan:
    """A loop before it is written: the variable that decides, and what else moves."""

    main: Place
    step: str
    others: tuple[Place, ...]
    condition: tuple[str, str, str]
    """To go on: left, relation, right."""
    fuel: Place | None
    """A counter that ends the loop where nothing else might."""

    @property
    def moving(self) -> list[Place]:
        return [self.main, *self.others, *([self.fuel] if self.fuel else [])]


def plan(w: IterationWriter) -> Plan:
    """Draw one, and write what stands before it."""
    random = w.random
    main = w.home()
    others = tuple(place for place in (w.home() for _ in range(random.choice((0, 1, 1, 2)))) if place != main)
    step = w.stride() if w.chance(0.6) else "1"
    down = step.startswith("-")
    relations = (">", ">", ">=", "!=") if down else ("<", "<", "<", "<=", "!=")
    relation = random.choice(relations) if w.chance(0.93) else random.choice(tuple(OPPOSITE))
    if w.chance(0.7):
        w.line(f"{main.text} = {w.limit() if down else random.choice(('0', '0', '1', '-2'))};")
    bound = random.choice(("0", "0", "-4", "1", w.fixed())) if down else w.limit()
    left = f"{main.text} + {w.constant(1, 3)}" if w.chance(0.1) else main.text
    unsure = relation in ("!=", "==") or not step.lstrip("-").isdigit() or main.type in NARROW
    fuel = w.local("int", "0") if unsure and w.chance(0.75) else None
    return Plan(main, step, tuple(dict.fromkeys(others)), (left, relation, bound), fuel)


def theory(w: IterationWriter) -> None:
    """One loop, in one of its forms."""
    drawn = plan(w)
    w.random.choice((_for, _for, _while, _while, _do_while, _endless, _goto, _conjunction))(w, drawn)


def _goes_on(w: IterationWriter, drawn: Plan) -> str:
    left, relation, right = drawn.condition
    if w.chance(0.25):
        left, relation, right = right, MIRRORED[relation], left
    return f"COND({left} {relation} {right})"


def _ends(w: IterationWriter, drawn: Plan) -> str:
    left, relation, right = drawn.condition
    return f"COND({left} {OPPOSITE[relation]} {right})"


def _step(drawn: Plan) -> str:
    x, by = drawn.main.text, drawn.step
    if by == "1":
        return f"{x}++"
    return f"{x} -= {by[1:]}" if by.startswith("-") else f"{x} += {by}"


def _for(w: IterationWriter, drawn: Plan) -> None:
    with w.around(f"for (; {_goes_on(w, drawn)}; {_step(drawn)})", drawn.moving):
        body(w, drawn, moves=False)


def _while(w: IterationWriter, drawn: Plan) -> None:
    with w.around(f"while ({_goes_on(w, drawn)})", drawn.moving):
        body(w, drawn)


def _do_while(w: IterationWriter, drawn: Plan) -> None:
    with w.around("do", drawn.moving, f"}} while ({_goes_on(w, drawn)});"):
        body(w, drawn)


def _endless(w: IterationWriter, drawn: Plan) -> None:
    """The way out is inside."""
    with w.around(w.random.choice(("for (;;)", "while (1)")), drawn.moving):
        early = w.chance(0.5)
        if early:
            w.line(f"if ({_ends(w, drawn)}) break;")
        body(w, drawn)
        if not early:
            w.line(f"if ({_ends(w, drawn)}) break;")


def _goto(w: IterationWriter, drawn: Plan) -> None:
    label, inside = w.name("again"), w.in_loop
    w.line(f"{label}: ;")
    w.in_loop = 0
    w.depth += 1
    body(w, drawn)
    w.depth -= 1
    w.in_loop = inside
    w.changed += drawn.moving
    w.line(f"if ({_goes_on(w, drawn)}) goto {label};")


def _conjunction(w: IterationWriter, drawn: Plan) -> None:
    second = w.guard(drawn.moving)
    parts = [_goes_on(w, drawn), second]
    w.random.shuffle(parts)
    with w.around(f"while ({parts[0]} && {parts[1]})", drawn.moving):
        body(w, drawn)


def body(w: IterationWriter, drawn: Plan, moves: bool = True) -> None:
    """Steps of all variables, guards and inner loops among them, in any order."""
    random = w.random
    steps = [lambda place=place: w.move(place) for place in drawn.others]
    steps += [lambda: w.line(f"{_step(drawn)};")] if moves else []
    steps += [lambda: w.line(f"if ({w.guard(drawn.moving)}) {w.out()}")] * random.choice((0, 0, 0, 0, 1))
    steps += [lambda: w.look(w.affine(drawn.moving), w.out())] * random.choice((0, 0, 1, 1, 2))
    if w.depth < 3 and w.chance(0.3 if w.depth == 1 else 0.1):
        steps.append(lambda: random.choice(w.loops)(w))
    random.shuffle(steps)
    for write in steps:
        write()
    if drawn.fuel is not None:
        w.line(f"{drawn.fuel.text}++;")
        w.line(f"if (COND({drawn.fuel.text} > {random.choice(FUEL)})) {w.out()}")


THEORY = (theory,)
