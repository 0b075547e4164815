"""Every property of a program: proved, violated, or why neither."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from random import Random

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.base.errors import Unsupported
from clew.checks.properties import Property, key_of
from clew.execute.ends import Failed
from clew.execute.guided import OutOfBudget
from clew.execute.machine import Machine
from clew.execute.policy import Finished
from clew.explain.unrolled import INDIRECT, Unrolled
from clew.explain.walker import Walker
from clew.program import instructions as ir
from clew.program.module import Program
from clew.report.kinds import ORDERLY
from clew.techniques.conflicts.clause_exchange import ClauseExchange
from clew.techniques.conflicts.formula import Formula
from clew.techniques.conflicts.guided_execution import PrefixExecutor
from clew.techniques.conflicts.limits import USUAL, Limits
from clew.techniques.conflicts.search import Guidance, Search
from clew.techniques.tasks import Answer, Open, OpenReason, ProofTask, Proved, Violated, bounded
from clew.techniques.unmodelled import called_from_outside

TOO_BIG = Open(OpenReason.NOT_FOLLOWED, "the program unrolls to more than can be kept")
UNCONFIRMED = Open(OpenReason.UNCONFIRMED, "a path violates it, but its inputs did not show that again")


def prove(task: ProofTask, limits: Limits = USUAL, exchange: ClauseExchange | None = None) -> None:
    """Answer what can be answered within the budget. Unsupported, before anything is answered, where the program's
    control flow is out of reach. ``exchange``: with other searches for the same properties."""
    placed = [item for item in task.properties if item.spots]
    if not placed:
        return
    program = task.run.program
    if "abort" in program.functions and not program.runtime.isdisjoint(("signal", "sigaction")):
        raise Unsupported("abort() with handlers of signals, which may be called from there")
    prover = Prover(task, placed, limits, exchange)
    try:
        prover.run()
    except OutOfBudget:
        task.stopped = prover.led.engine.stopped
    finally:
        prover.close()


class Prover:
    """One run of the technique.

    Of several searches for the same properties, each begins with a part of them, and looks at others when that is done.
    """

    def __init__(
        self, task: ProofTask, placed: list[Property], limits: Limits, exchange: ClauseExchange | None = None
    ) -> None:
        self.task = task
        self.limits = limits
        self.placed = placed
        self.open = set(range(len(placed)))
        """Numbers of the properties without an answer."""
        self.later = set[int]()
        """Of these, those that other searches begin with."""
        if exchange is not None:
            self.later = {number for number in self.open if number % exchange.count != exchange.number}
        run = task.run
        first = task.start()
        frames = []
        frame = first.frame
        while frame is not None:
            frames.append(frame)
            frame = frame.parent
        goals = {
            (spot.function, spot.block, spot.index): number for number, item in enumerate(placed) for spot in item.spots
        }
        enters = _Enters(run.machine)
        for function, block, index in goals:
            called = run.compiler.function(function).instruction(block, index)
            if enters(called) is not None:
                raise Unsupported("an error function that is called through a pointer")
        effects = ModRef(run.program, run.callees)
        graph = Unrolled(
            run.program.functions,
            [frame.function.name for frame in frames],
            enters,
            goals,
            _defined(run.program, effects.calls.taken),
        )
        self.led = PrefixExecutor(run, graph, task.budget, task.start, self._wanted, task.progress, limits.saved_states)
        self.formula = Formula(graph, len(placed), self._look, limits)
        if exchange is not None and exchange.number:
            self.formula.vary(Random(exchange.number))
        self.led.target_found = self.formula.target_found
        walker = Walker(graph, run.machine, effects)
        walker.begin(self.led.root, tuple((frame.function.name, frame.live) for frame in reversed(frames)))
        self.led.save(self.led.root, first)
        guidance = Guidance(task.decide, self.formula)
        self.search = Search(self.led, self.formula, walker, task.unroll, guidance, limits, exchange)
        outside = called_from_outside(run.program, run.callees, task.entry, effects.calls)
        for number, item in enumerate(placed):
            why = next((outside[spot.function] for spot in item.spots if spot.function in outside), "")
            if why:
                self.search.doubts.append((1 << number, why))

    def _wanted(self, variable: int) -> bool:
        return self.formula.chosen(variable)

    def _look(self) -> None:
        if self.led.engine.over_budget():
            raise OutOfBudget

    def run(self) -> None:
        """Until every property has an answer."""
        for tries in count(1):
            self._look()
            self._leave_settled()
            if self.search.decide(self._avoided()):
                failure = self.search.try_path()
                if failure is not None:
                    self._failed(failure)
            elif self._all_judged():
                self._go_on_with_others()
            if tries >= self.limits.first_proofs and tries.bit_count() == 1:
                self._prove_some()
            if not self.open:
                break

    def _leave_settled(self) -> None:
        """What others have answered meanwhile is of no interest any more."""
        settled = self.task.settled()
        for number in [number for number in self.open if self.placed[number].key in settled]:
            self._close(number)
        if self.later and self.later >= self.open:
            self.later.clear()

    def _avoided(self) -> list[int]:
        """Assumptions that leave alone what others begin with."""
        return [-self.formula.goal_vars[number] for number in sorted(self.open & self.later)]

    def _go_on_with_others(self) -> None:
        """The own part is done."""
        for number in self.open - self.later:
            self._close(number)
        self.later.clear()

    def _close(self, number: int) -> None:
        """Look for no further path that violates a property."""
        self.open.discard(number)
        self.formula.settle(number)

    def _prove_some(self) -> None:
        """Some properties may be proved while others, perhaps without end, are not."""
        for number in sorted(self.open):
            ends = self.search.assumptions_for(number, all_ends=True)
            doubtful = any(goals >> number & 1 for goals, _ in self.search.doubts)
            if doubtful or self.formula.solve([*ends, *self._others(number)]):
                continue
            if self.formula.needed().isdisjoint(ends):
                self._answered(number, Proved())

    def _others(self, number: int) -> list[int]:
        """Assumptions that leave the goals of one property alone."""
        return [-self.formula.goal_vars[other] for other in self.open if other != number]

    def _answered(self, number: int, answer: Answer) -> None:
        self._enter(number, answer)
        self._close(number)

    def _enter(self, number: int, answer: Answer) -> None:
        key = self.placed[number].key
        self.task.answers[key] = answer
        if isinstance(answer, Proved):
            self.task.proved(key)

    def _all_judged(self) -> bool:
        judged = [self._judged(number) for number in sorted(self.open - self.later)]
        return all(judged)

    def _failed(self, path: Finished) -> None:
        """A path shows an error. If that is what was asked for, the property is answered."""
        assert isinstance(path.end, Failed)
        confirmed = self.task.report(path)
        function = path.stack[0].function if path.stack else self.task.entry.name
        key = key_of(path.end.kind, path.location, function)
        number = next((number for number in self.open if self.placed[number].key == key), None)
        if number is None:
            if path.end.kind not in ORDERLY:
                where = f"at {path.location}" if path.location else f"in {function}"
                self.search.doubt(self.led.at, f"undefined behaviour on the way ({path.end.kind} {where})")
            self.search.block(self.led.at)
            return
        if path.end.rests_on:
            # Another path may violate it without anything made up.
            self.search.doubts.append((1 << number, f"a path may violate it: {path.end.rests_on}"))
            self.search.block(self.led.at)
            return
        self._answered(number, Violated() if confirmed else UNCONFIRMED)

    def _judged(self, number: int) -> bool:
        """No path is left to try. Was anything assumed away that matters to this property? False if that can change."""
        if self.formula.solve([*self.search.assumptions_for(number), *self._others(number)]) or self.search.widen():
            return False
        needed = self.formula.needed()
        doubts = [what for goals, what in self.search.doubts if goals >> number & 1]
        if doubts:
            answer: Answer = Open(OpenReason.NOT_FOLLOWED, doubts[0])
        elif any(-node.var in needed for node in self.led.graph.frontiers):
            answer = TOO_BIG if self.task.unroll is None else bounded(self.task.unroll)
        else:
            answer = Proved()
        self._enter(number, answer)
        return True

    def close(self) -> None:
        self.formula.close()


def _defined(program: Program, names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if not program.functions[name].is_declaration)


class _Enters:
    """Which C function an instruction enters."""

    def __init__(self, machine: Machine) -> None:
        self._callees = machine.callees

    def __call__(self, instruction: ir.Instruction) -> str | None:
        if not isinstance(instruction, ir.Call):
            return None
        callee = self._callees.resolve(instruction)
        if callee.kind is CalleeKind.FUNCTION:
            return callee.name
        return INDIRECT if callee.kind is CalleeKind.INDIRECT else None
