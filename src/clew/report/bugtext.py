"""A bug as text for people: what, where, by which calls, with which inputs.

out-of-bounds: write of 4 bytes, 4 bytes past the end of 'buf' (16 bytes)
  at p.c:12:5 in fill
      12 |     buf[n] = 0;
         |     ^
  called from:
    main p.c:30
  inputs:
    int n = 5;
  confirmed by concrete re-execution
"""

from __future__ import annotations

from clew.base.location import Location
from clew.report.csyntax import c_lines
from clew.report.excerpt import Sources
from clew.report.records import Bug

_MANY = 40
"""Inputs shown before the rest is only counted; the JSON file has them all."""


def headline(bug: Bug) -> str:
    """One line: where, kind and message."""
    message = bug.message.strip()
    text = f"{bug.kind}: {message}" if message and message != bug.kind else bug.kind
    text += f" (possible: {bug.rests_on})" if bug.is_possible else ""
    return f"{spot(bug.location)}: {text}" if bug.location else text


def spot(location: Location | None) -> str:
    """A location with its column where that is known."""
    if location is None:
        return "unknown place"
    return f"{location.file}:{location.line}:{location.column}" if location.column else str(location)


def bug_text(bug: Bug, sources: Sources) -> str:
    """The content of ``bugs/000001.txt``."""
    lines = [
        f"{bug.kind}: {bug.message}",
        f"  at {spot(bug.location)}" + (f" in {bug.function}" if bug.function else ""),
    ]
    if bug.is_possible:
        lines.insert(0, f"possible: {bug.rests_on}")
    lines += [f"  {line}" for line in sources.excerpt(bug.location)]
    if len(bug.stack) > 1:
        lines += ["  called from:", *(f"    {frame}" for frame in bug.stack[1:])]
    if bug.inputs:
        lines += ["  inputs:", *(f"    {line}" for line in c_lines(bug.inputs, _MANY))]
    if bug.test:
        lines.append(f"  test: {bug.test}")
    lines.append(
        "  confirmed by concrete re-execution" if bug.confirmed else "  not confirmed by concrete re-execution"
    )
    return "\n".join(lines) + "\n"
