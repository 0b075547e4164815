"""Checks and the kinds of bugs that belong to them."""

from __future__ import annotations

from collections import Counter

import pytest

from clew.base.errors import UserError
from clew.checks import check
from clew.checks.check import CHECKS, checks_of, chosen_kinds, sanitizers, trapped
from clew.report.kinds import BUG_KINDS, BugKind


def test_every_kind_belongs_to_a_check() -> None:
    assert {kind.check for kind in BUG_KINDS.values()} <= set(CHECKS.names())
    assert chosen_kinds(("memory",)) >= {"out-of-bounds", "double-free"}
    assert chosen_kinds(("conversion", "div")) == {"other", "division-by-zero"}
    assert chosen_kinds(("all",)) == chosen_kinds(None) == set(BUG_KINDS)
    with pytest.raises(UserError, match="unknown check 'memroy' for --check"):
        chosen_kinds(("memroy",))


def test_a_trap_belongs_to_one_check_and_a_known_kind() -> None:
    traps = [(number, kind) for entry in CHECKS for number, (kind, _) in entry.item.traps.items()]
    assert {kind for _, kind in traps} <= set(BUG_KINDS)
    assert max(Counter(number for number, _ in traps).values()) == 1
    assert trapped(20)[0] == "shift"
    assert trapped(99)[0] == "other"


def test_only_what_is_looked_for_is_compiled_in() -> None:
    assert sanitizers(frozenset({"shift", "assert"})) == ("shift",)
    assert sanitizers(frozenset({"memory-leak"})) == ()


def test_a_new_kind_is_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "BUG_KINDS", {**BUG_KINDS, "race": BugKind("race", "Data race", (362,), "threads")})
    assert "race" in chosen_kinds(None)
    assert chosen_kinds(("race",)) == chosen_kinds(("threads",)) == {"race"}
    assert checks_of({"race", "shift"}) == ["shift", "threads"]
