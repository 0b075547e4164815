"""Executes one path of a small program, choice by choice, and asks why its choices are what they are."""

from __future__ import annotations

from collections.abc import Iterable

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.run import Run
from clew.explain.conflict import ReasonLimits, contradiction, plain_reason
from clew.explain.definitions import Reason, reason_for, value_of
from clew.explain.prefix import Prefix
from clew.explain.trail import Constraint, Ending
from clew.explain.unrolled import INDIRECT, Edge, Status, Unrolled
from clew.explain.walker import Walker
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import find_entry
from clew.program import instructions as ir
from clew.program.module import Program
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.conflicts.guided_execution import PrefixExecutor, decision
from support.patience import PATIENT
from unit.execute.support import llvm
from unit.explain.graphs import goals_of


def program(text: str) -> Program:
    """LLVM text in which a call of ``goal`` is a goal."""
    return llvm("declare void @goal()\n" + text)


class Followed:
    """A program, one path of which is executed. ``follow`` may be called any number of times."""

    def __init__(self, given: Program | str) -> None:
        source = program(given) if isinstance(given, str) else given
        options = RunOptions(any_undefined=True)
        machine = make_machine(source, options, traced=True)
        coverage = Coverage(machine.program, machine.compiler)
        searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
        solver = build_chain(SolverOptions(validate=True), SolverStats())
        self.run = Run(machine, solver, searcher, coverage, options)
        entry = find_entry(machine.program, None)
        effects = ModRef(machine.program, self.run.callees)
        first = entry.start(self.run)
        assert first.frame is not None and first.frame.parent is None
        self.graph = Unrolled(
            machine.program.functions, ["main"], self._enters, goals_of(source), frozenset(effects.calls.taken)
        )
        self.led = PrefixExecutor(
            self.run, self.graph, Budget(seconds=600.0), lambda: entry.start(self.run), lambda var: False
        )
        self.walker = Walker(self.graph, machine, effects)
        self.walker.begin(self.led.root, (("main", first.frame.live),))
        self.led.save(self.led.root, first)

    def _enters(self, instruction: ir.Instruction) -> str | None:
        if not isinstance(instruction, ir.Call):
            return None
        callee = self.run.callees.resolve(instruction)
        if callee.kind is CalleeKind.FUNCTION:
            return callee.name
        return INDIRECT if callee.kind is CalleeKind.INDIRECT else None

    def follow(self, *keys: str) -> Prefix:
        """Make these choices, by the blocks (or functions) they lead to; the prefix that comes to the next one."""
        prefix = self.led.root
        self._advance(prefix)
        for key in keys:
            edge = self.edge(prefix, key)
            assert edge in prefix.children, f"{edge} is closed"
            prefix = prefix.children[edge]
            node = decision(prefix)
            if node.status is Status.FRONTIER:
                self.graph.expand(node)
            self._advance(prefix)
        return prefix

    def _advance(self, prefix: Prefix) -> None:
        if prefix.saved is not None:
            result = self.led.advance(prefix)
            assert result is None, f"infeasible: {prefix.edge}"

    @staticmethod
    def edge(prefix: Prefix, key: str) -> Edge:
        return decision(prefix).outs[key]

    def ending(self, *keys: str) -> Ending:
        return self.walker.ending(self.follow(*keys))

    # Reasons

    def why(self, *keys: str) -> set[str]:
        """What the condition of the choice behind these rests on."""
        return self.named(reason_for([self.ending(*keys).subject], Reason()))

    def folds_to(self, *keys: str) -> object:
        """The value of that condition."""
        return value_of(self.ending(*keys).subject)

    def entered(self, *keys: str) -> set[str]:
        """Iterations 0 of the loops it rests on the way into."""
        return {repr(scope) for scope in reason_for([self.ending(*keys).subject], Reason()).entered}

    def constraints(self, *keys: str, then: str) -> list[Constraint]:
        """Of a path that cannot go on to ``then``: those of its constraints that say so, that choice's first."""
        prefix = self.follow(*keys)
        ending = self.walker.ending(prefix)
        last = self.walker.constraint(ending, self.edge(prefix, then))
        says = last.says(value_of(ending.subject))
        parts = list(ending.trail.constraints)
        assert self.run.solver.check(frozenset([*parts, says])).answer is Answer.UNSAT
        core = self.run.solver.unsat_assumptions((), [*parts, says])
        assert core is not None
        blamed = {id(c): c for part, c in ending.trail.constraints.items() if part in core}
        return [last, *blamed.values()]

    def why_not(self, *keys: str, then: str, limits: ReasonLimits = PATIENT) -> set[str]:
        """The choices that close the way to ``then``."""
        constraints = self.constraints(*keys, then=then)
        return self.named(contradiction(self.run.solver, self.run.layout, constraints, limits))

    def plainly_why_not(self, *keys: str, then: str) -> set[str]:
        """The same without asking the solver for less."""
        return self.named(plain_reason(self.constraints(*keys, then=then)))

    def named(self, reason: Reason) -> set[str]:
        return self.names(reason.all_literals())

    def names(self, literals: Iterable[int]) -> set[str]:
        return {("!" if v < 0 else "") + repr(self.graph.owner.get(abs(v), abs(v))) for v in literals if v}
