"""Generational search over traces of native runs, as SAGE has it: one run, then inputs for the other outcomes of its
conditions, each run in turn.

Outcomes that nothing has covered come first, then checks that may fail, then outcomes that were seldom tried where the
run came from somewhere else. What is found is run, so nothing is claimed: where the earlier conditions of a trace
contradict a flip, the flip alone is tried, too (as QSYM does). Work is counted, not timed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum

from clew.base.dataclass import dataclass
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.jobs.concolic.flips import Flip, Flips
from clew.jobs.concolic.rounds import wanted_rounds
from clew.jobs.concolic.terms import input_of, model_of
from clew.native.emit.context import Site
from clew.native.executor import End
from clew.native.library import PREFIX
from clew.native.trace import Trace, TracedExecutor
from clew.report.records import BranchId
from clew.solver.chain import SolverChain
from clew.solver.interface import Answer
from clew.solver.path import conjuncts

RUN_WORK, QUERY_WORK, NODE_WORK, QUESTION_WORK, TERM_WORK = 400, 200, 25, 100, 3
"""Units of work, as accounts count it, a microsecond or so: of a run, a query, a node that comes to a solver, a
question of the solver whether to stop, and a node that becomes a term."""
MOST_QUESTIONS = 4_000
"""Of a query: more are not worth one flip."""
READ, EARLIER = 2, 20
"""Nodes and records that are read, and earlier records that are looked through, in a unit of work."""
MOST_TRIES = 24
"""For an outcome that is not covered, in the first round."""
SELDOM = 2
"""For others, in each context; for checks, in any."""
ROUNDS = 6
"""How often everything is tried again, each time twice as often as before."""
MOST_WAITING = 2_000
"""Inputs that wait for their turn."""
CUT_SHORT = (End.DIED, End.TIMEOUT)


@dataclass(slots=True)
class ConcolicStatistics:
    """What was done."""

    runs: int = 0
    queries: int = 0
    solved: int = 0
    optimistic: int = 0
    """Solved without the earlier conditions."""
    diverged: int = 0
    """Runs that did not go where they should, though all earlier conditions were kept."""
    lost: int = 0
    """Traces that do not have everything."""
    work: int = 0


class Rank(IntEnum):
    """How promising a flip is."""

    NEW = 0
    """Nothing has covered its outcome."""
    CHECK = 1
    """It may be an error."""
    SELDOM = 2
    """It was seldom tried where the run came from."""


@dataclass(slots=True)
class _Open:
    """An input whose flips, up to a rank, are tried in turn."""

    data: bytes
    model: Model
    """What ``data`` says."""
    rank: Rank
    flips: Flips
    waiting: list[Flip]
    """The last one is next."""


class ConcolicSearch:
    """Of one program, on inputs that are given to it or that it finds."""

    def __init__(self, executor: TracedExecutor, solver: SolverChain, fuel: int, most_input: int) -> None:
        """``fuel``: of each run; ``most_input``: bytes of an input."""
        self._executor = executor
        self._solver = solver
        self._fuel = fuel
        self.most_input = most_input
        self._waiting: dict[Rank, deque[bytes]] = {rank: deque() for rank in Rank}
        """Inputs, by the rank of the flips that are next."""
        self._open: _Open | None = None
        self._known: set[bytes] = set()
        self._past: list[bytes] = []
        """Those whose flips were all tried, in this round."""
        self._round = 0
        self._failures: set[tuple[str, Site | None]] = set()
        self._covered: set[BranchId] = set()
        self._tries: Counter[tuple[object, ...]] = Counter()
        self._rounds: frozenset[int] = frozenset()
        """How often loops should go round."""
        self._rounds_of = -1
        """How many branches were covered then."""
        self._allowed = 0
        """Questions of the solver, until the query that is asked is too dear."""
        self.statistics = ConcolicStatistics()

    def cover(self, branches: Iterable[BranchId]) -> None:
        """Others have covered this."""
        self._covered.update(branches)

    def add(self, data: bytes) -> None:
        """An input that is worth a look."""
        if data not in self._known:
            self._known.add(data)
            self._waiting[Rank.NEW].appendleft(data)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to try."""
        idle = self._open is None and not any(self._waiting.values())
        return idle and (self._round == ROUNDS or not self._past)

    def is_too_dear(self) -> bool:
        """Whether the query that is asked takes more than a flip is worth: for its solver, which can be stopped."""
        return self._solver.stats.questions > self._allowed

    def run(self, most_work: int, is_over: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """Inputs that cover something new, or fail, until so much work is done or there is nothing left to try."""
        end = self.statistics.work + most_work
        while not self.is_done and self.statistics.work < end and not is_over():
            opened = self._open or self._next()
            if not opened.waiting:
                self._close(opened)
                continue
            found = self._try(opened, opened.waiting.pop())
            if found is not None:
                yield found

    def _next(self) -> _Open:
        """Open the next input: trace it, and find its flips of the rank that is next."""
        if not any(self._waiting.values()):  # what was tried often enough may be tried again
            self._round += 1
            self._waiting[Rank.NEW].extend(self._past)
            self._past.clear()
        rank = next(rank for rank, waiting in self._waiting.items() if waiting)
        data = self._filled(self._waiting[rank].popleft())
        trace = self._trace(data)
        self._covered |= trace.run.branches
        flips = Flips(trace, self._executor.program.functions)
        self.statistics.lost += flips.lost < len(trace.records)
        if self._rounds_of != len(self._covered):
            self._rounds_of = len(self._covered)
            self._rounds = wanted_rounds(self._executor.program.functions, self._covered)
        every = flips.all(self._rounds)
        ranked = [(found, flip) for flip in every if (found := self._rank(flip)) is not None and found <= rank]
        ranked.sort(key=lambda pair: (-pair[0], -pair[1].position))
        self._open = _Open(data, model_of(data), rank, flips, [flip for _, flip in ranked])
        return self._open

    def _close(self, opened: _Open) -> None:
        self._open = None
        if opened.rank is Rank.SELDOM:
            self._past.append(opened.data)
        else:
            self._waiting[Rank(opened.rank + 1)].appendleft(opened.data)

    # Flips

    def _trace(self, data: bytes) -> Trace:
        self.statistics.runs += 1
        trace = self._executor.trace(data, self._fuel)
        self.statistics.work += RUN_WORK + (trace.node_count + len(trace.records)) // READ
        return trace

    def _filled(self, data: bytes) -> bytes:
        """The input with zeros for what the program asks for beyond it, if those are inputs as others are."""
        if self._executor.reads_stdin:
            return data
        used = self._executor.run(data, self._fuel).input_used
        return data + bytes(max(0, min(used, self.most_input) - len(data)))

    def _rank(self, flip: Flip) -> Rank | None:
        """How promising a flip is; None if it was tried often enough."""
        if flip.rounds in self._rounds and not self._tries[flip.key, flip.rounds]:
            return Rank.NEW
        if flip.loop is not None:
            return None
        if flip.branch is not None and flip.branch not in self._covered:
            return Rank.NEW if self._tries[flip.key] < MOST_TRIES << self._round else None
        if flip.branch is None and not flip.site[0].startswith(PREFIX) and flip.site[2] != "fixed":
            return Rank.CHECK if self._tries[flip.key] < SELDOM << self._round else None
        return Rank.SELDOM if self._tries[flip.key, flip.context] < SELDOM << self._round else None

    def _try(self, opened: _Open, flip: Flip) -> bytes | None:
        """Solve a flip, and run what comes out; the input, if it shows something."""
        rank = self._rank(flip)
        if rank is None or rank > opened.rank:
            return None
        self._tries[flip.key] += 1
        self._tries[flip.key, flip.rounds] += 1
        self._tries[flip.key, flip.context] += 1
        model, exact = self._solve(opened, flip, rank)
        if model is None:
            return None
        data = input_of(model, opened.data, self.most_input)
        if data in self._known:
            return None
        self._known.add(data)
        return self._ran(data, flip, exact and flip.position < opened.flips.lost)

    def _solve(self, opened: _Open, flip: Flip, rank: Rank) -> tuple[Model | None, bool]:
        """A model for a flip, and whether it keeps all earlier conditions."""
        flips, hint = opened.flips, opened.model
        terms = flips.terms.work
        wanted = flips.wanted(flip)
        if type(wanted) is not Expr:
            return None, False
        last = frozenset(conjuncts(wanted))
        model = self._ask(flips.prefix(flip) | last, hint)
        exact = model is not None
        if model is None and rank is Rank.NEW:
            model = self._ask(last, hint)
            self.statistics.optimistic += model is not None
        self.statistics.work += (flips.terms.work - terms) * TERM_WORK + flip.position // EARLIER
        return model, exact

    def _ask(self, query: frozenset[Expr], hint: Model) -> Model | None:
        stats = self._solver.stats
        nodes, questions = stats.nodes, stats.questions
        self._allowed = questions + MOST_QUESTIONS
        found = self._solver.check(query, hint)
        self.statistics.queries += 1
        self.statistics.work += QUERY_WORK + (stats.nodes - nodes) * NODE_WORK
        self.statistics.work += (stats.questions - questions) * QUESTION_WORK
        self.statistics.solved += found.answer is Answer.SAT
        return found.model

    def _is_new_failure(self, trace: Trace) -> bool:
        """Whether a run failed where none has, as far as its trace shows."""
        if trace.run.end not in (End.BUG, End.FAULT):
            return False
        last = trace.sites[trace.records[-1].site] if trace.records else None
        known = len(self._failures)
        self._failures.add((trace.run.detail, last))
        return len(self._failures) > known

    def _ran(self, data: bytes, flip: Flip, exact: bool) -> bytes | None:
        """Run a new input; it gets its own turn if it went another way."""
        trace = self._trace(data)
        if exact and not arrived(trace, flip):
            self.statistics.diverged += 1
        if trace.run.end in (End.ASSUMPTION, End.FUEL, End.MEMORY, *CUT_SHORT):
            return None
        new = not trace.run.branches <= self._covered
        fails = self._is_new_failure(trace)
        self._covered |= trace.run.branches
        if new:
            self._waiting[Rank.NEW].appendleft(data)
        elif trace.run.end is End.EXIT and len(self._waiting[Rank.SELDOM]) < MOST_WAITING:
            self._waiting[Rank.SELDOM].append(data)
        return data if new or fails else None


def arrived(trace: Trace, flip: Flip) -> bool:
    """Whether a run had the outcome of a flip, at the same record."""
    if flip.position >= len(trace.records):
        return trace.is_cut or isinstance(flip.outcome, str)  # what was outside, or other, may have no record
    record = trace.records[flip.position]
    if isinstance(flip.outcome, int):
        return trace.sites[record.site] == flip.site and record.taken == flip.outcome
    return trace.sites[record.site][:2] == flip.site[:2] or flip.outcome in ("outside", "other")
