"""The report of ``clew project``, as a person reads it: the answer, coverage, what was not done and what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.report.causes import cause, grouped
from clew.report.lines import Line, counted, some
from clew.report.records import KNOWN

_MANY = 6
"""Lines of one kind that are shown without ``--verbose``."""
Data = Mapping[str, Any]


def project_lines(data: Data, verbose: bool = False) -> Iterator[Line]:
    """The lines for a project's ``summary.json``."""
    told = [bug for bug in data["bugs"] if verbose or not is_set_aside(bug)]
    bugs = [bug for bug in told if not bug.get("rests_on")]
    possible = [bug for bug in told if bug.get("rests_on")]
    yield _answer(data, bugs)
    yield "", ""
    numbers = {id(bug): number for number, bug in enumerate(data["bugs"], 1)}
    for same in [[bug] for bug in bugs] if verbose else grouped(bugs, _cause):
        yield from _bug(same, data["out"], numbers, "red")
    if bugs:
        yield "", ""
    if possible:
        yield from _possible(possible, data["out"], numbers, verbose)
    yield from _coverage(data, verbose)
    yield f"tests     {sum(run['tests'] for run in data['runs']):,} in {data['out']}/functions", ""
    yield f"report    {data['out']}/report.html", ""
    yield from _not_done(data)


def _answer(data: Data, bugs: Sequence[Data]) -> Line:
    functions = counted(len(data["runs"]), "function")
    complete = not data["left"] and not data["stopped"] and all(run["state"] == "done" for run in data["runs"])
    why = "interrupted" if data["stopped"] == "interrupted" else "the time budget was used up"
    ending = f"; stopped early: {why}" if data["stopped"] else ", all paths explored" if complete else ""
    if bugs:
        return f"found {counted(len(bugs), 'bug')} in {functions}{ending}", "bold red"
    explored = "" if complete else " in what was explored"
    found = "no other bug" if any(map(is_set_aside, data["bugs"])) else "no bug"
    return f"{found} found{explored}, in {functions}{ending}", "bold green" if complete else "bold"


def is_set_aside(bug: Data) -> bool:
    """Whether a bug is known or suppressed."""
    return bug.get("baseline") == KNOWN or bool(bug.get("suppressed"))


def _cause(bug: Data) -> Hashable:
    return cause(bug["kind"], bug.get("function", ""), bug["message"], bug.get("rests_on") or "", _place(bug))


def _place(bug: Data) -> str:
    if not bug.get("file"):
        return str(bug.get("function", ""))
    return ":".join(str(bug[part]) for part in ("file", "line", "column") if bug.get(part))


def _bug(same: Sequence[Data], out: str, numbers: Mapping[int, int], style: str) -> Iterator[Line]:
    """Bugs with the same cause."""
    bug, *others = same
    yield f"  {_place(bug)}: {bug['kind']}: {bug['message']}", style
    entries = bug["entries"]
    more = f" (and by {counted(len(entries) - 1, 'other function')})" if len(entries) > 1 else ""
    yield f"      by {entries[0]}(){more}; clew explain {out} {numbers[id(bug)]}", "dim"
    if bug.get("rests_on"):
        yield f"      {bug['rests_on']}", ""
    if others:
        yield f"      the same at {some([_place(other) for other in others], _MANY)}", ""


def _possible(possible: Sequence[Data], out: str, numbers: Mapping[int, int], verbose: bool) -> Iterator[Line]:
    for bug in possible if verbose else ():
        yield from _bug([bug], out, numbers, "yellow")
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in Counter(bug["kind"] for bug in possible).most_common())
    more = "" if verbose else "; the report shows them"
    yield f"{counted(len(possible), 'possible bug')} ({kinds}): they depend on what callers do{more}", "yellow"
    yield "", ""


def _coverage(data: Data, verbose: bool) -> Iterator[Line]:
    files: dict[str, list[Data]] = {}
    for function in data["functions"]:
        files.setdefault(function["file"], []).append(function)
    yield "branches of what could be run", ""
    for file, functions in sorted(files.items()):
        covered, total = (sum(f["branches"][key] for f in functions) for key in ("covered", "total"))
        ran = sum(f["run"] for f in functions)
        share = _share(covered, total)
        yield f"  {Path(file).name:24} {covered:6,} of {total:6,} {share}  {ran} of {len(functions)} functions", ""
        missing = [f for f in functions if f["branches"]["covered"] < f["branches"]["total"] or not f["run"]]
        missing.sort(key=lambda f: f["branches"]["covered"] - f["branches"]["total"])
        for function in missing if verbose else missing[:_MANY]:
            covered, total = (function["branches"][key] for key in ("covered", "total"))
            share = _share(covered, total)
            yield f"    {function['function']:30} {covered:4,} of {total:4,} {share}  line {function['line']}", ""
        if len(missing) > _MANY and not verbose:
            yield f"    ... and {len(missing) - _MANY} more that are not covered wholly (--verbose)", ""


def _not_done(data: Data) -> Iterator[Line]:
    late = [run["function"] for run in data["runs"] if run["state"] == "time"]
    broken = [run for run in data["runs"] if run["state"] not in ("time", "done")]
    if late or broken or data["left"]:
        yield "", ""
        yield "not done:", "yellow"
    if late:
        yield f"  not explored to the end in the time they had: {some(late, _MANY)}", "yellow"
    if data["left"]:
        why = "it was interrupted" if data["stopped"] == "interrupted" else "the time was over"
        yield f"  not run, since {why}: {some(data['left'], _MANY)}", "yellow"
    for run in broken:
        yield f"  {run['function']}: {run['reason']}", "yellow"
    if data["stopped"]:
        yield "", ""
        yield "what you can do next:", "bold"
        yield f"  the same command with --out {data['out']} --resume: goes on with what is left", ""


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:3.0f}%" if whole else "    "
