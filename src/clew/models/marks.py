"""The mark of a target (see ``clew.execute.instrument.targets``): whoever comes here has reached it."""

from __future__ import annotations

from clew.execute.instrument.targets import REACHED, TARGET
from clew.execute.invocation import Invocation
from clew.models.registry import model


@model(TARGET, overrides=True)
def target(call: Invocation) -> None:
    call.fail(REACHED, "the target is reached")
