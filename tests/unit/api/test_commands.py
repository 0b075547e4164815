"""The calls of the Python API, on small programs."""

from __future__ import annotations

import doctest
import json
import signal
import threading
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import clew
from clew.api import commands
from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.records import Summary

pytestmark = pytest.mark.slow

HALF = "int half(int n) {\n  return 100 / n;\n}\n"
ENDLESS = """extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned sum = 0;
  while (sum != 7) sum += 2 * __VERIFIER_nondet_uint();
  return 0;
}
"""


@pytest.fixture
def half(tmp_path: Path) -> Path:
    file = tmp_path / "half.c"
    file.write_text(HALF)
    return file


def test_the_examples_of_docstrings() -> None:
    assert doctest.testmod(commands).failed == 0


def test_bugs_and_tests_are_objects(half: Path) -> None:
    result = clew.test(half, function="half", time=20)
    (bug,) = result.bugs
    assert (bug.kind, bug.location and bug.location.line, bug.inputs[0].value) == ("division-by-zero", 2, 0)
    assert bug.confirmed
    assert any(test.error == bug for test in result.tests)
    assert result.complete and result.possible_bugs == () and result.verdict is None
    assert result.coverage.lines_covered == len(result.coverage.lines) > 0


def test_nothing_is_printed_and_nothing_is_left(
    half: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(half.parent)
    result = clew.test("half.c", function="half", time=20)
    assert result.out is None
    assert capfd.readouterr() == ("", "")
    assert list(half.parent.iterdir()) == [half]


def test_the_report_and_a_bug_as_text(half: Path) -> None:
    result = clew.test(half, function="half", time=20)
    half.unlink()
    assert "found 1 bug, all paths explored" in str(result)
    assert repr(result) == f"<clew test {half}: 1 bug found; all paths explored>"
    assert "return 100 / n;" in result.describe(result.bugs[0])
    assert "int n = 0;" in result.describe(result.bugs[0])


def test_text_as_a_program_has_a_short_name() -> None:
    result = clew.test(source=HALF, function="half", time=20)
    assert str(result.bugs[0].location) == "source.c:2"
    assert "return 100 / n;" in str(result)


def test_an_output_folder_on_request(half: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = clew.test(half, function="half", time=20, out=out)
    summary = json.loads((out / "summary.json").read_text())
    assert result.out == out
    assert summary["bugs"][0]["test"] == result.bugs[0].test
    assert (out / result.bugs[0].test).exists()
    with pytest.raises(clew.Error, match="is not empty"):
        clew.test(half, function="half", out=out)


def test_a_run_that_was_stopped_is_gone_on_with(half: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = clew.test(half, function="half", max_instructions=1, out=out)
    assert first.stopped is clew.StopReason.INSTRUCTIONS
    result = clew.resume(out, max_instructions=10_000, time=20)
    assert result.complete and [bug.kind for bug in result.bugs] == ["division-by-zero"]
    assert len(result.tests) == len(list((out / "tests").glob("*.ktest"))) == result.summary.tests
    with pytest.raises(clew.Error, match="nothing left to do"):
        clew.resume(out)
    with pytest.raises(clew.Error, match="is not the output folder of a run"):
        clew.resume(tmp_path)
    with pytest.raises(clew.Error, match="no option 'goal'"):
        clew.resume(out, goal="path")


def test_a_run_of_several_processes_is_gone_on_with_by_one(half: Path, tmp_path: Path) -> None:
    """Unless more are asked for: the process that calls may have threads."""
    asked: list[int] = []

    def noted(request: TestRequest, *given: object, **more: object) -> Summary:
        asked.append(request.jobs)
        return run_test(request, *given, **more)  # type: ignore[arg-type]

    given: dict[str, Any]
    for given in ({}, {"jobs": 2}):
        out = tmp_path / f"out{len(asked)}"
        clew.test(half, function="half", max_instructions=1, jobs=2, out=out)
        with patch("clew.jobs.test.run_test", noted):
            clew.resume(out, max_instructions=10_000, **given)
    assert asked == [1, 2]


def test_a_run_is_gone_on_with_where_it_began(half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    clew.test(half, function="half", max_instructions=1, out=out)
    monkeypatch.chdir("/")
    with pytest.raises(clew.Error, match="go on with it from there"):
        clew.resume(out)
    with pytest.raises(clew.Error, match="go on with it from there"):
        clew.resume(out)  # nobody has it open


def test_text_as_a_program_is_kept_with_its_tests(tmp_path: Path) -> None:
    out = tmp_path / "out"
    clew.test(source=HALF, function="half", time=20, out=out)
    assert (out / "source.c").read_text() == HALF


def test_errors_are_one_line_and_what_the_compiler_says() -> None:
    with pytest.raises(clew.Error) as caught:
        clew.test(source="int f(")
    assert str(caught.value).startswith("source.c does not compile")
    assert "source.c:1:7: error" in caught.value.__notes__[0]
    with pytest.raises(clew.Error, match="no function 'haf'; did you mean 'half'"):
        clew.test(source=HALF, function="haf")
    with pytest.raises(clew.Error, match=r"missing.c: no such file"):
        clew.verify("missing.c")


def test_a_file_of_a_project(half: Path) -> None:
    build = half.parent / "build"
    build.mkdir()
    entry = {"directory": "..", "file": half.name, "arguments": ["cc", "-Dhalf=renamed", "-c", half.name]}
    (build / "compile_commands.json").write_text(json.dumps([entry]))
    assert clew.test(half, build=build, function="renamed", time=20).bugs
    with pytest.raises(clew.Error, match="has no compile_commands"):
        clew.test(half, build=str(half.parent), function="half")


def test_progress_is_told_and_may_end_the_run() -> None:
    seen: list[clew.Snapshot] = []
    stop = clew.Interrupt()

    def heard(snapshot: clew.Snapshot) -> None:
        seen.append(snapshot)
        stop.request()

    result = clew.test(source=ENDLESS, time=60, summarize=False, progress=heard, interrupt=stop)
    assert seen
    assert result.stopped is clew.StopReason.INTERRUPTED
    assert not result.complete


def test_what_a_callback_raises_comes_out() -> None:
    def heard(snapshot: clew.Snapshot) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        clew.test(source=ENDLESS, time=60, summarize=False, progress=heard)


def test_ctrl_c_is_what_it_always_is(tmp_path: Path) -> None:
    """It is not raised in the middle of native code, and what was found is on disk."""

    seen: list[clew.Snapshot] = []

    def heard(snapshot: clew.Snapshot) -> None:
        seen.append(snapshot)
        if len(seen) == 1:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            clew.test(source=ENDLESS, time=60, summarize=False, progress=heard, out=tmp_path / "out")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["interrupted"]


def test_handlers_of_signals_are_as_before(half: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)]
    clew.test(half, function="half", time=20)
    assert [signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)] == before


def test_threads_take_turns_and_keep_their_limits(half: Path) -> None:
    results: dict[str, clew.Result] = {}

    def run(name: str, *files: Path, **options: object) -> None:
        results[name] = clew.test(files, **options)  # type: ignore[arg-type]

    threads = [
        threading.Thread(target=run, args=("half", half), kwargs={"function": "half", "time": 20}),
        threading.Thread(target=run, args=("endless",), kwargs={"source": ENDLESS, "time": 2, "summarize": False}),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [bug.kind for bug in results["half"].bugs] == ["division-by-zero"]
    assert results["endless"].stopped is clew.StopReason.TIME


def test_verdicts_and_properties() -> None:
    text = "#include <assert.h>\nvoid f(int n) { assert(n != 7); }\n"
    result = clew.verify(source=text, function="f", time=20)
    assert result.verdict == "FALSE"
    assert [(item.kind, item.verdict) for item in result.properties] == [("assert", "FALSE")]
    assert result.bugs[0].inputs[0].value == 7


def test_a_line_to_reach() -> None:
    text = "int f(int n) {\n  if (n > 9)\n    return 1;\n  return 0;\n}\n"
    for line in (3, "source.c:3"):
        result = clew.reach(source=text, line=line, function="f", time=20)
        assert result.verdict == "REACHED"
        assert result.target is not None and result.target.arrival is not None
    with pytest.raises(clew.Error, match="line must be N or FILE:N"):
        clew.reach(source=text, line="three", function="f")
    with pytest.raises(clew.Error, match="name one target"):
        clew.reach(source=text, function="f")


def test_loops_are_described() -> None:
    report = clew.loops(source="int main(void) { int i = 0; while (i < 10) i += 2; return i; }", run=False)
    assert report.functions[0].loops[0].counting == ("i",)
