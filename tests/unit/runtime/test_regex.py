"""regex.h: what matches, and what is no expression, is what libc says."""

from __future__ import annotations

from random import Random

import pytest

from unit.models.typed import explore_linked
from unit.runtime.libc_patterns import EXTENDED, Case, native_outcome, outcomes, random_case

KNOWN: list[Case] = [
    ("^([a-z]+)@([a-z]+)\\.org$", EXTENDED, "me@here.org"),
    ("a|ab|abc", EXTENDED, "xabcd"),
    ("x*", 0, "aaa"),
    ("\\(a*\\)b\\1", 0, "aabaab"),
    ("[]a]+", EXTENDED, "b]a]"),
    ("[z-a]", 0, "b"),
    ("a\\{2,1\\}", 0, "aa"),
    ("(a", EXTENDED, ""),
    ("a)", EXTENDED, "a)"),
    ("[[:nothing:]]", 0, ""),
    ("a\\", 0, ""),
    ("(a{0,2}){3}b", EXTENDED, "aaaaab"),
]


@pytest.mark.native
def test_known_and_random_expressions() -> None:
    random = Random(3)
    cases = KNOWN + [random_case(random) for _ in range(30)]
    assert outcomes(cases) == [native_outcome(case) for case in cases]


def test_symbolic_text_is_matched_in_all_ways() -> None:
    body = """
#include <regex.h>
extern void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
int main(void) {
  char text[4];
  regex_t e;
  regmatch_t m[2];
  klee_make_symbolic(text, 3, "text");
  text[3] = 0;
  if (regcomp(&e, "^a(b+)$", REG_EXTENDED)) return 9;
  int no = regexec(&e, text, 2, m, 0);
  regfree(&e);
  if (no) return 0;
  if (text[0] != 'a' || text[1] != 'b') return 8;
  return m[1].rm_eo;
}"""
    assert set(explore_linked(body).codes) == {0, 2, 3}
