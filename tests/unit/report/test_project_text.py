"""The text of ``clew project``."""

from __future__ import annotations

from typing import Any

from clew.report.project_text import project_lines


def _bug(line: int, kind: str = "out-of-bounds", message: str = "past the end of 'a'", **more: Any) -> dict[str, Any]:
    bug = {"kind": kind, "file": "p.c", "line": line, "function": "f", "message": message, "rests_on": None}
    return bug | {"entries": ["f", "g"], "folder": "functions/f"} | more


def _run(name: str, state: str = "done") -> dict[str, Any]:
    return {"function": name, "state": state, "tests": 2, "reason": "why"}


def _data(**more: Any) -> dict[str, Any]:
    covered = {"function": "f", "file": "p.c", "line": 3, "run": True, "branches": {"covered": 1, "total": 4}}
    data = {"bugs": [], "runs": [_run("f"), _run("g")], "left": [], "stopped": None, "out": "o", "functions": [covered]}
    return data | more


def _text(data: dict[str, Any], verbose: bool = False) -> str:
    return "\n".join(text for text, _ in project_lines(data, verbose))


def test_the_answer_comes_first() -> None:
    assert _text(_data()).startswith("no bug found, in 2 functions, all paths explored\n\nbranches of")
    found = _text(_data(bugs=[_bug(4)]))
    assert found.startswith(
        "found 1 bug in 2 functions, all paths explored\n\n  p.c:4: out-of-bounds: past the end of 'a'\n"
        "      by f() (and by 1 other function); clew explain o 1\n\nbranches of"
    )
    assert found.endswith("    f                                 1 of    4  25%  line 3\n"
                          "tests     4 in o/functions\nreport    o/report.html")  # fmt: skip


def test_bugs_that_are_set_aside_keep_their_numbers() -> None:
    known, suppressed = _bug(4) | {"baseline": "unchanged"}, _bug(5, "assert") | {"suppressed": "meant"}
    assert _text(_data(bugs=[known, suppressed])).startswith("no other bug found, in 2 functions")
    text = _text(_data(bugs=[known, suppressed, _bug(6, "shift")]))
    assert text.startswith("found 1 bug in 2 functions") and "clew explain o 3\n" in text and "p.c:4" not in text
    assert "p.c:4" in _text(_data(bugs=[known]), verbose=True)


def test_one_cause_is_told_once() -> None:
    bugs = [_bug(4), _bug(5), _bug(6, message="past the end of 'b'"), _bug(7, "assert"), _bug(8, "assert")]
    text = _text(_data(bugs=bugs))
    assert "      the same at p.c:5\n" in text and text.count("the same") == 1
    assert "p.c:8: assert" in text
    assert "the same" not in _text(_data(bugs=bugs), verbose=True)
    assert "      the same at p.c:4:9\n" in _text(_data(bugs=[_bug(4, column=2), _bug(4, column=9)]))


def test_possible_bugs_are_counted_by_kind() -> None:
    bugs = [_bug(line, "shift", rests_on="depends on callers") for line in (1, 2)] + [_bug(3, rests_on="more")]
    text = _text(_data(bugs=bugs))
    assert "3 possible bugs (2 shift, 1 out-of-bounds): they depend on what callers do; the report shows them" in text
    assert "p.c:1" not in text and "p.c:1: shift" in _text(_data(bugs=bugs), verbose=True)


def test_what_was_not_done_comes_last() -> None:
    runs = [_run("f", "time"), _run("g", "failed")]
    text = _text(_data(runs=runs, left=["h", "k"], stopped="time"))
    assert text.startswith("no bug found in what was explored, in 2 functions; stopped early: the time budget")
    assert text.endswith(
        "not done:\n  not explored to the end in the time they had: f\n  not run, since the time was over: h, k\n"
        "  g: why\n\nwhat you can do next:\n  the same command with --out o --resume: goes on with what is left"
    )
