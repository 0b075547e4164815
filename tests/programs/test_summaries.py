"""C programs with loops and their expectations in comments, run through ``clew test``'s job with summaries.

    // expect: KIND @N          a bug of this kind on line N; ``@+1`` is the line after the comment
    // uncovered: OUTCOME @N    a branch outcome that no input takes; the run takes all others
    // loop: STATUS @N (WHY)    what the run says of the loop on line N, with loops from the code: sound, best-effort or
                                none; WHY is optional, part of the reason
    // variant: FLAGS           the program is compiled with these flags; several such lines are several programs
    // plain: no                without summaries this takes too long

Every program is run with both sources of loops, and must end by itself. Without summaries it shows the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.base.options import LOOP_SOURCES, TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import LOOP_STATUSES, Summary
from clew.techniques.summaries.statistics import SummaryStatistics
from targets import target_for

HERE = Path(__file__).resolve().parent / "summaries"
COMMENT = re.compile(r"^\s*// (?P<key>expect|uncovered|loop|variant|plain): *(?P<value>.*?)\s*$")
AT = re.compile(r"(?P<what>[a-z0-9 -]+) @(?P<sign>\+?)(?P<line>\d+)(?: \((?P<why>.+)\))?")


@dataclass(frozen=True)
class Expectation:
    bugs: frozenset[tuple[str, int]]
    uncovered: frozenset[tuple[str, int]]
    loops: dict[int, tuple[str, str]]
    variants: tuple[str, ...]
    plain: bool


def read(path: Path) -> Expectation:
    found: dict[str, list[tuple[str, int, str]]] = {"expect": [], "uncovered": [], "loop": []}
    variants, plain = [], True
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        comment = COMMENT.match(line)
        if comment is None:
            continue
        if comment["key"] == "variant":
            variants.append(comment["value"])
        elif comment["key"] == "plain":
            plain = comment["value"] != "no"
        else:
            at = AT.fullmatch(comment["value"])
            assert at is not None, f"{path.name}:{number}: cannot read {line.strip()!r}"
            place = int(at["line"]) + (number if at["sign"] else 0)
            found[comment["key"]].append((at["what"], place, at["why"] or ""))
    loops = {line: (status, why) for status, line, why in found["loop"]}
    assert all(status in LOOP_STATUSES for status, _ in loops.values()), path.name
    return Expectation(
        frozenset((kind, line) for kind, line, _ in found["expect"]),
        frozenset((outcome, line) for outcome, line, _ in found["uncovered"]),
        loops,
        tuple(variants) or ("",),
        plain,
    )


def run(path: Path, flags: str, summarize: bool = True, loops: str = "ir") -> Summary:
    request = TestRequest(
        (path,),
        seconds=600.0,
        compiler_flags=("-w", *flags.split()),
        target=target_for(path.name),
        validate=not summarize,  # the runs that summaries stand for may be long
        navigate=False,  # it would find what summaries lose
        summarize=summarize,
        loops=loops,
    )
    return run_test(request, Listener())


def check(summary: Summary, expected: Expectation) -> None:
    assert summary.stopped is None
    assert summary.losses == ()
    assert {(bug.kind, bug.location.line if bug.location else 0) for bug in summary.bugs} == expected.bugs
    assert all(bug.confirmed for bug in summary.bugs)
    missed = {
        (branch.outcome, branch.location.line)
        for branch in summary.coverage.branches
        if branch.location is not None and not branch.covered
    }
    assert missed == expected.uncovered


CASES = [(path.stem, flags) for path in sorted(HERE.glob("*.c")) for flags in read(path).variants]


@pytest.mark.sample(5)
@pytest.mark.parametrize("source", LOOP_SOURCES)
@pytest.mark.parametrize(("name", "flags"), CASES)
def test_program(name: str, flags: str, source: str) -> None:
    path = HERE / f"{name}.c"
    expected = read(path)
    summary = run(path, flags, loops=source)
    check(summary, expected)
    said = {loop.location.line: loop for loop in summary.loops if loop.location is not None}
    for line, (status, why) in expected.loops.items() if source == "ir" else ():
        assert said[line].status == status, said[line].text
        assert why in said[line].reason
    assert all(loop.reason for loop in summary.loops if loop.status != "sound")


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "flags"), [(name, flags) for name, flags in CASES if read(HERE / f"{name}.c").plain])
def test_program_without_summaries(name: str, flags: str) -> None:
    path = HERE / f"{name}.c"
    summary = run(path, flags, summarize=False)
    check(summary, read(path))
    assert summary.loops == ()
    assert summary.stats.of(SummaryStatistics).summaries == 0


def test_comments_are_read() -> None:
    expected = read(HERE / "zero_step.c")
    assert expected.bugs == {("error-call", 14)}
    assert expected.uncovered == {("true", 19)}
    assert expected.loops == {10: ("sound", "")}
    assert expected.plain
    assert len(read(HERE / "relations.c").variants) > 12
