"""Ladders: which phases come in which order, with which part of the budget, and when a rung is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import Budget
from clew.base.location import Location
from clew.base.options import ReachRequest, VerifyRequest
from clew.checks.properties import Property, Site
from clew.jobs.ladders import Rung, climb, reach_ladder, verify_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.report.listener import Listener
from clew.techniques.tasks import UNDECIDED, Proved, bounded


class Noting:
    """A phase that notes what it is given."""

    def __init__(self) -> None:
        self.over = False
        self.given: list[tuple[float | None, int | None]] = []

    def run(self, share: Budget, effort: int | None) -> None:
        self.given.append((share.seconds, effort))


def test_a_phase_is_taken_up_again_with_another_part() -> None:
    budget, phase = Budget(seconds=100.0), Noting()
    climb((Rung(phase, most=1.0, effort=7), Rung(phase, share=0.0, least=3.0), Rung(phase)), budget)
    assert phase.given == [(1.0, 7), (3.0, None), (100.0, None)]


def test_the_whole_is_handed_on_as_it_is() -> None:
    budget, seen = Budget(seconds=5.0), []

    class Keeping(Noting):
        def run(self, share: Budget, effort: int | None) -> None:
            seen.append(share)

    climb((Rung(Keeping()),), budget)
    assert seen == [budget]


def test_rungs_that_are_left_out() -> None:
    first, second = Noting(), Noting()
    first.over = True
    climb((Rung(first), Rung(second, effort=0), Rung(second, when=lambda: False)), Budget())
    assert (first.given, second.given) == ([], [])


def test_nothing_is_done_after_the_decision() -> None:
    first, second = Noting(), Noting()
    climb((Rung(first), Rung(second)), Budget(), lambda: bool(first.given))
    assert (len(first.given), len(second.given)) == (1, 0)


def shape(ladder: tuple[Rung, ...]) -> list[tuple[str, float, int | None]]:
    return [(type(rung.phase).__name__, rung.share, rung.effort) for rung in ladder]


def context(request: Any) -> Any:
    budget = Budget()
    return Context(request, Listener(), budget, Ledger(request, "", budget), None)  # type: ignore[arg-type]


VERIFY = VerifyRequest((Path("p.c"),))
REACH = ReachRequest((Path("p.c"),), line=1)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (VERIFY, [("Exhaustive", 1.0, 400), ("InvariantProof", 1.0, None), ("Exhaustive", 0.25, 400),
                  ("ConflictProof", 0.5, None), ("Exhaustive", 1.0, None)]),
        (replace(VERIFY, strategy="plain"), [("Exhaustive", 1.0, None)]),
        (replace(VERIFY, malloc_may_fail=True), [("Exhaustive", 1.0, None)]),
        (replace(VERIFY, unroll=3, checks=("div",)), [("Exhaustive", 1.0, None)]),
        (replace(VERIFY, unroll=3), [("ConflictProof", 0.75, None), ("Exhaustive", 1.0, None),
                                     ("InvariantProof", 1.0, None)]),
        (replace(VERIFY, strategy="conflicts", invariants=False),
         [("ConflictProof", 1.0, None), ("Exhaustive", 1.0, None), ("InvariantProof", 1.0, None)]),
    ],
)  # fmt: skip
def test_verify(request_: VerifyRequest, expected: list[tuple[str, float, int | None]]) -> None:
    ladder = verify_ladder(context(request_), pointers=False)
    assert shape(ladder) == expected
    phases = [rung.phase for rung in ladder if shape((rung,))[0][0] == "Exhaustive"]
    assert all(phase is phases[0] for phase in phases)


def test_a_function_that_is_given_pointers() -> None:
    assert shape(verify_ladder(context(VERIFY), pointers=True)) == [("Exhaustive", 1.0, None)]


def test_reach() -> None:
    first, ladder = reach_ladder(context(REACH), "line 1")
    assert shape(ladder) == [("DirectedSearch", 1.0, 500), ("ChainSearch", 0.5, None), ("DirectedSearch", 1.0, None)]
    assert ladder[0].phase is ladder[2].phase is first
    for strategy, name in (("plain", "DirectedSearch"), ("chains", "ChainSearch")):
        first, ladder = reach_ladder(context(replace(REACH, strategy=strategy)), "line 1")
        assert shape(ladder) == [(name, 1.0, None)] and ladder[0].phase is first


def test_a_proof_stands() -> None:
    ledger = Ledger(VERIFY, "verify", Budget())
    one, other = (Property("assert", Location("p.c", line), "f", (Site("f", "b", line),)).key for line in (1, 2))
    ledger.answer_open({one: Proved("by hand"), other: UNDECIDED})
    ledger.answer_open({one: bounded(3), other: bounded(3)})
    assert ledger.answers == {one: Proved("by hand"), other: bounded(3)}
