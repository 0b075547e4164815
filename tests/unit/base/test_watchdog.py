"""Where the watchdog cuts a run that has spent its budget, and where it waits."""

from __future__ import annotations

import importlib
import signal
from pathlib import Path

import pytest

from clew.base import watchdog
from clew.base.budget import Budget, Interrupt
from clew.base.watchdog import Stopped, held, watched

LOOKS = "import signal\nsignal.raise_signal(signal.SIGALRM)\nsignal.raise_signal(signal.SIGALRM)\n"
"""The watchdog looks twice: what is spent then has been so for longer than it waits."""


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "GRACE", 0.0)
    monkeypatch.setattr(watchdog, "AGAIN", 0.0)
    monkeypatch.setattr(watchdog, "TICK", 3600.0)


@pytest.fixture
def spent() -> Budget:
    interrupt = Interrupt()
    interrupt.request()
    return Budget(interrupt=interrupt)


def test_a_spent_budget_ends_the_run(spent: Budget) -> None:
    with pytest.raises(Stopped), watched(spent):
        exec(LOOKS)


def test_what_is_held_is_not_cut(spent: Budget) -> None:
    done = False
    with pytest.raises(Stopped), watched(spent):
        with held():
            exec(LOOKS)
            done = True
        exec(LOOKS)
    assert done


def test_an_import_is_not_cut(spent: Budget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A native library that was half imported could not be imported again."""
    (tmp_path / "slow_package.py").write_text(LOOKS + "whole = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    whole = False
    with pytest.raises(Stopped), watched(spent):
        whole = importlib.import_module("slow_package").whole
        exec(LOOKS)
    assert whole


def test_a_run_may_be_part_of_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is cut like any other: what is imported by others is none of its business."""
    lines = [
        "from clew.base.budget import Budget, Interrupt",
        "from clew.base.watchdog import Stopped, watched",
        "interrupt = Interrupt()",
        "interrupt.request()",
        "cut = False",
        "try:",
        "    with watched(Budget(interrupt=interrupt)):",
        *(f"        {line}" for line in LOOKS.splitlines()),
        "except Stopped:",
        "    cut = True",
    ]
    (tmp_path / "runs_clew.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.getsignal(signal.SIGALRM)
    assert importlib.import_module("runs_clew").cut
    assert signal.getsignal(signal.SIGALRM) is before
