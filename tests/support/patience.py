"""Limits of techniques for tests that run whole jobs, which have no option for these."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from clew.explain.conflict import ReasonLimits
from clew.techniques.conflicts import prove as module
from clew.techniques.conflicts.limits import Limits
from clew.techniques.conflicts.prove import prove

PATIENT = ReasonLimits(seconds=60.0)
"""Small reasons however long they take: what is found does not depend on how fast the machine is."""


def limit_conflicts(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Let jobs learn from conflicts within these limits, and patiently."""
    monkeypatch.setattr(module, "prove", partial(prove, limits=Limits(reasons=PATIENT, **fields)))
