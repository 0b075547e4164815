"""The heap: what malloc and its relatives give and take."""

from __future__ import annotations

import pytest

from unit.execute.support import exit_code, explore

HEAP = """
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *realloc(void *, __SIZE_TYPE__);
void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__);
"""
BUGS = {
    "double free": ("char *p = malloc(4); free(p); free(p);", "double-free"),
    "inside": ("char *p = malloc(4); free(p + 1);", "invalid-free"),
    "local": ("int x; free(&x);", "invalid-free"),
    "global": ("free(&shared);", "invalid-free"),
    "text": ('free("abc");', "invalid-free"),
    "function": ("free((void *)main);", "invalid-free"),
    "realloc inside": ("char *p = malloc(8); p = realloc(p + 1, 16);", "invalid-free"),
    "realloc freed": ("char *p = malloc(8); free(p); p = realloc(p, 16);", None),
    "realloc local": ("int x; int *p = realloc(&x, 16);", "invalid-free"),
    "old after realloc": ("char *p = calloc(8, 1), *q = realloc(p, 16); if (q) return p[0];", "use-after-free"),
    "read freed": ("char *p = calloc(8, 1); free(p); return p[3];", "use-after-free"),
    "write freed": ("char *p = calloc(8, 1); free(p); p[3] = 1;", "use-after-free"),
    "after calloc": ("char *p = calloc(2, 4); return p[8];", "out-of-bounds"),
    "empty": ("char *p = malloc(0); if (p) *p = 1;", "out-of-bounds"),
}


@pytest.mark.parametrize("name", BUGS)
def test_errors(name: str) -> None:
    code, kind = BUGS[name]
    found = explore(f"{HEAP} int shared; int main(void) {{ {code} return 0; }}", report=True)
    assert len(found.kinds) == 1
    assert found.kinds[0] in ((kind,) if kind else ("double-free", "use-after-free"))


def test_good_use() -> None:
    code = (
        HEAP
        + """
    int main(void) {
      free(0);
      int *a = calloc(4, sizeof(int));
      if (!a) return 90;
      int zero = a[0] | a[1] | a[2] | a[3];
      a[3] = 7;
      a = realloc(a, 100 * sizeof(int));
      if (!a) return 91;
      a[99] = 1;
      int kept = a[3];
      a = realloc(a, 4 * sizeof(int));
      if (!a) return 92;
      kept += a[3];
      free(a);
      char *b = realloc(0, 5);
      if (!b) return 93;
      b[4] = 1;
      free(b);
      char *c = aligned_alloc(64, 128);
      if (!c) return 94;
      int aligned = ((unsigned long)c & 63) == 0;
      free(c);
      return kept * 10 + zero + aligned;
    }
    """
    )
    assert exit_code(code) == 141


def test_contents_travel_with_realloc_symbolically() -> None:
    code = (
        HEAP
        + """
    int main(void) {
      int *a = malloc(8);
      if (!a) return 9;
      a[0] = __VERIFIER_nondet_int();
      a[1] = 3;
      a = realloc(a, 16);
      if (!a) return 8;
      if (a[0] == 42 && a[1] == 3) return 1;
      return 0;
    }
    """
    )
    assert set(explore(code).codes) >= {0, 1}
    assert explore(code).kinds == []


def test_objects_are_apart() -> None:
    code = (
        HEAP
        + """
    int main(void) { char *a = malloc(1), *b = malloc(1); if (!a || !b) return 9; return a != b && a + 1 != b; }
    """
    )
    assert exit_code(code) == 1


def test_a_huge_request_fails() -> None:
    assert (
        exit_code(HEAP + "int main(void) { return malloc(1ul << 40) == 0 && calloc(1ul << 33, 1ul << 33) == 0; }") == 1
    )


def test_freeing_a_symbolic_choice() -> None:
    code = (
        HEAP
        + """
    int main(void) {
      char *a = malloc(4), *b = malloc(4);
      if (!a || !b) return 9;
      char *p = __VERIFIER_nondet_bool() ? a : b;
      free(p);
      free(a);
      return 1;
    }
    """
    )
    found = explore(code)
    assert found.kinds == ["double-free"]
    assert found.codes == [1]
