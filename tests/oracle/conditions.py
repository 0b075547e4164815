"""Random conditions, with every operand on a line of its own: which outcomes of it are there?

``generate(seed, count)`` gives functions of three small numbers whose conditions are made of ``&&``, ``||``, ``?:``,
``!``, comparisons, calls and values of other conditions, in all statements that decide. The program calls each of them
with all inputs. Its native version records, for each operand, whether it was true and whether it was false; the other
version has the same lines without that.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

VALUES = 4
"""Each input is one of 0 to 3."""

_PRELUDE = """
static int calls;
static int g(int x, int y) {{ calls++; return x * 2 > y + 1; }}
{recorder}
"""
_RECORDER = """
#include <stdio.h>
static unsigned char seen[100000];
static int note(int line, int value) { seen[line] |= value ? 1 : 2; return value; }
"""
_MAIN = """
int main(void) {{
  unsigned sum = 0;
  for (int a = 0; a < {values}; a++)
    for (int b = 0; b < {values}; b++)
      for (int c = 0; c < {values}; c++) {{
{calls}
      }}
{end}  return sum > 100000;
}}
"""
_END = '  for (int i = 0; i < 100000; i++)\n    if (seen[i]) printf("%d %d\\n", i, seen[i]);\n'


@dataclass(frozen=True)
class Conditions:
    """Two versions of one program, line by line the same where it counts, and the lines that hold operands."""

    plain: str
    recording: str
    operands: frozenset[int]


def generate(seed: int, count: int) -> Conditions:
    """The program of a seed: ``count`` functions."""
    writers = [_Writer(Random(f"{seed} {number}"), number) for number in range(count)]
    calls = "\n".join(f"        sum += f{number}(a, b, c);" for number in range(count))
    texts = []
    for recording in (False, True):
        recorder = _RECORDER if recording else "\n" * _RECORDER.count("\n")
        head = _PRELUDE.format(recorder=recorder)
        lines = [*head.splitlines(), *(line for writer in writers for line in writer.lines)]
        tail = _MAIN.format(values=VALUES, calls=calls, end=_END if recording else "")
        texts.append([*lines, *tail.splitlines()])
    operands = [number for number, line in enumerate(texts[0], 1) if line.startswith("@")]
    plain = "\n".join(line.removeprefix("@") for line in texts[0])
    recorded = "\n".join(
        f"note({number}, !!({line[1:]}))" if line.startswith("@") else line for number, line in enumerate(texts[1], 1)
    )
    return Conditions(plain + "\n", recorded + "\n", frozenset(operands))


class _Writer:
    """Writes one function; a line that begins with ``@`` is an operand."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.lines = [f"static unsigned f{number}(int a, int b, int c) {{", "unsigned r = 0; int n = 0;"]
        for _ in range(random.randint(1, 3)):
            self._statement(2)
        self.lines += ["return r;", "}"]

    def _put(self, *lines: str) -> None:
        self.lines += lines

    def _statement(self, depth: int) -> None:
        match self.random.choice(("if", "else", "while", "for", "do", "choice", "value", "nested", "return")):
            case "if":
                self._put("if (")
                self._condition(3, True)
                self._put(") r += 1;")
            case "else":
                self._put("if (")
                self._condition(3, True)
                self._put(") {", "r += 2;", "} else {", "r += 3;", "}")
            case "while":
                self._put("n = 0;", "while (")
                self._condition(2, True)
                self._put(") if (n++ == 3) break;")
            case "for":
                self._put("for (n = 0;")
                self._condition(2, True)
                self._put("; n++) if (n == 2) break;")
            case "do":
                self._put("n = 0;", "do { if (n++ == 3) break; } while (")
                self._condition(2, True)
                self._put(");")
            case "choice":
                self._put("r += (")
                self._condition(3, True)
                self._put(") ? (unsigned)g(a, b) : 7 * (unsigned)g(b, c);")
            case "value":
                self._put("r += (unsigned)(")
                self._condition(3, True)
                self._put(");")
            case "return":
                self._put("if (")
                self._condition(2, True)
                self._put(") return (unsigned)(")
                self._condition(2, True)
                self._put(");")
            case "nested" if depth:
                self._put("if (")
                self._condition(2, True)
                self._put(") {")
                self._statement(depth - 1)
                self._put("} else {")
                self._statement(depth - 1)
                self._put("}")

    def _condition(self, depth: int, whole: bool = False) -> None:
        shape = self.random.random()
        if not depth or shape < 0.3:
            self._put("@" + self._operand())
        elif shape < 0.7:
            self._put("(")
            self._condition(depth - 1)
            self._put(self.random.choice(("&&", "||")))
            self._condition(depth - 1)
            self._put(")")
        elif shape < 0.8 or not whole:
            self._put("((")
            self._condition(depth - 1)
            self._put(")?(")
            self._condition(depth - 1)
            self._put("):(")
            self._condition(depth - 1)
            self._put("))")
        else:
            # A negated condition inside of another may be compiled as if it were written otherwise.
            self._put("!(", "(")
            self._condition(depth - 1)
            self._put(self.random.choice(("&&", "||")))
            self._condition(depth - 1)
            self._put("))")

    def _operand(self) -> str:
        x, y, z = (self.random.choice("abc") for _ in range(3))
        number = self.random.randrange(4)
        operand = self.random.choice(
            (
                f"{x} > {number}", f"{x} == {number}", f"{x} <= {y}", x, f"{x} != {y}", f"g({x}, {y})",
                f"(({x} > {number} && {y}) == {z})", f"({x} ? {y} : {z})", f"g({x} || {y}, !{z})",
            )
        )  # fmt: skip
        return self.random.choice(("", "", "!", "!", "!!", "!!!")) + f"({operand})"
