"""Regular expressions by the runtime's regcomp and regexec, run by the engine, and by the real libc."""

from __future__ import annotations

import ctypes
from random import Random

from support.concrete import run_concrete
from unit.models.drive import libc
from unit.models.typed import linked

EXTENDED, ICASE, NEWLINE = 1, 2, 4
_PARTS = {
    EXTENDED: "a b c . * + ? ( ) | [ab] [^a] ^ $ {1,2} {2} [[:alpha:]] \\. a b ( ) [a-c] {,1} \\w B \\1 \\<".split(),
    0: "a b c . * \\+ \\? \\( \\) \\| [ab] [^a] ^ $ \\{1,2\\} \\{2\\} [[:digit:]] \\. a b \\( \\) + ? A \\1".split(),
}
_PROGRAM = """
#include <regex.h>
#include <stdio.h>
#line 1
static void try(const char *pattern, int flags, const char *text) {
  regex_t e;
  regmatch_t m[1];
  int error = regcomp(&e, pattern, flags);
  if (error) {
    printf("error %d\\n", error);
    return;
  }
  if (regexec(&e, text, 1, m, 0)) m[0].rm_so = m[0].rm_eo = -1;
  printf("%d groups, %d to %d\\n", (int)e.re_nsub, (int)m[0].rm_so, (int)m[0].rm_eo);
  regfree(&e);
}
"""

Case = tuple[str, int, str]


def random_case(random: Random) -> Case:
    """A pattern, its flags and a text: with more than one line only where lines are told apart."""
    extended = random.choice((EXTENDED, 0))
    flags = extended | random.choice((0, 0, 0, ICASE)) | random.choice((0, 0, 0, NEWLINE))
    pattern = "".join(random.choice(_PARTS[extended]) for _ in range(random.randrange(1, 8)))
    letters = "aabbcA1." + "\n" * bool(flags & NEWLINE)
    return pattern, flags, "".join(random.choice(letters) for _ in range(random.randrange(8)))


def outcomes(cases: list[Case]) -> list[str]:
    """What the engine's program prints for each case."""
    calls = "".join(f"  try({_literal(p)}, {flags}, {_literal(t)});\n" for p, flags, t in cases)
    outcome = run_concrete(linked(_PROGRAM + "int main(void) {\n" + calls + "  return 0;\n}\n"), [])
    assert outcome.end == "exit", outcome.detail
    return outcome.stdout.decode().splitlines()


def native_outcome(case: Case) -> str:
    """What libc does; the same words."""
    pattern, flags, text = case
    expression, found = ctypes.create_string_buffer(256), (ctypes.c_int * 2)()
    error = libc().regcomp(expression, pattern.encode(), flags)
    if error:
        return f"error {error}"
    if libc().regexec(expression, text.encode(), ctypes.c_size_t(1), found, 0):
        found[0] = found[1] = -1
    groups = ctypes.c_size_t.from_buffer(expression, 48).value
    libc().regfree(expression)
    return f"{groups} groups, {found[0]} to {found[1]}"


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n") + '"'
