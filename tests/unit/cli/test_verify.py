"""``clew verify`` on the command line: requests, exit codes, output, bad input."""

from __future__ import annotations

import json
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.report.advice import OTHER_ERRORS
from clew.report.listener import Listener
from clew.report.records import Bug, InputValue, Property, Summary, Test
from support.command_line import Clew, caller

PLACE = Location("p.c", 3)
INPUTS = (InputValue("x", "int", 32, -5),)
BUG = Bug("assert", "x > 0", PLACE, "main", inputs=INPUTS, confirmed=True)


@dataclass
class Job:
    """Stands in for the job."""

    summary: Summary
    finds: tuple[Bug, ...] = ()
    raises: BaseException | None = None
    requests: list[VerifyRequest] = field(default_factory=list)

    def run_verify(self, request: VerifyRequest, listener: Listener) -> Summary:
        self.requests.append(request)
        for bug in self.finds:
            listener.test_found(Test(bug.inputs, error=bug, reason="bug"))
            listener.bug_found(bug)
        if self.raises is not None:
            raise self.raises
        return self.summary


@pytest.fixture
def clew(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clew:
    monkeypatch.chdir(tmp_path)
    return caller(capfd)


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    made = Job(Summary("verify", ("p.c",), "TRUE", "no property"))
    module = types.ModuleType("clew.jobs.verify")
    module.run_verify = made.run_verify  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "clew.jobs.verify", module)
    return made


def test_options_arrive(clew: Clew, job: Job) -> None:
    outcome = clew(
        "verify", "p.c", "q.c", "--strategy", "conflicts", "--decide", "learn:3", "--unroll", "7", "--check",
        "assert,overflow", "--function", "f", "--array-length", "2", "--stdin", "4", "--time", "5", "--seed", "3",
        "-DN=1", "--data-model", "ILP32", "--keep-branches", "--no-invariants",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    (request,) = job.requests
    assert request.files == (Path("p.c"), Path("q.c"))
    assert (request.strategy, request.decide, request.unroll) == ("conflicts", "learn:3", 7)
    assert request.keep_branches and not request.invariants
    assert (request.checks, request.function, request.array_length) == (("assert", "overflow"), "f", 2)
    assert (request.stdin, request.seconds, request.seed, request.data_model) == (4, 5.0, 3, "ILP32")
    assert request.compiler_flags == ("-DN=1",)


def test_defaults(clew: Clew, job: Job) -> None:
    clew("verify", "p.c", "--unroll", "dynamic")
    (request,) = job.requests
    assert (request.strategy, request.decide, request.unroll, request.checks) == ("auto", "learn:10", None, None)
    assert not request.keep_branches and request.invariants


@pytest.mark.parametrize(("verdict", "code"), [("TRUE", 0), ("FALSE", 1), ("UNKNOWN", 3)])
def test_exit_codes(clew: Clew, job: Job, verdict: str, code: int) -> None:
    job.summary = Summary("verify", ("p.c",), verdict, "because")
    outcome = clew("verify", "p.c")
    assert (outcome.code, outcome.out.splitlines()[0]) == (code, f"{verdict}: because")


def test_report(clew: Clew, job: Job) -> None:
    properties = (
        Property("assert", Location("p.c", 2), "main", "TRUE"),
        Property("assert", PLACE, "main", "FALSE"),
        Property("memory-leak", None, "main", "UNKNOWN", "time limit"),
    )
    job.finds = (BUG,)
    job.summary = Summary(
        "verify", ("p.c",), "FALSE", "assertion p.c:3 violated", "plain", properties, (BUG,), 1, checks=("assert",)
    )
    outcome = clew("verify", "p.c")
    assert outcome.out.startswith("FALSE: assertion p.c:3 violated\n\n  p.c:3")
    assert (
        "3 properties\n  FALSE    p.c:3: assert in main\n  UNKNOWN  memory-leak anywhere (time limit)\n"
        "  TRUE     p.c:2: assert in main\n"
    ) in outcome.out
    assert "int x = -5;" in outcome.out
    assert OTHER_ERRORS not in outcome.out, "there is something to mend first"
    assert Path("clew-out/last/bugs/000001.json").exists()
    assert Path("clew-out/last/witness.yml").exists()
    job.summary = Summary("verify", ("p.c",), "TRUE", checks=("assert",))
    assert OTHER_ERRORS in clew("verify", "p.c").out
    job.summary = Summary("verify", ("p.c",), "TRUE", checks=("assert", "shift"))
    assert OTHER_ERRORS not in clew("verify", "p.c").out


def test_json(clew: Clew, job: Job) -> None:
    job.summary = Summary(
        "verify", ("p.c",), "UNKNOWN", "why", "plain", (Property("assert", PLACE, "f", "UNKNOWN", "time limit"),)
    )
    data = json.loads(clew("verify", "p.c", "--json").out)
    assert (data["verdict"], data["reason"], data["technique"]) == ("UNKNOWN", "why", "plain")
    assert data["properties"] == [
        {"kind": "assert", "file": "p.c", "line": 3, "function": "f", "verdict": "UNKNOWN", "reason": "time limit"}
    ]
    assert not Path(data["out"], "witness.yml").exists()


@pytest.mark.parametrize(("finds", "verdict", "code"), [((), "UNKNOWN", 3), ((BUG,), "FALSE", 1)])
def test_cut_off(clew: Clew, job: Job, finds: tuple[Bug, ...], verdict: str, code: int) -> None:
    job.finds, job.raises = finds, KeyboardInterrupt()
    outcome = clew("verify", "p.c", "--json")
    data = json.loads(outcome.out)
    assert (outcome.code, data["verdict"], data["stopped"]) == (code, verdict, str(StopReason.INTERRUPTED))


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ([], "Missing argument 'FILE...'"),
        (["p.c", "--unroll", "0"], "--unroll must be a number above 0, not 0"),
        (["p.c", "--unroll", "many"], "--unroll must be a number above 0 or 'dynamic', not 'many'"),
        (["p.c", "--unroll", "-3"], "--unroll must be a number above 0"),
        (["p.c", "--unroll", "9" * 30], "--unroll must be a number above 0"),
        (["p.c", "--decide", "luck"], "--decide must be blackbox, guide, learn or learn:K"),
        (["p.c", "--decide", "learn:0"], "--decide must be"),
        (["p.c", "--decide", "learn:"], "--decide must be"),
        (
            ["p.c", "--strategy", "best"],
            "'best' is not one of 'auto', 'acceleration', 'cells', 'conflicts'",
        ),
        (["p.c", "--goal", "path"], "No such option"),
        (["p.c", "--check", ","], "names nothing"),
        (["p.c", "--time", "0"], "--time must be"),
    ],
)
def test_wrong_usage_is_one_line(clew: Clew, job: Job, args: list[str], text: str) -> None:
    outcome = clew("verify", *args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("clew: error: ") and outcome.err.count("\n") == 1
    assert text in outcome.err


def test_with_the_engine(clew: Clew) -> None:
    Path("p.c").write_text(
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"
        "  int x = __VERIFIER_nondet_int();\n  assert(x != 5);\n  return 0;\n}\n"
    )
    outcome = clew("verify", "p.c", "--strategy", "plain", "--out", "o")
    assert outcome.code == 1
    assert outcome.out.startswith("FALSE: assertion p.c:5 violated\n")
    summary = json.loads(Path("o/summary.json").read_text())
    assert summary["bugs"][0]["test"] == "tests/000001.json"
    assert Path("o/tests/000001.xml").exists()
    assert "violation_sequence" in Path("o/witness.yml").read_text()
    Path("n.c").write_text("int f(void) { return 0; }\n")
    outcome = clew("verify", "n.c")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "no main" in outcome.err
