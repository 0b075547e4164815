"""Every technique of the registry keeps to the rules (see ``conformance``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.techniques.registry import SWITCHES, TECHNIQUES
from unit.techniques import conformance
from unit.techniques.conformance import PROGRAMS, Outcome

every_technique = pytest.mark.parametrize("name", SWITCHES)
every_program = pytest.mark.parametrize("program", PROGRAMS)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """All programs, explored to their ends without techniques."""
    folder = tmp_path_factory.mktemp("plain")
    found = {program: conformance.run(program, folder, None) for program in PROGRAMS}
    assert all(outcome.summary.stopped is None and outcome.bugs for outcome in found.values())
    return found


@pytest.mark.sample(5)
@every_technique
@every_program
def test_nothing_is_lost(program: str, name: str, plain: dict[str, Outcome], tmp_path: Path) -> None:
    conformance.loses_nothing(program, tmp_path, name, plain[program])


@pytest.mark.sample(5)
@every_technique
@every_program
def test_claims_are_true(program: str, name: str, plain: dict[str, Outcome], tmp_path: Path) -> None:
    conformance.claims_are_true(program, tmp_path, name, plain[program])


@every_technique
def test_runs_follow_their_seed(name: str, tmp_path: Path) -> None:
    conformance.follows_its_seed("search", tmp_path, name)


@every_program
def test_what_is_off_costs_nothing(program: str) -> None:
    conformance.costs_nothing_when_off(program)


@every_technique
def test_runs_can_be_left_and_taken_up(name: str) -> None:
    conformance.can_be_left_and_taken_up("diamonds", name)


@every_program
@pytest.mark.parametrize("strategy", ["conflicts", "auto"])
def test_proofs_are_true(program: str, strategy: str, tmp_path: Path) -> None:
    conformance.proofs_are_true(program, tmp_path, strategy)


def test_names_and_options_are_taken_once() -> None:
    assert set(SWITCHES) <= set(TECHNIQUES.names())
    assert len({field for field, _ in SWITCHES.values()}) == len(SWITCHES)
    assert all(entry.help for entry in TECHNIQUES)
