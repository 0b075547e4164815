"""Random C functions with loops of few iterations, and lines that call ``reach_error`` in some states; and programs
whose loops were changed: what they reach."""

from __future__ import annotations

from functools import cache
from random import Random

from clew.analysis.absint.analyse import Invariants
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.execute.ends import Failed
from clew.execute.helpers import build_machine
from clew.execute.policy import Finished
from clew.models.registry import all_models
from clew.program.module import Program
from clew.techniques.invariants.find import find
from support.verifier import verify_function
from unit.execute.support import c_program, explore

COUNT = 8

HELPERS = """
static int g;
static int cells[4];
static void bump(int by) { g += by; cells[by & 3]++; }
static int pick(int a, int b) { if (a < b) return a; return b; }
"""


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._lines: list[str] = []
        self._loops = 0

    def function(self, name: str) -> str:
        """``int name(void)``; every check stands on a line of its own."""
        self._lines = [
            f"int {name}(void) {{",
            "int n = __VERIFIER_nondet_uchar() & 3, s = 0, t = 1;",
            "unsigned char b = 250;",
            "g = 0; cells[0] = cells[1] = cells[2] = cells[3] = 0;",
        ]
        for _ in range(self._random.randint(1, 2)):
            self._loop(0)
            self._check("")
        self._lines += ["return 0;", "}"]
        return "\n".join(self._lines)

    def _loop(self, depth: int) -> None:
        self._loops += 1
        counter, number = f"i{self._loops}", self._loops
        bound = self._random.choice(("n", "n + 1", "4", "3 - n"))
        kind = self._random.choice(("for", "for", "while", "do", "down", "goto"))
        self._lines.append(f"int {counter} = {bound if kind == 'down' else 0};")
        match kind:
            case "for":
                self._lines.append(f"for (; {counter} < {bound}; {counter}++) {{")
            case "while":
                self._lines.append(f"while (1) {{ if ({counter} >= {bound}) break; {counter}++;")
            case "do":
                self._lines.append("do {")
            case "down":
                self._lines.append(f"while ({counter} > 0) {{ {counter}--;")
            case "goto":
                self._lines.append(f"if (n == 2) goto middle{number}; top{number}: t++; middle{number}: {{")
        for _ in range(self._random.randint(1, 3)):
            self._statement(counter, depth, kind != "goto")
        self._check(counter)
        match kind:
            case "do":
                self._lines.append(f"}} while (++{counter} < {bound});")
            case "goto":
                self._lines.append(f"}} if (++{counter} < {bound}) goto top{number};")
            case _:
                self._lines.append("}")

    def _statement(self, counter: str, depth: int, can_break: bool) -> None:
        if depth == 0 and self._random.random() < 0.25:
            self._loop(1)
            return
        number = self._random.randint(1, 4)
        choices = [
            f"s += {number};", f"s += {counter};", f"t = s - {counter};", "b += 3;", f"if (s > {number}) t += 2;",
            f"cells[{counter} & 3] += s;", f"cells[{number - 1}] = t;", "g += s;", f"bump({number});",
            f"t = pick(s, {number});",
            f"if ({counter} == {number}) t = __VERIFIER_nondet_uchar() & 1;",
        ]  # fmt: skip
        if can_break:
            choices.append(f"if (s > {2 * number}) break;")
        self._lines.append(self._random.choice(choices))

    def _check(self, counter: str) -> None:
        names = ["s", "t", "g", "n", "b", "cells[1]", *([counter] if counter else [])]
        for _ in range(2):
            one, other = self._random.sample(names, 2)
            number = self._random.randint(0, 5)
            tests = (
                f"{one} == {number}",
                f"{one} > {other} + {number}",
                f"{one} == {other}",
                f"{one} + {other} == {number}",
            )
            self._lines.append(f"if ({self._random.choice(tests)} && __VERIFIER_nondet_bool()) reach_error();")


def program(count: int, seed: int = 0) -> str:
    """Functions ``f0``, ``f1``, ..."""
    return HELPERS + "\n".join(Writer(seed + number).function(f"f{number}") for number in range(count))


@cache
def functions() -> Program:
    """So many of them."""
    return c_program(program(COUNT))


@cache
def real(function: str) -> set[tuple[str, int]]:
    """What one of them really reaches."""
    return bugs(functions(), function)


def bugs(program: Program | str, function: str | None = None) -> set[tuple[str, int]]:
    """Kinds and lines of all there are."""
    return set(explore(program, function, report=True).bugs)


def not_reached(program: Program, function: str, wanted: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Those of some bugs that no path shows. Of very many paths, only some are run: nothing is said then."""
    budget = Budget(instructions=20_000)
    missing = set(wanted)

    def ended(path: Finished) -> None:
        if isinstance(path.end, Failed) and path.end.location is not None:
            missing.discard((path.end.kind, path.end.location.line))
            if not missing:
                budget.interrupt.request()

    if not missing:
        return missing
    done = explore(program, function, search="random-path", budget=budget, finished=ended, report=True)
    return missing if done.engine.stopped is None else set()


def analysed(code: Program | str, entry: str, domain: str) -> tuple[ModRef, Invariants]:
    """A program and its invariants."""
    machine = build_machine(c_program(code) if isinstance(code, str) else code, all_models())
    effects = ModRef(machine.program, machine.callees)
    found = find(machine, entry, domain, effects=effects)
    assert found is not None
    return effects, found


def verify_program(program: Program) -> None:
    """That all functions are well-formed."""
    for function in program.functions.values():
        if not function.is_declaration:
            verify_function(function)
