"""Set-up of these tests: several in a row ask about one program, which is read once."""

from __future__ import annotations

import pytest

from clew.jobs import prepare
from reading import ReadOnce


@pytest.fixture(scope="session")
def read_once() -> ReadOnce:
    return ReadOnce()


@pytest.fixture(autouse=True)
def reading(monkeypatch: pytest.MonkeyPatch, read_once: ReadOnce) -> None:
    monkeypatch.setattr(prepare, "_load", read_once)
