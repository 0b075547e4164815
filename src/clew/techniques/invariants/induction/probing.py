"""Probes: what would be an error from a state at the head of a loop, if the path went on otherwise than it does.

Take an execution that ends in an error, and comes to heads of loops as few times as any such one. It comes to no head
before its last from which another path leads to an error sooner: that would be a shorter one. So wherever supposed
rounds begin, states are sent out on all ways from there, until they have come to heads as often as the path itself will
do at least, and the condition under which one of them fails is assumed not to hold. This is how an assertion behind a
loop, or on a way that a path does not take, becomes part of the hypothesis.

That is a sound assumption only for errors that no path of the opened program ends in: ``used`` are those that were
relied on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.base.budget import Budget
from clew.base.randomness import Randomness
from clew.checks.properties import PropertyKey, key_of
from clew.execute.coverage import Coverage
from clew.execute.decide import assume
from clew.execute.ends import Failed
from clew.execute.engine import Engine
from clew.execute.events import SupposedState
from clew.execute.instrument.hypothesis import Hypotheses, Probing
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import InputRecord, State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.walk import substitute
from clew.report.kinds import ORDERLY, PLACED
from clew.search.depth_breadth import DepthFirst
from clew.search.registry import SearchContext
from clew.techniques.technique import Exploration, Technique

FORKS = 64
INSTRUCTIONS = 20_000
"""Of all that is sent out from one state: what is found until then is assumed."""
HEADS = 2
"""Heads of loops that a state that is sent out comes to, at most."""
DECIDED = PLACED | {"signed-overflow", "division-by-zero"}
"""Kinds of errors that show where control comes to a place, or where a number is what it is: then the path condition
says all of when they happen."""


class Probes(Technique):
    """Of one run over a program with opened loops."""

    def __init__(self, budget: Budget, excluded: frozenset[PropertyKey]) -> None:
        """``excluded``: errors that paths are known to end in."""
        self._budget = budget
        self._excluded = excluded
        self.used: set[PropertyKey] = set()
        """Errors of which it was assumed that they do not happen."""

    def attach(self, exploration: Exploration) -> None:
        run = self._run = exploration.run
        coverage = Coverage(run.program, run.compiler)
        searcher = DepthFirst(SearchContext(run.program, coverage, Randomness(0)))
        probing = self._probing = Run(run.machine, run.solver, searcher, coverage, run.options)
        probing.undefined, probing.made_up = run.undefined, run.made_up
        run.events.supposed_state.append(self._supposed)

    def _supposed(self, at: SupposedState) -> None:
        """Assume of a state that nothing that is sent from there fails."""
        probe = at.state.snapshot(at.frame.suspended(object(), at.point, at.live))
        for key, fails in self._failures(probe, Probing(min(at.rounds - 1, HEADS))):
            self.used.add(key)
            assume(at.state, build.lnot(fails))

    def _failures(self, probe: State, probing_as: Probing) -> list[tuple[PropertyKey, Any]]:
        """Errors that a state comes to, and conditions under which it does."""
        probing, path, inputs, symbols = self._probing, probe.path, probe.inputs, probe.symbols
        probe.run, probe.fresh = probing, probing.coverage.fresh
        probe.forget(Hypotheses)
        probe.extend(probing_as)
        found: list[tuple[PropertyKey, Any]] = []

        def finished(ended: Finished) -> None:
            state, end = ended.state, ended.end
            if not isinstance(end, Failed) or not self._counts(end.kind) or end.bound:
                return
            if state.symbols != symbols or _made_up(state.inputs) != _made_up(inputs) or state.model_is_fixed:
                return
            key = _key(ended, end)
            given = {symbol: state.model.eval(symbol) for symbol in _read_since(state.inputs, inputs)}
            fails = build.conjunction([_condition(part, given) for part in state.path.since(path)])
            if key not in self._excluded and not _symbols(fails) & probing.made_up:
                found.append((key, fails))

        statistics = probing.statistics
        forks, instructions = statistics.forks + FORKS, statistics.instructions + INSTRUCTIONS

        def is_enough() -> bool:
            return statistics.forks > forks or statistics.instructions > instructions

        before = statistics.instructions
        Engine(probing, self._budget, ExplorePolicy(finished, pause=is_enough)).explore(probe)
        probing.give_up_waiting()
        self._run.statistics.instructions += statistics.instructions - before
        return found

    def _counts(self, kind: str) -> bool:
        """Whether the path alone decides that such an error happens, and it is no orderly end of the program."""
        checks = self._run.options.checks
        return kind in DECIDED and (checks is None or kind in checks or kind not in ORDERLY)


def _key(path: Finished, end: Failed) -> PropertyKey:
    return key_of(end.kind, path.location, path.stack[0].function if path.stack else "")


def _read_since(last: InputRecord | None, earlier: InputRecord | None) -> list[Expr]:
    """The symbols of inputs that a path has read after others."""
    found: list[Expr] = []
    while last is not earlier:
        assert last is not None
        found += last.read.values
        last = last.previous
    return found


def _condition(part: Expr, given: Mapping[Expr, Any]) -> bool | Expr:
    result = substitute(part, given)
    assert isinstance(result, bool | Expr)
    return result


def _made_up(inputs: InputRecord | None) -> int:
    return 0 if inputs is None else inputs.made_up


def _symbols(condition: Any) -> frozenset[Expr]:
    return condition.symbols if isinstance(condition, Expr) else frozenset()
