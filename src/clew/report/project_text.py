"""The report of ``clew project``, as a person reads it: bugs first, then coverage, then what was not done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_MANY = 12
"""Lines of one kind that are shown without ``--verbose``."""


def project_lines(data: Mapping[str, Any], verbose: bool = False) -> Iterator[str]:
    """The lines for a project's ``summary.json``."""
    bugs = [bug for bug in data["bugs"] if not bug.get("rests_on")]
    possible = [bug for bug in data["bugs"] if bug.get("rests_on")]
    for bug in bugs:
        yield from _bug(bug)
    if bugs:
        yield ""
    if possible:
        for bug in possible if verbose else ():
            yield from _bug(bug)
        more = f"; they are in {data['out']}/summary.json, and shown with --verbose" if not verbose else ""
        yield f"{_counted(len(possible), 'possible bug')}, which depend on what callers do{more}"
        yield ""
    yield from _coverage(data, verbose)
    yield from _not_done(data)
    found = _counted(len(bugs), "bug") if bugs else "no bug"
    tests = sum(run["tests"] for run in data["runs"])
    functions, tests_of = _counted(len(data["runs"]), "function"), _counted(tests, "test")
    yield f"{found} found in {functions}; {tests_of} in {data['out']}/functions"


def _bug(bug: Mapping[str, Any]) -> Iterator[str]:
    place = f"{bug['file']}:{bug['line']}" if bug.get("file") else bug.get("function", "")
    yield f"{place}: {bug['kind']}: {bug['message']}"
    entries = bug["entries"]
    others = f" (and by {_counted(len(entries) - 1, 'other function')})" if len(entries) > 1 else ""
    yield f"  by {entries[0]}(){others}; see {bug['folder']}/bugs"
    if bug.get("rests_on"):
        yield f"  {bug['rests_on']}"


def _coverage(data: Mapping[str, Any], verbose: bool) -> Iterator[str]:
    files: dict[str, list[Mapping[str, Any]]] = {}
    for function in data["functions"]:
        files.setdefault(function["file"], []).append(function)
    yield "branches of what could be run"
    for file, functions in sorted(files.items()):
        covered, total = (sum(f["branches"][key] for f in functions) for key in ("covered", "total"))
        ran = sum(f["run"] for f in functions)
        share = _share(covered, total)
        yield f"  {Path(file).name:24} {covered:6,} of {total:6,} {share}  {ran} of {len(functions)} functions"
        missing = [f for f in functions if f["branches"]["covered"] < f["branches"]["total"] or not f["run"]]
        missing.sort(key=lambda f: f["branches"]["covered"] - f["branches"]["total"])
        for function in missing if verbose else missing[:_MANY]:
            covered, total = (function["branches"][key] for key in ("covered", "total"))
            share = _share(covered, total)
            yield f"    {function['function']:30} {covered:4,} of {total:4,} {share}  line {function['line']}"
        if len(missing) > _MANY and not verbose:
            yield f"    ... and {len(missing) - _MANY} more that are not covered wholly (--verbose)"
    yield ""


def _not_done(data: Mapping[str, Any]) -> Iterator[str]:
    late = [run["function"] for run in data["runs"] if run["state"] == "time"]
    broken = [run for run in data["runs"] if run["state"] not in ("time", "done")]
    if late:
        yield f"not explored to the end in the time they had: {_some(late)}"
    if data["left"]:
        why = "it was interrupted" if data["stopped"] == "interrupted" else "the time was over"
        yield f"not run, since {why}: {_some(data['left'])}"
    for run in broken:
        yield f"{run['function']}: {run['reason']}"
    if data["stopped"] == "time":
        yield "a longer --time, or --resume with --out, goes on"
    if late or broken or data["left"]:
        yield ""


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:3.0f}%" if whole else "    "


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
