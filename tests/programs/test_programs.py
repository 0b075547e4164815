"""C programs that carry their expectations in comments, run through ``clew test``'s job.

    // expect: KIND @N        a bug of this kind on line N; ``@+1`` is the line after the comment
    // paths: N               so many paths ended by themselves (with a bug or without)
    // exit: N                the exit code of ``clew test``
    // function: NAME         as --function; check: LIST, data-model: NAME, loop-bound: N, flags: ... likewise
    // target: TRIPLE         as --target; the other programs take turns (``targets.py``)

Bugs found and bugs expected must be the same. Every bug must be confirmed by concrete re-execution.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.cli.exits import exit_of
from clew.jobs.test import run_test
from clew.report.listener import Listener
from targets import target_for

HERE = Path(__file__).resolve().parent
DIRECTIVE = re.compile(r"^\s*// (?P<key>[a-z-]+): *(?P<value>.*?)\s*$")
EXPECTED = re.compile(r"(?P<kind>[a-z-]+) @(?P<sign>\+?)(?P<line>\d+)")
KEYS = {"expect", "paths", "exit", "function", "check", "data-model", "loop-bound", "flags", "symbolic", "target"}


@dataclass(frozen=True)
class Expectation:
    bugs: frozenset[tuple[str, int]]
    options: dict[str, str]


def read(path: Path) -> Expectation:
    bugs, options = set(), {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        directive = DIRECTIVE.match(line)
        if directive is None or directive["key"] not in KEYS:
            continue
        if directive["key"] != "expect":
            options[directive["key"]] = directive["value"]
            continue
        expected = EXPECTED.fullmatch(directive["value"])
        assert expected is not None, f"{path.name}:{number}: cannot read {line.strip()!r}"
        bugs.add((expected["kind"], int(expected["line"]) + (number if expected["sign"] else 0)))
    return Expectation(frozenset(bugs), options)


def target_of(path: Path, options: dict[str, str]) -> str | None:
    """What a program is compiled for; a data model implies it."""
    return None if "data-model" in options else options.get("target", target_for(path.name))


def request_for(path: Path, options: dict[str, str]) -> TestRequest:
    checks = tuple(options["check"].split(",")) if "check" in options else None
    return TestRequest(
        files=(path,),
        function=options.get("function"),
        goal="path",
        seconds=600.0,
        checks=checks,
        data_model=options.get("data-model"),
        target=target_of(path, options),
        loop_bound=int(options["loop-bound"]) if "loop-bound" in options else None,
        compiler_flags=tuple(options.get("flags", "").split()),
        validate=True,
    )


def programs() -> list[Path]:
    """All programs but those of folders that have tests of their own."""
    others = ("concolic", "endless", "invariants", "reach", "real", "summaries", "verify")
    return sorted(path for path in HERE.rglob("*.c") if path.relative_to(HERE).parts[0] not in others)


@pytest.mark.quick(16)
@pytest.mark.parametrize("path", programs(), ids=lambda path: path.relative_to(HERE).as_posix())
def test_program(path: Path) -> None:
    expected = read(path)
    summary = run_test(request_for(path, expected.options), Listener())
    found = frozenset((bug.kind, bug.location.line if bug.location else 0) for bug in summary.bugs)
    assert found == expected.bugs
    assert all(bug.confirmed for bug in summary.bugs)
    assert summary.stopped is None, f"stopped by {summary.stopped}"
    assert summary.losses == ()
    if "paths" in expected.options:
        assert summary.stats.paths_completed == int(expected.options["paths"])
    if "exit" in expected.options:
        assert exit_of(summary) == int(expected.options["exit"])


def test_directives_are_read() -> None:
    found = read(HERE / "bugs" / "assert.c")
    assert found.bugs == {("assert", 11)}
    assert found.options == {"paths": "2", "exit": "1"}
