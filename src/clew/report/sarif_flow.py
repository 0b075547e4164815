"""Code flows of SARIF: the way to a bug, step by step, with the values that variables get; and its call stack."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.base.location import Location
from clew.report.path import PathStep
from clew.report.records import Bug

FIRST, LAST = 30, 70
"""Steps at the beginning and at the end of a path that are told; ``bugs`` in the output folder has more of them."""

Place = Callable[[Location], dict[str, object]]
"""A physical location of SARIF."""


def code_flow(bug: Bug, place: Place) -> list[dict[str, object]]:
    """The lines that lead to the bug in the order in which they run; where these are not known, the calls."""
    steps = _path(bug, place) if bug.path else _calls(bug, place)
    if bug.location is not None and bug.location.line:
        last = _step(place(bug.location), bug.message.strip() or bug.kind)
        steps.append({**last, "importance": "essential"})
    return [{**step, "executionOrder": number} for number, step in enumerate(steps, 1)]


def _path(bug: Bug, place: Place) -> list[dict[str, object]]:
    depths, steps, left_out = _depths(bug.path), [], 0
    for number, step in enumerate(bug.path):
        left_out += step.skipped
        if FIRST <= number < len(bug.path) - LAST:
            left_out += 1
            continue
        made = _step(place(step.location), _text(step, left_out))
        left_out = 0
        made["nestingLevel"] = depths[number]
        made["importance"] = "important" if step.outcome or step.values else "unimportant"
        if step.values:
            made["state"] = {name: {"text": value} for name, value in step.values}
        steps.append(made)
    return steps


def _text(step: PathStep, left_out: int) -> str:
    """What happens on a line, for people."""
    parts = [f"({left_out:,} steps are left out)"] * bool(left_out)
    parts += [f"{name} = {value}" for name, value in step.values]
    parts += [f"the condition is {step.outcome}"] * bool(step.outcome)
    return f"{step.function}: {', '.join(parts)}" if parts else step.function


def _depths(path: Sequence[PathStep]) -> list[int]:
    """How deep each step lies in calls, as far as names of functions tell: a recursive one counts once."""
    stack: list[str] = []
    depths = []
    for step in path:
        if step.function in stack:
            del stack[stack.index(step.function) + 1 :]
        else:
            stack.append(step.function)
        depths.append(len(stack) - 1)
    return depths


def _calls(bug: Bug, place: Place) -> list[dict[str, object]]:
    """The calls that lead to the bug, outermost first."""
    frames = [(frame, frame.location) for frame in reversed(bug.stack[1:]) if frame.location and frame.location.line]
    return [
        {**_step(place(Location(at.file, at.line)), f"call in {frame.function}"), "nestingLevel": depth}
        for depth, (frame, at) in enumerate(frames)
        if at is not None
    ]


def _step(place: dict[str, object], text: str) -> dict[str, object]:
    return {"location": {**place, "message": {"text": text}}}


def stack_of(bug: Bug, place: Place) -> dict[str, object]:
    """The call stack, innermost frame first."""
    frames = []
    for frame in bug.stack:
        known = place(frame.location) if frame.location is not None and frame.location.line else {}
        logical = {"logicalLocations": [{"fullyQualifiedName": frame.function, "kind": "function"}]}
        frames.append({"location": {**known, **logical}})
    return {"message": {"text": "calls that lead here"}, "frames": frames}
