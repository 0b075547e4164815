"""Random loops over a few small integers: counters, phases, lock step, wrap-around, remainders, inputs, inner loops.

A loop is a C function whose parameters (and globals) are its state. The same text, with other macros around it, is a
native function that runs one iteration: ``RETURN`` ends an incomplete one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

TYPES = ("u4", "s4", "u8", "s8")
HEAD = """\
typedef unsigned _BitInt(4) u4;
typedef signed _BitInt(4) s4;
typedef unsigned char u8;
typedef signed char s8;
"""
READING = """\
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define COIN() __VERIFIER_nondet_bool()
#define DIE() (__VERIFIER_nondet_uchar() & 3)
#define SPIN()
"""


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

    def reading(self) -> str:
        """The function that is read as a relation."""
        own = [(name, kind) for name, kind in self.variables if name not in self.globals]
        outer = "".join(f"{kind} {name};\n" for name, kind in self.variables if name in self.globals)
        body = f"do {{ {self.body} }} while ({self.condition});" if self.at_the_end else ""
        loop = body or f"while ({self.condition}) {{ {self.body} }}"
        parameters = ", ".join(f"{kind} {name}" for name, kind in own) or "void"
        used = "".join(f" + {name}" for name, _ in self.variables)
        return f"{outer}int {self.name}({parameters}) {{\n  {loop}\n  return 0{used};\n}}\n"


class _Drawer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        r = self._random
        self._name = f"f{seed}"
        small = r.random() < 0.7
        count = r.choice((1, 2, 2, 3)) if small else r.choice((1, 1, 2))
        kinds = [r.choice(TYPES[:2] if small else TYPES[2:]) for _ in range(count)]
        if r.random() < 0.5:
            kinds = [kinds[0]] * count
        self.variables = tuple((f"v{self._name}{'abc'[n]}", kind) for n, kind in enumerate(kinds))
        self._inputs = 0
        self._depth = 0

    def _variable(self) -> str:
        return self._random.choice(self.variables)[0]

    def _constant(self) -> int:
        return self._random.choice((1, 1, 1, 2, 2, 3, 3, 4, 5, 7, -1, -1, -2, -3, 0))

    def _bound(self) -> int:
        return self._random.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 15, -2, -5, -8))

    def draw(self) -> LoopProgram:
        r = self._random
        condition = r.choice(("1", self._coin(), self._condition(), self._condition(), self._condition()))
        series = len(self.variables) > 1 and r.random() < 0.15
        body = self._series() if series else self._block(r.choice((1, 2, 2, 3, 3, 4)))
        inner = [name for name, kind in self.variables if kind in ("u8", "s8") and r.random() < 0.25]
        return LoopProgram(self._name, self.variables, frozenset(inner), condition, body, r.random() < 0.15)

    def _series(self) -> str:
        """Sums of sums."""
        r = self._random
        names = [name for name, _ in self.variables]
        parts = [f"{names[0]} += {r.choice((1, 1, 2, -1, 3))};"]
        parts += [f"{b} {r.choice(('+=', '-='))} {r.choice(('', '', '2 * '))}{a};" for a, b in pairwise(names)]
        if r.random() < 0.4:
            parts.append(f"{names[-1]} += {self._constant()};")
        r.shuffle(parts)
        return " ".join(parts)

    # Conditions

    def _coin(self) -> str:
        if self._inputs >= 2:
            return self._condition()
        self._inputs += 1
        return "COIN()"

    def _condition(self) -> str:
        r = self._random
        op = r.choice(("<", "<", "<", "<=", ">", ">=", "!=", "!=", "=="))
        roll = r.random()
        if roll < 0.55:
            return f"{self._variable()} {op} {self._bound()}"
        if roll < 0.75:
            return f"{self._variable()} {op} {self._variable()}"
        if roll < 0.85:
            return f"{self._variable()} % {r.choice((2, 3, 4))} {r.choice(('==', '!='))} {r.choice((0, 1))}"
        if roll < 0.93:
            return f"({self._condition()} {r.choice(('&&', '||'))} {self._condition()})"
        return f"!({self._condition()})"

    # Statements

    def _block(self, count: int) -> str:
        return " ".join(self._statement() for _ in range(count))

    def _statement(self) -> str:
        r = self._random
        roll = r.random()
        if roll < 0.26 and self._depth < 2:
            return self._if()
        if roll < 0.32 and self._depth == 0:
            return self._inner()
        if roll < 0.38:
            return f"if ({self._condition()}) {r.choice(('break', 'continue'))};"
        return self._assignment()

    def _if(self) -> str:
        r = self._random
        self._depth += 1
        condition = self._coin() if r.random() < 0.3 else self._condition()
        yes = self._block(r.choice((1, 1, 2)))
        no = f" else {{ {self._block(1)} }}" if r.random() < 0.6 else ""
        self._depth -= 1
        return f"if ({condition}) {{ {yes} }}{no}"

    def _inner(self) -> str:
        r = self._random
        counter, other = self._variable(), self._variable()
        start = r.choice((f"{counter} = 0", f"{counter} = {self._variable()}", ""))
        bound = r.choice((str(r.choice((2, 3, 5))), self._variable()))
        step = r.choice((1, 1, 2))
        also = f"{other} += {self._constant()};" if other != counter else ""
        return f"for ({start}; {counter} < {bound}; {counter} += {step}) {{ SPIN(); {also} }}"

    def _assignment(self) -> str:
        r = self._random
        target, other = self._variable(), self._variable()
        roll = r.random()
        if roll < 0.5:
            return f"{target} += {self._constant()};"
        if roll < 0.6:
            return f"{target} = {other} + {self._constant()};"
        if roll < 0.66:
            return f"{target} = {self._bound()};"
        if roll < 0.72:
            return f"{target} = {other};"
        if roll < 0.78:
            return f"{target} {r.choice(('+=', '+=', '-='))} {r.choice(('', '', '2 * '))}{other};"
        if roll < 0.84:
            op = r.choice(("& 3", "& 6", "% 3", "/ 2", ">> 1", "* 3", "* 2", "<< 1", "^ 1", "| 4", "* -1", "% 5"))
            return f"{target} = {other} {op};"
        if roll < 0.88:
            return f"{target} = {other} < {self._bound()};"
        if roll < 0.92:
            return f"{target} = {self._condition()} ? {other} : {self._bound()};"
        if roll < 0.96 and self._inputs < 2:
            self._inputs += 1
            return f"{target} += DIE();"
        return f"if (__builtin_add_overflow({target}, {abs(self._constant())}, &{target})) break;"


def draw(seed: int) -> LoopProgram:
    """The loop of a seed."""
    return _Drawer(seed).draw()
