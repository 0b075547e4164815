"""fmemopen and open_memstream: what is written shows in memory, what is there is read."""

from __future__ import annotations

from unit.models.typed import explore_linked

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#line 1
"""


def codes(body: str) -> list[int]:
    return sorted(set(explore_linked(PROGRAM + "int main(void) {" + body + "}").codes))


def test_a_stream_that_makes_its_buffer() -> None:
    assert codes('char *p; size_t n; FILE *f = open_memstream(&p, &n); if (!f || n || *p) return 9;'
                 'fprintf(f, "%s=%d", "x", 7); fflush(f); if (n != 3 || strcmp(p, "x=7")) return 8; fputc(10, f);'
                 'fclose(f); int bad = n != 4 || strcmp(p, "x=7\\n"); free(p); return bad;') == [0]  # fmt: skip


def test_numbers_of_any_length() -> None:
    assert codes('char *p; size_t n; int x = __VERIFIER_nondet_int(); if (x < 8 || x > 11) return 1;'
                 'FILE *f = open_memstream(&p, &n); fprintf(f, "<%d>", x); fclose(f); int two = strcmp(p, "<11>") == 0;'
                 'free(p); if (n != (x < 10 ? 3 : 4)) return 9; if (two) return 2; return 0;') == [0, 1, 2]  # fmt: skip


def test_a_stream_over_a_buffer() -> None:
    assert codes('char b[] = "12 34"; FILE *f = fmemopen(b, 5, "r"); int x, y; if (fscanf(f, "%d%d", &x, &y) != 2)'
                 "return 9; if (getc(f) != EOF) return 8; fclose(f); return x + y != 46;") == [0]  # fmt: skip
    assert codes('char b[8] = "........"; FILE *f = fmemopen(b, 8, "w"); fputs("abc", f); fclose(f);'
                 'return memcmp(b, "abc", 4) != 0 || b[5] != 46;') == [0]  # fmt: skip
    assert codes('char b[8] = "ab"; FILE *f = fmemopen(b, 8, "a+"); fputs("cd", f); rewind(f); int c = getc(f);'
                 'fclose(f); return strcmp(b, "abcd") != 0 || c != 97;') == [0]  # fmt: skip
