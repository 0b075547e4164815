"""Traces of native runs: what has a node, what is recorded, and that all of it is true of the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.base.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.concolic.flips import Flips
from clew.jobs.concolic.terms import Terms, input_of, model_of
from clew.native import traced_library
from clew.native.executor import End
from clew.native.trace import Trace, TracedExecutor, TracedProgram
from clew.native.trace_ops import NodeOp, RecordKind
from clew.program.module import Program

pytestmark = pytest.mark.native

PROGRAM = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
static const uint16_t squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
struct pair { short low; unsigned char high[2]; };
static struct pair swapped(struct pair p) {
  short t = p.low;
  memcpy(&p.low, p.high, 2);
  memcpy(p.high, &t, 2);
  return p;
}
int main(void) {
  unsigned char s[16];
  klee_make_symbolic(s, sizeof s, "s");
  int found = 0;
  if (squares[s[0] & 15] == 49) found |= 1;
  switch (s[1]) { case 'x': found |= 2; break; case 'y': found |= 4; break; default: break; }
  struct pair p;
  memcpy(&p, s + 2, sizeof p);
  p = swapped(p);
  if (p.low == 0x6463) found |= 8;
  if (strncmp((char *)s + 6, "key", 3) == 0) found |= 16;
  if (strtol((char *)s + 9, 0, 10) * 3 == 126) found |= 32;
  unsigned wide = s[12] << 24 | s[13] << 16 | s[14] << 8 | s[15];
  if (__builtin_bswap32(wide) / 7u == 245142578u) found |= 64;
  if ((double)s[12] / 2 == 50.0) found |= 128;
  return found;
}
"""
HIT = b"\x27xabcdkey42\0defg"
"""All conditions hold but those of floating-point numbers; the last input below is a string without an end."""


def traced(executor: TracedExecutor, data: bytes) -> Trace:
    """The trace of an input; all that it says is true."""
    trace = executor.trace(data)
    flips, model = Flips(trace, executor.program.functions), model_of(data)
    for position, record in enumerate(trace.records):
        assert int(model.eval(flips.terms.of(record.node))) == trace.node(record.node).value
        assert model.eval(flips.held(position))
    return trace


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TracedExecutor]:
    source = tmp_path_factory.mktemp("trace") / "p.c"
    source.write_text(PROGRAM)
    program = load([source], CompileOptions(), None)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as made:
        yield made


def test_what_a_trace_says_is_true(executor: TracedExecutor) -> None:
    for data in (bytes(16), HIT, bytes(range(200, 216)), b"\x07yabcdkez-6\0zzzz"):
        trace = traced(executor, data.ljust(16, b"\0")[:16])
        assert trace.run.end is (End.BUG if data[0] == 200 else End.EXIT) and not trace.is_cut


def test_kinds_of_records(executor: TracedExecutor) -> None:
    trace = traced(executor, b"\x07yabcdkey42\0defg")
    kinds = Counter(record.kind for record in trace.records)
    assert kinds[RecordKind.CASE] == 1 and kinds[RecordKind.BOUNDS] == 1 and not kinds[RecordKind.LOST]
    assert kinds[RecordKind.FIXED] == 1  # the operand of the floating-point division
    ops = {trace.node(number).op for number in range(1, trace.node_count)}
    assert {NodeOp.TABLE, NodeOp.BSWAP, NodeOp.UDIV, NodeOp.CONCAT} <= ops


def test_the_library_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache has it, unless what it has is damaged."""
    source, compiled = tmp_path / "p.c", []
    source.write_text("int main(void) { return 0; }")
    program, cache = load([source], CompileOptions(), None), Cache(tmp_path / "cache")
    made = traced_library._compiled
    monkeypatch.setattr(traced_library, "_compiled", lambda known: compiled.append(known) or made(known))

    def library() -> tuple[Program, frozenset[str]]:
        traced_library._library.cache_clear()
        return traced_library.with_library(program, cache)

    first, names = library()
    assert library() == (first, names) and len(compiled) == 1
    assert "clew:m_strlen" in names and not first.functions["clew:m_time"].blocks
    for entry in cache.folder.iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    assert library() == (first, names) and len(compiled) == 2


def test_an_input_without_symbols_leaves_no_trace(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { int n = 0; for (int i = 0; i < 9; i++) n += i & 1 ? i : 3; return n; }")
    program = load([source], CompileOptions(), None)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as made:
        trace = made.trace(b"abc")
    assert trace.records == () and trace.node_count == 1 and trace.run.exit_code == 31


def test_a_trace_that_has_no_room_is_cut(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        "unsigned __VERIFIER_nondet_uint(void);\n"
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); for (;;) { x = x * 5 + 1; if (x == 3) return 1; } }"
    )
    program = load([source], CompileOptions(), None)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as made:
        trace = made.trace(bytes(4))
        assert trace.is_cut and trace.run.end is End.MEMORY
        again = made.trace(bytes(4), fuel=5)
        assert not again.is_cut and again.run.end is End.FUEL and 5 < again.node_count < 30


def test_models_become_inputs() -> None:
    model = model_of(b"abc").updated({})
    assert input_of(model, b"abc", 8) == b"abc"
    assert input_of(model_of(b"a\0\0d"), b"x", 8) == b"a\0\0d"


def test_terms_of_a_trace_are_made_once(executor: TracedExecutor) -> None:
    trace = executor.trace(bytes(16))
    terms = Terms(trace)
    last = trace.records[-1].node
    assert terms.of(last) is terms.of(last) or not terms.work
    assert terms.work <= trace.node_count
