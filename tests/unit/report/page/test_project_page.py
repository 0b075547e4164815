"""The page of ``clew project``: bugs by cause, coverage by function, links to the pages of functions."""

from __future__ import annotations

import json
from pathlib import Path

from clew.report.page.render import page_of

from .conftest import Page


def run(name: str, state: str = "done", bugs: int = 0) -> dict[str, object]:
    return {
        "function": name, "file": "p.c", "line": 3, "folder": f"functions/{name}", "state": state, "kept": False,
        "tests": 4, "bugs": bugs, "possible": 0, "seconds": 1.25, "reason": f"{bugs} bugs found",
    }  # fmt: skip


def bug(rests_on: str | None) -> dict[str, object]:
    return {
        "kind": "out-of-bounds", "message": "read of <b>4</b> bytes", "file": "p.c", "line": 7, "function": "parse",
        "rests_on": rests_on, "entries": ["parse", "skip"], "folder": "functions/parse",
    }  # fmt: skip


def function(name: str, covered: int, total: int) -> dict[str, object]:
    branches = {"covered": covered, "total": total}
    return {"function": name, "file": "p.c", "line": 3, "run": covered > 0, "branches": branches}


SUMMARY: dict[str, object] = {
    "clew": "0.1.0", "command": "project", "files": ["p.c"], "stopped": "time", "seconds": 12.5,
    "coverage": {"branches": {"covered": 7, "total": 12}, "functions": {"covered": 1, "total": 2}},
    "bugs": [bug(None), bug("'n' is what a caller passes")],
    "functions": [function("parse", 7, 10), function("skip", 0, 2)],
    "runs": [run("parse", "time", 1), run("skip")], "left": ["late"],
}  # fmt: skip


def page(folder: Path, **changed: object) -> Page:
    (folder / "summary.json").write_text(json.dumps(SUMMARY | changed), encoding="utf-8")
    (folder / "functions" / "parse").mkdir(parents=True, exist_ok=True)
    (folder / "functions" / "parse" / "report.html").write_text("", encoding="utf-8")
    return Page(page_of(folder))


def test_what_the_summary_says(tmp_path: Path) -> None:
    found = page(tmp_path)
    assert found.open == []
    assert "1 bug found" in found.text and "read of <b>4</b> bytes" in found.text
    assert "2 functions run, 1 of them not to their end; 1 not run, since the time was over" in found.text
    card = found.id("card-branches")
    assert (card["data-covered"], card["data-total"]) == ("7", "12")
    assert {one["data-function"]: one["data-branches"] for one in found.by("data-function")} == {
        "parse": "7/10", "skip": "0/2",
    }  # fmt: skip
    assert len(found.classes("bug")) == 2 and len(found.classes("bug", "possible")) == 1


def test_functions_lead_to_their_pages_where_they_have_some(tmp_path: Path) -> None:
    found = page(tmp_path)
    links = {one["href"].partition("#")[0] for one in found.by("href") if not one["href"].startswith(("#", "data:"))}
    assert links == {"functions/parse/report.html"}


def test_a_project_without_bugs_that_came_to_its_end(tmp_path: Path) -> None:
    found = page(tmp_path, bugs=[], runs=[run("skip")], left=[], stopped=None)
    assert "No bug found" in found.text and found.classes("hero", "good")
