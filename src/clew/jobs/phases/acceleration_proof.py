"""Properties decided on a program whose loops are replaced (``clew.techniques.acceleration``).

Where every loop has a closure that is exact, and reads no inputs in the iterations that are left out, all paths of that
program are paths of the program itself: it decides both ways. Otherwise invariants are found as well, and assumed
where closures are not exact, or in their place. What no path violates then is proved, at any number of iterations. A
path that violates something counts if it went through no loop that was made more general, or its inputs show the same
on the program itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from clew.analysis.absint.analyse import Invariants
from clew.analysis.loops.facts import facts_of
from clew.analysis.loops.reading import Loops
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.checks.properties import Property, PropertyKey
from clew.describe.invariants import FactDescriber
from clew.execute.ends import Failed
from clew.execute.instrument.havoc import is_generalized
from clew.execute.instrument.loop_marks import name_of_loop
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.execute.machine import Machine
from clew.execute.policy import Finished
from clew.jobs.ledger import Ledger
from clew.jobs.original_failure import shows_originally
from clew.jobs.phases.conflict_proof import ConflictProof
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import PreparedRun, wanted_kinds
from clew.jobs.verdict import open_properties
from clew.program.module import Program
from clew.report.kinds import ORDERLY, UNPROVABLE
from clew.report.lines import counted, some
from clew.report.listener import Listener
from clew.report.records import LoopInvariant
from clew.techniques.acceleration.rewriting import Accelerated, TreatedLoop, Treatment, accelerate
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas
from clew.techniques.invariants.loop_cutting import InvariantCutting
from clew.techniques.tasks import Proved

EFFORT = 20_000
"""Of the phase that decides a program some of whose paths are not real."""
TOLD = 2
"""Loops that are told of."""
TRIES = 4
"""Paths that violate one property, and may not be real, whose inputs are tried."""


class _Loops:
    """Those of a program, to be replaced."""

    def __init__(self, facts: LoopFacts, closures: Loops | None = None, invariants: Invariants | None = None) -> None:
        self._facts = facts
        self._closures = closures or Loops(facts.effects)
        self._invariants = invariants

    def supposing(self, invariants: Invariants) -> _Loops:
        """The same, where invariants hold: closures of such states alone may be exact where others are not."""
        return _Loops(self._facts, self._closures.supposing(facts_of(invariants)), invariants)

    def replaced(self, bound: int, lemmas: Lemmas = NO_LEMMAS, exact_only: bool = False) -> Accelerated:
        """The program with its loops replaced."""

        def cutting(surgery: LoopSurgery, name: str) -> InvariantCutting | None:
            if self._invariants is None or not self._invariants.frames_of(name):
                return None
            return InvariantCutting(self._facts.effects, self._invariants, surgery, name, lemmas)

        facts, closure = self._facts, self._closures.closure
        return accelerate(facts.effects, facts.entry.function.name, closure, cutting, bound, exact_only)


class AccelerationProof:
    """Decides properties by closures and invariants; ``by_conflicts`` it learns from these, and only proves.

    Iterations up to the bound of the request are looked at as they are.
    """

    def __init__(self, context: Context[VerifyRequest], by_conflicts: bool = False) -> None:
        self._context = context
        self._by_conflicts = by_conflicts
        self.facts = LoopFacts(context)
        self._exact: _Sorting | None = None
        self.technique = "conflicts" if by_conflicts else "acceleration"
        self.over = False

    @property
    def ready(self) -> PreparedRun | None:
        """Of a program all of whose paths are real."""
        return None if self._exact is None else self._exact.ready

    def seconds_left(self, worked: float) -> float:
        return math.inf if self._exact is None else self._exact.seconds_left(worked)

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent.

        Nothing is proved where paths have shown errors that nobody asked for: what comes behind these is not defined.
        Nor are loops replaced where values that are not initialized count, as new ones always are.
        """
        kinds, ledger = wanted_kinds(self._context.request, DEFAULT_CHECKS), self._context.ledger
        self.over = True
        if has_loops(self._context.program) and "uninitialized" not in kinds and not ledger.findings.unasked:
            self._decide(_Loops(self.facts), share)
        ledger.technique = self.technique

    def _decide(self, loops: _Loops, share: Budget) -> None:
        usable = not self._by_conflicts and not wanted_kinds(self._context.request, DEFAULT_CHECKS) & UNPROVABLE
        exact = loops.replaced(0, exact_only=True)
        if not usable or len(exact.replaced) < len(exact.loops):
            exact = self._prove(loops, share).replaced(0, exact_only=True)
        if usable and exact.replaced and self._is_open():
            self._run_exactly(exact, share)

    # All paths are real

    def _run_exactly(self, changed: Accelerated, share: Budget) -> None:
        """As a run over the program itself."""
        context = replace(self._context, program=changed.program)
        self._exact = _Sorting(context, _reason(changed, None))
        self._exact.run(share, None)

    # Some are not

    def _prove(self, loops: _Loops, share: Budget) -> _Loops:
        """By closures and invariants; what these leave open, by candidates that loops keep beside.

        The loops with what has become known about them.
        """
        request = self._context.request
        bound = request.unroll or 0
        changed = loops.replaced(bound)
        if not request.invariants or not any(_wants_invariants(loop) for loop in changed.loops):
            self._attempt(changed, share)
            if not request.invariants or all(loop.exact for loop in changed.loops) or not self._is_open():
                return loops
        found = self.facts.invariants(share)
        if found is None:
            return loops
        loops, describer = loops.supposing(found), FactDescriber(self.facts.machine.program, found)
        supposing = loops.replaced(bound)
        if supposing.loops == changed.loops and not any(_wants_invariants(loop) for loop in changed.loops):
            return loops
        self._attempt(supposing, share, describer)
        if self._is_open() and share.exhausted() is None:
            lemmas = self.facts.lemmas(found, share)
            if lemmas:
                self._attempt(loops.replaced(bound, lemmas), share, describer, lemmas)
        return loops

    def _attempt(
        self,
        changed: Accelerated,
        share: Budget,
        describer: FactDescriber | None = None,
        lemmas: Lemmas = NO_LEMMAS,
    ) -> None:
        """Prove what can be proved on a program with its loops replaced."""
        ledger = self._context.ledger
        if not changed.replaced or share.exhausted() is not None:
            return
        if all(loop.treatment is Treatment.CUT for loop in changed.replaced) and not self._by_conflicts:
            self.technique = "invariants"
        keys = self._proved(changed.program, share)
        if keys and not ledger.findings.unasked:
            ledger.answer_open(dict.fromkeys(keys, Proved(_reason(changed, describer, lemmas))))
            heads = [(loop.function, loop.header) for loop in changed.replaced]
            ledger.loop_invariants = () if describer is None else told_in_c(describer, heads)

    def _is_open(self) -> bool:
        ledger = self._context.ledger
        return not ledger.properties or bool(open_properties(ledger))

    def _proved(self, program: Program, share: Budget) -> frozenset[PropertyKey]:
        """Which properties of a changed program hold."""
        ledger = self._context.ledger.of_helper()
        context = replace(
            self._context,
            request=replace(self._context.request, unroll=None),
            budget=share,
            ledger=ledger,
            program=program,
        )
        if self._by_conflicts:
            phase = ConflictProof(replace(context, listener=Listener()))
            phase.run(share, EFFORT)
            return holding(phase.properties, ledger, ledger.findings.seen())
        ledger.findings = self._context.ledger.findings  # a path that is real counts
        sorting = _Sorting(context, original=self.facts.machine)
        sorting.run(share, EFFORT)
        if any(kind not in wanted_kinds(context.request, DEFAULT_CHECKS) | ORDERLY for kind, _ in sorting.doubted):
            return frozenset()
        return holding(sorting.properties, ledger, ledger.findings.seen() | sorting.doubted)


class _Sorting(Exhaustive):
    """All paths of a program whose loops were replaced; failures on paths that need not be real are only noted, unless
    their inputs show them on the ``original``, too.

    Objects of symbolic size may be large: no loop goes through them byte by byte.
    """

    symbolic_size = 1 << 24

    def __init__(self, context: Context[VerifyRequest], reason: str = "", original: Machine | None = None) -> None:
        super().__init__(context, reason=reason)
        self._original = original
        self._tries: Counter[PropertyKey] = Counter()
        self.doubted: set[PropertyKey] = set()

    @property
    def technique(self) -> str:
        return "acceleration"

    def _finished(self, path: Finished) -> None:
        if isinstance(path.end, Failed) and is_generalized(path.state) and not self._is_real(path, path.end):
            assert self.ready is not None
            self.doubted.add(self.ready.collector.key(path, path.end))
        else:
            super()._finished(path)

    def _is_real(self, path: Finished, end: Failed) -> bool:
        """Whether a failure that was asked for shows on the program itself, with the inputs of this path."""
        ready = self.ready
        assert ready is not None
        options, key = ready.run.options, ready.collector.key(path, end)
        if self._original is None or end.kind not in (options.checks or ()) or self._tries[key] >= TRIES:
            return False
        self._tries[key] += 1
        return shows_originally(self._original, ready.entry, path, options, self._context.budget)


def told_in_c(describer: FactDescriber, heads: Iterable[tuple[str, str]]) -> tuple[LoopInvariant, ...]:
    """What holds at heads of loops (function, header), as far as C can say it."""
    return tuple(LoopInvariant(*told) for head in heads if (told := describer.in_c(*head)) is not None)


def holding(properties: Iterable[Property], ledger: Ledger, shown: set[PropertyKey]) -> frozenset[PropertyKey]:
    """Those that a run has proved, and no path of it has violated."""
    kinds = {kind for kind, _ in shown}
    return frozenset(
        item.key
        for item in properties
        if isinstance(ledger.answers.get(item.key), Proved)
        and item.kind not in UNPROVABLE
        and (item.kind not in kinds if item.collective else item.key not in shown)
    )


def _wants_invariants(loop: TreatedLoop) -> bool:
    """Whether a loop that was replaced, if it was, may be better off with an invariant."""
    return loop.treatment is Treatment.LEFT or (loop.treatment is Treatment.CLOSED and not loop.exact)


def _reason(changed: Accelerated, describer: FactDescriber | None, lemmas: Lemmas = NO_LEMMAS) -> str:
    """What was used."""
    closed = [loop for loop in changed.replaced if loop.treatment is not Treatment.CUT]
    cut = [loop for loop in changed.replaced if not loop.exact]
    parts = []
    if closed:
        names = [name_of_loop(changed.program, loop.function, loop.header) for loop in closed]
        places = [name.rpartition(" at ")[2] for name in names]
        what = "was replaced by its closure" if len(closed) == 1 else "were replaced by their closures"
        exact = ", exact" if all(loop.exact for loop in closed) else ""
        parts.append(f"as the loop{'s' * (len(closed) > 1)} at {some(places, TOLD)} {what}{exact}")
    if cut and describer is not None:
        told = [text for loop in cut[:TOLD] if (text := describer.head(loop.function, loop.header, lemmas))]
        which = f"by invariants of {counted(len(cut), 'loop')}"
        parts.append(f"{which} ({'; '.join(told)})" if told else which)
    return ", ".join(parts)
