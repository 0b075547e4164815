"""Set-up of these tests: what is found does not depend on how fast the machine is."""

from __future__ import annotations

import pytest

from clew.explain import conflict


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small reasons however long they take."""
    monkeypatch.setattr(conflict, "QUERY_SECONDS", 60.0, raising=False)
