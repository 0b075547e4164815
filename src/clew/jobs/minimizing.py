"""The shortest path to a bug that a run has found: all shorter ones are tried, as far as the time goes.

Paths are run as they are, the shortest first, and none beyond the length of the best one that is known (branch and
bound). So an answer that came in time is the least there is. What counts is instructions: of two paths the one with
fewer decisions, and fewer rounds of its loops, is the shorter one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import TestRequest
from clew.base.specification import Promise, parse_function
from clew.execute.coverage import Coverage
from clew.execute.ends import Dropped, Failed
from clew.execute.input_values import input_values, of_program
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.state import State
from clew.jobs.path_trace import told_steps
from clew.jobs.prepare import ExploreSettings, PreparedRun, prepare_run
from clew.jobs.reexecution import ConcreteOutcome, execute
from clew.jobs.shrinking import Inputs, plainer, purposes, shorter
from clew.jobs.spare_bytes import read_by
from clew.report.listener import Listener
from clew.report.minimal import Minimal
from clew.report.path import PathStep
from clew.report.reading import read_run
from clew.report.testcomp import program_hash
from clew.report.values import InputValue
from clew.search.shortest import Shortest

Source = Callable[[PathStep], str]
MOST_INSTRUCTIONS = 3_000_000
"""Of a path that is worth to be run again and again."""
SLACK = 1000
SECONDS = 10.0
"""That one run may take."""
FORKS = 8
"""After which a path lets a shorter one run."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A bug."""

    kind: str
    place: tuple[str, int, int] | None

    def is_shown(self, kind: str, location: Location | None) -> bool:
        return (kind, _place(location)) == (self.kind, self.place)


def _place(location: Location | None) -> tuple[str, int, int] | None:
    """A place, wherever the program is looked at from."""
    return None if location is None else (Path(location.file).name, location.line, location.column)


def minimized(
    folder: Path, summary: Mapping[str, Any], bug: Mapping[str, Any], seconds: float, source: Source
) -> Minimal:
    """The shortest way to a bug of an output folder; UserError where that cannot be found out.

    ``source`` gives the line of a step.
    """
    if bug.get("rests_on") or not bug.get("confirmed"):
        raise UserError("the bug is not certain")
    request = _request(folder, summary, seconds)
    searcher = Shortest(MOST_INSTRUCTIONS)
    settings = ExploreSettings("error", around=lambda *_: searcher)
    ready = prepare_run(request, Listener(), request.budget(), settings)
    location = None if bug.get("file") is None else Location(str(bug["file"]), int(bug["line"]), int(bug["column"]))
    search = _Search(ready, Wanted(str(bug["kind"]), _place(location)), searcher)
    return search.minimal(tuple(InputValue.from_json(value) for value in bug["inputs"]), source)


def _request(folder: Path, summary: Mapping[str, Any], seconds: float) -> TestRequest:
    """What the run was asked for, as far as it says which paths there are."""
    run, build = read_run(folder), summary["build"]
    sources = run.sources()
    if run.program_hash and program_hash(sources) != run.program_hash:
        raise UserError("the program has changed since")
    options = build.get("options")
    if options is None:
        raise UserError("the run was one of an older version")
    name: str | None = None
    promises: tuple[Promise, ...] = ()
    if run.function is not None:
        name, promises = parse_function(f"{run.function}({', '.join(build['promises'])})")
    return TestRequest(
        sources,
        function=name,
        promises=promises,
        seconds=seconds,
        checks=run.checks,
        args=run.argv[1:],
        compiler_flags=run.flags,
        recipes=run.recipes,
        target=run.target,
        data_model=run.data_model,
        began=time.monotonic(),
        **options,
    )


class _Search:
    def __init__(self, ready: PreparedRun, wanted: Wanted, searcher: Shortest) -> None:
        self._ready = ready
        self._wanted = wanted
        self._searcher = searcher
        self._best: Inputs = ()

    def minimal(self, inputs: Inputs, source: Source) -> Minimal:
        before = self._length(inputs)
        if before is None:
            raise UserError("its inputs do not show it again, or only after very many instructions")
        self._best, self._searcher.most = inputs, before
        self._take(shorter(inputs, self._length_as_told))
        complete = self._explore()
        best = plainer(shorter(self._best, self._length_as_told), self._length)
        after = self._length(best)
        assert after is not None
        told = tuple(purposes(best, self._trace, source))
        return Minimal(best, self._trace(best)[1], told, after, before, complete)

    def _take(self, inputs: Inputs) -> None:
        """Take up inputs if they show the bug, and on a path that is shorter than that of the best."""
        length = self._length(inputs)
        if length is not None and length < self._searcher.most:
            self._best, self._searcher.most = inputs, length

    def _explore(self) -> bool:
        """Look at all shorter paths; whether there was time for that, and nothing was lost."""
        engine, run = self._ready.engine, self._ready.run
        policy = ExplorePolicy(self._finished, pointless=self._is_pointless, turn_forks=FORKS)
        engine.explore(self._ready.entry.start(run), policy)
        return engine.stopped is None and not run.losses

    def _is_pointless(self, state: State) -> bool:
        return state.steps >= self._searcher.most

    def _finished(self, path: Finished) -> None:
        end, state = path.end, path.state
        if not isinstance(end, Failed) or state.steps >= self._searcher.most:
            return
        inputs = of_program(input_values(state))
        made_up = any(value.kind == "made-up" for value in inputs)
        if not made_up and self._wanted.is_shown(end.kind, path.location):
            self._take(inputs)

    def _run(self, inputs: Inputs, coverage: Coverage | None = None) -> ConcreteOutcome:
        limit = min(MOST_INSTRUCTIONS, self._searcher.most) + SLACK
        ready = self._ready
        try:
            return execute(ready.run.machine, ready.entry, inputs, limit, ready.run.options, SECONDS, coverage=coverage)
        except Dropped:  # before the first instruction: no such input is permitted
            return ConcreteOutcome("dropped")

    def _shows(self, outcome: ConcreteOutcome) -> bool:
        return outcome.end == "bug" and self._wanted.is_shown(outcome.kind, outcome.location)

    def _length(self, inputs: Inputs) -> int | None:
        outcome = self._run(inputs)
        return outcome.instructions if self._shows(outcome) else None

    def _length_as_told(self, inputs: Inputs) -> int | None:
        """The same, where the program takes each input for what it is."""
        outcome = self._run(inputs)
        return outcome.instructions if self._shows(outcome) and read_by(inputs, outcome.read) is not None else None

    def _trace(self, inputs: Inputs) -> tuple[bool, tuple[PathStep, ...]]:
        outcome, steps = told_steps(self._ready.run, lambda coverage: self._run(inputs, coverage))
        return self._shows(outcome), steps
