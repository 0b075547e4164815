"""regex.h: what matches, and what is no expression, is what libc says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
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


FOREIGN = """#include <regex.h>
#include <string.h>
int search(regex_t *e) { return regexec(e, "xab", 0, 0, 0); }
int main(int argc, char **argv) {
  regex_t e, f;
  char way = argc > 1 ? argv[1][0] : 0;
  if (way == 'z') { memset(&e, 0, sizeof e); return search(&e); }
  if (regcomp(&f, "q", 0) || regcomp(&e, "a+b", REG_EXTENDED)) return 9;
  if (way == 'l') { regfree(&f); return search(&e); }
  regfree(&e);
  if (way == 'u') return search(&e);
  int no = search(&f);
  regfree(&f);
  regfree(&f);
  return no;
}
"""


def test_what_regcomp_has_not_made(tmp_path: Path) -> None:
    """Zeros, what was freed: an error; freed once more, as glibc has it: none. What is not freed is lost."""
    file = tmp_path / "p.c"
    file.write_text(FOREIGN)
    summary = run_test(TestRequest((file,), args=(1,)), Listener())
    assert sorted((bug.kind, bug.confirmed) for bug in summary.bugs) == [("memory-leak", True), ("other", True)]
