"""What reports of accesses out of bounds say: a write is no read; an index, its array and its size have names."""

from __future__ import annotations

from functools import cache

import pytest

from unit.execute.support import c_program, explore

HEAD = """
#include <stdio.h>
#include <string.h>
struct part { short m[2][3]; };
struct s { int a; char buf[4]; struct part in; };
static int table[8];
static int f(struct s *p, int i, int n, int k, int (*q)[5], unsigned u, char *h) {
  static long own[3];
  int local[4] = {0}, *r = local;
  int v[n];
  char b[4], *z = 0;
  const char *fixed = "fixed";
  v[0] = 0;
  switch (k) {
"""
TAIL = """
  }
  return local[0];
}
int main(void) {
  struct s s = {0};
  int q[5] = {0}, i = __VERIFIER_nondet_int();
  unsigned size = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i == 40 && size >= 2 && size <= 4);
  return f(&s, i, 6, __VERIFIER_nondet_int(), &q, __VERIFIER_nondet_uint(), malloc(size));
}
"""
CASES = {
    # Clang's check of an index
    "local[i] = 1;": "index 40 is outside of local[4]",
    "table[i] = 1;": "index 40 is outside of table[8]",
    "return table[8];": "index 8 is outside of table[8]",
    "return local[-1];": "index -1 is outside of local[4]",
    "return table[-i];": "index -40 is outside of table[8]",
    "p->buf[i] = 1;": "index 40 is outside of buf[4]",
    "p->buf[i - 4] = 1;": "index 36 is outside of buf[4]",
    "p->in.m[1][i] = 1;": "index 40 is outside of m[...][3]",
    "return own[i];": "index 40 is outside of own[3]",
    "v[i] = 1;": "index 40 is outside of v[6]",
    "(*q)[i] = 1;": "index 40 is outside of (*q)[5]",
    'return "abc"[i];': "index 40 is outside of an array of 4 elements",
    # Memory's own, at a known place and at a symbolic one
    "r[i] = 1;": "write of 4 bytes at 144 bytes past the end of stack object 'local' of 16 bytes",
    "return r[i];": "read of 4 bytes at 144 bytes past the end of stack object 'local' of 16 bytes",
    "*z = 1;": "write of 1 byte at the null pointer",
    "if (u >= 4 && u < 5) r[u] = 1;": "write of 4 bytes at the end of stack object 'local' of 16 bytes",
    "if (u >= 4 && u < 5) return r[u];": "read of 4 bytes at the end of stack object 'local' of 16 bytes",
    "if (u == 1) z[u] = 1;": "write of 1 byte at offset 1 from the null pointer",
    "if (u >= 2 && u < 3) memset(b + u, 0, 3);": "write of 3 bytes at byte 2 of stack object 'b' of 4 bytes",
    "if (u >= 5 && u < 6) strcpy(b + u, fixed);": "index 5 is outside of b[4]",
    "if (u == 11) strcpy((char *)r + u, fixed);": "write of 1 byte at the end of stack object 'local' of 16 bytes",
    "if (u == 7) strcpy(b, fixed + u);": "read of 1 byte at 1 byte past the end of global object '.str' of 6 bytes",
    "strcpy(b, fixed);": "write of 1 byte at the end of stack object 'b' of 4 bytes",
    "memcpy(b, fixed, 6);": "write of 6 bytes at the start of stack object 'b' of 4 bytes",
    "memcpy(table, local, 20);": "read of 20 bytes at the start of stack object 'local' of 16 bytes",
    "sprintf(z, fixed);": "write of 1 byte at the null pointer",
    "((char *)fixed)[2] = 1;": "write of 1 byte at byte 2 of global object '.str' of 6 bytes, which is constant",
    # Objects whose size is an input
    "if (n) h[i] = 1;": "write of 1 byte at offset 40 of heap object of 2 bytes",
    "h[3] = 1;": "write of 1 byte at offset 3 of heap object of 2 bytes",
    "h[3]++;": "read of 1 byte at offset 3 of heap object of 2 bytes",
    "memset(h, 0, 4);": "write of 4 bytes at offset 0 of heap object of 2 bytes",
}


@cache
def _messages() -> dict[int, set[str]]:
    """By line."""
    cases = [f"  case {number}: {code} break;" for number, code in enumerate(CASES)]
    found = explore(c_program(HEAD.strip("\n") + "\n" + "\n".join(cases) + TAIL, sanitize=("array-bounds",)))
    result: dict[int, set[str]] = {}
    for way in found.ways:
        if way.how == "bug":
            result.setdefault(way.line, set()).add(way.message)
    return result


@pytest.mark.parametrize("code", CASES)
def test_message(code: str) -> None:
    line = HEAD.strip("\n").count("\n") + 2 + list(CASES).index(code)
    assert CASES[code] in _messages()[line]
    reads = {message for message in _messages()[line] if message.startswith("read ")}
    assert bool(reads) == CASES[code].startswith("read ")
