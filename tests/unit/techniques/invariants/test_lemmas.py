"""Lemmas at the heads of loops: which are found, that none is wrong, and why loops end."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.describe.lemmas import LemmaDescriber
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.techniques.invariants.candidates.lemmas import find_lemmas
from clew.techniques.invariants.candidates.limits import USUAL, Limits
from clew.techniques.invariants.find import find
from unit.execute.support import PRELUDE


def told(folder: Path, body: str, before: str = "", limits: Limits = USUAL) -> tuple[list[str], list[str]]:
    """The lemmas of a program, and why its loops end."""
    file = folder / "p.c"
    file.write_text(f"{PRELUDE}{before}\nint main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    program = load([file], CompileOptions(flags=("-w",)), None)
    machine = build_machine(program, all_models())
    effects = ModRef(program, machine.callees)
    invariants = find(machine, "main", "intervals", effects=effects)
    assert invariants is not None
    options = RunOptions(any_undefined=True)
    found = find_lemmas(effects, invariants, find_entry(program, None).start, options, Budget(300), limits, ranked=True)
    describer = LemmaDescriber(program)
    lemmas = [describer.text(lemma) for own in found.found.values() for lemma in own]
    return lemmas, [describer.ranking(ranking) for ranking in found.rankings.values()]


ANY = "while (__VERIFIER_nondet_bool())"


@pytest.mark.parametrize(
    ("body", "lemma"),
    [
        (f"unsigned x = 0; {ANY} x += 2;", "x % 2 == 0"),
        (f"unsigned x = 3; {ANY} x += 4;", "x % 4 == 3"),
        (f"unsigned s = 0, i = 0; {ANY} {{ s += i; i++; }}", "i*i == i + 2*s (mod 2^32)"),
        (f"unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0; {ANY} {{ x -= 3; y += 3; }}", "x + y == n (mod 2^32)"),
        (
            f"unsigned char f = 0; int x = 0; {ANY} {{ f = !f; if (f) x = 5; else x = 0; }} if (x) return 1;",
            "f != 0 or x == 0",
        ),
        (
            "unsigned x = 0, y = 9; while (x < 900000) { x++; if (x > 7) y = x; } if (y) return 1;",
            "y == 9 or x + 1 >= 8",
        ),
        ("unsigned x = 1; while (x < 5000) x += 3;", "x % 3 == 1"),
    ],
)
def test_what_loops_keep(tmp_path: Path, body: str, lemma: str) -> None:
    assert lemma in told(tmp_path, body)[0]


@pytest.mark.parametrize(
    ("body", "lemma"),
    [
        (f"unsigned x = 0; {ANY} {{ x += 2; if (x == 100000) x++; }}", "x % 2 == 0"),
        (f"unsigned s = 0, i = 0; {ANY} {{ s += i; i++; if (s == 77777) s++; }}", "i*i == i + 2*s (mod 2^32)"),
        ("unsigned char x = 1; while (x < 255) x += 3;", "x % 3 == 1"),
        ("unsigned x = 0, y = 9; while (x < 900000) { x++; if (x == 800000) y = x; } if (y) return 1;", "y == 9"),
    ],
)
def test_what_breaks_late_is_not_said(tmp_path: Path, body: str, lemma: str) -> None:
    assert lemma not in told(tmp_path, body)[0]


def test_globals_and_functions(tmp_path: Path) -> None:
    before = f"static unsigned g; static void f(unsigned n) {{ unsigned i = n; {ANY} {{ g += 6; i += 3; }} }}"
    lemmas, _ = told(tmp_path, "f(1); g++; f(2);", before)
    assert "2*i + g@entry == 2*n + g (mod 2^32)" not in lemmas  # what a global was before has no name
    assert not any(text == "g % 2 == 0" for text in lemmas)  # in the second call it is odd
    assert "g % 2 == 0" in told(tmp_path, "f(1); g += 2; f(2);", before)[0]


def test_nothing_is_said_where_not_everything_is_followed(tmp_path: Path) -> None:
    body = f"unsigned x = 0; {ANY} x += 2;"
    assert told(tmp_path, body, limits=Limits(segments=1)) == ([], [])
    assert told(tmp_path, body + " other(&x);", "void other(unsigned *);")[0] in ([], ["x % 2 == 0"])
    entered_twice = f"unsigned x = 0; if (__VERIFIER_nondet_bool()) goto in; {ANY} {{ x += 2; in: x += 2; }}"
    assert told(tmp_path, entered_twice) == ([], [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("unsigned n = __VERIFIER_nondet_uint(), i; for (i = 0; i < n; i++);", "n - i gets smaller each time"),
        ("int i; for (i = 0; i < 100; i += 3);", "-i + 100 gets smaller each time, 100 iterations at most"),
        ("unsigned n = __VERIFIER_nondet_uint(); while (n) n /= 2;", "n gets smaller each time"),
        (
            "unsigned n = __VERIFIER_nondet_uint(); if (n > 9) return 0; while (n) n /= 2;",
            "n gets smaller each time, 9 iterations at most",
        ),
        (
            "unsigned p = __VERIFIER_nondet_uint(), q = 3;"
            "while (p > 0) if (q > 0) q--; else { p--; q = __VERIFIER_nondet_uint(); }",
            "p, then q gets smaller each time",
        ),
    ],
)
def test_why_loops_end(tmp_path: Path, body: str, reason: str) -> None:
    assert told(tmp_path, body)[1] == [reason]


@pytest.mark.parametrize(
    "body",
    [
        f"unsigned x = 0; {ANY} x++;",
        "unsigned n = __VERIFIER_nondet_uint(), i; for (i = 0; i <= n; i++);",
        "unsigned n = __VERIFIER_nondet_uint(), i; for (i = 0; i < n; i += 2);",
        f"int i; for (i = 0; i < 9; i++) {ANY};",
        "unsigned a = __VERIFIER_nondet_uint(), b = 7; while (a != b) if (a > b) a -= b; else b -= a;",
    ],
)
def test_what_may_not_end(tmp_path: Path, body: str) -> None:
    assert told(tmp_path, body)[1] == []
