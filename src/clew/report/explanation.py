"""What ``clew explain`` tells: why a line is covered or not, which tests run it, and how a bug comes about.

All of it is what an output folder says (see ``page.results``); the page ``report.html`` shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from clew.base.errors import UserError
from clew.report.branches import StoredBranch
from clew.report.lines import Line, counted, some
from clew.report.minimal import Minimal
from clew.report.page.merged import results_of, run_of
from clew.report.page.results import Results, StoredBug
from clew.report.page.view import WHY_TITLES, RunView
from clew.report.reading import StoredTest
from clew.report.reasons import WhyNot
from clew.report.told_inputs import purpose_rows, told

MOST_TESTS = 100_000
_MANY = 12
"""Tests, and outcomes of branches, that are named."""
_DEEPEST = 6
"""Hindrances one behind the other that are followed."""


Minimize = Callable[[Results, StoredBug], Minimal | str]
"""Gives the shortest way to a bug, or says why it cannot."""


def explanation(folder: Path, asked: str, minimize: Minimize) -> list[Line]:
    """What is known about a place (``FILE:LINE``) or a bug (its number); UserError for what is not there."""
    results = results_of(folder, MOST_TESTS)
    file, _, line = asked.rpartition(":")
    if file and line.isdecimal():
        return list(place_lines(results, _file(results, file), int(line)))
    number = PurePath(asked).stem.removeprefix("bug-")
    if number.isdecimal():
        run, bug = run_of(results, _numbered(results, int(number)))
        return list(_bug(run, replace(bug, number=int(number)), minimize(run, bug)))
    raise UserError(f"{asked!r} is no place and no bug: name FILE:LINE, or the number of a bug")


def _file(results: Results, wanted: str) -> str:
    """The file that is meant: its name, or how it ends."""
    parts = PurePath(wanted).parts
    known = {*results.files, *results.sources}
    found = [wanted] if wanted in known else [name for name in known if PurePath(name).parts[-len(parts) :] == parts]
    if not found:
        raise UserError(f"no code of {wanted} is in {results.folder}: there is {', '.join(sorted(known)) or 'none'}")
    if len(found) > 1:
        raise UserError(f"{wanted} may be {' or '.join(sorted(found))}: name more of it")
    return found[0]


def _numbered(results: Results, number: int) -> StoredBug:
    if not 1 <= number <= len(results.bugs):
        raise UserError(f"{results.folder} has {counted(len(results.bugs), 'bug')}, and none with the number {number}")
    return results.bugs[number - 1]


# Places


def place_lines(results: Results, file: str, line: int) -> Iterator[Line]:
    """What is known about a line of a file, by the name that the results have for it; the first line is the source."""
    function, text = results.function_at(file, line), results.line(file, line).strip()
    yield f"{file}:{line}  {text}".rstrip(), "bold"
    count = results.files[file].lines.get(line) if file in results.files else None
    conditions = results.by_line().get((file, line), [])
    inside = f" (in {function})" if function else ""
    if count is None and not conditions:
        yield f"  has no code{inside}", ""
        return
    tests = results.tests_of_line(file, line)
    if count:
        named = _named(tests, results) if tests else "tests"  # whoever has read none does not know how many
        yield f"  run by {_of_runs(results, file, line) or named}{inside}", "green"
    else:
        yield f"  not run by any test{inside}", "yellow"
        yield from _before(results, file, line, function, bool(conditions))
    for outcomes in conditions:
        if condition := results.condition_of(outcomes[0]):
            yield f"  {condition}, at column {outcomes[0].column}", ""
        for branch in outcomes:
            yield from _outcome(results, branch)
    for bug in results.bugs:
        if (bug.data.get("file"), bug.data.get("line")) == (file, line):
            yield f"  bug {bug.number}: {bug.data['kind']}: {bug.data['message']}", "red"
    for note in results.summary.get("losses", ()):
        if (note.get("file"), note.get("line")) == (file, line):
            yield (
                f"  not explored from here: {note['kind']}: {note['what']} ({counted(note['count'], 'path')})",
                "yellow",
            )


def _outcome(results: Results, branch: StoredBranch) -> Iterator[Line]:
    if branch.tests:
        by = _taken_in(results, branch) or _named(results.tests_of_branch(branch), results, branch.tests)
        yield f"  {branch.outcome:8} taken by {by}", ""
        return
    seen: list[StoredBranch] = []
    at: StoredBranch | None = branch
    while at is not None and at not in seen and len(seen) < _DEEPEST:
        reason = at.reason or {}
        title = WHY_TITLES[str(reason.get("why", ""))][0]
        where = f"{at.outcome:8} not taken" if at is branch else f"         {at.file}:{at.line} ({at.outcome})"
        yield f"  {where}: {title}: {reason.get('because', '')}".rstrip(": "), "yellow"
        seen.append(at)
        at = _behind(results, at)


def _behind(results: Results, branch: StoredBranch) -> StoredBranch | None:
    """The outcome that a reason names as what is in the way."""
    place = (branch.reason or {}).get("behind")
    if not place or "outcome" not in place:
        return None
    wanted = (place["file"], place["line"], place.get("column", 0), place["outcome"])
    return next((one for one in results.branches if one.place == wanted and not one.tests), None)


def _before(results: Results, file: str, line: int, function: str, is_branch: bool) -> Iterator[Line]:
    """What is not taken in the same function before a line that is not run."""
    if is_branch:
        return  # its outcomes say it
    own = [branch for branch in results.uncovered() if branch.file == file and branch.line < line]
    own = [branch for branch in own if results.function_at(file, branch.line) == function]
    if own and (own[-1].reason or {}).get("why") == WhyNot.NOT_CALLED:
        yield f"    {(own[-1].reason or {}).get('because', '')}", ""
        return
    if own:
        yield "    outcomes before it in its function that no test takes, the nearest first:", ""
    for branch in reversed(own[-_MANY:]):
        text = results.line(file, branch.line).strip()
        yield f"      line {branch.line} ({results.outcome_of(branch)}): {text}", ""


def _of_runs(results: Results, file: str, line: int) -> str:
    """The tests of a project's runs that come to a line; empty for results of one run."""
    return _by_entries(results, [len(run.tests_of_line(file, line)) for run in results.runs])


def _taken_in(results: Results, branch: StoredBranch) -> str:
    """The tests of a project's runs that take an outcome; empty for results of one run."""
    same = [[one for one in run.branches if one.place == branch.place] for run in results.runs]
    return _by_entries(results, [sum(one.tests for one in found) for found in same])


def _by_entries(results: Results, counts: Sequence[int]) -> str:
    """How many tests, and of which functions: those with most first."""
    entries = ((run.summary.get("build") or {}).get("entry") or run.folder.name for run in results.runs)
    ranked = sorted((-count, entry) for entry, count in zip(entries, counts, strict=True) if count)
    found = [f"{entry} ({-count:,})" for count, entry in ranked]
    return f"{counted(sum(counts), 'test')}: {some(found, _MANY)}" if found else ""


def _named(tests: list[StoredTest], results: Results, count: int | None = None) -> str:
    total = results.summary.get("tests", 0)
    shown = some([str(int(PurePath(test.name).stem)) for test in tests], _MANY)
    many = len(tests) if tests or count is None else count
    return f"{many} of {counted(total, 'test')}" + (f" ({shown})" if shown else "")


# Bugs


def _bug(results: Results, bug: StoredBug, minimal: Minimal | str) -> Iterator[Line]:
    data, view = bug.data, RunView(results)
    yield f"bug {bug.number}: {data['kind']}: {data['message']}", "bold red"
    yield f"  at {data.get('file')}:{data.get('line')} in {data.get('function')}", ""
    if data.get("rests_on"):
        yield f"  possible: {data['rests_on']}", "yellow"
    for frame in data.get("stack", ())[1:]:
        yield f"  called from {frame}", ""
    if isinstance(minimal, Minimal):
        yield from _shortest(results, bug, minimal)
    else:
        yield "  inputs that show it:", ""
        yield from ((f"    {line}", "") for line in bug.inputs or ["(no input matters)"])
        if bug.path:
            yield "  the path:", ""
            yield from _steps(results, bug.path)
        yield f"  as the run has found it: there is no shorter way to it known ({minimal})", "dim"
    yield "  run it again, as the run has found it:", ""
    yield from ((f"    {line}", "") for line in view.replay_of(bug))


def _shortest(results: Results, bug: StoredBug, minimal: Minimal) -> Iterator[Line]:
    rest = "all shorter paths were tried" if minimal.is_shortest else "as far as the time went: --time for more"
    yield f"  the plainest inputs on the shortest path ({rest}):", ""
    yield from ((f"    {line}", "") for line in told(minimal.inputs, 60) or ["(no input)"])
    purposes = list(purpose_rows(minimal.inputs, minimal.purposes))
    if purposes:
        yield "  what each is for:", ""
    width = max((len(what) for what, _ in purposes), default=0)
    yield from ((f"    {what:{width}}  {text}", "") for what, text in purposes)
    before = minimal.instructions_before
    shorter = f"; the run found one of {before:,}" if before > minimal.instructions else ""
    yield f"  the path ({counted(minimal.instructions, 'instruction')}{shorter}):", ""
    yield from _steps(results, [step.to_json() for step in minimal.steps])


def _steps(results: Results, path: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    function = ""
    for step in path:
        if step.get("skipped"):
            yield f"    ... {step['skipped']:,} steps are left out ...", "dim"
        if step["function"] != function:
            function = step["function"]
            yield f"    {function}:", ""
        outcome = f"  [{step['outcome']}]" if step.get("outcome") else ""
        values = ", ".join(f"{name} = {value}" for name, value in step.get("values", {}).items())
        text = results.line(step["file"], step["line"]).strip()
        yield f"    {step['line']:6}  {text}{outcome}" + (f"    {values}" if values else ""), ""
