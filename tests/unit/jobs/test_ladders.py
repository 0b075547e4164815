"""Ladders: which phases come in which order, with which part of the budget, and when a rung is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clew.base.budget import Budget
from clew.base.location import Location
from clew.base.options import ReachRequest, VerifyRequest
from clew.checks.properties import Property, Site
from clew.jobs import ladders
from clew.jobs.ladders import Later, Rung, climb, reach_ladder, verify_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.dovetail import Dovetail
from clew.jobs.phases.phase import Context
from clew.report.listener import Listener
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved, bounded, unsupported

LEDGER = Ledger(VerifyRequest((Path("p.c"),)), "verify", Budget())


class Noting:
    """A phase that notes what it is given."""

    def __init__(self) -> None:
        self.over = False
        self.given: list[tuple[float | None, int | None]] = []

    def run(self, share: Budget, effort: int | None) -> None:
        self.given.append((share.seconds, effort))


def test_a_phase_is_taken_up_again_with_another_part() -> None:
    budget, phase = Budget(seconds=100.0), Noting()
    climb((Rung(phase, most=1.0, effort=7), Rung(phase, share=0.0, least=3.0), Rung(phase)), budget, LEDGER)
    assert phase.given == [(1.0, 7), (3.0, None), (100.0, None)]


def test_the_whole_is_handed_on_as_it_is() -> None:
    budget, seen = Budget(seconds=5.0), []

    class Keeping(Noting):
        def run(self, share: Budget, effort: int | None) -> None:
            seen.append(share)

    climb((Rung(Keeping()),), budget, LEDGER)
    assert seen == [budget]


def test_rungs_that_are_left_out() -> None:
    first, second = Noting(), Noting()
    first.over = True
    climb((Rung(first), Rung(second, effort=0), Rung(second, when=lambda: False)), Budget(), LEDGER)
    assert (first.given, second.given) == ([], [])


def test_an_internal_error_ends_a_rung_that_the_command_can_do_without() -> None:
    """The rungs before and after it count all the same, and the summary says so."""

    class Failing(Noting):
        def run(self, share: Budget, effort: int | None) -> None:
            raise KeyError("oops")

    ledger, last = Ledger(VerifyRequest((Path("p.c"),)), "verify", Budget()), Noting()
    climb((Rung(Failing(), name="invariants"), Rung(last)), Budget(), ledger)
    assert len(last.given) == 1
    assert ledger.findings.warnings == ["internal error in invariants: KeyError: 'oops'"]
    with pytest.raises(KeyError):
        climb((Rung(Failing()), Rung(last)), Budget(), ledger)


def test_nothing_is_done_after_the_decision() -> None:
    first, second = Noting(), Noting()
    climb((Rung(first), Rung(second)), Budget(), LEDGER, lambda: bool(first.given))
    assert (len(first.given), len(second.given)) == (1, 0)


def shape(ladder: tuple[Rung, ...]) -> list[tuple[Any, float]]:
    """Phases, those that take turns as one list, and their parts of the time."""
    return [(names(rung.phase), rung.share) for rung in ladder]


def names(phase: Any) -> Any:
    if isinstance(phase, Later):
        phase = phase.phase
    if isinstance(phase, Dovetail):
        return [names(arm.phase) for arm in phase.arms]
    sparing = getattr(phase, "_sparing", None)
    return type(phase).__name__ if sparing is None else type(sparing).__name__


def context(request: Any) -> Any:
    budget = Budget()
    program: Any = SimpleNamespace(functions={}, runtime=(), globals={}, aliases={}, constructors=(), destructors=())
    program.size = lambda: 0
    return Context(request, Listener(), budget, Ledger(request, "", budget), program)


VERIFY = VerifyRequest((Path("p.c"),))
REACH = ReachRequest((Path("p.c"),), line=1)


@pytest.mark.parametrize(("checks", "most"), [(("assert",), True), (("assert", "memory"), False)])
def test_searches_for_places_wait_where_errors_may_be_anywhere(
    checks: tuple[str, ...], most: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladders, "is_large", lambda program: True)
    (rung,) = verify_ladder(context(replace(VERIFY, checks=checks)), False)
    assert isinstance(rung.phase, Dovetail)
    shares = {names(arm.phase): arm.share(has_end=True) for arm in rung.phase.arms}
    assert (shares["ConflictProof"] >= shares["Exhaustive"]) == most
    assert (shares["ConflictProof"] > shares["Merging"]) == most


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (VERIFY, [(["Exhaustive", "Merging", "ConflictProof", "NativeSearch"], 1.0)]),
        (replace(VERIFY, engine="interpreter"), [(["Exhaustive", "Merging", "ConflictProof"], 1.0)]),
        (replace(VERIFY, function="f"), [(["Exhaustive", "Merging", "ConflictProof"], 1.0)]),
        (replace(VERIFY, strategy="plain"), [("Exhaustive", 1.0)]),
        (replace(VERIFY, strategy="merging"), [("Merging", 1.0)]),
        (replace(VERIFY, strategy="summaries"), [("Summaries", 1.0)]),
        (replace(VERIFY, malloc_may_fail=True), [("Exhaustive", 1.0)]),
        (replace(VERIFY, unroll=3, checks=("div",)), [("Exhaustive", 1.0)]),
        (
            replace(VERIFY, unroll=3),
            [(["ConflictProof", "Merging", "Exhaustive"], 0.75), ("AccelerationProof", 0.5), ("KnownRounds", 1.0)],
        ),
        (replace(VERIFY, strategy="conflicts", invariants=False), [("ConflictProof", 1.0), ("AccelerationProof", 0.5)]),
    ],
)
def test_verify(request_: VerifyRequest, expected: list[tuple[Any, float]]) -> None:
    assert shape(verify_ladder(context(request_), pointers=False)) == expected


def test_verify_a_program_with_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "has_loops", lambda program: True)
    ladder = verify_ladder(context(VERIFY), pointers=False)
    arms = [
        "Summaries",
        "AccelerationProof",
        "NumberProof",
        "CellProof",
        "Exhaustive",
        "Merging",
        "ConflictProof",
        "InductionProof",
        "NativeSearch",
    ]
    assert shape(ladder) == [(arms, 1.0)]
    dovetail = ladder[0].phase
    assert isinstance(dovetail, Dovetail)
    assert [arm.is_waiting for arm in dovetail.arms[:6]] == [
        True,
        True,
        True,
        True,
        False,
        True,
    ]  # nothing was summarized


def test_a_function_that_is_given_pointers() -> None:
    assert shape(verify_ladder(context(VERIFY), pointers=True)) == [("Exhaustive", 1.0)]


def test_reach() -> None:
    first, ladder = reach_ladder(asked := context(REACH), "line 1", asked.program)
    assert shape(ladder) == [(["DirectedSearch", "ChainSearch", "Merging", "NativeSearch"], 1.0)]
    assert isinstance(ladder[0].phase, Dovetail) and ladder[0].phase.arms[0].phase is first
    for strategy, expected in (("plain", "DirectedSearch"), ("chains", "ChainSearch"), ("merging", "Merging")):
        first, ladder = reach_ladder(asked := context(replace(REACH, strategy=strategy)), "line 1", asked.program)
        assert shape(ladder) == [(expected, 1.0)] and ladder[0].phase is first


def test_who_looks_at_a_whole_program_begins_after_paths_were_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longer, the larger it is; the first turn of paths is over by then."""
    asked = context(REACH)
    large: Any = SimpleNamespace(size=lambda: 1000)
    monkeypatch.setattr(ladders, "SET_UP", 0.01)
    _, (rung,) = reach_ladder(asked, "line 1", large)
    assert isinstance(rung.phase, Dovetail)
    paths, chains, merging, native = rung.phase.arms
    standing = paths.standing()
    for worked, begun in ((0.0, 0), (19.0, 0), (20.0, 1), (29.0, 1), (30.0, 3)):
        paths.told = replace(standing, worked=worked)
        assert [arm.is_waiting for arm in (chains, merging, native)] == [place < begun for place in range(3)]


def test_a_proof_stands() -> None:
    ledger = Ledger(VERIFY, "verify", Budget())
    one, other = (Property("assert", Location("p.c", line), "f", (Site("f", "b", line),)).key for line in (1, 2))
    ledger.answer_open({one: Proved("by hand"), other: UNDECIDED})
    ledger.answer_open({one: bounded(3), other: bounded(3)})
    assert ledger.answers == {one: Proved("by hand"), other: bounded(3)}


def test_reasons_that_are_not_a_techniques_own_say_more() -> None:
    key = Property("assert", Location("p.c", 1), "f", (Site("f", "b", 1),)).key
    late, lost = Open(OpenReason.STOPPED, "time limit"), Open(OpenReason.NOT_FOLLOWED, "g() is not defined anywhere")
    for first, second in ((unsupported("conflicts", "goto"), late), (late, lost), (lost, Proved())):
        for order in ((first, second), (second, first)):
            ledger = Ledger(VERIFY, "verify", Budget())
            for answer in order:
                ledger.answer_open({key: answer})
            assert ledger.answers == {key: second}


def test_what_is_known_of_a_property_says_more_than_a_run_as_a_whole() -> None:
    key = Property("assert", Location("p.c", 1), "f", (Site("f", "b", 1),)).key
    run, own = (Open(OpenReason.NOT_FOLLOWED, text) for text in ("g() is called", "g() may call f()"))
    for order in ((True, False), (False, True)):
        ledger = Ledger(VERIFY, "verify", Budget())
        for of_run in order:
            ledger.answer_open({key: run if of_run else own}, of_run)
        assert ledger.answers == {key: own}
