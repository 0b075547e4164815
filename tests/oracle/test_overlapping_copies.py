"""Copies between places that may overlap: the interpreter and native runs fail where bytes are read and written, only.

What is read and written is said here once more, as sets of places.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clew.base.cache import Cache
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import execute, find_entry
from clew.models.registry import all_models
from clew.native.program import NativeProgram
from clew.report.values import InputValue
from clew.runtime import link
from oracle import engine

pytestmark = pytest.mark.native

PROGRAM = """
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
static char m[64];
int main(void) {
  unsigned long long zeros = __VERIFIER_nondet_ulonglong();
  int to = __VERIFIER_nondet_ulonglong(), from = __VERIFIER_nondet_ulonglong(), n = __VERIFIER_nondet_ulonglong();
  for (int i = 0; i < 64; i++) m[i] = zeros >> i & 1 ? 0 : 'a';
  switch (__VERIFIER_nondet_ulonglong()) {
  case 0: memcpy(m + to, m + from, n); break;
  case 1: memmove(m + to, m + from, n); break;
  case 2: mempcpy(m + to, m + from, n); break;
  case 3: memccpy(m + to, m + from, 0, n); break;
  case 4: strcpy(m + to, m + from); break;
  case 5: stpcpy(m + to, m + from); break;
  case 6: strncpy(m + to, m + from, n); break;
  case 7: stpncpy(m + to, m + from, n); break;
  case 8: strcat(m + to, m + from); break;
  case 9: strncat(m + to, m + from, n); break;
  case 10: sprintf(m + to, "%s", m + from); break;
  case 11: sprintf(m + to, "%d%.*s", n, n, m + from); break;
  case 12: snprintf(m + to, n, "%s.", m + from); break;
  }
  return 0;
}
"""
NAMES = "memcpy memmove mempcpy memccpy strcpy stpcpy strncpy stpncpy strcat strncat sprintf sprintf snprintf".split()


def overlaps(operation: int, zeros: int, to: int, source: int, n: int) -> bool:
    """Whether a byte is read and written, by a function that must not do that."""

    def length(at: int) -> int:
        return next(i for i in range(64) if zeros >> (at + i) & 1)

    size = length(source)
    start, written, read = to, n, n
    match operation:
        case 3:
            written = read = min(size + 1, n)
        case 4 | 5 | 10:
            written = read = size + 1
        case 6 | 7:
            read = min(size + 1, n)
        case 8:
            start, written, read = to + length(to), size + 1, size + 1
        case 9:
            start, written, read = to + length(to), min(size, n) + 1, min(size + 1, n)
        case 11:
            written, read = len(str(n)) + min(size, n) + 1, min(size + 1, n)
        case 12:
            written, read = min(size + 2, n), size + 1 if n else 0
    common = {*range(start, start + written)} & {*range(source, source + read)}
    is_same_place = start == source and operation not in (10, 11, 12)
    return bool(common) and operation != 1 and not is_same_place


@pytest.mark.sample(3)
@pytest.mark.parametrize("operation", range(len(NAMES)), ids=lambda number: f"{number}-{NAMES[number]}")
def test_copies(operation: int, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM, encoding="utf-8")
    options = CompileOptions(flags=engine.FLAGS)
    program = link(load([source], options, None), options, Cache.default())
    machine, entry = build_machine(program, all_models()), find_entry(program, None)
    draw, seen = Random(operation), set()
    with NativeProgram(program, program.functions["main"], (), Cache.default()).executor(None) as executor:
        for _ in range(60):
            zeros = draw.getrandbits(64) & draw.getrandbits(64) & draw.getrandbits(64) | 1 << 31 | 1 << 63
            to, at = draw.randrange(24), draw.randrange(24)
            n = draw.randrange(9)
            given = (zeros, to, at, n, operation)
            values = [InputValue("", "unsigned long long", 64, value) for value in given]
            expected = overlaps(operation, zeros, to, at, n)
            shown = execute(machine, entry, values, options=RunOptions())
            assert (shown.end, shown.kind) == (("bug", "overlap") if expected else ("exit", "")), given
            run = executor.run(b"".join(value.to_bytes(8, "little") for value in given))
            assert (run.end.name, run.detail) == (("BUG", "overlap") if expected else ("EXIT", "")), given
            seen.add(expected)
    assert seen == ({False} if operation == 1 else {False, True})
