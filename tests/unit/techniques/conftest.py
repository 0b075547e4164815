"""Set-up of these tests: what is found does not depend on how fast the machine is."""

from __future__ import annotations

import pytest

from support.patience import limit_conflicts


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small reasons however long they take."""
    limit_conflicts(monkeypatch)
