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

from collections.abc import Iterator, Sequence

from clew.base.location import Location
from clew.base.printable import printable
from clew.report.excerpt import Sources
from clew.report.lines import counted
from clew.report.records import Bug
from clew.report.told_inputs import told, with_files
from clew.report.values import InputValue, Pointee

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


def input_lines(bug: Bug, limit: int) -> list[str]:
    """The inputs that the bug needs, a line each, at most as many as ``limit`` says, and how many others there are."""
    if bug.decisive is None:
        return told(bug.inputs, limit)
    needed = with_files(bug.inputs, {*bug.decisive, *_shared(bug.inputs)})
    shown = told(bug.inputs, limit, needed)
    rest = [value for at, value in enumerate(bug.inputs) if at not in needed and not _is_structure(value)]
    count = counted(len(rest), "other input" if shown else "input")
    verb = "does" if len(rest) == 1 else "do"
    return [*shown, *[f"({count} {verb} not matter)"] * bool(rest)]


def _is_structure(value: InputValue) -> bool:
    """Whether an input only says how memory hangs together."""
    return value.kind in ("memory", "call") or (
        value.points is not None and value.points.kind in ("object", "callback")
    )


def _shared(inputs: Sequence[InputValue]) -> Iterator[int]:
    """Positions of pointers that lead to where others do, or to variables, and of the objects that are meant."""
    known, memory = (
        set[int](),
        {value.at.object: at for at, value in enumerate(inputs) if value.kind == "memory" and value.at},
    )
    for at, value in enumerate(inputs):
        match value.points:
            case Pointee("object", int(number), offset):
                if number in known or offset:
                    yield from (at, *[memory[number]] * (number in memory))
                known.add(number)
            case Pointee("global" | "function"):
                yield at


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
        lines += ["  inputs:", *(f"    {line}" for line in input_lines(bug, _MANY))]
    if bug.test:
        lines.append(f"  test: {bug.test}")
    lines.append(
        "  confirmed by concrete re-execution" if bug.confirmed else "  not confirmed by concrete re-execution"
    )
    return "\n".join(map(printable, lines)) + "\n"
