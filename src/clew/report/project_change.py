"""What has changed between two results of a project, for people who work on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from clew.report.lines import Line, counted

Data = Mapping[str, Any]


def change_lines(before: Data | None, now: Data) -> Iterator[Line]:
    """How things stand, which bugs are new, and which are gone. ``before`` is None for the first result."""
    old, bugs = _certain(before), _certain(now)
    covered, total = (now["coverage"]["branches"][key] for key in ("covered", "total"))
    more = "" if before is None else _signed(covered - before["coverage"]["branches"]["covered"])
    share = f" ({covered / total:.0%})" if total else ""
    left = len(now["left"]) + sum(run["state"] != "done" for run in now["runs"])
    waiting = f"; {counted(left, 'function')} not explored to the end" if left else ""
    found = counted(len(bugs), "bug") if bugs else "no bug"
    style = "bold red" if bugs else "bold green"
    yield f"{found}; branches {covered:,} of {total:,}{share}{more}{waiting}", style
    for key, bug in bugs.items():
        if before is None or key not in old:
            new = "" if before is None else "new: "
            yield f"  {new}{_place(bug)}: {bug['kind']}: {bug['message']}, by {bug['entries'][0]}()", "red"
    for key, bug in old.items():
        if key not in bugs:
            yield f"  gone: {_place(bug)}: {bug['kind']}: {bug['message']}", "green"


def _certain(data: Data | None) -> dict[tuple[str, ...], Data]:
    """Bugs by what stays the same when lines are moved."""
    bugs = [] if data is None else [bug for bug in data["bugs"] if not bug.get("rests_on")]
    return {(bug["kind"], bug.get("function") or "", bug["message"], *bug["entries"][:1]): bug for bug in bugs}


def _place(bug: Data) -> str:
    return f"{bug['file']}:{bug['line']}" if bug.get("file") else str(bug.get("function", ""))


def _signed(number: int) -> str:
    return f", {number:+,}" if number else ""
