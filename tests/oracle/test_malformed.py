"""Damaged inputs of all kinds are refused in order; ``scripts/robustness.py`` tries thousands of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from oracle.malformed import Doors


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    return Doors(tmp_path_factory.mktemp("doors"))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "count"), [("folder", 15), ("command", 80), ("values", 200), ("llvm", 25), ("cache", 20), ("c", 2)]
)
def test_malformed_inputs_are_refused_in_order(doors: Doors, name: str, count: int) -> None:
    door, _ = doors.all[name]
    wrong = [(number, found) for number in range(count) if (found := door(random.Random(f"suite/{name}/{number}")))]
    assert not wrong


def test_the_doors_notice_what_is_wrong(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A door that lets everything through would prove nothing."""

    def fail(*_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr("oracle.malformed.read_run", fail)
    monkeypatch.setattr("clew.cli.command.make_request", fail)
    monkeypatch.setattr("oracle.malformed.parse_start", fail)
    assert doors.output_folder(random.Random(1)).startswith("KeyError: 'broken'")
    assert doors.values(random.Random(1)).startswith("KeyError: 'broken'")
    assert any("internal error: KeyError" in doors.command_line(random.Random(seed)) for seed in range(100))


def test_examples_are_read_as_they_are(doors: Doors) -> None:
    """What is damaged is sound before."""
    from oracle.malformed import _read_all

    for name in ("main-run", "function-run"):
        _read_all(Path(doors.folder) / name)
