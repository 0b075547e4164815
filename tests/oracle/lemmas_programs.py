"""Random programs whose loops keep something: parities, sums in lock step, phases, flags, products, remainders.

``generate(seed)`` is deterministic. Variables have few bits, so that they wrap around often; some are globals. Loops
are nested, left in the middle, and called from functions; some of what they do spoils what another part of them keeps.
"""

from __future__ import annotations

from random import Random

HEAD = """\
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
#define IN __VERIFIER_nondet_uchar()
#define ANY __VERIFIER_nondet_bool()
"""
TYPES = ("unsigned char", "signed char", "unsigned short", "unsigned", "unsigned", "unsigned long")


def generate(seed: int) -> str:
    """The source of one program."""
    return _Writer(Random(seed)).text()


class _Writer:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._names = [f"x{number}" for number in range(random.randint(2, 4))]
        self._globals = [name for name in self._names if random.random() < 0.2]
        self._types = {name: random.choice(TYPES) for name in self._names}
        if random.random() < 0.5:
            self._types = dict.fromkeys(self._names, random.choice(TYPES))
        self._labels = 0

    def text(self) -> str:
        lines = [HEAD]
        lines += [f"static {self._types[name]} {name} = {self._random.randint(0, 3)};" for name in self._globals]
        helper = self._random.random() < 0.25
        if helper:
            lines += self._helper()
        lines.append("int main(void) {")
        for name in self._names:
            if name not in self._globals:
                lines.append(f"  {self._types[name]} {name} = {self._start()};")
        for _ in range(self._random.randint(1, 2)):
            lines += self._loop("  ", 0)
        if helper:
            lines.append(f"  {self._name()} = helper({self._name()});")
            lines += self._loop("  ", 0)
        lines += [f"  assert({self._claim()});" for _ in range(2)]
        return "\n".join([*lines, f"  return {self._name()};", "}", ""])

    def _claim(self) -> str:
        """What may hold in the end."""
        name, other, third = self._name(), self._name(), self._name()
        step = self._random.choice((2, 3, 4))
        return self._random.choice(
            (
                f"{name} % {step} == {self._random.randrange(step)}",
                f"{name} {self._random.choice(('<=', '==', '!=', '>='))} {other}",
                f"({self._types[third]})({name} + {other}) == {third}",
                f"({self._types[third]})({name} * {step}) == {third}",
                f"{name} == {self._random.randint(0, 2)} || {self._condition().replace('ANY', other)}",
                f"{name} <= {self._random.choice((1, 3, 20, 100))}",
            )
        )

    def _helper(self) -> list[str]:
        type = self._random.choice(TYPES)
        step = self._random.randint(1, 4)
        return [
            f"static {type} helper({type} n) {{",
            f"  {type} i, s = {self._random.randint(0, 2)};",
            f"  for (i = 0; i < n; i++) {{ s += {self._random.choice(('i', str(step), 'n'))}; if (ANY) s += {step}; }}",
            "  return s;",
            "}",
        ]

    def _name(self) -> str:
        return self._random.choice(self._names)

    def _start(self) -> str:
        return self._random.choice(("0", "0", "1", "IN", "IN & 3", str(self._random.randint(0, 40))))

    def _loop(self, indent: str, depth: int) -> list[str]:
        inner = [line for _ in range(self._random.randint(1, 4)) for line in self._statement(indent + "  ", depth)]
        if self._random.random() < 0.1:
            return [f"{indent}do {{", *inner, f"{indent}}} while ({self._condition()});"]
        return [f"{indent}while ({self._condition()}) {{", *inner, f"{indent}}}"]

    def _condition(self) -> str:
        number = self._random.choice((0, 1, 3, 5, 10, 20, 100))
        sign = self._random.choice(("<", "<=", "!=", ">", "=="))
        match self._random.randrange(4):
            case 0 | 1:
                return "ANY"
            case 2:
                return f"{self._name()} {sign} {number}"
        return f"{self._name()} {sign} {self._name()}"

    def _statement(self, indent: str, depth: int) -> list[str]:
        match self._random.randrange(10):
            case 0 | 1 | 2 | 3:
                return [f"{indent}{self._change()}"]
            case 4 | 5:
                first, second = self._change(), self._change()
                return [f"{indent}{first} {second}"]
            case 6 | 7:
                other = f" else {{ {self._change()} }}" if self._random.random() < 0.6 else ""
                return [f"{indent}if ({self._condition()}) {{ {self._change()} {self._change()} }}{other}"]
            case 8:
                return [f"{indent}if ({self._condition()}) {self._random.choice(('break', 'continue'))};"]
        return self._loop(indent, depth + 1) if depth < 1 else [f"{indent}{self._change()}"]

    def _change(self) -> str:
        name, other, third = self._name(), self._name(), self._name()
        step = self._random.choice((1, 1, 2, 2, 3, 4, 6))
        match self._random.randrange(12):
            case 0 | 1 | 2:
                return f"{name} += {step};"
            case 3 | 4:
                return f"{name} -= {step};"
            case 5:
                return f"{name} += {other};"
            case 6:
                return f"{name} = {step} * {name} + {self._random.randint(0, 3)};"
            case 7:
                return f"{name} = {self._random.choice(('0', '1', '1 - ' + name, other))};"
            case 8:
                return f"{name} += {other}; {third} -= {other};"
            case 9:
                return f"{name} = {other} * {third};"
            case 10:
                return f"{name} {self._random.choice(('^', '&', '|', '>>', '%'))}= {step};"
        return f"{name} += IN;"
