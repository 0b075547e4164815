"""``clew reach`` on the command line: requests, exit codes, output, wrong usage."""

from __future__ import annotations

import json
import sys
import types
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.base.options import ReachRequest
from clew.report.listener import Listener
from clew.report.records import Arrival, InputValue, StackFrame, Summary, TargetRecord, Test
from clew.report.statistics import RunStatistics
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.statistics import no_statistics
from support.command_line import Clew, caller

PLACE = Location("p.c", 3, 5, "helper")
INPUTS = (InputValue("x", "int", 32, -5),)
ARRIVAL = Arrival(PLACE, "helper", (StackFrame("helper", PLACE), StackFrame("main", Location("p.c", 9))), INPUTS, True)
TARGET = TargetRecord("p.c:3", (PLACE,), ARRIVAL)
REACHED = Summary("reach", ("p.c",), "REACHED", "p.c:3 is reached with x=-5", "plain", tests=1, target=TARGET)


@dataclass
class Job:
    """Stands in for the job."""

    summary: Summary
    finds: tuple[Test, ...] = ()
    raises: BaseException | None = None
    requests: list[ReachRequest] = field(default_factory=list)

    def run_reach(self, request: ReachRequest, listener: Listener) -> Summary:
        self.requests.append(request)
        for test in self.finds:
            listener.test_found(test)
        if self.raises is not None:
            raise self.raises
        return self.summary


@pytest.fixture
def clew(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clew:
    monkeypatch.chdir(tmp_path)
    return caller(capfd, "reach")


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    made = Job(Summary("reach", ("p.c",), "UNREACHABLE", "no path leads to it"))
    module = types.ModuleType("clew.jobs.reach")
    module.run_reach = made.run_reach  # type: ignore[attr-defined]  # a module made for the test
    monkeypatch.setitem(sys.modules, "clew.jobs.reach", module)
    return made


def test_options_arrive(clew: Clew, job: Job) -> None:
    outcome = clew(
        "p.c", "q.c", "--line", "src/q.c:12", "--strategy", "chains", "--keep-branches", "--function", "f",
        "--array-length", "2", "--stdin", "4", "--time", "5", "--seed", "3", "-DN=1", "--data-model", "ILP32",
    )  # fmt: skip
    assert outcome.code == 1, outcome.err
    (request,) = job.requests
    assert request.files == (Path("p.c"), Path("q.c"))
    assert (request.file, request.line, request.label, request.call) == ("src/q.c", 12, None, None)
    assert (request.strategy, request.keep_branches, request.function, request.array_length) == ("chains", True, "f", 2)
    assert (request.stdin, request.seconds, request.seed, request.data_model) == (4, 5.0, 3, "ILP32")
    assert (request.compiler_flags, request.checks) == (("-DN=1",), None)


def test_ways_to_name_a_target(clew: Clew, job: Job) -> None:
    clew("p.c", "--line", "7")
    clew("p.c", "--label", "out")
    clew("p.c", "--call", "f")
    assert [(r.file, r.line, r.label, r.call) for r in job.requests] == [
        (None, 7, None, None),
        (None, None, "out", None),
        (None, None, None, "f"),
    ]
    assert (job.requests[0].strategy, job.requests[0].keep_branches) == ("auto", False)


@pytest.mark.parametrize(("verdict", "code"), [("REACHED", 0), ("UNREACHABLE", 1), ("UNKNOWN", 3)])
def test_exit_codes(clew: Clew, job: Job, verdict: str, code: int) -> None:
    job.summary = Summary("reach", ("p.c",), verdict, "because")
    outcome = clew("p.c", "--line", "3")
    assert (outcome.code, outcome.out.splitlines()[0]) == (code, f"{verdict}: because")


def test_report(clew: Clew, job: Job) -> None:
    stats = RunStatistics(states_pruned=1, parts=[ChainStatistics(chains=5, systems_solved=7)])
    job.summary, job.finds = replace(REACHED, stats=stats), (Test(INPUTS, reason="target", ends="reached"),)
    outcome = clew("p.c", "--line", "3", "--verbose")
    lines = outcome.out.splitlines()
    assert lines[:2] == ["REACHED: p.c:3 is reached with x=-5", ""]
    assert [line.strip() for line in lines[2:6]] == [
        "in helper", "called from main p.c:9", "int x = -5;", "tests/000001.json",
    ]  # fmt: skip
    assert "chains    5; 7 systems solved" in lines
    assert "pruned    1 state, from where nothing leads to the target" in lines
    assert not any("branches" in line or "bug" in line for line in lines)


def test_json_and_files(clew: Clew, job: Job) -> None:
    job.summary, job.finds = replace(REACHED, stats=no_statistics()), (Test(INPUTS, reason="target", ends="reached"),)
    outcome = clew("p.c", "--line", "3", "--json", "--out", "o")
    data = json.loads(outcome.out)
    assert (data["command"], data["verdict"], data["technique"], data["bugs"]) == ("reach", "REACHED", "plain", [])
    assert data["target"]["places"] == [{"file": "p.c", "line": 3, "column": 5, "function": "helper"}]
    arrival = data["target"]["arrival"]
    assert (arrival["confirmed"], arrival["test"], arrival["line"]) == (True, "tests/000001.json", 3)
    assert arrival["inputs"][0]["value"] == -5
    assert {"chains", "systems_solved", "states_pruned"} <= data["stats"].keys()
    assert json.loads(Path("o/summary.json").read_text()) == data
    assert Path("o/tests/000001.xml").exists() and "leads to the target" in Path("o/tests.c").read_text()
    assert not list(Path("o/bugs").iterdir())
    assert not Path("o/witness.yml").exists()


def test_cut_off(clew: Clew, job: Job) -> None:
    job.raises = KeyboardInterrupt()
    outcome = clew("p.c", "--line", "3", "--json")
    data = json.loads(outcome.out)
    assert (outcome.code, data["verdict"], data["stopped"]) == (3, "UNKNOWN", str(StopReason.INTERRUPTED))


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["--line", "3"], "Missing argument 'FILE...'"),
        (["p.c"], "name one target: --line [FILE:]N, --label NAME or --call NAME"),
        (["p.c", "--line", "3", "--call", "f"], "name one target"),
        (["p.c", "--line", "0"], "--line must be 1 or more, not 0"),
        (["p.c", "--line", "-3"], "--line must be N or FILE:N with N above 0, not '-3'"),
        (["p.c", "--line", "p.c"], "--line must be N or FILE:N"),
        (["p.c", "--line", "p.c:"], "--line must be N or FILE:N"),
        (["p.c", "--line", "9" * 30], "--line must be N or FILE:N"),
        (["p.c", "--line", "٣"], "--line must be N or FILE:N"),
        (["p.c", "--line", "3", "--strategy", "best"], "'best' is not one of 'auto', 'chains', 'merging', 'plain'"),
        (["p.c", "--line", "3", "--check", "all"], "No such option"),
        (["p.c", "--line", "3", "--time", "0"], "--time must be"),
    ],
)
def test_wrong_usage_is_one_line(clew: Clew, job: Job, args: list[str], text: str) -> None:
    outcome = clew(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("clew: error: ") and outcome.err.count("\n") == 1
    assert text in outcome.err


def test_with_the_engine(clew: Clew) -> None:
    Path("p.c").write_text(
        "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n"
        "  if (x == 5)\n    return 1;\n  return 0;\n}\n"
    )
    outcome = clew("p.c", "--line", "5", "--strategy", "plain", "--out", "o")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("REACHED: p.c:5 is reached with x=5\n")
    assert json.loads(Path("o/tests/000001.json").read_text())["inputs"][0]["value"] == 5
