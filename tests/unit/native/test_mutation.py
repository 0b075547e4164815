"""Mutation of a compiled program: what it finds, and that it finds the same each time."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from clew.base.cache import Cache
from clew.base.options import TestRequest
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs import mutation, mutation_session
from clew.jobs.mutation import plain_bytes
from clew.jobs.test import run_test
from clew.native import program as native_program
from clew.native.emit.words import words_of
from clew.native.executor import Mutation
from clew.native.program import NativeProgram
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.report.values import InputValue

pytestmark = pytest.mark.native

MAGIC = """
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[16];
  klee_make_symbolic(s, sizeof s, "s");
  if (s[15]) return 1;
  if (strncmp(s, "magic", 5) != 0) return 2;
  unsigned number;
  memcpy(&number, s + 5, 4);
  if (number != 0xfeedbeef) return 3;
  char small[4];
  for (int i = 0; i < 7 && s[9 + i]; i++) small[i] = s[9 + i];
  return 0;
}
"""


def mutated(source: Path, seed: int) -> Mutation:
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        return executor.mutate(seed, 16, 1000, 30_000, 1 << 40, 60.0)


def test_values_that_the_program_compares_with_are_tried(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(MAGIC)
    shown = mutated(source, 1)
    assert any(data.startswith(b"magic\xef\xbe\xed\xfe") for data in shown.found)
    assert mutated(source, 1) == shown
    assert mutated(source, 2) != shown


CHECKSUM = """
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  unsigned char s[12];
  unsigned hash = 2166136261u, given;
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 8; i++) hash = (hash ^ s[i]) * 16777619u;
  memcpy(&given, s + 8, 4);
  if (s[0] != 'Z') return 1;
  if (given != hash) return 2;
  return 3;
}
"""


def test_what_is_compared_with_the_input_takes_its_place(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(CHECKSUM)
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        found = executor.mutate(1, 12, 1000, 3000, 1 << 40, 60.0).found
        assert 3 in {executor.run(data).exit_code for data in found}


SECTION = """
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[24], name[24] = "";
  klee_make_symbolic(s, sizeof s, "s");
  if (s[23]) return 1;
  char *end = strchr(s, ']');
  if (s[0] != '[' || !end) return 2;
  memcpy(name, s + 1, end - s - 1);
  if (end[1] != '=') return 3;
  if (strcmp(name, "network") == 0) return 4;
  return 5;
}
"""


def test_a_text_within_the_input_becomes_the_longer_one_that_it_is_compared_with(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(SECTION)
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        assert executor.add(b"[x]=" + bytes(20), 1000)
        found = executor.mutate(1, 24, 1000, 30, 1 << 40, 60.0).found
        assert b"[network]=" in {data.rstrip(b"\0") for data in found}


FOUR = r"""
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 4; i++) s[i] = s[i] * 5 + 3;
  if (memcmp(s, "\x11\x47\x9c\xe5", 4)) return 1;
  return 2;
}
"""


def test_more_of_a_text_that_is_matched_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(FOUR)
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        found = executor.mutate(1, 4, 1000, 1 << 40, 10_000_000, 60.0).found
        assert 2 in {executor.run(data).exit_code for data in found}


def summary_of(source: Path, engine: str) -> Summary:
    return run_test(TestRequest((source,), engine=engine, seconds=60.0, max_instructions=20_000), Listener())


def test_what_mutation_finds_is_confirmed_by_the_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutation_session, "STALE_RUNS", 20_000)
    source = tmp_path / "p.c"
    source.write_text(MAGIC)
    summary = summary_of(source, "native")
    assert summary.stats.native_runs > 1000
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("out-of-bounds", True)]
    assert summary_of(source, "interpreter").stats.native_runs == 0


def test_what_cannot_run_natively_is_run_by_the_interpreter(tmp_path: Path) -> None:
    warnings: list[str] = []

    class Heard(Listener):
        def warning(self, text: str) -> None:
            warnings.append(text)

    source, heard = tmp_path / "p.c", Heard()
    source.write_text("int f(int a) { if (a > 3) return 1; return 2; }\nint main(void) { return f(1); }\n")
    summary = run_test(TestRequest((source,), engine="native", function="f"), heard)
    assert summary.stats.native_runs == 0 and summary.tests == 2
    assert warnings == ["--engine native: functions are run by the interpreter alone"]


def request_for(source: Path) -> TestRequest:
    limits = TestRequest((source,), seconds=60.0, max_instructions=20_000, search="dfs", merge=False, summarize=False)
    return replace(limits, engine="auto", invariants=False, navigate=False)


def auto(source: Path) -> Summary:
    return run_test(request_for(source), Listener())


def test_auto_leaves_a_run_alone_that_is_over_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_program, "NativeProgram", pytest.fail)
    source = tmp_path / "p.c"
    source.write_text(MAGIC)
    assert auto(source).stats.native_runs == 0


LATE = """
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[18];
  int count = 0;
  klee_make_symbolic(s, sizeof s, "s");
  int special = memcmp(s, "magic", 5) == 0;
  if (special) count = -3;
  for (int i = 6; i < 18; i++) if (s[i] > 100) count++;
  return special ? 10 / count : 3;
}
"""


def test_auto_finds_what_exploration_does_not_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "p.c"
    source.write_text(LATE)
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(2_000, 1, 500, 1, 8_000_000, 1 << 40, 0.5))
    monkeypatch.setattr(mutation, "LINKING", 0)
    summary, again = auto(source), auto(source)
    assert summary.stats.native_runs == again.stats.native_runs > 1000
    assert summary.coverage == again.coverage and summary.tests == again.tests
    assert all(branch.covered for branch in summary.coverage.branches)
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(1 << 40, 0, 0, 1, 0, 0, 0.0))
    assert not all(branch.covered for branch in auto(source).coverage.branches)


COVERED = """
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[10];
  int mask = 0;
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 10; i++) if (s[i] > 100) mask |= 1 << i;
  return 10 / (mask - 0x1a5);
}
"""


def test_auto_looks_for_failures_where_all_is_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "p.c"
    source.write_text(COVERED)
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(2_000, 1, 500, 1, 8_000_000, 1 << 40, 0.5))
    monkeypatch.setattr(mutation, "LINKING", 0)
    found = auto(source)
    (account,) = [account for account in found.accounts if account.name == "mutation"]
    assert [bug.kind for bug in found.bugs] == ["division-by-zero"]
    assert account.branches == 0 and account.earned > 0
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(1 << 40, 0, 0, 1, 0, 0, 0.0))
    alone = auto(source)
    assert not alone.bugs and all(branch.covered for branch in alone.coverage.branches)


def test_words_are_the_programs_own(tmp_path: Path) -> None:
    """Not the file's name, nor what the compiler says of the array's type for its checks."""
    source = tmp_path / "p.c"
    source.write_text('char a[9]; int main(int c, char **v) { return c == 77 || *v == "word" ? a[c] : 0; }\n')
    program = load([source], CompileOptions(("-w",), sanitize=("array-bounds",)), None)
    words = words_of(program)
    assert any(variable.initializer is not None and name == ".src" for name, variable in program.globals.items())
    assert words[:2] == [b"word", b"M"] and not any(b"'char" in word or b"p.c" in word for word in words)


def test_standard_input_of_paths_and_of_seeds_is_mutated() -> None:
    length, content = InputValue("stdin length", "unsigned int", 32, 3), InputValue("stdin", "char[4]", 32, b"abcd")
    assert plain_bytes((length, content), 4) == b"abc"
    assert plain_bytes((length,), 4) is None
    assert plain_bytes((length, content), None) == b"\3\0\0\0abcd"


def test_a_process_that_is_lost_is_replaced_a_few_times(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(CHECKSUM)
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        session = mutation_session.MutationSession(executor, TestRequest((source,)))
        assert session.slice([], 100_000, None).found
        for lost in range(1, mutation_session.MOST_LOST + 1):
            assert executor.process_id is not None and not session.is_useless
            os.kill(executor.process_id, signal.SIGKILL)
            assert session.slice([b"Z%d" % lost], 100_000, None).runs > 1000
            assert session.is_useless == (lost == mutation_session.MOST_LOST)


def test_a_fork_has_a_process_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(CHECKSUM)
    program = load([source], CompileOptions(), None)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        before, original = executor.run(b"abcd"), executor.process_id
        child = os.fork()
        if not child:
            is_same = executor.run(b"abcd") == before
            is_own = executor.process_id not in (None, original)
            executor.close()
            os._exit(0 if is_same and is_own else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert executor.run(b"abcd") == before and executor.process_id == original


@pytest.mark.parametrize("module", ["clew.frontend.process.subprocess", "clew.native.executor.subprocess"])
def test_auto_does_without_where_no_process_can_be_started(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    source = tmp_path / "p.c"
    source.write_text(LATE)
    program = load([source], CompileOptions(), None)
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(2_000, 0, 500, 1, 8_000_000, 1 << 40, 0.5))
    monkeypatch.setattr(module, SimpleNamespace(Popen=refuse, PIPE=0, DEVNULL=0))
    if "frontend" in module:
        monkeypatch.setattr(Cache, "default", lambda: None)
    summary = run_test(request_for(source), Listener(), program)
    assert summary.stats.native_runs == 0 and summary.stats.paths_completed > 10 and not summary.warnings


ASSEMBLY = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 2;
  if (__VERIFIER_nondet_int() == 77) x = 1;
  __asm__("nop" : "+r"(x));
  return x;
}
"""


def test_a_program_whose_native_runs_all_end_too_soon_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(ASSEMBLY)
    summary = summary_of(source, "native")
    assert summary.stats.native_runs > 0 and summary.tests > 0 and not summary.warnings
