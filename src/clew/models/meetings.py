"""Places where paths meet (see ``clew.execute.instrument.merge_points``): observers are told."""

from __future__ import annotations

from clew.execute.instrument.merge_points import MEETING
from clew.execute.invocation import Invocation
from clew.execute.observers import Meeting
from clew.models.registry import model


@model(MEETING, overrides=True)
def meeting(call: Invocation) -> None:
    for observer in call.state.run.observers.of("meeting"):
        observer.meeting(Meeting(call.state, call.frame, call.point, call.live))
