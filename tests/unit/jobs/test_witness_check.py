"""``clew verify --witness``: right witnesses are confirmed, wrong ones are not, and others are refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.options import VerifyRequest
from clew.jobs.phases import induction_proof, loop_facts
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS

CODE = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned p = 1, i;
  for (i = 0; i < n; i++)
    p = p * 3 + 2;
  if (p % 2 != 1) reach_error();
  return 0;
}
"""
LOOP = {"file_name": "p.c", "line": 6, "column": 3, "function": "main"}


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction_proof, "ROUNDS", (1, 2, 3))
    monkeypatch.setattr(loop_facts, "find_lemmas", lambda *_, **_more: NO_LEMMAS)  # the witness is to be enough


def invariant(value: str, location: dict[str, Any] = LOOP, type: str = "loop_invariant", **more: str) -> dict[str, Any]:
    return {"invariant": {"type": type, "location": location, "value": value, "format": "c_expression", **more}}


def check(folder: Path, *content: dict[str, Any], code: str = CODE, **options: Any) -> Summary:
    """The result for a witness in JSON, which is YAML as well."""
    file, witness = folder / "p.c", folder / "w.yml"
    file.write_text(code, encoding="utf-8")
    hashes = {"p.c": hashlib.sha256(options.pop("hashed", code).encode()).hexdigest()}
    entry = {"entry_type": "invariant_set", "metadata": {"task": {"input_file_hashes": hashes}}, "content": content}
    witness.write_text(json.dumps([entry]), encoding="utf-8")
    given = {"seconds": 600.0, "strategy": "induction", **options}
    return run_verify(VerifyRequest((file,), witness=witness, **given), Listener())


def test_an_invariant_that_is_inductive_and_implies_the_property(tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("p % 2 == 1"))
    assert summary.verdict == "TRUE" and "the witness is confirmed" in summary.reason
    assert [item.location.line for item in summary.properties if item.location] == [8]


def test_an_invariant_that_is_too_weak(tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("i <= n"))
    assert summary.verdict == "UNKNOWN" and "hold, but are not enough" in summary.reason


@pytest.mark.parametrize("value", ["p % 2 == 0", "p % 8 == 1", "i < 5"])
def test_an_invariant_that_does_not_hold(value: str, tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("p % 2 == 1"), invariant(value))
    assert summary.verdict == "UNKNOWN"
    assert "the witness is wrong" in summary.reason and value in summary.reason and "p.c:6" in summary.reason
    assert not summary.bugs


def test_one_that_is_not_shown_to_hold(tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("p != 4"))
    assert summary.verdict == "UNKNOWN" and "is not shown to hold" in summary.reason


def test_a_program_that_is_wrong(tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("i <= n"), code=CODE.replace("+ 2", "+ 1"))
    assert summary.verdict == "FALSE" and summary.bugs[0].confirmed
    assert summary.bugs[0].location is not None and summary.bugs[0].location.line == 8


@pytest.mark.parametrize(
    ("loop", "line", "column"),
    [
        ("while (__VERIFIER_nondet_uint()) p = p * 3 + 2;", 6, 3),
        ("for (;;) { if (__VERIFIER_nondet_uint()) break; p = p * 3 + 2; }", 6, None),
        ("do { p = p * 3 + 2; } while (__VERIFIER_nondet_uint());", 6, 3),
    ],
)
def test_loops_of_all_kinds(loop: str, line: int, column: int | None, tmp_path: Path) -> None:
    code = CODE.replace("for (i = 0; i < n; i++)\n    p = p * 3 + 2;", f"{loop}\n")
    place = {"file_name": "p.c", "line": line} | ({} if column is None else {"column": column})
    assert check(tmp_path, invariant("p % 2 == 1", place), code=code).verdict == "TRUE"
    assert "the witness is wrong" in check(tmp_path, invariant("p == 1", place), code=code).reason


def test_an_invariant_of_a_place(tmp_path: Path) -> None:
    place = {"file_name": "p.c", "line": 8, "column": 3}
    right, wrong = (invariant(value, place, "location_invariant") for value in ("i >= n", "i == 0"))
    assert check(tmp_path, invariant("p % 2 == 1"), right).verdict == "TRUE"
    assert "the witness is wrong" in check(tmp_path, invariant("p % 2 == 1"), wrong).reason


def test_other_errors_are_asked_for(tmp_path: Path) -> None:
    summary = check(tmp_path, invariant("p % 2 == 1"), checks=("overflow",))
    assert summary.verdict == "TRUE" and {item.kind for item in summary.properties} <= {"signed-overflow"}
    assert check(tmp_path, invariant("p == 1"), checks=("overflow",)).verdict == "UNKNOWN"


@pytest.mark.parametrize(
    ("content", "options", "what"),
    [
        (invariant("p", LOOP | {"line": 8}), {}, "no loop that is understood begins at"),
        (invariant("p; q"), {}, "is no condition"),
        (invariant("p", type="loop_transition_invariant"), {}, "not supported"),
        (invariant("p", format="acsl"), {}, "not supported"),
        (invariant("p", {"file_name": "p.c", "line": 7, "column": 5}, "location_invariant"), {}, "no statement begins"),
        (invariant("p"), {"hashed": "other"}, "the witness of another program"),
        ({"other": 1}, {}, "is no witness of format 2.0"),
    ],
)
def test_files_that_are_refused(content: dict[str, Any], options: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=what):
        check(tmp_path, content, **options)


@pytest.mark.parametrize("text", ["- entry_type: violation_sequence\n", "{", "- 1\n", "just text\n", ""])
def test_other_files(text: str, tmp_path: Path) -> None:
    file, witness = tmp_path / "p.c", tmp_path / "w.yml"
    file.write_text(CODE)
    witness.write_text(text)
    with pytest.raises(UserError, match=r"w\.yml"):
        run_verify(VerifyRequest((file,), witness=witness), Listener())


def test_what_clew_writes_it_confirms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import UTC, datetime

    from clew.report.witness import witness_of

    monkeypatch.chdir(tmp_path)
    file = Path("p.c")
    file.write_text("""extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_bool())
    if (x < 100) { x++; y++; }
  if (x != y || x > 100) reach_error();
  return 0;
}
""")
    summary = run_verify(VerifyRequest((file,), strategy="induction", seconds=600.0), Listener())
    text = witness_of(summary, [file], 64, datetime.now(UTC))
    assert summary.verdict == "TRUE" and text is not None
    assert "(long long)x - (long long)y == 0" in text and "line: 5" in text
    Path("w.yml").write_text(text)
    request = VerifyRequest((file,), strategy="induction", seconds=600.0, witness=Path("w.yml"))
    assert "the witness is confirmed" in run_verify(request, Listener()).reason
    Path("w.yml").write_text(text.replace("<= 100", "<= 1"))
    assert "the witness is wrong" in run_verify(request, Listener()).reason
