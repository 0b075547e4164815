"""Native runs of Clew do what the interpreter does: same end, same output, same branches.

``scripts/native_oracle.py`` asks for many more programs, and asks the program itself, too.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clew.checks.check import chosen_kinds, sanitizers
from oracle.generator import generate
from oracle.native_runs import compare, with_wide_inputs

pytestmark = pytest.mark.native

LIBRARY = r"""
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned long long __VERIFIER_nondet_ulonglong(void);
static char a[24], b[24], c[64];
static long at(const char *base, const char *found) { return found ? found - base : -1; }
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
  for (int i = 0; i < 2; i++) {
    unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
    memcpy(a + 8 * i, &x, 8);
    memcpy(b + 8 * i, &y, 8);
  }
  int k = a[0] & 15;
  printf("%zu %zu %d %d %d %d\n", strlen(a), strnlen(b, k), sign(strcmp(a, b)), sign(strncmp(a, b, k)),
         sign(memcmp(a, b, k)), sign(strcasecmp(a, b)));
  printf("%ld %ld %ld %ld %ld\n", at(a, strchr(a, b[1])), at(a, strrchr(a, b[0])), at(a, strstr(a, b + 14)),
         at(a, strpbrk(a, b)), at(a, memchr(a, b[2], 16)));
  printf("%zu %zu\n", strspn(a, b), strcspn(a, b));
  strcpy(c, a);
  strncat(c, b, k);
  strcat(c, "!");
  puts(c);
  strncpy(c, b, 20);
  printf("[%s|%.3s|%-9s|%9s|%c]\n", c, c, a + 12, b + 12, a[3]);
  for (int i = 0; i < 16; i++) {
    int d = (unsigned char)a[i];
    printf("%d%d%d%d%d%d%d%d%d%d%d%d ", !!isupper(d), !!islower(d), !!isdigit(d), !!isspace(d), !!isalpha(d),
           !!isalnum(d), !!isxdigit(d), !!isgraph(d), !!isprint(d), !!ispunct(d), !!iscntrl(d), !!isblank(d));
    printf("%d %d,", tolower(d), toupper(d));
  }
  char *end;
  long n = strtol(a, &end, k == 1 ? 0 : k);
  printf("\n%ld %ld %lu %d\n", n, at(a, end), strtoul(b, &end, 16), atoi(a));
  printf("%g %ld %d\n", strtod(a, &end), at(a, end), abs(k - 7));
  int i = *(int *)(b + 4);
  long long l = *(long long *)(b + 8);
  printf("%d %5d %-7d| %07d %+d %x %#X %o %u %hhd %hd\n", i, i, i, i, i, i, i, i, i, i, i);
  printf("%lld %llu %llx %.3lld %zu %20lld|%-20llx|\n", l, l, l, l, (size_t)l, l, l);
  printf("%f %e %g %.2f %10.3g|%G %%\n", i / 8.0, i * 1e9, l / 3.0, i / 7.0, l * 1e-9, i * 1e-7);
  printf("%d %s\n", snprintf(c, k + 1, "%s-%d", a, i), c);
  char *grown = realloc(strdup(a), 40), *zeros = calloc(3, 5);
  printf("%s %d\n", grown, zeros[14]);
  free(grown);
  free(zeros);
  return k;
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(8))
def test_generated_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / "p.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    assert not compare(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ()).difference


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(8))
def test_library(seed: int, tmp_path: Path) -> None:
    source, random = tmp_path / "p.c", Random(seed)
    source.write_text(LIBRARY, encoding="utf-8")
    texts = [
        bytes(random.choice(b"  0123456789abcxefABCz-+.\0\x7f\t~%"[seed % 3 :]) for _ in range(8)) for _ in range(4)
    ]
    compared = compare(source, [int.from_bytes(text, "little") for text in texts])
    assert not compared.difference and compared.run.stdout
