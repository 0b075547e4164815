"""Random functions with loops over variables of eight bits, and what their assertions do, by enumeration.

A function is a list of statements that can be written as C, and run on a set of states at once: all inputs are tried.
Variables are locals, globals, or locals whose address is taken, signed or not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

State = tuple[int, ...]
States = set[State]

MOST_STATES = 40_000


class TooManyStates(Exception):
    """Enumeration would take too long."""


@dataclass(frozen=True)
class Text:
    """An expression or condition: its C, and its value in a state; None for a condition that an input decides."""

    c: str
    value: Callable[[State], int] | None


@dataclass
class Flow:
    """Where states are after a statement."""

    on: States = field(default_factory=set)
    out: States = field(default_factory=set)
    """Behind ``break``."""


class Statement:
    def lines(self, indent: str) -> Iterator[str]:
        raise NotImplementedError

    def run(self, states: States, violated: set[int]) -> Flow:
        raise NotImplementedError


@dataclass
class Assign(Statement):
    target: int
    signed: bool
    name: str
    text: Text

    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}{self.name} = {self.text.c};"

    def run(self, states: States, violated: set[int]) -> Flow:
        assert self.text.value is not None
        found = set()
        for state in states:
            value = self.text.value(state) & 0xFF
            found.add(_with(state, self.target, value - 256 if self.signed and value > 127 else value))
        return Flow(found)


@dataclass
class Read(Statement):
    """A variable gets an input, below a limit."""

    target: int
    signed: bool
    name: str

    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}{self.name} = __VERIFIER_nondet_{'char' if self.signed else 'uchar'}();"

    def run(self, states: States, violated: set[int]) -> Flow:
        values = range(-128, 128) if self.signed else range(256)
        return Flow(_limited({_with(state, self.target, value) for state in states for value in values}))


@dataclass
class Choice(Statement):
    condition: Text
    then: list[Statement]
    otherwise: list[Statement]

    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}if ({self.condition.c}) {{"
        yield from _block(self.then, indent)
        yield f"{indent}}} else {{"
        yield from _block(self.otherwise, indent)
        yield f"{indent}}}"

    def run(self, states: States, violated: set[int]) -> Flow:
        yes, no = _split(self.condition, states)
        first, second = run(self.then, yes, violated), run(self.otherwise, no, violated)
        return Flow(first.on | second.on, first.out | second.out)


@dataclass
class Break(Statement):
    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}break;"

    def run(self, states: States, violated: set[int]) -> Flow:
        return Flow(set(), states)


@dataclass
class Loop(Statement):
    condition: Text
    body: list[Statement]
    after: bool
    """Whether the condition comes after the body."""

    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}do {{" if self.after else f"{indent}while ({self.condition.c}) {{"
        yield from _block(self.body, indent)
        yield f"{indent}}} while ({self.condition.c});" if self.after else f"{indent}}}"

    def run(self, states: States, violated: set[int]) -> Flow:
        seen: States = set()
        left: States = set()
        front = states
        while front:
            _limited(seen)
            seen |= front
            yes, no = (front, set()) if self.after else _split(self.condition, front)
            flow = run(self.body, yes, violated)
            left |= no | flow.out
            back = flow.on
            if self.after:
                back, no = _split(self.condition, flow.on)
                left |= no
            front = back - seen
        return Flow(left)


@dataclass
class Assert(Statement):
    number: int
    condition: Text
    line: int = 0

    def lines(self, indent: str) -> Iterator[str]:
        yield f"{indent}assert({self.condition.c}); /* {self.number} */"

    def run(self, states: States, violated: set[int]) -> Flow:
        yes, no = _split(self.condition, states)
        if no:
            violated.add(self.number)
        return Flow(yes)


def run(statements: list[Statement], states: States, violated: set[int]) -> Flow:
    """All statements, one after the other."""
    out: States = set()
    for statement in statements:
        flow = statement.run(states, violated)
        states, out = flow.on, out | flow.out
    return Flow(states, out)


def _block(statements: list[Statement], indent: str) -> Iterator[str]:
    for statement in statements:
        yield from statement.lines(indent + "  ")


def _split(condition: Text, states: States) -> tuple[States, States]:
    if condition.value is None:
        return set(states), set(states)
    yes = {state for state in states if condition.value(state)}
    return yes, states - yes


def _with(state: State, place: int, value: int) -> State:
    return (*state[:place], value, *state[place + 1 :])


def _limited(states: States) -> States:
    if len(states) > MOST_STATES:
        raise TooManyStates
    return states


@dataclass(frozen=True)
class LoopFunction:
    """One function: its C, and the numbers of its assertions that fail."""

    name: str
    c: str
    assertions: int
    violated: frozenset[int]


class Writer:
    """Draws one function."""

    def __init__(self, seed: int, inputs: bool = True) -> None:
        self._random = random.Random(seed)
        self._inputs = inputs
        self._seed = seed
        self._count = self._random.choice((1, 2, 2, 3, 3))
        self._signed = [self._random.random() < 0.25 for _ in range(self._count)]
        self._names = ["xyz"[place] for place in range(self._count)]
        self._kinds = [self._random.choice(("local", "local", "local", "global", "taken")) for _ in self._names]
        self._assertions = 0
        for place, kind in enumerate(self._kinds):
            if kind == "global":
                self._names[place] = f"g{seed}_{place}"

    def function(self) -> LoopFunction:
        body: list[Statement] = [self._start(place) for place in range(self._count)]
        for _ in range(self._random.choice((1, 1, 1, 2))):
            body.append(self._loop(self._random.choice((0, 0, 0, 1))))
            body += [self._assert() for _ in range(self._random.choice((1, 2)))]
        violated: set[int] = set()
        run(body, {(0,) * self._count}, violated)
        return LoopFunction(f"f{self._seed}", "\n".join(self._text(body)), self._assertions, frozenset(violated))

    def _text(self, body: list[Statement]) -> Iterator[str]:
        types = ["signed char" if signed else "unsigned char" for signed in self._signed]
        for name, type, kind in zip(self._names, types, self._kinds, strict=True):
            if kind == "global":
                yield f"static {type} {name};"
        yield f"int f{self._seed}(void) {{"
        for name, type, kind in zip(self._names, types, self._kinds, strict=True):
            if kind != "global":
                yield f"  {type} {name} = 0;"
            if kind == "taken":
                yield f"  {type} *p{name} = &{name}; (void)*(volatile {type} *)p{name};"
        yield from _block(body, "")
        yield "  return 0;\n}"

    # Statements

    def _start(self, place: int) -> Statement:
        if self._random.random() < 0.35 and self._inputs:
            return Read(place, self._signed[place], self._names[place])
        return self._assign(place, _number(self._random.choice((0, 0, 1, 2, 3, 5, 100, 250))))

    def _assign(self, place: int, text: Text) -> Statement:
        return Assign(place, self._signed[place], self._names[place], text)

    def _loop(self, depth: int) -> Statement:
        body = [self._step(depth) for _ in range(self._random.choice((1, 1, 2, 2, 3)))]
        if depth:
            body.insert(self._random.randrange(len(body) + 1), self._loop(depth - 1))
        if self._random.random() < 0.2:
            body.insert(self._random.randrange(len(body) + 1), Choice(self._condition(), [Break()], []))
        if self._random.random() < 0.2:
            body.insert(self._random.randrange(len(body) + 1), self._assert())
        return Loop(self._condition(), body, self._random.random() < 0.2)

    def _step(self, depth: int) -> Statement:
        drawn = self._random.random()
        if drawn < 0.3:
            otherwise = [self._update()] if self._random.random() < 0.6 else []
            return Choice(self._condition(), [self._update()], otherwise)
        if drawn < 0.36 and self._inputs:
            place = self._random.randrange(self._count)
            return Read(place, self._signed[place], self._names[place])
        return self._update()

    def _update(self) -> Statement:
        place = self._random.randrange(self._count)
        other = self._random.randrange(self._count)
        step = self._random.choice((1, 1, 1, 2, 2, 3, 4, 7, 64, 128))
        name, from_ = self._names[place], self._names[other]
        drawn = self._random.random()
        if drawn < 0.45:
            return self._assign(place, Text(f"{name} + {step}", lambda s: s[place] + step))
        if drawn < 0.7:
            return self._assign(place, Text(f"{name} - {step}", lambda s: s[place] - step))
        if drawn < 0.8:
            return self._assign(place, Text(f"{name} + {from_}", lambda s: s[place] + s[other]))
        if drawn < 0.88:
            return self._assign(place, Text(f"{from_} + {step}", lambda s: s[other] + step))
        if drawn < 0.92:
            return self._assign(place, Text(f"{step} - {name}", lambda s: step - s[place]))
        if drawn < 0.95:
            return self._assign(place, Text(f"2 * {name}", lambda s: 2 * s[place]))
        return self._assign(place, _number(step))

    def _assert(self) -> Statement:
        self._assertions += 1
        return Assert(self._assertions - 1, self._condition(asserted=True))

    # Conditions

    def _condition(self, asserted: bool = False) -> Text:
        drawn = self._random.random()
        if drawn < 0.15 and not asserted and self._inputs:
            return Text("__VERIFIER_nondet_bool()", None)
        place, other = self._random.randrange(self._count), self._random.randrange(self._count)
        name, with_ = self._names[place], self._names[other]
        if drawn < (0.6 if asserted else 0.25):
            modulus = self._random.choice((2, 2, 3, 4))
            rest = self._random.randrange(modulus)
            sign = self._random.choice(("==", "!="))
            compare = _COMPARE[sign]
            mask = modulus - 1
            if modulus != 3:
                return Text(f"({name} & {mask}) {sign} {rest}", lambda s: compare(s[place] & mask, rest))
            limit = self._random.choice((99, 30))
            return Text(f"{name} {sign} {limit}", lambda s: compare(s[place], limit))
        sign = self._random.choice(tuple(_COMPARE))
        compare = _COMPARE[sign]
        if self._count > 1 and drawn < 0.5 and place != other:
            return Text(f"{name} {sign} {with_}", lambda s: compare(s[place], s[other]))
        number = self._random.choice((0, 0, 1, 5, 10, 50, 99, 100, 101, 127, 128, 200, 255))
        return Text(f"{name} {sign} {number}", lambda s: compare(s[place], number))


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _number(value: int) -> Text:
    return Text(str(value), lambda s: value)


def draw(seed: int, inputs: bool = True) -> LoopFunction | None:
    """A function, which may read inputs; None if it has too many states."""
    try:
        return Writer(seed, inputs).function()
    except TooManyStates:
        return None
