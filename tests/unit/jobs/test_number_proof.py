"""Programs that read numbers: proved for all that they may read, and never for less."""

from __future__ import annotations

import pytest

import clew
from clew.techniques.invariants.any_numbers import with_any_numbers
from unit.execute.support import c_program

START = "#include <stdio.h>\n#include <assert.h>\nint main(void) { int x = 0, y = 0, n = 0; "
LARGEST = 'while (scanf("%d", &x) == 1) if (x > n) n = x; '


def verdict(body: str) -> str | None:
    return clew.verify(source=f"{START}{body} return 0; }}", time=30).verdict


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(LARGEST + "assert(n >= 0);", marks=pytest.mark.thorough),
        'FILE *f = fopen("in.txt", "r"); if (!f) return 1; '
        + LARGEST.replace("scanf(", "fscanf(f, ")
        + "assert(n >= 0);",
        'while (scanf("%d %d", &x, &y) == 2) { if (x > y && n < 100) n++; assert(n <= 100); }',
    ],
)
def test_loops_over_numbers_are_proved(body: str) -> None:
    assert verdict(body) == "TRUE"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "body",
    [
        LARGEST + "assert(n != 7);",
        'while (scanf("%d %d", &x, &y) > 0) n++; assert(x >= 0 || y == 0);',
        'x = 5; while (scanf("%d", &x) == 1) n++; assert(n > 0 || x != 5);',
    ],
)
def test_what_some_text_violates_is_found(body: str) -> None:
    assert verdict(body) == "FALSE"


@pytest.mark.parametrize(
    ("body", "is_changed"),
    [
        (LARGEST, True),
        ('scanf("%*d,%hhu%lf", (unsigned char *)&x, (double *)&y);', True),
        (LARGEST + "if (feof(stdin)) n++;", False),
        (LARGEST + "n = getchar();", False),
        (LARGEST + "int (*read)(void) = getchar; n = read();", False),
        ('char s[4]; scanf("%3s", s);', False),
        ('scanf("%d%n", &x, &n);', False),
        ("char form[] = \"%d\"; scanf(form, &x);", False),
        ("n++;", False),
    ],
)  # fmt: skip
def test_nothing_else_may_read(body: str, is_changed: bool) -> None:
    changed = with_any_numbers(c_program(f"{START}{body} return n; }}"))
    assert (changed is not None) is is_changed
