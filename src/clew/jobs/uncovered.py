"""Why outcomes of branches are not covered: what the runs of a command have seen of the places around them.

Every outcome that no test takes gets the reason that says most (see ``report.reasons``). Where control never came to
its block, that is the nearest place that control did come to: the one from which the fewest branches lead there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from clew.analysis.callgraph import mentioned
from clew.base.location import Location
from clew.execute.coverage import Edge, is_implicit
from clew.jobs.function_coverage import place_of
from clew.jobs.prepare import PreparedRun
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.values import GlobalRef
from clew.report.lines import counted
from clew.report.reasons import Hindrance, Reason, WhyNot
from clew.report.records import BranchCoverage, BranchId, FunctionCoverage, LossNote, Summary, Unreachable

_MANY = 3
"""Calls that are named."""


def explained(summary: Summary, runs: Sequence[PreparedRun], dead: Mapping[BranchId, Unreachable]) -> Summary:
    """The summary, with a reason for each outcome that is not covered; ``dead`` are those proved to be so."""
    coverage = summary.coverage
    if not runs or all([one.covered for one in coverage.branches] + [one.covered for one in coverage.functions]):
        return summary
    reasons = _Reasons(summary, runs, dead)
    branches = tuple(
        branch if branch.covered else replace(branch, reason=reasons.of(branch)) for branch in coverage.branches
    )
    functions = tuple(
        item if item.covered else replace(item, in_reach=reasons.is_in_reach(item)) for item in coverage.functions
    )
    return replace(summary, coverage=replace(coverage, branches=branches, functions=functions))


class _Reasons:
    def __init__(self, summary: Summary, runs: Sequence[PreparedRun], dead: Mapping[BranchId, Unreachable]) -> None:
        self._summary = summary
        self._dead = dead
        program = runs[0].run.program
        self._functions = program.functions
        self._entry = runs[0].entry.function
        always = [name for name in program.globals if name.startswith("llvm.")]
        self._in_reach = mentioned(program, [self._entry.name, *program.runtime, *always])
        coverages = [ready.run.coverage for ready in runs]
        elsewhere = {(one.function, one.block) for one in summary.coverage.branches if one.covered}
        self._blocks = elsewhere.union(*(coverage.blocks for coverage in coverages))
        self._outcomes = {branch.id: branch for branch in summary.coverage.branches}
        self._branch_of: Callable[[Edge], BranchId | None] = coverages[0].branch_of
        self._waiting: Counter[BranchId | None] = Counter()
        self._refuted: Counter[BranchId | None] = Counter()
        for ready in runs:
            branch_of = ready.run.coverage.branch_of  # runs may have forms of the program of their own
            self._waiting.update(branch_of(edge) for edge in ready.engine.left())
            for edge, count in ready.engine.refuted.items():
                self._refuted[branch_of(edge) if edge is not None else None] += count
        self._nearest: dict[str, dict[str, Hindrance]] = {}

    def of(self, branch: BranchCoverage) -> Reason:
        """Of an outcome that is not covered."""
        proof = self._dead.get(branch.id)
        if proof is not None:
            return Reason(WhyNot.PROVED, proof.reason)
        function = self._functions.get(branch.function)
        is_entered = function is not None and (function.name, function.blocks[0].name) in self._blocks
        if function is not None and not is_entered and function.name not in self._in_reach:
            text = f"nothing that {self._entry.source_name} calls, or names otherwise, leads to {function.source_name}"
            return Reason(WhyNot.OUT_OF_REACH, text)
        if self._is_complete:
            text = "all paths were explored to their end, or to their first error, and none of them takes it"
            return Reason(WhyNot.NO_PATH, text + self._summary.proviso)
        if function is None:
            return Reason(WhyNot.OTHER_WAY, "no test takes it")
        if not is_entered:
            return self._not_called(function)
        if (branch.function, branch.block) not in self._blocks:
            return self._behind(function, branch.block)
        return self._at_its_place(branch)

    def is_in_reach(self, record: FunctionCoverage) -> bool:
        """Whether something that the entry names leads to a function."""
        return (record.file, record.line) not in self._out_of_reach

    @cached_property
    def _out_of_reach(self) -> set[tuple[str, int] | None]:
        return {place_of(one) for one in self._functions.values() if one.name not in self._in_reach}

    @cached_property
    def _is_complete(self) -> bool:
        """Whether nothing was left out: ``clew test`` explores all paths, where it comes to its end."""
        summary = self._summary
        return summary.command == "test" and summary.stopped is None and not summary.losses

    def _at_its_place(self, branch: BranchCoverage) -> Reason:
        """Control came to the branch."""
        waiting, refuted = self._waiting[branch.id], self._refuted[branch.id]
        lost = self._lost(branch.location)
        against = f"for {counted(refuted, 'path')} that came here it contradicts what they had decided before"
        if waiting:
            text = f"{counted(waiting, 'path')} that would take it, if that is possible, waited when the run ended"
            return Reason(WhyNot.WAITING, text + (f"; {against}" if refuted else "") + self._ended + lost, waiting)
        if refuted:
            return Reason(WhyNot.REFUTED, against + lost, refuted)
        return Reason(WhyNot.OTHER_WAY, "all paths that came here, as far as they were run, went another way" + lost)

    def _behind(self, function: Function, block: str) -> Reason:
        found = self._nearest.get(function.name)
        if found is None:
            found = self._nearest[function.name] = dict(self._hindrances(function))
        before = found.get(block)
        if before is None:
            return Reason(WhyNot.BEHIND, "nothing in its function leads to it")
        lost = self._lost(before.location)
        if before.outcome:
            return Reason(
                WhyNot.BEHIND, f"never come to: no test takes {before.text}, which leads here{lost}", 0, before
            )
        return Reason(WhyNot.BEHIND, f"never come to: paths end at {before.text}, before it{lost}", 0, before)

    def _hindrances(self, function: Function) -> Iterator[tuple[str, Hindrance]]:
        """For each block that control never came to: the nearest place that it did come to, breadth first."""
        blocks = {block.name: block for block in function.blocks}
        waiting: deque[tuple[str, Hindrance]] = deque()
        for block in function.blocks:
            if (function.name, block.name) in self._blocks:
                targets = ir.successors(block.terminator)
                waiting.extend((target, self._leaving(function, block, target)) for target in targets)
        seen = {name for name in blocks if (function.name, name) in self._blocks}
        while waiting:
            name, before = waiting.popleft()
            if name in seen:
                continue
            seen.add(name)
            yield name, before
            waiting.extend((target, before) for target in ir.successors(blocks[name].terminator))

    def _leaving(self, function: Function, block: Block, target: str) -> Hindrance:
        """Why control did not go from a block, to which it came, to another one."""
        edge = self._branch_of((function.name, block.name, target))
        outcome = self._outcomes.get(edge) if edge is not None else None
        if outcome is not None and not is_implicit(block.terminator):
            return Hindrance(outcome.location, function.source_name, outcome.outcome)
        last = next((one.location for one in reversed(block.instructions) if one.location is not None), None)
        return Hindrance(last, function.source_name)

    def _not_called(self, function: Function) -> Reason:
        calls = self._calls.get(function.name, ())
        if not calls:
            return Reason(
                WhyNot.NOT_CALLED, f"{function.source_name} was never entered, and nothing calls it by its name"
            )
        named = ", ".join(call.text for call in calls[:_MANY]) + (
            f" and {len(calls) - _MANY} more" * (len(calls) > _MANY)
        )
        text = f"{function.source_name} was never entered; it is called at {named}"
        return Reason(WhyNot.NOT_CALLED, text, calls=calls[:_MANY])

    @cached_property
    def _calls(self) -> dict[str, tuple[Hindrance, ...]]:
        """Where functions are called by their names."""
        found: dict[str, tuple[Hindrance, ...]] = {}
        for function in self._functions.values():
            for one in function.instructions():
                if isinstance(one, ir.Call) and isinstance(one.callee, GlobalRef) and one.location is not None:
                    call = Hindrance(one.location, function.source_name)
                    found[one.callee.name] = (*found.get(one.callee.name, ()), call)
        return found

    def _lost(self, location: Location | None) -> str:
        """What was not explored at the line of a place, in words."""
        return "".join(f"; {note.kind}: {note.what}" for note in self._losses.get(_line(location), ()))

    @cached_property
    def _losses(self) -> dict[tuple[str, int], list[LossNote]]:
        found: dict[tuple[str, int], list[LossNote]] = {}
        for note in self._summary.losses:
            if note.location is not None:
                found.setdefault(_line(note.location), []).append(note)
        return found

    @property
    def _ended(self) -> str:
        return f" ({self._summary.stopped})" if self._summary.stopped else ""


def _line(location: Location | None) -> tuple[str, int]:
    return (location.file, location.line) if location is not None else ("", 0)
