"""``clew test`` with a stand-in for the engine: requests, exit codes, output, ends of all kinds."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.errors import InternalError, Unsupported, UserError
from clew.base.location import Location
from clew.base.options import StartValue, TestRequest
from clew.report.listener import Listener
from clew.report.recorder import Recorder
from clew.report.records import Bug, InputValue, Summary, Test
from support.command_line import Clew

from .conftest import Engine

INPUTS = (InputValue("x", "int", 32, -5),)
BUG = Bug("assert", "x > 0", Location("p.c", 3), "main", inputs=INPUTS, confirmed=True)


def _finds_a_bug(request: TestRequest, listener: Listener) -> Summary:
    listener.test_found(Test(INPUTS, error=BUG, reason="bug"))
    listener.bug_found(BUG)
    return Summary("test", ("p.c",), bugs=(BUG,), tests=1)


def test_files_of_a_build(clew: Clew, engine: Engine) -> None:
    Path("x.c").write_text("int main(void) { return 0; }")
    Path("compile_commands.json").write_text('[{"directory": ".", "file": "x.c", "command": "cc -DN=1 -O2 x.c"}]')
    assert clew("test", "-p", ".", "x.c", "-O3", "-pthread", "-c", "-o", "x.o", "-DM", "--time", "5").code == 0
    (recipe,) = engine.request.recipes
    assert recipe is not None
    assert (recipe.flags, engine.request.compiler_flags) == (("-DN=1",), ("-pthread", "-DM"))
    outcome = clew("test", "-p", "nowhere", "x.c")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "-p nowhere does not exist" in outcome.err


def test_options_arrive(clew: Clew, engine: Engine) -> None:
    outcome = clew(
        "test", "p.c", "q.c", "--function", "f", "--search", "dfs", "--goal", "path", "--start", "x=5,y=6",
        "--time", "1.5", "--memory", "100", "--max-instructions", "1000", "--loop-bound", "3", "--array-length", "4",
        "--check", "assert,memory", "--seed", "7", "-DN=1", "--target", "aarch64-linux-gnu", "--clang", "/bin/clang",
        "--validate", "--out", "o", "--", "-O0", "-w",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    request = engine.request
    assert request.files == (Path("p.c"), Path("q.c"))
    assert (request.function, request.search, request.goal) == ("f", "dfs", "path")
    assert request.start == (StartValue("x", 5), StartValue("y", 6))
    assert (request.seconds, request.memory_mb, request.max_instructions) == (1.5, 100.0, 1000)
    assert (request.loop_bound, request.array_length, request.seed) == (3, 4, 7)
    assert request.checks == ("assert", "memory")
    assert request.compiler_flags == ("-DN=1", "-w")
    assert (request.target, request.data_model, request.clang) == ("aarch64-linux-gnu", None, "/bin/clang")
    assert request.validate
    assert Path("o/summary.json").exists()


def test_summaries_are_on_unless_told_otherwise(clew: Clew, engine: Engine) -> None:
    assert clew("test", "p.c").code == 0
    assert (engine.request.summarize, engine.request.loops) == (True, "ir")
    assert clew("test", "p.c", "--no-summarize", "--loops", "dynamic").code == 0
    assert (engine.request.summarize, engine.request.loops) == (False, "dynamic")
    outcome = clew("test", "p.c", "--loops", "static")
    assert outcome.code == 2
    assert "static" in outcome.err


def test_invariants_are_on_unless_told_otherwise(clew: Clew, engine: Engine) -> None:
    assert clew("test", "p.c").code == 0
    assert engine.request.invariants
    assert clew("test", "p.c", "--no-invariants").code == 0
    assert not engine.request.invariants


def test_data_model(clew: Clew, engine: Engine) -> None:
    assert clew("test", "p.c", "--data-model", "ILP32").code == 0
    assert engine.request.data_model == "ILP32"


def test_nothing_found(clew: Clew) -> None:
    outcome = clew("test", "p.c")
    assert outcome.code == 0
    assert "no bug found" in outcome.out
    assert outcome.err == ""
    assert json.loads(Path("clew-out/last/summary.json").read_text())["command"] == "test"


def test_bug_found(clew: Clew, engine: Engine) -> None:
    engine.job = _finds_a_bug
    outcome = clew("test", "p.c")
    assert outcome.code == 1
    assert "p.c:3: assert: x > 0" in outcome.out
    assert "tests/000001.json" in outcome.out


@pytest.mark.parametrize("reason", [StopReason.TIME, StopReason.MEMORY, StopReason.INTERRUPTED])
def test_stopped(clew: Clew, engine: Engine, reason: StopReason) -> None:
    engine.job = lambda request, listener: Summary("test", ("p.c",), stopped=reason)
    assert clew("test", "p.c").code == 3
    engine.job = lambda request, listener: Summary("test", ("p.c",), stopped=reason, bugs=(BUG,))
    assert clew("test", "p.c").code == 1


def test_json_is_all_there_is_on_stdout(clew: Clew, engine: Engine) -> None:
    engine.job = _finds_a_bug
    outcome = clew("test", "p.c", "--json")
    data = json.loads(outcome.out)
    assert outcome.code == 1
    assert data["bugs"][0]["test"] == "tests/000001.json"
    assert data == json.loads(Path(data["out"], "summary.json").read_text())


def test_quiet_and_verbose(clew: Clew, engine: Engine) -> None:
    engine.job = _finds_a_bug
    quiet = clew("test", "p.c", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (1, "", "")
    verbose = clew("test", "p.c", "--verbose")
    assert "clew: bug: p.c:3" in verbose.err
    assert clew("test", "p.c", "--verbose", "--quiet").code == 2


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ([], "Missing argument 'FILE...'"),
        (["p.c", "--time", "0"], "--time must be a number above 0, not 0"),
        (["p.c", "--memory", "-5"], "--memory must be"),
        (["p.c", "--time", "soon"], "'soon' is not a valid float"),
        (["p.c", "--goal", "lines"], "'lines' is not one of 'branch', 'error', 'context', 'path'"),
        (["p.c", "--frobnicate"], "No such option"),
        (["p.c", "--start", "x="], "cannot read"),
        (["p.c", "--data-model", "LP64", "--target", "x"], "give one of them"),
        (["p.c", "-I"], "'-I' requires an argument"),
    ],
)
def test_wrong_usage_is_one_line(clew: Clew, args: list[str], text: str) -> None:
    outcome = clew("test", *args)
    assert outcome.code == 2
    assert outcome.out == ""
    assert text in outcome.err
    assert outcome.err.startswith("clew: error: ")
    assert outcome.err.count("\n") == 1
    assert not Path("clew-out").exists()


def _raises(error: BaseException) -> Callable[[TestRequest, Listener], Summary]:
    def job(request: TestRequest, listener: Listener) -> Summary:
        raise error

    return job


def test_compile_error_leaves_nothing(clew: Clew, engine: Engine) -> None:
    engine.job = _raises(UserError("p.c does not compile", "p.c:1:1: error: unknown type name\n  fo\n  ^\n"))
    outcome = clew("test", "p.c")
    assert outcome.code == 2
    assert outcome.err == "clew: error: p.c does not compile\np.c:1:1: error: unknown type name\n  fo\n  ^\n"
    assert not Path("clew-out").exists()


def test_unsupported(clew: Clew, engine: Engine) -> None:
    engine.job = _raises(Unsupported("threads", Location("p.c", 3)))
    assert "does not support: threads (p.c:3)" in clew("test", "p.c").err


@pytest.mark.parametrize("error", [InternalError("a\nb"), ZeroDivisionError(), RecursionError("deep"), MemoryError()])
def test_internal_error(clew: Clew, engine: Engine, error: Exception) -> None:
    engine.job = _raises(error)
    outcome = clew("test", "p.c")
    assert outcome.code == 2
    assert outcome.err.startswith(f"clew: error: internal error: {type(error).__name__}: ")
    assert outcome.err.endswith("(--verbose for the traceback)\n")
    assert outcome.err.count("\n") == 1
    assert "Traceback" in clew("test", "p.c", "--verbose").err
    assert "Traceback" not in clew("test", "p.c", "--", "--verbose").err


def test_internal_error_keeps_results(clew: Clew, engine: Engine) -> None:
    def job(request: TestRequest, listener: Listener) -> Summary:
        _finds_a_bug(request, listener)
        raise InternalError("oops")

    engine.job = job
    assert clew("test", "p.c", "--out", "o").code == 2
    data = json.loads(Path("o/summary.json").read_text())
    assert (data["stopped"], data["tests"], len(data["bugs"])) == ("internal error", 1, 1)


def test_same_out_twice(clew: Clew) -> None:
    assert clew("test", "p.c", "--out", "o").code == 0
    before = Path("o/summary.json").read_bytes()
    second = clew("test", "p.c", "--out", "o")
    assert second.code == 2
    assert "o is not empty" in second.err
    assert Path("o/summary.json").read_bytes() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_first_signal_asks(clew: Clew, engine: Engine, number: signal.Signals) -> None:
    def job(request: TestRequest, listener: Listener) -> Summary:
        budget = request.budget()
        os.kill(os.getpid(), number)
        return Summary("test", ("p.c",), stopped=budget.exhausted())

    engine.job = job
    before = signal.getsignal(number)
    outcome = clew("test", "p.c", "--json")
    assert signal.getsignal(number) is before
    assert outcome.code == 3
    assert json.loads(outcome.out)["interrupted"] is True


def test_second_signal_aborts(clew: Clew, engine: Engine) -> None:
    def job(request: TestRequest, listener: Listener) -> Summary:
        _finds_a_bug(request, listener)
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("not reached")

    engine.job = job
    outcome = clew("test", "p.c", "--out", "o")
    assert outcome.code == 1
    data = json.loads(Path("o/summary.json").read_text())
    assert (data["interrupted"], data["tests"], data["bugs"][0]["test"]) == (True, 1, "tests/000001.json")


def test_signals_while_the_summary_is_written(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    finish = Recorder.finish

    def disturbed(recorder: Recorder, summary: Summary) -> Summary:
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGTERM)
        return finish(recorder, summary)

    monkeypatch.setattr(Recorder, "finish", disturbed)
    assert clew("test", "p.c", "--out", "o").code == 0
    assert Path("o/summary.json").exists()


def test_compiler_killed_by_the_same_signal(clew: Clew, engine: Engine) -> None:
    def job(request: TestRequest, listener: Listener) -> Summary:
        os.kill(os.getpid(), signal.SIGINT)
        raise UserError("the compiler died")

    engine.job = job
    outcome = clew("test", "p.c")
    assert (outcome.code, outcome.err) == (3, "")


def test_ignored_signals_stay_ignored(clew: Clew, engine: Engine) -> None:
    def job(request: TestRequest, listener: Listener) -> Summary:
        os.kill(os.getpid(), signal.SIGHUP)
        return Summary("test", ("p.c",), stopped=request.budget().exhausted())

    engine.job = job
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert clew("test", "p.c").code == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_options_in_files_arrive(clew: Clew, engine: Engine) -> None:
    Path("flags").write_text("-DN=1 @more")
    Path("more").write_text("-fwrapv")
    assert clew("test", "p.c", "--", "@flags").code == 0
    assert engine.request.compiler_flags == ("-DN=1", "-fwrapv")
