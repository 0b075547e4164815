"""Random loops over a few small integers: counters, phases, lock step, wrap-around, remainders, inputs, inner loops.

A loop is a C function whose parameters (and globals) are its state. The same text, with other macros around it, is a
native function that runs one iteration: ``RETURN``, ``STOP()`` and ``goto out`` end an incomplete one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

HEAD = """\
typedef _Bool b1;
typedef unsigned _BitInt(3) u3;
typedef signed _BitInt(3) s3;
typedef unsigned _BitInt(4) u4;
typedef signed _BitInt(4) s4;
typedef unsigned _BitInt(5) u5;
typedef signed _BitInt(6) s6;
typedef unsigned char u8;
typedef signed char s8;
"""
READING = """\
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
#define COIN() __VERIFIER_nondet_bool()
#define DIE() (__VERIFIER_nondet_uchar() & 3)
#define SPIN()
#define RETURN return 1
#define STOP() abort()
#define ASSUME(condition) __VERIFIER_assume(condition)
"""
WIDE, ODD = ("u8", "s8"), ("b1", "u3", "s3", "u5", "s6", "u4", "s4", "u8", "s8")
"""Kinds of variables. Those of less than a byte are bytes to the compiler, which computes with the bits of some."""
MOST_BITS = 24
"""Of all variables of a loop together."""


@dataclass(frozen=True)
class LoopProgram:
    """One loop: its variables with their types, which of them are globals, its condition and body."""

    name: str
    variables: tuple[tuple[str, str], ...]
    globals: frozenset[str]
    condition: str
    body: str
    at_the_end: bool
    """``do ... while``: the condition comes after the body."""
    start: tuple[int, ...] | None = None
    """The values that the variables have at first; None if they may be anything."""
    helpers: str = ""
    """Functions that it calls."""

    def reading(self) -> str:
        """The function that is read as a relation."""
        own = [(name, kind) for name, kind in self.variables if name not in self.globals]
        outer = "".join(f"{kind} {name};\n" for name, kind in self.variables if name in self.globals)
        body = f"do {{ {self.body} }} while ({self.condition});" if self.at_the_end else ""
        loop = body or f"while ({self.condition}) {{ {self.body} }}"
        parameters = ", ".join(f"{kind} {name}" for name, kind in own if self.start is None) or "void"
        used = "".join(f" + {name}" for name, _ in self.variables)
        kinds = dict(own)
        begin = " ".join(
            f"{kinds.get(name, '')} {name} = {value};"
            for (name, _), value in zip(self.variables, self.start or (), strict=False)
        )
        return f"{outer}{self.helpers}int {self.name}({parameters}) {{\n  {begin} {loop}\n  out: return 0{used};\n}}\n"


class Vocabulary:
    """Variables, and what is made of them at random: conditions, statements, blocks."""

    def __init__(self, random: Random, name: str) -> None:
        self.random = random
        self.name = name
        self.variables = tuple((f"v{name}{'abc'[n]}", kind) for n, kind in enumerate(self._kinds()))
        self.names = [name for name, _ in self.variables]
        self.helpers: list[str] = []
        self._inputs = 0
        self._depth = 0

    def _kinds(self) -> list[str]:
        r = self.random
        kinds = [r.choice(WIDE) for _ in range(r.choice((1, 1, 2, 2, 2, 3)))]
        if r.random() < 0.5:
            kinds = [kinds[0]] * len(kinds)
        if r.random() < 0.15:
            kinds = [r.choice(ODD) for _ in kinds]
        while sum(int(kind[1:]) for kind in kinds) > MOST_BITS:
            kinds.pop()
        return kinds

    def variable(self) -> str:
        return self.random.choice(self.names)

    def constant(self) -> int:
        return self.random.choice((1, 1, 1, 2, 2, 3, 3, 4, 5, 7, -1, -1, -2, -3, 0))

    def bound(self) -> int:
        return self.random.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 15, -2, -5, -8))

    # Conditions

    def coin(self) -> str:
        if self._inputs >= 2:
            return self.condition()
        self._inputs += 1
        return "COIN()"

    def die(self) -> str:
        if self._inputs >= 2:
            return str(self.bound())
        self._inputs += 1
        return "DIE()"

    def condition(self) -> str:
        r = self.random
        op = r.choice(("<", "<", "<", "<=", ">", ">=", "!=", "!=", "=="))
        roll = r.random()
        a, b = self.variable(), self.variable()
        if roll < 0.45:
            return f"{a} {op} {self.bound()}"
        if roll < 0.6:
            return f"{a} {op} {b}"
        if roll < 0.67:
            return f"{a} % {r.choice((2, 3, 4))} {r.choice(('==', '!='))} {r.choice((0, 1))}"
        if roll < 0.72:
            return f"{a} {r.choice('+-')} {b} {op} {self.bound()}"
        if roll < 0.75:
            return f"{r.choice((2, 3))} * {a} {op} {b} + {self.bound()}"
        if roll < 0.8:
            return f"({r.choice(('u8', 's8', 'u4', 's4', 'unsigned'))}){a} {op} {r.choice((b, self.bound()))}"
        if roll < 0.83:
            return f"(u8)({a} - {b}) {op} {abs(self.bound())}"
        if roll < 0.92:
            return f"({self.condition()} {r.choice(('&&', '||'))} {self.condition()})"
        if roll < 0.96:
            return f"({a} & {r.choice((1, 2, 3, 4))}) {r.choice(('==', '!='))} {r.choice((0, 1, 2))}"
        return f"!({self.condition()})"

    # Statements

    def block(self, count: int) -> str:
        return " ".join(self.statement() for _ in range(count))

    def statement(self) -> str:
        r = self.random
        roll = r.random()
        if roll < 0.26 and self._depth < 2:
            return self._if()
        if roll < 0.32 and self._depth == 0:
            return self._inner()
        if roll < 0.41:
            return f"if ({self.condition()}) {self.leaving()}"
        if roll < 0.46:
            return self.call()
        return self.assignment()

    def leaving(self) -> str:
        words = ("break;", "break;", "continue;", "continue;", "goto out;", "RETURN;", "STOP();")
        return self.random.choice(words)

    def _if(self) -> str:
        r = self.random
        self._depth += 1
        condition = self.coin() if r.random() < 0.3 else self.condition()
        yes = self.block(r.choice((1, 1, 2)))
        no = f" else {{ {self.block(1)} }}" if r.random() < 0.6 else ""
        self._depth -= 1
        return f"if ({condition}) {{ {yes} }}{no}"

    def _inner(self) -> str:
        r = self.random
        counter, other = self.variable(), self.variable()
        start = r.choice((f"{counter} = 0", f"{counter} = {self.variable()}", ""))
        bound = r.choice((str(r.choice((2, 3, 5))), self.variable()))
        also = f"{other} += {self.constant()};" if other != counter else ""
        if r.random() < 0.2:
            also += f" if ({self.condition()}) break;"
        if r.random() < 0.25:
            return f"while ({counter} > {bound}) {{ SPIN(); {counter} -= {r.choice((1, 2))}; {also} }}"
        return f"for ({start}; {counter} < {bound}; {counter} += {r.choice((1, 1, 2))}) {{ SPIN(); {also} }}"

    def call(self) -> str:
        """Of a function of its own."""
        r = self.random
        name = f"h{len(self.helpers)}_{self.name}"
        kind = r.choice(("u8", "s8", "u4", "s4", "int"))
        body = r.choice(
            (
                f"return x + {self.constant()};",
                f"if (x > {self.bound()}) return {self.bound()}; return x + 1;",
                f"return x < {self.bound()} ? x + {self.constant()} : y;",
                "if (x < y) return x; return y;",
                f"x += y; if (x >= {self.bound()}) x -= {self.bound()}; return x;",
            )
        )
        self.helpers.append(f"static {kind} {name}({kind} x, {kind} y) {{ {body} }}\n")
        return f"{self.variable()} = {name}({self.variable()}, {self.variable()});"

    def assignment(self) -> str:
        r = self.random
        target, other = self.variable(), self.variable()
        roll = r.random()
        if roll < 0.45:
            return f"{target} += {self.constant()};"
        if roll < 0.55:
            return f"{target} = {other} + {self.constant()};"
        if roll < 0.6:
            return f"{target} = {self.bound()};"
        if roll < 0.66:
            return f"{target} = {other};"
        if roll < 0.72:
            return f"{target} {r.choice(('+=', '+=', '-='))} {r.choice(('', '', '2 * '))}{other};"
        if roll < 0.78:
            op = r.choice(
                ("& 3", "& 6", "% 3", "/ 2", ">> 1", "* 3", "* 7", "* 2", "<< 1", "^ 1", "| 4", "* -1", "% 5")
            )
            return f"{target} = {other} {op};"
        if roll < 0.82:
            return f"{target} = {other} < {self.bound()};"
        if roll < 0.86:
            return f"{target} = {self.condition()} ? {other} : {self.bound()};"
        if roll < 0.9:
            return f"{target} {r.choice(('+=', '='))} {self.die()};"
        if roll < 0.93:
            return self.havoc()
        if roll < 0.95:
            return f"ASSUME({self.condition()});"
        return f"if (__builtin_add_overflow({target}, {abs(self.constant())}, &{target})) break;"

    def havoc(self) -> str:
        """What is not linear."""
        a, b, c = self.variable(), self.variable(), self.variable()
        return self.random.choice(
            (
                f"{a} = {b} * {c};",
                f"{a} = {b} ? {c} / {b} : 1;",
                f"{a} = {b} ? {c} % {b} : 0;",
                f"{a} = {b} << ({c} & 3);",
                f"{a} = {b} ^ {c};",
                f"{a} = {b} & {c};",
            )
        )


def series(v: Vocabulary) -> str:
    """Sums of sums."""
    r = v.random
    parts = [f"{v.names[0]} += {r.choice((1, 1, 2, -1, 3))};"]
    parts += [f"{b} {r.choice(('+=', '-='))} {r.choice(('', '', '2 * '))}{a};" for a, b in pairwise(v.names)]
    if r.random() < 0.4:
        parts.append(f"{v.names[-1]} += {v.constant()};")
    r.shuffle(parts)
    return " ".join(parts)
