"""``clew reach`` as a job: verdicts and reasons of plain search, tests, what stops it; how ``auto`` goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import StopReason
from clew.base.errors import Unsupported, UserError
from clew.base.options import ReachRequest
from clew.jobs.reach import run_reach
from clew.report.listener import Listener
from clew.report.records import Bug, Summary, Test
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.tasks import Open, OpenReason, Proved, ReachTask
from unit.execute.support import PRELUDE


class Heard(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []
        self.bugs: list[Bug] = []
        self.warnings: list[str] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)

    def bug_found(self, bug: Bug) -> None:
        self.bugs.append(bug)

    def warning(self, text: str) -> None:
        self.warnings.append(text)


def reach(folder: Path, code: str, **options: Any) -> Summary:
    return heard(folder, code, **options)[0]


def heard(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    file = folder / "p.c"
    file.write_text(PRELUDE + '\n#line 1 "p.c"\n' + code, encoding="utf-8")
    options = {"seconds": 600.0, "compiler_flags": ("-w",), "strategy": "plain", **options}
    listener = Heard()
    return run_reach(ReachRequest((file,), **options), listener), listener


MAIN = """int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x == 3 && y < 0)
    return 1;
  if (x > 5 && x < 5)
    return 2;
  return 0;
}
"""


def test_a_long_input_has_no_place_in_one_line(tmp_path: Path) -> None:
    code = """void klee_make_symbolic(void *, unsigned long, const char *);
    int main(void) {
      int s[500];
      klee_make_symbolic(s, sizeof s, "s");
      if (s[499] == 7)
        return 1;
      return 0;
    }"""
    summary = reach(tmp_path, code, line=6)
    assert summary.reason.startswith("p.c:6 is reached with s={0, 0, ") and summary.reason.endswith("...")
    assert len(summary.reason) < 100
    assert summary.target is not None and summary.target.arrival is not None
    assert len(summary.target.arrival.inputs[0].to_bytes()) == 2000


def test_reached(tmp_path: Path) -> None:
    summary, listener = heard(tmp_path, MAIN, line=4)
    assert (summary.command, summary.verdict, summary.technique) == ("reach", "REACHED", "plain")
    assert summary.target is not None and summary.target.arrival is not None
    arrival = summary.target.arrival
    values = [value.value for value in arrival.inputs]
    assert values[0] == 3 and isinstance(values[1], int) and values[1] < 0
    assert summary.reason == f"p.c:4 is reached with x=3, y={values[1]}"
    assert (arrival.confirmed, arrival.function) == (True, "main")
    assert [str(frame) for frame in arrival.stack] == ["main p.c:4"]
    assert (summary.bugs, listener.bugs, summary.tests) == ((), [], 1)
    (test,) = listener.tests
    assert (test.reason, test.ends, test.error, test.inputs) == ("target", "reached", None, arrival.inputs)


def test_unreachable(tmp_path: Path) -> None:
    summary = reach(tmp_path, MAIN, line=6)
    assert (summary.verdict, summary.tests) == ("UNREACHABLE", 0)
    assert summary.reason.startswith("no path leads to p.c:6: ")
    assert summary.target is not None and summary.target.arrival is None
    assert [place.line for place in summary.target.locations] == [6]


def test_one_path(tmp_path: Path) -> None:
    code = "int main(void) {\n  volatile int x = 1;\n  if (x == 2)\n    x = 3;\n  return x; }\n"
    assert reach(tmp_path, code, line=4).reason == "no path leads to p.c:4: 1 path, run to its end"


def test_many_inputs_are_not_all_in_the_reason(tmp_path: Path) -> None:
    code = """int main(void) {
      int s = 0;
      for (int i = 0; i < 9; i++) s += __VERIFIER_nondet_int();
      return s;
    }"""
    assert reach(tmp_path, code, line=4).reason.endswith(" and 3 more")


def test_no_inputs(tmp_path: Path) -> None:
    assert reach(tmp_path, "int main(void) { return 0; }", call="main").reason == "main() is reached"


def test_a_function_instead_of_main(tmp_path: Path) -> None:
    code = "int f(int n, int *p) {\n  if (n == 4 && p && *p == 9)\n    return 1;\n  return 0;\n}\n"
    summary = reach(tmp_path, code, function="f", line=3)
    assert summary.verdict == "REACHED"
    assert summary.reason.startswith("p.c:3 is reached with n=4")


def test_static_functions_that_nothing_calls(tmp_path: Path) -> None:
    code = "static int f(int n) {\n  return n == 3;\n}\nint main(void) { return 0; }\n"
    summary = reach(tmp_path, code, line=2)
    assert (summary.verdict, summary.reason) == ("UNREACHABLE", "function f is never called from main")
    assert reach(tmp_path, code, line=2, function="f").verdict == "REACHED"


def test_what_paths_lose_is_in_doubt(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x == 1) __asm__(".word 7" : "+r"(x));
      if (x == 3 && x == 1)
        return 4;
    }"""
    summary = reach(tmp_path, code, line=5)
    assert summary.verdict == "UNKNOWN"
    assert "assembly" in summary.reason


def test_undefined_behaviour_on_the_way(tmp_path: Path) -> None:
    code = """int z;
    int main(void) {
      int x = __VERIFIER_nondet_int();
      x = 7 / x;
      if (z == 3)
        return 4;
    }"""
    summary = reach(tmp_path, code, line=6)
    assert summary.verdict == "UNKNOWN"
    assert summary.reason == "undefined behaviour on the way (division-by-zero at p.c:4)"


ENDLESS = """int main(void) {
  unsigned i = 0;
  while (__VERIFIER_nondet_int()) i += 2;
  if (i == 3)
    return 1;
}
"""


@pytest.mark.slow
def test_time_limit(tmp_path: Path) -> None:
    summary = reach(tmp_path, ENDLESS, line=5, seconds=1.0)
    assert (summary.verdict, summary.reason, summary.stopped) == ("UNKNOWN", "time limit", StopReason.TIME)


def test_instruction_limit(tmp_path: Path) -> None:
    summary = reach(tmp_path, ENDLESS, line=5, max_instructions=1000)
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "instruction limit")


def test_before_the_first_path(tmp_path: Path) -> None:
    summary = reach(tmp_path, ENDLESS, line=5, seconds=0.0001)
    assert (summary.verdict, summary.stopped) == ("UNKNOWN", StopReason.TIME)
    assert summary.reason.startswith("time limit")


@pytest.mark.slow
@pytest.mark.parametrize("kept", [False, True])
def test_paths_from_where_nothing_leads_to_the_target_are_given_up(tmp_path: Path, kept: bool) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x > 4 && x < 4)
        return 1;
      for (unsigned i = 0;; i++)
        if (__VERIFIER_nondet_int() == 7) x++;
    }"""
    summary = reach(tmp_path, code, line=4, keep_branches=kept)
    assert (summary.verdict, summary.stopped) == ("UNREACHABLE", None)
    assert summary.stats.instructions < 200_000
    assert summary.stats.states_pruned > 0
    assert summary.reason.endswith("none left from where it might be reached")


@pytest.mark.slow
def test_builtins_are_found_by_their_names(tmp_path: Path) -> None:
    code = """#include <string.h>
    #include <stdlib.h>
    int main(void) {
      char t[4] = "abc", u[4];
      int x = __VERIFIER_nondet_int();
      if (x == 3) memcpy(u, t, 4);
      return abs(x);
    }"""
    assert reach(tmp_path, code, call="memcpy").reason == "memcpy() is reached with x=3"
    assert reach(tmp_path, code, call="abs").verdict == "REACHED"
    with pytest.raises(UserError, match="no function 'memmove'"):
        reach(tmp_path, code, call="memmove")


def test_a_function_that_only_pointers_lead_to(tmp_path: Path) -> None:
    code = "extern void f(void);\nvoid (*volatile p)(void) = f;\nint main(void) { p(); }\n"
    summary = reach(tmp_path, code, call="f")
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "f() may be called through a pointer")


def test_no_main(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no main"):
        reach(tmp_path, "int f(void) { return 0; }", call="f")


# What becomes of a technique's answers

Chains = Callable[[Callable[[ReachTask], None]], None]


@pytest.fixture
def chains(monkeypatch: pytest.MonkeyPatch) -> Chains:
    """Puts a function in the place of the technique, which ``auto`` then asks at once."""
    monkeypatch.setattr("clew.jobs.ladders.QUICK_SEARCH", 0)
    monkeypatch.setattr("clew.jobs.phases.turns.FIRST_TURN", 0.0)

    def install(navigate: Callable[[ReachTask], None]) -> None:
        monkeypatch.setattr("clew.techniques.chains.inputs.navigate", navigate)

    return install


def test_a_refutation_counts(tmp_path: Path, chains: Chains) -> None:
    def navigate(quest: ReachTask) -> None:
        quest.answer = Proved("no solution")
        quest.run.statistics.of(ChainStatistics).add(ChainStatistics(1, 2, 3))

    chains(navigate)
    for strategy in ("chains", "auto"):
        summary = reach(tmp_path, MAIN, line=4, strategy=strategy)
        assert (summary.verdict, summary.reason, summary.technique) == ("UNREACHABLE", "no solution", "chains")
        assert summary.stats.of(ChainStatistics) == ChainStatistics(1, 2, 3)
        assert summary.warnings == ()


def test_easy_questions_need_no_technique(tmp_path: Path, chains: Chains, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ReachTask] = []
    chains(asked.append)
    monkeypatch.setattr("clew.jobs.ladders.QUICK_SEARCH", 500)
    summary = reach(tmp_path, MAIN, line=4, strategy="auto")
    assert (summary.verdict, summary.technique, asked) == ("REACHED", "plain", [])


SPINNING = """extern int __VERIFIER_nondet_int(void);
volatile int never;
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  for (;;) {
    y++;
    if (never && x == 3) break;
  }
  return 1;
}
"""


def test_plain_search_is_left_in_the_middle_of_a_path(
    tmp_path: Path, chains: Chains, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[ReachTask] = []

    def navigate(quest: ReachTask) -> None:
        asked.append(quest)
        quest.answer = Proved("no solution")

    chains(navigate)
    monkeypatch.setattr("clew.jobs.ladders.QUICK_SEARCH", 20)
    summary = reach(tmp_path, SPINNING, line=9, strategy="auto")
    assert (summary.verdict, len(asked)) == ("UNREACHABLE", 1)


def unsupported(quest: ReachTask) -> None:
    raise Unsupported("a loop without a counter")


def doubtful(quest: ReachTask) -> None:
    quest.answer = Open(OpenReason.NOT_FOLLOWED, "too many chains")


def late(quest: ReachTask) -> None:
    quest.stopped = StopReason.TIME


@pytest.mark.parametrize(
    ("navigate", "reason"),
    [
        (unsupported, "chains does not support a loop without a counter"),
        (doubtful, "too many chains"),
        (late, "time limit"),
    ],
)
def test_no_answer(tmp_path: Path, chains: Chains, navigate: Callable[[ReachTask], None], reason: str) -> None:
    chains(navigate)
    summary = reach(tmp_path, MAIN, line=4, strategy="chains")
    assert (summary.verdict, summary.reason, summary.technique) == ("UNKNOWN", reason, "chains")
    summary, listener = heard(tmp_path, MAIN, line=4, strategy="auto")
    assert (summary.verdict, summary.stopped) == ("REACHED", None)
    assert summary.technique in ("plain", "merging")
    assert (summary.warnings, listener.warnings) == ((), [])


def test_an_interrupted_technique_is_not_followed_by_another(tmp_path: Path, chains: Chains) -> None:
    def navigate(quest: ReachTask) -> None:
        quest.budget.interrupt.request()
        quest.stopped = StopReason.INTERRUPTED

    chains(navigate)
    summary = reach(tmp_path, MAIN, line=4, strategy="auto")
    assert (summary.verdict, summary.reason, summary.technique) == ("UNKNOWN", "interrupted", "plain")
    assert summary.stopped is StopReason.INTERRUPTED


def test_what_a_technique_is_given(tmp_path: Path, chains: Chains) -> None:
    asked: list[ReachTask] = []
    chains(asked.append)
    reach(tmp_path, MAIN, line=4, strategy="chains", seconds=20.0)
    reach(tmp_path, MAIN, line=4, strategy="auto", seconds=20.0)
    alone, shared = asked
    assert [spot.function for spot in alone.spots] == ["main"]
    assert alone.entry is alone.run.program.functions["main"]
    assert alone.budget.seconds == shared.budget.seconds == 20.0


HIDDEN = "int seen;\nvoid hidden(int x) {\n  if (x == 5)\n    seen = 1;\n}\n"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("extern void put(void (*)(void));\nint main(void) { put(0); }\n", "put() is not defined anywhere"),
        ("extern void (*hook)(void);\nint main(void) { if (hook) hook(); }\n", "hook is not defined anywhere"),
        ("extern struct { void (*run)(void); } *ops;\nint main(void) { ops->run(); }\n", "ops is not defined anywhere"),
    ],
)
def test_unknown_code_may_call_what_other_files_can_name(tmp_path: Path, code: str, why: str) -> None:
    """No path of the program leads there, and that is not all there is: it is a loss, as well."""
    summary = reach(tmp_path, HIDDEN + code, line=4)
    assert summary.verdict == "UNKNOWN"
    assert summary.reason.startswith(why) and summary.reason.endswith("it may call hidden()")
    assert summary.reason in [loss.what for loss in summary.losses]


def test_a_callback_may_call_what_other_files_can_name(tmp_path: Path) -> None:
    code = HIDDEN + "int use(int (*f)(int)) { return f ? f(3) : 0; }\nint plain(int *p) { return p ? *p : 0; }\n"
    summary = reach(tmp_path, code, line=4, function="use")
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "a callback is any function: it may call hidden()")
    assert summary.reason in [loss.what for loss in summary.losses]
    assert reach(tmp_path, code, line=4, function="plain").verdict == "UNREACHABLE"


def test_nobody_calls_what_no_other_file_can_name(tmp_path: Path) -> None:
    code = "static " + HIDDEN.replace("void", "static void") + "extern void (*hook)(void);\n"
    assert reach(tmp_path, code + "int main(void) { hook(); }\n", line=4).verdict == "UNREACHABLE"
    assert reach(tmp_path, HIDDEN + "extern int x;\nint main(void) { return x; }\n", line=4).verdict == "UNREACHABLE"
