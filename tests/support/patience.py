"""Limits of techniques for tests that run whole jobs, which have no option for these."""

from __future__ import annotations

from typing import Any

import pytest

from clew.base.options import TestRequest
from clew.explain.conflict import ReasonLimits
from clew.techniques.conflicts.limits import Limits
from clew.techniques.conflicts.technique import Conflicts
from clew.techniques.technique import Technique

PATIENT = ReasonLimits(seconds=60.0)
"""Small reasons however long they take: what is found does not depend on how fast the machine is."""


def limit_conflicts(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Let jobs learn from conflicts within these limits, and patiently."""
    monkeypatch.setattr(Conflicts.__init__, "__defaults__", (Limits(reasons=PATIENT, **fields), None))


def limit_technique(monkeypatch: pytest.MonkeyPatch, technique: type[Technique], limits: object) -> None:
    """Let jobs use a technique within these limits, wherever it applies."""
    make = technique.make

    def limited(request: TestRequest) -> Technique | None:
        made = make(request)
        if made is not None:
            made._limits = limits  # type: ignore[attr-defined]
        return made

    monkeypatch.setattr(technique, "make", limited)
