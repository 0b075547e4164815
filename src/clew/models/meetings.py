"""Places where paths meet (see ``clew.execute.meetings``): listeners are told."""

from __future__ import annotations

from clew.execute.events import Meeting
from clew.execute.invocation import Invocation
from clew.execute.meetings import MEETING
from clew.models.registry import model


@model(MEETING, overrides=True)
def meeting(call: Invocation) -> None:
    for listener in call.state.run.events.meeting:
        listener(Meeting(call.state, call.frame, call.point, call.live))
