"""printf against the C library of this machine: one program prints what ``snprintf`` formats."""

from __future__ import annotations

import ctypes
from random import Random

import pytest

from unit.execute.support import c_program, concrete

LIBC = ctypes.CDLL(None)
LENGTHS = {"": 32, "hh": 32, "h": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
TEXTS = ("hello", "", "a longer text")


def random_call(random: Random) -> tuple[str, list[str], list[object]]:
    """A format with its arguments, as C text and for ctypes."""
    flags = "".join(random.sample("-+ #0", random.randrange(4)))
    width = random.choice(("", "", str(random.randrange(1, 14)), "*"))
    precision = random.choice(("", "", ".", f".{random.randrange(9)}", ".*"))
    kind = random.choice("diouxXcsfFeEgGaA")
    length = ""
    words: list[str] = []
    values: list[object] = []
    for part in (width, precision):
        if "*" in part:
            number = random.randrange(-5, 10)
            words.append(str(number))
            values.append(ctypes.c_int(number))
    if kind in "diouxX":
        length = random.choice(tuple(LENGTHS))
        bits = LENGTHS[length]
        number = random.choice((0, 1, -1, 127, 128, 255, -128, random.getrandbits(bits), 1 << (bits - 1)))
        number &= (1 << bits) - 1
        words.append(f"{number:#x}{'u' if bits == 32 else 'ull'}")
        values.append(ctypes.c_uint32(number) if bits == 32 else ctypes.c_uint64(number))
    elif kind == "c":
        number = random.randrange(33, 127)
        words.append(str(number))
        values.append(ctypes.c_int(number))
    elif kind == "s":
        text = random.choice(TEXTS)
        words.append(f'"{text}"')
        values.append(ctypes.c_char_p(text.encode()))
    else:
        real = random.choice(
            (
                0.0,
                -0.0,
                1.0,
                -1.5,
                1e300,
                5e-324,
                123456.789,
                0.1,
                random.uniform(-1e5, 1e5),
                10.0 ** random.randrange(-9, 20),
            )
        )
        words.append(real.hex())
        values.append(ctypes.c_double(real))
    return f"%{flags}{width}{precision}{length}{kind}", words, values


@pytest.mark.slow
def test_agrees_with_the_c_library() -> None:
    random = Random(20)
    lines, expected = [], []
    for _ in range(1200):
        form, words, values = random_call(random)
        lines.append(f'printf("<{form}>\\n", {", ".join(words)});')
        buffer = ctypes.create_string_buffer(2000)
        LIBC.snprintf(buffer, 2000, f"<{form}>\n".encode(), *values)
        expected.append(buffer.value)
    code = "int printf(const char *, ...);\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
    outcome = concrete(code)
    assert outcome.end == "exit"
    found = outcome.stdout.splitlines(keepends=True)
    wrong = [(line, got) for line, got in zip(expected, found, strict=True) if line != got]
    assert wrong == []


def test_special_values_and_padding() -> None:
    code = r"""
    int printf(const char *, ...);
    int main(void) {
      double zero = 0.0; volatile double z = zero;
      int n = printf("%5.1f|%-8s|%08.3f|%+d|% d|%c%c|%%|%p\n", 1.0 / z, "ab", -3.14159, 5, 6, 'x', 'y', (void *)0);
      printf("%010f|%-10f|% F\n", 1.0 / z, -1.0 / z, 1.0 / z);
      return n;
    }
    """
    outcome = concrete(code)
    assert outcome.stdout == b"  inf|ab      |-003.142|+5| 6|xy|%|(nil)\n       inf|-inf      | INF\n"
    assert outcome.exit_code == len(outcome.stdout.splitlines(keepends=True)[0])


def test_precision_limits_what_is_read() -> None:
    code = """
    int printf(const char *, ...);
    int main(void) { char b[3] = {'a', 'b', 'c'}; printf("[%.3s][%.2s][%-5.1s]", b, b, b); return 0; }
    """
    outcome = concrete(code)
    assert (outcome.end, outcome.stdout) == ("exit", b"[abc][ab][a    ]")


def test_types_follow_the_target() -> None:
    code = (
        'int printf(const char *, ...); int main(void) { printf("%ld %zu %lld", -1L, sizeof(long), -2LL); return 0; }'
    )
    assert concrete(c_program(code)).stdout == b"-1 8 -2"
    assert concrete(c_program(code, "x86-linux-gnu")).stdout == b"-1 4 -2"
