"""Random programs over two bytes of input, small enough to try every input natively.

``generate(seed)`` gives a function ``int f(unsigned char a, unsigned char b)`` with branches, bounded loops, arrays,
pointers, structs, calls and switches, and numbered checkpoints ``hit(k);``, each on a line of its own. What the
native program reaches over all 65,536 inputs is the truth an exploration is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

TYPES = ("unsigned char", "signed char", "short", "unsigned short", "int", "unsigned", "long long")
CHECKPOINTS = 40


@dataclass(frozen=True)
class Enumerable:
    """The source of ``f`` and its helpers, and the line of each checkpoint."""

    source: str
    lines: dict[int, int]


def generate(seed: int) -> Enumerable:
    """The program of a seed."""
    writer = _Writer(Random(seed))
    text = writer.program()
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("hit("):
            lines[int(stripped[4 : stripped.index(")")])] = number
    return Enumerable(text, lines)


HARNESS = f"""
#include <stdio.h>
unsigned char seen[{CHECKPOINTS}];
void hit(int k) {{ seen[k] = 1; }}
int f(unsigned char a, unsigned char b);
int main(void) {{
  static unsigned char results[65536];
  for (int a = 0; a < 256; a++) for (int b = 0; b < 256; b++) {{
    reset();
    results[a * 256 + b] = (unsigned char)f(a, b);
  }}
  fwrite(seen, 1, sizeof seen, stdout);
  fwrite(results, 1, sizeof results, stdout);
  return 0;
}}
"""
"""The native side: every input, what was hit, and every result."""

ENTRY = """
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  reset();
  return (unsigned char)f(a, b);
}
"""
"""The engine's side."""


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.variables: list[str] = []
        self.writable: list[str] = []
        self.next_hit = 0
        self.next_name = 0
        self.lines: list[str] = []
        self.depth = 0
        self.in_helper = False

    def program(self) -> str:
        self.lines += [
            "void hit(int k);",
            "static unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};",
            "void reset(void) { for (int k = 0; k < 8; k++) table[k] = (unsigned char)(k * k + 3); }",
            "struct pair { short x; unsigned char y; int z; };",
        ]
        for name in ("g0", "g1"):
            self.function(name, ["int p", "unsigned char q"], ["p", "q"], 3, helper=True)
        self.function("f", ["unsigned char a", "unsigned char b"], ["a", "b"], 7, helper=False)
        return "\n".join(self.lines) + "\n"

    def function(self, name: str, params: list[str], names: list[str], size: int, helper: bool) -> None:
        self.in_helper = helper
        self.variables, self.writable = list(names), list(names)
        kind = "static int" if helper else "int"
        self.lines.append(f"{kind} {name}({', '.join(params)}) {{")
        self.lines.append("  int array[8] = {0, 1, 2, 3, 4, 5, 6, 7};")
        self.lines.append("  struct pair s = {1, 2, 3};")
        for _ in range(3):
            self.declare(1)
        self.block(size, 1)
        self.lines.append(f"  return (int)({self.expression(2)});")
        self.lines.append("}")

    def declare(self, indent: int) -> None:
        name = f"v{self.next_name}"
        self.next_name += 1
        self.lines.append(f"{'  ' * indent}{self.random.choice(TYPES)} {name} = {self.expression(2)};")
        self.variables.append(name)
        self.writable.append(name)

    def block(self, size: int, indent: int) -> None:
        for _ in range(size):
            self.statement(indent)

    def statement(self, indent: int) -> None:
        choices = [self.assign, self.assign, self.condition, self.store, self.checkpoint]
        if indent < 4:
            choices += [self.condition, self.loop, self.switch]
        self.random.choice(choices)(indent)

    def assign(self, indent: int) -> None:
        target = self.random.choice([*self.writable, "s.x", "s.y", "s.z"])
        self.lines.append(f"{'  ' * indent}{target} = {self.expression(3)};")

    def store(self, indent: int) -> None:
        array = self.random.choice(["array", "table"])
        self.lines.append(f"{'  ' * indent}{array}[({self.expression(2)}) & 7] = {self.expression(2)};")

    def checkpoint(self, indent: int) -> None:
        if self.next_hit < CHECKPOINTS:
            self.lines.append(f"{'  ' * indent}hit({self.next_hit});")
            self.next_hit += 1

    def scoped(self, size: int, indent: int) -> None:
        kept = list(self.variables), list(self.writable)
        self.checkpoint(indent)
        self.block(size, indent)
        self.variables, self.writable = kept

    def condition(self, indent: int) -> None:
        pad = "  " * indent
        self.lines.append(f"{pad}if ({self.comparison()}) {{")
        self.scoped(self.random.randint(1, 2), indent + 1)
        if self.random.random() < 0.6:
            self.lines.append(f"{pad}}} else {{")
            self.scoped(self.random.randint(1, 2), indent + 1)
        self.lines.append(f"{pad}}}")

    def loop(self, indent: int) -> None:
        name = f"i{self.next_name}"
        self.next_name += 1
        pad = "  " * indent
        bound = self.random.choice(["3", f"(({self.expression(1)}) & 3)"])
        self.lines.append(f"{pad}for (unsigned {name} = 0; {name} < (unsigned){bound}; {name}++) {{")
        self.variables.append(name)
        self.scoped(self.random.randint(1, 2), indent + 1)
        if self.random.random() < 0.3:
            self.lines.append(f"{pad}  if ({self.comparison()}) {self.random.choice(['break', 'continue'])};")
        self.lines.append(f"{pad}}}")
        self.variables.remove(name)

    def switch(self, indent: int) -> None:
        pad = "  " * indent
        self.lines.append(f"{pad}switch (({self.expression(2)}) & 7) {{")
        for case in self.random.sample(range(8), 3):
            self.lines.append(f"{pad}case {case}:")
            self.scoped(1, indent + 1)
            if self.random.random() < 0.8:
                self.lines.append(f"{pad}  break;")
        self.lines.append(f"{pad}default:")
        self.scoped(1, indent + 1)
        self.lines.append(f"{pad}}}")

    def comparison(self) -> str:
        left = self.expression(2)
        right = self.expression(1) if self.random.random() < 0.5 else str(self.random.randint(-3, 300))
        text = f"{left} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {right}"
        if self.random.random() < 0.25:
            text = f"({text}) {self.random.choice(['&&', '||'])} ({self.expression(1)} < {self.expression(1)})"
        return text

    def expression(self, depth: int) -> str:
        random = self.random
        if depth == 0 or random.random() < 0.2:
            return self.leaf()
        kind = random.randrange(10)
        a = self.expression(depth - 1)
        if kind < 4:
            # Unsigned arithmetic cannot overflow; the cast back wraps.
            operator = random.choice(["+", "-", "*", "&", "|", "^"])
            return f"((int)((unsigned)({a}) {operator} (unsigned)({self.expression(depth - 1)})))"
        if kind == 4:
            return f"((int)((unsigned)({a}) {random.choice(['<<', '>>'])} {random.randint(0, 9)}))"
        if kind == 5:
            return f"((int)((unsigned)({a}) {random.choice(['/', '%'])} ((unsigned)({self.leaf()}) | 1u)))"
        if kind == 6:
            return f"({random.choice(['table', 'array'])}[({a}) & 7])"
        if kind == 7:
            return f"(({self.comparison()}) ? {a} : {self.leaf()})"
        if kind == 8 and not self.in_helper:
            return f"g{random.randrange(2)}((int)({a}), (unsigned char)({self.leaf()}))"
        return f"(({random.choice(TYPES)})({a}))"

    def leaf(self) -> str:
        if self.random.random() < 0.25:
            return str(self.random.choice([0, 1, 2, 7, 31, 127, 128, 255, 256, 1000, 65535]))
        return self.random.choice([*self.variables, "s.x", "s.y", "s.z"])
