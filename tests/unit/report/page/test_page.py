"""``report.html``: figures are those of ``summary.json``; nothing of a program becomes markup; it can be made again."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.report.lcov import FileCoverage, add_lcov
from clew.report.page import extent
from clew.report.page.render import page_of, write_page

from .conftest import NAME, PROGRAM, Made, Page, page_in, summary_of


def numbers(text: str) -> tuple[int, int]:
    covered, total = map(int, text.split("/"))
    return covered, total


def test_the_figures_are_those_of_the_summary(hostile: Path) -> None:
    page, summary = page_in(hostile), summary_of(hostile)
    assert page.open == []
    for kind in ("branches", "lines"):
        card = page.id(f"card-{kind}")
        assert (int(card["data-covered"]), int(card["data-total"])) == tuple(summary["coverage"][kind].values())
    assert int(page.id("card-tests")["data-tests"]) == summary["tests"] == len(page.classes("show-test"))
    assert [found["data-bug"] for found in page.by("data-bug")] == [str(n + 1) for n in range(len(summary["bugs"]))]
    assert f"{len(summary['bugs'])} bug found" in page.text
    for bug in summary["bugs"]:
        assert bug["message"] in page.text and "int x = 2;" in page.text
    files = page.by("data-file")
    assert numbers(files[0]["data-branches"]) == tuple(summary["coverage"]["branches"].values())
    assert numbers(files[0]["data-lines"]) == tuple(summary["coverage"]["lines"].values())
    functions = [numbers(found["data-branches"]) for found in page.by("data-function")]
    assert tuple(map(sum, zip(*functions, strict=True))) == tuple(summary["coverage"]["branches"].values())


def test_reasons_are_those_of_the_summary(hostile: Path) -> None:
    page, summary = page_in(hostile), summary_of(hostile)
    expected = Counter(entry["why"] for entry in summary["uncovered"])
    groups = {found["data-why"]: int(found["data-count"]) for found in page.by("data-count")}
    assert groups == dict(expected) and {"no-path", "out-of-reach"} <= set(groups)
    chips = Counter(found["data-why"] for found in page.classes("chip", "missed") if "href" in found)
    assert chips == expected
    assert int(page.id("card-branches")["data-excluded"]) == sum(
        expected[why] for why in ("proved-unreachable", "no-path", "out-of-reach")
    )
    targets = {found["id"] for found in page.by("id")}
    links = [found["href"][1:] for found in page.by("href") if found["href"].startswith("#")]
    assert [link for link in links if link not in targets] == []


def test_lines_are_coloured_as_they_are_covered(hostile: Path) -> None:
    page = page_in(hostile)
    files: dict[str, FileCoverage] = {}
    add_lcov(files, (hostile / "coverage.info").read_text(encoding="utf-8"))
    (coverage,) = files.values()
    states = {found["id"]: set(found["class"].split()) for found in page.classes("l")}
    assert len(states) == len(PROGRAM.split("\n"))
    for line, count in coverage.lines.items():
        assert bool({"run", "part"} & states[f"f0L{line}"]) is (count > 0)
        assert ("not" in states[f"f0L{line}"]) is (count == 0)
    assert all(
        not {"run", "part", "not"} & states[f"f0L{n}"] for n in range(1, len(states) + 1) if n not in coverage.lines
    )


def test_nothing_of_the_program_becomes_markup(hostile: Path) -> None:
    page = page_in(hostile)
    tags = Counter(tag for tag, _ in page.elements)
    assert (tags["img"], tags["script"]) == (0, 2)
    assert [name for _, found in page.elements for name in found if name.startswith("on")] == []
    assert NAME in page.text and PROGRAM.split("\n")[0] in page.text
    assert not re.search(r"(src|href)=.?https?:|url\(|@import", (hostile / "report.html").read_text(encoding="utf-8"))


def test_a_page_is_the_same_when_it_is_made_again_whatever_becomes_of_the_source(hostile: Path, tmp_path: Path) -> None:
    copy = tmp_path / "out"
    shutil.copytree(hostile, copy)
    first = page_of(copy)
    source = hostile.parent / NAME
    source.rename(source.with_suffix(".away"))
    try:
        assert write_page(copy) == copy / "report.html"
    finally:
        source.with_suffix(".away").rename(source)
    assert (copy / "report.html").read_text(encoding="utf-8") == first
    assert PROGRAM.split("\n")[5] in Page(first).text


def test_a_folder_without_a_copy_of_the_source_says_so(hostile: Path, tmp_path: Path) -> None:
    copy = tmp_path / "out"
    shutil.copytree(hostile, copy)
    (copy / "sources.json").unlink()
    (copy / "coverage.json").unlink()
    page = Page(page_of(copy))
    assert "the source is shown as it is now" in page.text
    assert {found["data-why"] for found in page.by("data-count")} == {e["why"] for e in summary_of(copy)["uncovered"]}


def test_the_path_of_a_bug_and_how_to_run_it_again(hostile: Path) -> None:
    page, summary = page_in(hostile), summary_of(hostile)
    (bug,) = summary["bugs"]
    stored = json.loads((hostile / "bugs" / "000001.json").read_bytes())
    assert stored["path"][-1]["line"] == bug["line"]
    assert "clew replay" in page.text and f"./t {int(Path(bug['test']).stem)}" in page.text
    assert "x = 2" in page.text


def test_properties_of_a_verification(made: Made) -> None:
    code = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3) assert(x > 2);
  assert(x != 9);
  return 0;
}
"""
    out = made("verify", code)
    page, summary = page_in(out), summary_of(out)
    told = Counter(found["data-verdict"] for found in page.by("data-verdict"))
    assert told == Counter(one["verdict"] for one in summary["properties"]) and told["FALSE"] == 1
    assert "FALSE: a property is violated" in page.text and "counterexample: bug 1" in page.text


def test_a_target_that_is_reached(made: Made) -> None:
    code = """extern int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 42)
  return 1;
  return 0; }
"""
    out = made("reach", code, "--line", "3")
    assert summary_of(out)["verdict"] == "REACHED" and "REACHED: p.c:3" in page_in(out).text


def test_losses_and_the_budget_are_told(made: Made) -> None:
    code = """extern int __VERIFIER_nondet_int(void);
int made_up(int);
int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_int() && i < 1000000) i++;
  return made_up(i);
}
"""
    out = made("test", code, "--max-instructions", "3000", "--no-summarize", "--time", "77")
    page, summary = page_in(out), summary_of(out)
    assert Counter(found["data-kind"] for found in page.by("data-kind")) == Counter(
        n["kind"] for n in summary["losses"]
    )
    assert "No bug found in what was explored" in page.text and "of 77 s" in page.text
    assert summary["budget"] == {"seconds": 77.0, "memory_mb": None, "instructions": 3000}


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"command": "test"}', '{"command": "test", "bugs": 3, "files": []}']
)
def test_a_damaged_folder_is_refused_in_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text(content, encoding="utf-8")
    with pytest.raises(UserError):
        page_of(tmp_path)


def test_a_name_that_is_no_text_is_shown_with_a_mark(hostile: Path, tmp_path: Path) -> None:
    copy = tmp_path / "out"
    shutil.copytree(hostile, copy)
    for name in ("summary.json", "coverage.json", "sources.json", "coverage.info", "bugs/000001.json"):
        text = (copy / name).read_bytes()
        escaped = b"\xff.c" if name == "coverage.info" else b"\\udcff.c"
        (copy / name).write_bytes(text.replace(b"&quot;.c", escaped))
    page = Page(page_of(copy))
    assert "\ufffd.c" in page.text and len(page.classes("l")) == len(PROGRAM.split("\n"))


def test_a_large_source_gives_a_page_of_moderate_size(hostile: Path, tmp_path: Path) -> None:
    copy = tmp_path / "out"
    shutil.copytree(hostile, copy)
    kept = json.loads((copy / "sources.json").read_bytes())
    kept[NAME] += "  x = x + 1; /* a line of the usual length, more or less */\n" * 10_000
    (copy / "sources.json").write_text(json.dumps(kept), encoding="utf-8")
    assert 600_000 < len(page_of(copy)) < 5_000_000


def test_of_a_very_large_program_the_functions_that_were_entered_are_shown(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Page(page_of(hostile))
    monkeypatch.setattr(extent, "MOST_LINES", len(PROGRAM.split("\n")) - 1)
    page = Page(page_of(hostile))
    numbered = dict(enumerate(PROGRAM.split("\n"), 1))
    shown = {int(found["id"].removeprefix("f0L")) for found in page.classes("l")}
    text = "\n".join(numbered[n] for n in sorted(shown))
    assert "int main(void)" in text and "static int pick" in text
    assert "lonely(int x)" not in text and "unused(int x)" not in text
    gaps = page.classes("gap", "lines")
    assert sum(int(found["data-lines"]) for found in gaps) == len(numbered) - len(shown) > 0
    targets = {found["id"] for found in page.by("id")}
    links = [found["href"][1:] for found in page.by("href") if found["href"].startswith("#")]
    assert [link for link in links if link not in targets] == []
    assert [f["data-branches"] for f in page.by("data-function")] == [
        f["data-branches"] for f in whole.by("data-function")
    ]


def test_files_of_which_nothing_was_entered_are_named(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(
        "test",
        '#include "idle.c"\nint main(int argc, char **argv) { return argc > 1; }\n',
        name="p.c",
        idle="int idle(int x) { return x > 3; }\n",
    )
    monkeypatch.setattr(extent, "MOST_LINES", 1)
    page = Page(page_of(folder))
    assert page.by("id", "left-out") and "all of 1 file: " in page.text and "idle.c" in page.text
