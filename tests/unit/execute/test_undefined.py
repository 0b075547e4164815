"""Values nobody defined: reported where they decide something, harmless where they do not."""

from __future__ import annotations

import pytest

from unit.execute.support import explore

READS = {
    "branch": ("int x; int *p = &x; if (*p) return 1; return 0;", "branch"),
    "promoted": ("int x; if (x) return 1; return 0;", "branch"),
    "heap": ("int *p = malloc(4); if (!p) return 0; if (*p == 3) return 1; return 0;", "branch"),
    "switch": ("int x; int *p = &x; switch (*p) { case 1: return 1; case 2: return 2; } return 0;", "switch"),
    "index": ("int a[4] = {0}, x; int *p = &x; return a[*p & 3];", "address"),
    "partly": ("char a[8]; a[0] = 1; if (*(short *)a == 1) return 1; return 0;", "branch"),
    "copied": ("int x, y; __builtin_memcpy(&y, &x, 4); if (y > 3) return 1; return 0;", "branch"),
    "size": ("unsigned n; unsigned *p = &n; char *q = malloc(*p & 15); return q != 0;", "size"),
}


@pytest.mark.parametrize("name", READS)
def test_reported(name: str) -> None:
    code, word = READS[name]
    found = explore(f"int main(void) {{ {code} }}")
    assert "uninitialized" in found.kinds
    assert any(word in way.message for way in found.ways if way.how == "bug")


FINE = {
    "copied": "struct { int a, b; } s, t; s.a = 1; t = s; return t.a;",
    "masked": "unsigned x; unsigned *p = &x; if ((*p & 0) == 0) return 4; return 5;",
    "cancelled": "int x; int *p = &x; if (*p - *p == 0) return 4; return 5;",
    "overwritten": "int x; int *p = &x; *p = 3; if (*p == 3) return 4; return 5;",
    "static": "static int a[9]; if (a[5]) return 5; return 4;",
    "or": "unsigned x; unsigned *p = &x; if ((*p | 1) != 0) return 4; return 5;",
}


@pytest.mark.parametrize("name", FINE)
def test_harmless(name: str) -> None:
    found = explore(f"int main(void) {{ {FINE[name]} }}")
    assert found.kinds == []
    assert found.codes == [1] if name == "copied" else found.codes == [4]


def test_both_reads_of_a_byte_agree() -> None:
    found = explore(
        "int main(void) { char a; volatile char *p = &a; char x = *p, y = *p; if (x == y) return 4; return 5; }"
    )
    assert found.codes == [4]
