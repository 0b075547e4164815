"""Exit codes: as the contract has them, and with ``--fail-on`` and ``--baseline``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.base.options import TestRequest, VerifyRequest
from clew.cli.exits import exit_of
from clew.report.listener import Listener
from clew.report.records import KNOWN, Bug, Property, Summary
from support.command_line import Clew

from .conftest import Engine

BUG = Bug("assert", "x > 0", Location("p.c", 3), "main", confirmed=True)


def _finds(*bugs: Bug, stopped: StopReason | None = None) -> Callable[[TestRequest, Listener], Summary]:
    return lambda request, listener: Summary("test", ("p.c",), bugs=bugs, stopped=stopped)


def test_a_new_bug_beside_a_known_one_of_its_kind_on_its_line_is_told(clew: Clew, engine: Engine) -> None:
    Path("p.c").write_text("int t[4];\nint main(void) {\n  return t[f()] + t[g()];\n}\n")
    first, second = (Bug("out-of-bounds", "", Location("p.c", 3, at), "main", confirmed=True) for at in (10, 19))
    engine.job = _finds(second)
    clew("test", "p.c", "--out", "before")
    engine.job = _finds(first, second)
    told = clew("test", "p.c", "--baseline", "before")
    assert told.code == 1
    assert ("p.c:3:10:" in told.out, "p.c:3:19:" in told.out) == (True, False)


def test_only_what_is_new_counts_beside_a_baseline(clew: Clew, engine: Engine) -> None:
    Path("p.c").write_text("int main(void) {\n  int x = 0;\n  assert(x > 0);\n}\n")
    engine.job = _finds(BUG)
    assert clew("test", "p.c", "--out", "before").code == 1
    known = clew("test", "p.c", "--baseline", "before")
    assert known.code == 0
    assert "p.c:3: assert" not in known.out
    assert "not told: 1 bug that the baseline has" in known.out
    assert "p.c:3: assert" in clew("test", "p.c", "--baseline", "before", "--verbose").out
    assert clew("test", "p.c", "--baseline", "before", "--fail-on", "any").code == 1
    engine.job = _finds(BUG, replace(BUG, kind="abort"))
    told = clew("test", "p.c", "--baseline", "before/results.sarif")
    assert told.code == 1
    assert ("p.c:3: abort" in told.out, "p.c:3: assert" in told.out) == (True, False)
    engine.job = _finds(BUG, stopped=StopReason.TIME)
    assert clew("test", "p.c", "--baseline", "before").code == 3
    assert clew("test", "p.c", "--baseline", "before", "--fail-on", "new").code == 0


def test_fail_on(clew: Clew, engine: Engine) -> None:
    engine.job = _finds(BUG)
    assert [clew("test", "p.c", "--fail-on", words).code for words in ("any", "assert", "memory", "none")] == [
        1,
        1,
        0,
        0,
    ]
    engine.job = _finds(stopped=StopReason.TIME)
    assert [clew("test", "p.c", "--fail-on", words).code for words in ("any", "any,unknown")] == [0, 3]


def test_a_comment_sets_a_bug_aside(clew: Clew, engine: Engine) -> None:
    Path("p.c").write_text("int main(void) {\n  int x = 0;\n  assert(x > 0); // clew: ignore assert\n}\n")
    engine.job = _finds(BUG)
    assert clew("test", "p.c", "--out", "o").code == 0
    assert "Suppressed in the source: a comment" in Path("o/report.html").read_text()
    assert clew("report", "o", "--code-quality", "q.json").code == 0
    assert Path("q.json").read_text() == "[]\n", "GitLab does not hear of it"
    assert clew("report", "o", "--code-quality", "no/q.json").err.count("\n") == 1


@pytest.mark.parametrize("words", [("--baseline", "nowhere"), ("--fail-on", "memry"), ("--fail-on", "new")])
def test_wrong_words_are_told_before_the_run(words: tuple[str, str], clew: Clew, engine: Engine) -> None:
    outcome = clew("test", "p.c", *words, "--out", "o")
    assert (outcome.code, outcome.err.count("\n"), engine.requests) == (2, 1, [])
    assert not Path("o").exists()


def test_verdicts_decide_unless_something_is_said() -> None:
    asked = VerifyRequest((Path("p.c"),))
    false = Summary("verify", ("p.c",), verdict="FALSE", bugs=(replace(BUG, suppressed="why"),))
    assert exit_of(false, asked) == 1
    compared = VerifyRequest((Path("p.c"),), baseline=Path("b"))
    known = replace(false, bugs=(replace(BUG, baseline=KNOWN),))
    assert exit_of(known, compared) == 0
    undecided = Property("assert", None, "main", "UNKNOWN")
    assert exit_of(replace(known, properties=(undecided,)), compared) == 3
    assert exit_of(Summary("verify", ("p.c",), verdict="UNKNOWN"), compared) == 3
    assert exit_of(Summary("verify", ("p.c",), verdict="TRUE"), compared) == 0
