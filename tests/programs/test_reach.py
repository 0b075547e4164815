"""C programs with targets and their verdicts in comments, run through ``clew reach``'s job with every strategy.

    // reach: VERDICT line @N (REASON)      the target is line N; ``@+1`` is the line after the comment
    // reach: VERDICT label NAME (REASON)   the target is a label
    // reach: VERDICT call NAME (REASON)    the target is a function

REASON is optional: part of the reason given by plain search. Further comments:

    // plain: no       plain search takes too long for this program
    // chains: yes     the strategy chains answers, too; otherwise it may say UNKNOWN
    // target: TRIPLE  as --target; the others take turns (``targets.py``)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest

from clew.base.options import ReachRequest
from clew.jobs.reach import run_reach
from clew.report.listener import Listener
from depth import TURN
from targets import target_for

HERE = Path(__file__).resolve().parent / "reach"
OPTION = re.compile(r"^\s*// (?P<key>plain|chains|target): *(?P<value>[\w-]+)$")
REACH = re.compile(
    r"^\s*// reach: (?P<verdict>[A-Z]+) (?P<kind>line|label|call) (?:@(?P<sign>\+?)(?P<line>\d+)|(?P<name>\w+))"
    r"(?: \((?P<reason>.+)\))?$"
)
WAYS = ("plain", "chains", "auto")
LONG = {"falls_through", "left_from_inside", "nested", "nested_calls_twice", "resets", "tables"}
"""Where the strategy chains has much to do for each target; plain search decides them at once."""


@dataclass(frozen=True)
class Expectation:
    verdict: str
    kind: str
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.kind}-{self.what}"


def read(path: Path) -> tuple[list[Expectation], dict[str, str]]:
    expected, options = [], {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        option = OPTION.match(line)
        if option is not None:
            options[option["key"]] = option["value"]
        if "// reach:" not in line:
            continue
        found = REACH.match(line)
        assert found is not None, f"{path.name}:{number}: cannot read {line.strip()!r}"
        what = found["name"] or str(int(found["line"]) + (number if found["sign"] else 0))
        expected.append(Expectation(found["verdict"], found["kind"], what, found["reason"] or ""))
    return expected, options


def cases() -> list[tuple[str, Expectation, str]]:
    result = []
    for path in sorted(HERE.glob("*.c")):
        expected, options = read(path)
        for number, item in enumerate(expected):
            ways = [way for way in WAYS if way != "plain" or options.get("plain") != "no"]
            if number:
                ways.remove("auto")  # it is the other two, one after the other: once per program will do
            result += [(path.stem, item, way) for way in ways]
    return result


def request_for(path: Path, item: Expectation, way: str, keep_branches: bool = False) -> ReachRequest:
    return ReachRequest(
        files=(path,),
        seconds=600.0,
        compiler_flags=("-w",),
        target=read(path)[1].get("target", target_for(path.name)),
        validate=way == "plain",
        strategy=way,
        keep_branches=keep_branches,
        line=int(item.what) if item.kind == "line" else None,
        label=item.what if item.kind == "label" else None,
        call=item.what if item.kind == "call" else None,
    )


def is_sampled(name: str, item: Expectation, way: str) -> bool:
    """Of what a sample has: plain search for every target, the strategy chains for a third of them."""
    return way == "plain" or (name not in LONG and (crc32(f"{name} {item}".encode()) + TURN) % 3 == 0)


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("name", "item", "way"),
    [pytest.param(*case, marks=[] if is_sampled(*case) else [pytest.mark.thorough]) for case in cases()],
    ids=str,
)
def test_targets(name: str, item: Expectation, way: str) -> None:
    path = HERE / f"{name}.c"
    summary = run_reach(request_for(path, item, way), Listener())
    verdicts = {item.verdict}
    if way == "chains" and read(path)[1].get("chains") != "yes":
        verdicts.add("UNKNOWN")
    assert summary.verdict in verdicts, summary.reason
    assert summary.stopped is None
    assert not summary.bugs
    if way == "plain":
        assert item.reason in summary.reason
    assert summary.target is not None
    arrival = summary.target.arrival
    assert (arrival is not None) == bool(summary.tests)
    assert (arrival is not None and not arrival.rests_on) == (summary.verdict == "REACHED")
    if arrival is not None:
        assert arrival.confirmed
        assert arrival.location in summary.target.locations


@pytest.mark.parametrize("name", ["choices", "lines", "nested"])
def test_verdicts_are_the_same_on_code_that_keeps_its_branches(name: str) -> None:
    path = HERE / f"{name}.c"
    for item in read(path)[0]:
        assert run_reach(request_for(path, item, "plain", True), Listener()).verdict == item.verdict, item


def test_comments_are_read() -> None:
    expected, options = read(HERE / "recursion.c")
    assert [(item.verdict, item.kind, item.what) for item in expected] == [
        ("REACHED", "line", "6"),
        ("REACHED", "line", "19"),
        ("UNREACHABLE", "line", "22"),
        ("UNREACHABLE", "line", "25"),
    ]
    assert options == {}
