"""Native runs of Clew do what the interpreter does: same end, same output, same branches.

``scripts/native_oracle.py`` asks for many more programs, and asks the program itself, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from clew.checks.check import chosen_kinds, sanitizers
from clew.native.executor import End
from clew.native.library import native_functions
from oracle.generator import generate
from oracle.native_library import ELSEWHERE, PROGRAMS, SAME, compare_library
from oracle.native_runs import compare, with_wide_inputs
from oracle.traces import check

pytestmark = pytest.mark.native


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(8))
def test_generated_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / "p.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    assert not compare(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ()).difference


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_library(name: str, tmp_path: Path) -> None:
    """``scripts/native_oracle.py --library`` asks for many more inputs."""
    compared = compare_library(name, Random(1), tmp_path / "p.c")
    assert not compared.difference and compared.run.stdout


def test_every_function_of_the_library_is_called() -> None:
    words = set(re.findall(r"\w+", "".join(PROGRAMS.values())))
    unlocked = {f"{word}_unlocked" for word in words}
    others = {f"__isoc{year}_{word}" for year in (23, 99) for word in {*words, *SAME}}
    aliases = {"_IO_getc", "_IO_putc", "_Exit"}
    assert native_functions().keys() - words - unlocked - others - aliases - ELSEWHERE - SAME.keys() == set()
    assert words >= set(SAME.values())


WIDE = r"""
#include <float.h>
#include <stdio.h>
unsigned long long __VERIFIER_nondet_ulonglong(void);
static void show(unsigned __int128 number) {
  printf("%llx:%llx\n", (unsigned long long)(number >> 64), (unsigned long long)number);
}
int main(void) {
  unsigned __int128 a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
  a = a << 64 | __VERIFIER_nondet_ulonglong(), b = (b << 64 | __VERIFIER_nondet_ulonglong()) | 1;
  for (int shift = 0; shift < 128; shift += 9) {
    unsigned __int128 top = a >> shift, few = b >> shift | 1;
    __int128 c = (__int128)a >> shift, d = (__int128)b >> shift | 1;
    show(a / few), show(a % few), show(top / b), show(top % few), show((__int128)a / (d == -1 ? 7 : d));
    show(c % (d == -1 ? 7 : d)), show(c / (__int128)b), show(c * (long long)a >> 64);
    double sizes[] = {(double)top, (double)c, (float)(top >> 1), (float)c};
    for (int i = 0; i < 4; i++)
      printf("%.20g %llx\n", sizes[i], (unsigned long long)(__int128)(sizes[i] * 0.25));
    show((unsigned __int128)(sizes[0] * 0.5)), show((__int128)(float)(sizes[1] * 0.5));
  }
  return FLT_ROUNDS == 1 ? 0 : 1;
}
"""


@pytest.mark.parametrize("sanitize", [(), sanitizers(chosen_kinds(None))])
def test_integers_of_128_bits(sanitize: tuple[str, ...], tmp_path: Path) -> None:
    """What the processor has no instructions for: division, and conversions from and to floating-point numbers."""
    source, random = tmp_path / "p.c", Random(3)
    source.write_text(WIDE, encoding="utf-8")
    for half in (random.getrandbits(64), (1 << 64) - 1, 0):
        inputs = [half, random.getrandbits(30), random.getrandbits(64), (1 << 63) + (1 << 10)]
        compared = compare(source, inputs, () if half == 0 else sanitize)
        assert not compared.difference and compared.run.stdout
        assert not check(source, inputs, ()).problems


MASKED = r"""
#include <stdio.h>
unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void) {
  unsigned long long n = __VERIFIER_nondet_ulonglong();
  static _Alignas(16) int squares[16];
  for (int i = 0; i < 16; i++)
    squares[i] = i * i;
  char *at = (char *)squares + (n & 31);
  int *down = (int *)__builtin_align_down(at, 4), *up = (int *)__builtin_align_up(at, 16);
  printf("%d %d\n", *down, *up);
  if (down == squares + 5)
    return 1;
  return *down == 9 ? 2 : 0;
}
"""


@pytest.mark.parametrize("offset", [0, 13, 22])
def test_addresses_that_are_rounded(offset: int, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(MASKED, encoding="utf-8")
    compared = compare(source, [offset])
    assert not compared.difference and compared.run.stdout
    assert not check(source, [offset]).problems


ALIGNED = r"""
#include <stdarg.h>
struct wide { _Alignas(16) long a; };
static long sum(int count, ...) {
  long total = 0;
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    total += va_arg(list, int) + va_arg(list, struct wide).a;
  va_end(list);
  return total;
}
int main(void) {
  struct wide wide = {7};
  return (int)sum(2, 1, wide, 2, wide);
}
"""


def test_aligned_arguments_are_what_the_interpreter_has_or_refused(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(ALIGNED, encoding="utf-8")
    compared = compare(source, [])
    assert compared.run.end is End.UNSUPPORTED or (compared.run.exit_code == 17 and not compared.difference)
