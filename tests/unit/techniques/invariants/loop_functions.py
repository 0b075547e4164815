"""Random C functions with loops of few iterations, and lines that call ``reach_error`` in some states."""

from __future__ import annotations

from random import Random

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
