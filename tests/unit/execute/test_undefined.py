"""Values nobody defined: reported where they decide something, harmless where they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.base.options import StartValue
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


PARTLY: dict[str, tuple[str, Callable[[int], bool], set[int]]] = {
    "store": ("int a[2]; a[n & 1] = 1; if (a[0] == 1) return 4; return 5;", lambda n: n & 1 == 0, {4}),
    "copy": (
        "char b[255], s[255] = {1, 2, 3}; __builtin_memcpy(b, s, n); if (b[1] == 2) return 4; return 5;",
        lambda n: n > 1,
        {4},
    ),
    "switch": (
        "int a[2]; a[n & 1] = n >> 6; switch (a[1]) { case 1: return 4; case 2: return 6; } return 5;",
        lambda n: n & 1 == 1,
        {4, 5, 6},
    ),
    "index": ("int a[2], t[4] = {7, 7, 7, 7}; a[n & 1] = n >> 6; return t[a[1] & 3];", lambda n: n & 1 == 1, {7}),
    "size": (
        "unsigned a[2]; a[n & 1] = 8; char *p = malloc(a[0]); p[7] = 1; return p[7];",
        lambda n: n & 1 == 0,
        {1},
    ),
    "array": ("char a[300]; a[n] = 3; if (a[200] == 3) return 4; return 5;", lambda n: n == 200, {4}),
}


@pytest.mark.parametrize("name", PARTLY)
@pytest.mark.parametrize("start", [0, 1, 200, 201])
def test_undefined_for_some_inputs_only(name: str, start: int) -> None:
    """Inputs that show it are reported, and all others go on, whichever of them the path's model has."""
    code, fine, codes = PARTLY[name]
    text = f"int main(void) {{ unsigned char n = __VERIFIER_nondet_uchar(); {code} }}"
    found = explore(text, start=(StartValue(None, start),))
    assert set(found.codes) == codes
    assert found.kinds == ["uninitialized"]
    assert not found.run.losses
    assert all(fine(int(way.inputs[0])) == (way.how == "exit") for way in found.ways)


def test_a_part_of_a_word_may_decide() -> None:
    found = explore(
        "int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); char a[2]; a[0] = n;"
        " if (*(short *)a == 1) return 1; return 0; }"
    )
    assert found.kinds == ["uninitialized"]
    assert found.codes == [0]
    assert not found.run.losses


def test_what_cannot_be_told_apart_is_a_loss() -> None:
    found = explore(
        "int main(void) { unsigned n = __VERIFIER_nondet_uchar(), x, *p = &x; if (*p & n) return 1; return 0; }"
    )
    assert found.kinds == ["uninitialized"]
    assert [note.kind for note in found.run.loss_notes()] == ["bounded"]


def test_uses_that_nobody_asks_for_do_not_end_a_path() -> None:
    code = """
    int printf(const char *, ...);
    int main(void) {
      int x, a[2] = {0}, *p = a;
      printf("%d", x);
      printf("%s", x ? "yes" : "no");
      return p[2];
    }
    """
    assert explore(code, checks=frozenset(("out-of-bounds",))).kinds == ["out-of-bounds"]
    assert explore(code).kinds == ["uninitialized"]
