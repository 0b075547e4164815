"""Which bugs are known: fingerprints, comments in the source, baselines, and what makes a run fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import TestRequest
from clew.report.baseline import Baseline, marked, read_baseline, restated
from clew.report.excerpt import Sources
from clew.report.fingerprints import fingerprint_of
from clew.report.judgement import Judgement
from clew.report.records import KNOWN, NEW, Bug, Summary
from clew.report.sarif import merged, sarif_of
from clew.report.suppressions import misspelled, suppression_at

CODE = """int half(int n) {
  n = n + 1;
  n = n + 1;
  return 100 / n;
}
"""


def bug_at(line: int, kind: str = "signed-overflow", rests_on: str = "") -> Bug:
    return Bug(kind, "", Location("p.c", line), "half", rests_on=rests_on)


def fingerprint(folder: Path, code: str, bug: Bug) -> str:
    (folder / "p.c").write_text(code)
    return fingerprint_of(bug, Sources(folder))


def test_fingerprints_do_not_depend_on_what_is_elsewhere(tmp_path: Path) -> None:
    first, second, last = (fingerprint(tmp_path, CODE, bug_at(line)) for line in (2, 3, 4))
    assert len({first, second, last}) == 3, "lines with the same text are told apart"
    assert fingerprint(tmp_path, "int other(int n) {\n  n = n + 1;\n  return n;\n}\n\n" + CODE, bug_at(8)) == second
    indented = CODE.replace("  n = n", "\t n  = n")
    assert fingerprint(tmp_path, indented, bug_at(3)) == second
    assert fingerprint(tmp_path, CODE.replace("/ n;", "/ n; // clew: ignore div"), bug_at(4)) == last
    more = CODE.replace("  return", "  if (n > 5) half(0);\n  return")
    assert fingerprint(tmp_path, more, bug_at(5)) == last, "a recursive call does not begin the function"
    assert fingerprint(tmp_path, CODE, bug_at(4, "division-by-zero")) != last
    assert fingerprint(tmp_path, CODE.replace("100", "10"), bug_at(4)) != last


def test_two_bugs_of_a_kind_on_a_line_are_two(tmp_path: Path) -> None:
    line = "  s = t[i] + /* \u00e9 */ t[j];"

    def mark(indented: str, *texts: str, comment: str = "", baseline: Baseline | None = None) -> tuple[Bug, ...]:
        shown = comment + indented
        (tmp_path / "p.c").write_text(f"int half(int i, int j) {{\n{shown}\n}}\n", encoding="utf-8")
        columns = [len(shown[: shown.index(text)].encode()) + 1 for text in texts]
        found = [replace(bug_at(2), location=Location("p.c", 2, column)) for column in columns]
        return marked(found, Sources(tmp_path), baseline)

    first, second = mark(line, "t[i]", "t[j]")
    assert first.fingerprint != second.fingerprint
    summary = Summary("test", ("p.c",), bugs=(first, second))
    (tmp_path / "p.json").write_text(json.dumps(merged("project", [json.loads(json.dumps(sarif_of(summary)))])))
    both = read_baseline(tmp_path / "p.json")
    indented = line.replace("  s = t", "\t\ts  =\tt")
    assert [bug.baseline for bug in mark(indented, "t[i]", "t[j]", baseline=both)] == [KNOWN, KNOWN], "blanks"
    beside = "/* clew: ignore shift */"
    assert [bug.baseline for bug in mark(line, "t[i]", "t[j]", comment=beside, baseline=both)] == [KNOWN, KNOWN]
    one = Baseline(frozenset({second.fingerprint}))
    assert [bug.baseline for bug in mark(line, "t[i]", "t[j]", baseline=one)] == [NEW, KNOWN]


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        ("  x(); // clew: ignore", "shift", "a comment in the source"),
        ("  x(); // clew: ignore shift", "shift", "a comment in the source"),
        ("  x(); /* clew: ignore abort, shift -- wraps on purpose */", "shift", "wraps on purpose"),
        ("  /* clew: ignore shift -- why */ x(); // of another kind", "shift", "why"),
        ("  x(); // clew: ignore memory", "out-of-bounds", "a comment in the source"),
        ("  x(); // clew: ignore abort", "shift", None),
        ('  x("clew: ignore");', "shift", None),
        ("  x(); // Clew ignores this", "shift", None),
    ],
)
def test_comments_suppress(line: str, kind: str, reason: str | None, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(f"{line}\n")
    (made,) = marked([bug_at(1, kind)], Sources(tmp_path), None)
    assert made.suppressed == (reason or "")
    assert made.is_set_aside == bool(reason)


def test_a_comment_above_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("// clew: ignore\nx();\ny(); // clew: ignore\nz();\n")
    sources = Sources(tmp_path)
    said = [suppression_at(Location("p.c", line), sources) is not None for line in (2, 3, 4)]
    assert said == [True, True, False]
    assert suppression_at(None, sources) is None


def test_a_name_that_there_is_not_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("x(); // clew: ignore overfloww\n")
    sources = Sources(tmp_path)
    assert misspelled((bug_at(1), bug_at(1)), sources) == (
        "p.c:1: 'clew: ignore overfloww' names no kind of bug and no check",
    )
    assert not marked([bug_at(1)], sources, None)[0].suppressed


@pytest.mark.parametrize("form", ["summary.json", "results.sarif", "."])
def test_baselines(form: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(CODE)
    sources = Sources(tmp_path)
    then = Summary("test", ("p.c",), bugs=marked([bug_at(2), bug_at(3, rests_on="a guess")], sources, None))
    (tmp_path / "summary.json").write_text(json.dumps(then.to_json()))
    (tmp_path / "results.sarif").write_text(json.dumps(sarif_of(then, sources)))
    baseline = read_baseline(tmp_path / form)
    now = [bug_at(2), bug_at(3, rests_on="a guess"), bug_at(3), bug_at(4), bug_at(2, rests_on="a guess")]
    states = [bug.baseline for bug in marked(now, sources, baseline)]
    assert states == [KNOWN, KNOWN, NEW, NEW, KNOWN], "what was possible and is certain now is new"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot read the baseline"),
        ("{", "is no JSON"),
        ("[]", "has no fingerprints"),
        ('{"bugs": [{"kind": "shift"}]}', "has no fingerprints"),
        ('{"version": "2.1.0", "runs": [{"results": [{"message": {"text": "of another tool"}}]}]}', "no fingerprints"),
    ],
)
def test_no_baseline(text: str | None, says: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "b.json").write_text(text)
    with pytest.raises(UserError, match=says):
        read_baseline(tmp_path / "b.json")


def test_a_kept_result_is_compared_again() -> None:
    kept = {"fingerprint": "f", "rests_on": None, "baseline": NEW}
    assert restated(kept, None) == {"fingerprint": "f", "rests_on": None}
    assert restated(kept, Baseline(frozenset({"f"})))["baseline"] == KNOWN


@pytest.mark.parametrize(
    ("words", "bug", "fails"),
    [
        (None, bug_at(1), True),
        (None, bug_at(1, rests_on="a guess"), False),
        (None, replace(bug_at(1), suppressed="why"), False),
        (("any",), replace(bug_at(1), suppressed="why"), False),
        (("any",), replace(bug_at(1), baseline=KNOWN), True),
        (("new",), replace(bug_at(1), baseline=KNOWN), False),
        (("new",), replace(bug_at(1), baseline=NEW), True),
        (("overflow",), bug_at(1), True),
        (("signed-overflow", "memory"), bug_at(1), True),
        (("memory", "possible"), bug_at(1), False),
        (("possible",), bug_at(1, rests_on="a guess"), True),
        (("none",), bug_at(1), False),
    ],
)
def test_what_makes_a_run_fail(words: tuple[str, ...] | None, bug: Bug, fails: bool) -> None:
    baseline = Path("b") if words and "new" in words else None
    judgement = Judgement.of(TestRequest((Path("p.c"),), fail_on=words, baseline=baseline))
    assert judgement.fails(bug.kind, bug.baseline, bug.suppressed, bug.is_possible) is fails


def test_words_that_there_are_not() -> None:
    with pytest.raises(UserError, match="no word 'memry'; did you mean 'memory'"):
        Judgement.of(TestRequest((Path("p.c"),), fail_on=("memry",)))
    with pytest.raises(UserError, match="--fail-on none means"):
        TestRequest((Path("p.c"),), fail_on=("none", "memory"))
    with pytest.raises(UserError, match="add --baseline"):
        TestRequest((Path("p.c"),), fail_on=("new",))
