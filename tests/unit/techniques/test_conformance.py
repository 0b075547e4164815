"""Every technique of the registry keeps to the rules (see ``conformance``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.techniques.registry import TECHNIQUES, Entry
from unit.techniques import conformance
from unit.techniques.conformance import EXPLORING, PROGRAMS, Outcome

every_technique = pytest.mark.parametrize("entry", EXPLORING, ids=lambda entry: entry.name)
every_program = pytest.mark.parametrize("program", PROGRAMS)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """All programs, explored to their ends without techniques."""
    folder = tmp_path_factory.mktemp("plain")
    found = {program: conformance.run(program, folder, None) for program in PROGRAMS}
    assert all(outcome.summary.stopped is None and outcome.bugs for outcome in found.values())
    return found


@every_technique
@every_program
def test_nothing_is_lost(program: str, entry: Entry, plain: dict[str, Outcome], tmp_path: Path) -> None:
    conformance.loses_nothing(program, tmp_path, entry, plain[program])


@every_technique
@every_program
def test_claims_are_true(program: str, entry: Entry, plain: dict[str, Outcome], tmp_path: Path) -> None:
    conformance.claims_are_true(program, tmp_path, entry, plain[program])


@every_technique
def test_runs_follow_their_seed(entry: Entry, tmp_path: Path) -> None:
    conformance.follows_its_seed("search", tmp_path, entry)


@every_program
def test_what_is_off_costs_nothing(program: str) -> None:
    conformance.costs_nothing_when_off(program)


@every_technique
def test_runs_can_be_left_and_taken_up(entry: Entry) -> None:
    conformance.can_be_left_and_taken_up("diamonds", entry)


@every_program
@pytest.mark.parametrize("strategy", ["conflicts", "auto"])
def test_proofs_are_true(program: str, strategy: str, tmp_path: Path) -> None:
    conformance.proofs_are_true(program, tmp_path, strategy)


def test_names_and_options_are_taken_once() -> None:
    assert len({entry.name for entry in TECHNIQUES}) == len(TECHNIQUES)
    assert len({entry.option for entry in EXPLORING}) == len(EXPLORING)
    assert all(entry.help for entry in TECHNIQUES)
