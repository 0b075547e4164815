"""Random programs that go over small arrays in some loops, and say something about all their elements in the last."""

from __future__ import annotations

from random import Random

HEAD = "extern void *malloc(unsigned long);\n"
GLOBALS = "int g[8]; unsigned char h[6]; int count;\n"
_LENGTH = {"a": 8, "b": 8, "g": 8, "h": 6}


def generate(random: Random) -> tuple[str, str]:
    """Declarations, and the body of a function that has ``x`` and ``y``, numbers from 0 to 7."""
    counter = random.choice(("int", "int", "unsigned", "long", "unsigned char"))
    made = random.choice(("int a[8];", "int *a = malloc(8 * sizeof(int));", "int n = 8; int a[n];", "int a[8] = {0};"))
    lines = [made, f"short b[8]; {counter} i; int m = {_number(random)}, s = 0, p = 0;", "count = 0;"]
    lines += ["for (i = 0; i < 8; i++) { a[i] = " + _start(random) + "; b[i] = " + _start(random) + "; g[i] = 0; }"]
    lines += ["for (i = 0; i < 6; i++) h[i] = " + _start(random) + ";"]
    for _ in range(random.choice((1, 1, 2))):
        lines.append(_loop(random))
    for _ in range(random.randint(1, 3)):
        lines.append(_checks(random))
    if not random.randrange(3):
        lines.append(f"assert({_condition(random, str(random.randrange(6)))});")
    return HEAD + GLOBALS, "\n".join(lines) + "\n"


def _start(random: Random) -> str:
    return random.choice(("i", "x", "7 - i", "(i + x) & 3", "(y >> (i & 3)) & 1", "i * 2", "5", "x < i"))


def _number(random: Random) -> str:
    return random.choice(("0", "1", "x", "y", "a[0]", "3"))


def _index(random: Random, array: str) -> str:
    last = _LENGTH[array] - 1
    return random.choice(("i", "i", "i", "i", "i", "i", "i", "i", f"{last} - i", "p", "(i + 1) % 6", "x % 6", "2"))


def _loop(random: Random) -> str:
    array = random.choice("aabbgh")
    end = random.choice((str(_LENGTH[array]), str(_LENGTH[array]), "x % 6", "4"))
    body = " ".join(_statement(random, array) for _ in range(random.choice((1, 1, 1, 2))))
    return f"p = 0; for (i = 0; i < {end}; i++) {{ {body} }}"


def _statement(random: Random, array: str) -> str:
    other = random.choice("abg" if array != "h" else "abgh")
    cell, source = f"{array}[{_index(random, array)}]", f"{other}[{random.choice(('i', 'i', 'p', 'x % 6', '1'))}]"
    value = random.choice((source, f"{source} + 1", "m", "i", "0", "x", f"{source} - {cell}", "s"))
    return random.choice(
        (
            f"{cell} = {value};",
            f"{cell} = {value};",
            f"if ({cell} > m) m = {cell};",
            f"if ({cell} < m) m = {cell};",
            f"if ({cell} {random.choice(('==', '!=', '<'))} y) s = {random.choice(('1', 'i', '0'))};",
            f"if ({cell} > {random.choice('012')} && p < 6) {{ {other if other != 'h' else 'g'}[p] = {cell}; p++; }}",
            f"if ({source} == x) break;",
            "count++;",
            f"s = s | {cell};",
        )
    )


def _condition(random: Random, index: str) -> str:
    array = random.choice("abgh")
    cell = f"{array}[{index}]"
    other = f"{random.choice('abgh')}[{index}]"
    right = random.choice(("m", "s", other, other, "i", "0", "x", "7", "count", f"{other} + 1"))
    sign = random.choice(("<=", ">=", "==", "!=", "<"))
    return f"{cell} {sign} {right}" if random.randrange(4) else f"s || {cell} {sign} {right}"


def _checks(random: Random) -> str:
    end = random.choice(("6", "6", "i", "p", "x % 6"))
    start = f"int last = {end}; " if end == "i" else ""
    end = "last" if start else end
    condition = _condition(random, "i")
    return f"{{ {start}for (i = 0; i < {end} && i < 6; i++) {{\nassert({condition});\n}} }}"
