"""``verify`` and copies between places that may overlap: offsets and lengths are inputs, loops have no bound."""

from __future__ import annotations

import pytest

import clew

BEGIN = """
#include <string.h>
#include <stdio.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
static char m[64];
struct pair { int a[4]; };
static void again(unsigned k, unsigned at) { if (k) { memcpy(m, m + at + k % 8, 8); again(k - 1, at); } }
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
"""
PROGRAMS = {
    "a length": ("if (n <= {}) memcpy(m, m + 8, n);", "8", "9"),
    "offsets": ("if (i < 16 && j < 16 && i + 4 <= {}) memcpy(m + j, m + i, 4);", "j", "j + 1"),
    "offsets and a length": ("if (i < 16 && j < 16 && n < 16 && i + n <= {}) memcpy(m + i, m + j, n);", "j", "j + 1"),
    "the same place": ("if (i < 16 && n < 16) memcpy(m + i, m + {}, n);", "i", "i + 1"),
    "a recursion": ("again(n % 64, {});", "8", "1"),
    "a struct and itself": (
        "struct pair p[2] = {{{{{{0}}}}}}; char *q = (char *)p; i %= 2; "
        "struct pair *a = p + i, *b = (struct pair *)(q + 16 * i {}); *a = *b;",
        "",
        "- 4 * i",
    ),
    "memmove": ("if (i < 16 && n < 16) {}(m + i, m + 4, n);", "memmove", "memcpy"),
    "a string": ("m[0] = __VERIFIER_nondet_char(); m[1] = __VERIFIER_nondet_char(); strcpy(m + {}, m);", "3", "2"),
    "appended": ("m[0] = __VERIFIER_nondet_char(); m[9] = 'x'; strcat(m, m + {});", "9", "0"),
    "a part of a string": ("memset(m, 'x', 20); if (n <= {}) strncpy(m, m + 8, n);", "8", "9"),
    "printed": ('if (i < 10) sprintf(m + {}, "%u%s", i, m + 8);', "6", "7"),
    "a loop": ("for (unsigned k = 0; k < n; k++) memcpy(m, m + {} + 8 * (k % 2), 8);", "8", "7"),
    "late in a loop": ("for (unsigned k = 0; k < n; k++) if (k == 1000) memcpy(m, m + {}, 8);", "8", "7"),
    "a loop over lengths": (
        "for (unsigned k = 0; k < n; k++) {{ if (k > {}) break; memcpy(m + 20, m, k); }}",
        "20",
        "21",
    ),
}


def _verdict(name: str, is_safe: bool, **options: object) -> tuple[str | None, list[str]]:
    body, safe, unsafe = PROGRAMS[name]
    source = BEGIN + "  " + body.format(safe if is_safe else unsafe) + "\n  return 0;\n}\n"
    found = clew.verify(source=source, check="overlap", time=60, **options)
    return found.verdict, [bug.kind for bug in found.bugs]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_copies_that_do_not_overlap_are_proved(name: str) -> None:
    assert _verdict(name, True) == ("TRUE", [])


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_copies_that_overlap_are_found(name: str) -> None:
    assert _verdict(name, False) == ("FALSE", ["overlap"])
