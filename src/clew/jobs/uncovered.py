"""Why outcomes of branches are not covered: what the runs of a command have seen of the places around them.

Every outcome that no test takes gets the reason that says most (see ``report.reasons``). Where control never came to
its block, that is the nearest place that control did come to: the one from which the fewest branches lead there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from clew.base.location import Location
from clew.base.memo import remembered
from clew.execute.coverage import is_implicit
from clew.jobs.allocations import Allocations
from clew.jobs.blocking import attempts_of
from clew.jobs.function_coverage import place_of
from clew.jobs.prepare import PreparedRun
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.values import GlobalRef
from clew.report.lines import counted, some
from clew.report.reasons import Attempts, Blocking, Hindrance, Reason, WhyNot
from clew.report.records import BranchCoverage, BranchId, FunctionCoverage, LossNote, Summary, Unreachable

_MANY = 3
"""Calls that are named."""


def explained(
    summary: Summary,
    runs: Sequence[PreparedRun],
    dead: Mapping[BranchId, Unreachable],
    elsewhere: Mapping[BranchId, Attempts],
) -> Summary:
    """The summary, with a reason for each outcome that is not covered; ``dead`` are those proved to be so, and
    ``elsewhere`` is what paths in other processes tell."""
    coverage = summary.coverage
    if not runs or all([one.covered for one in coverage.branches] + [one.covered for one in coverage.functions]):
        return summary
    reasons = _Reasons(summary, runs, dead, elsewhere)
    branches = tuple(
        branch if branch.covered else replace(branch, reason=reasons.of(branch)) for branch in coverage.branches
    )
    functions = tuple(
        item if item.covered else replace(item, in_reach=reasons.is_in_reach(item)) for item in coverage.functions
    )
    return replace(summary, coverage=replace(coverage, branches=branches, functions=functions))


class _Reasons:
    def __init__(
        self,
        summary: Summary,
        runs: Sequence[PreparedRun],
        dead: Mapping[BranchId, Unreachable],
        elsewhere: Mapping[BranchId, Attempts],
    ) -> None:
        self._summary = summary
        self._dead = dead
        self._runs = runs
        self._functions = runs[0].run.program.functions
        self._entry = runs[0].entry.function
        self._in_reach = runs[0].run.machine.in_reach(self._entry.name)
        self._blocks = set[tuple[str, str]]().union(*(ready.run.coverage.blocks for ready in runs))
        for one in summary.coverage.branches:
            if one.covered:
                self._come_to(one)
        self._entered = {function for function, _ in self._blocks}
        self._outcomes = {branch.id: branch for branch in summary.coverage.branches}
        self._attempts = dict(elsewhere)
        for ready in runs:  # each may have a program of its own, in which other branches have become instructions
            for branch, attempts in attempts_of(ready).items():
                self._attempts[branch] = attempts + self._attempts.get(branch, Attempts())

    def _come_to(self, covered: BranchCoverage) -> None:
        """Other processes, and earlier ones, may tell of branches alone: control came to them and to their targets."""
        self._blocks.add((covered.function, covered.block))
        for ready in self._runs:
            blocks = self._blocks_of(ready, covered.function)
            name = _taken(blocks.get(covered.block), covered.successor)
            while name in blocks and (covered.function, name) not in self._blocks:
                self._blocks.add((covered.function, name))
                name = _taken(blocks[name], 0, only=True)

    @remembered
    def _blocks_of(self, ready: PreparedRun, name: str) -> Mapping[str, Block]:
        """The blocks of a function in the program of a run."""
        function = ready.run.program.functions.get(name)
        return {} if function is None else {block.name: block for block in function.blocks}

    def of(self, branch: BranchCoverage) -> Reason:
        """Of an outcome that is not covered."""
        proof = self._dead.get(branch.id)
        if proof is not None:
            return Reason(WhyNot.PROVED, proof.reason)
        function = self._functions.get(branch.function)
        is_entered = branch.function in self._entered
        if function is not None and not is_entered and function.name not in self._in_reach:
            text = f"nothing that {self._entry.source_name} calls, or names otherwise, leads to {function.source_name}"
            return Reason(WhyNot.OUT_OF_REACH, text)
        failing = self._failing(branch)
        if failing:
            text = f"it is for memory that {failing} does not give, and allocations are taken to succeed"
            return Reason(WhyNot.ALLOCATION, f"{text} (--malloc-may-fail looks at others)")
        if self._is_complete:
            text = "all paths were explored to their end, or to their first error, and none of them takes it"
            return Reason(WhyNot.NO_PATH, text + self._summary.proviso)
        if function is None:
            return Reason(WhyNot.OTHER_WAY, "no test takes it")
        if not is_entered:
            return self._not_called(function)
        if (branch.function, branch.block) not in self._blocks:
            return self._behind(branch)
        return self._at_its_place(branch)

    def _failing(self, branch: BranchCoverage) -> str:
        """What allocates, of an outcome at which control has come, and which is for an allocation that fails."""
        if self._runs[0].run.options.malloc_may_fail or (branch.function, branch.block) not in self._blocks:
            return ""
        for number, ready in enumerate(self._runs):
            block = self._blocks_of(ready, branch.function).get(branch.block)
            if block is not None:
                function = ready.run.program.functions[branch.function]
                return self._allocations[number].failing(function, block, branch.successor)
        return ""

    @cached_property
    def _allocations(self) -> list[Allocations]:
        return [
            Allocations(ready.run.program, ready.run.machine.callees, ready.entry.function.name) for ready in self._runs
        ]

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
        attempts = self._attempts.get(branch.id, Attempts())
        waiting, refuted = attempts.waiting, attempts.refuted
        lost = self._lost(branch.location)
        against = f"for {counted(refuted, 'path')} that came here it contradicts what they had decided before"
        if waiting:
            text = f"{counted(waiting, 'path')} that would take it, if that is possible, waited when the run ended"
            text += (f"; {against}" if refuted else "") + self._ended + lost
            return self._with_conditions(Reason(WhyNot.WAITING, text, waiting), attempts.awaited)
        if refuted:
            return self._with_conditions(Reason(WhyNot.REFUTED, against + lost, refuted), attempts.obstacle)
        return Reason(WhyNot.OTHER_WAY, "all paths that came here, as far as they were run, went another way" + lost)

    def _with_conditions(self, reason: Reason, found: Blocking | None) -> Reason:
        """The reason, with conditions on inputs, where these can be read."""
        if found is None:
            return reason
        text = f"{reason.because}; on one of them it needs {found.needs}"
        if found.against:
            among = ", among others," if found.more else ""
            text += f", which had decided{among} {' and '.join(found.against)}"
        return replace(reason, because=text, needs=found.needs, against=found.against)

    def _behind(self, branch: BranchCoverage) -> Reason:
        hindrances = (self._hindrances(ready, branch.function).get(branch.block) for ready in self._runs)
        before = next(filter(None, hindrances), None)
        if before is None:
            return Reason(WhyNot.BEHIND, "never come to")
        lost = self._lost(before.location)
        if before.outcome:
            return Reason(
                WhyNot.BEHIND, f"never come to: no test takes {before.text}, which leads here{lost}", 0, before
            )
        return Reason(WhyNot.BEHIND, f"never come to: paths end at {before.text}, before it{lost}", 0, before)

    @remembered
    def _hindrances(self, ready: PreparedRun, name: str) -> Mapping[str, Hindrance]:
        """For each block of a function, in the program of a run, that control never came to: the nearest place that it
        did come to, breadth first."""
        function, blocks = ready.run.program.functions.get(name), self._blocks_of(ready, name)
        nearest: dict[str, Hindrance] = {}
        if function is None:
            return nearest
        waiting: deque[tuple[str, Hindrance]] = deque()
        for block in function.blocks:
            if (function.name, block.name) in self._blocks:
                targets = ir.successors(block.terminator)
                waiting.extend((target, self._leaving(ready, function, block, target)) for target in targets)
        seen = {name for name in blocks if (function.name, name) in self._blocks}
        while waiting:
            block_name, before = waiting.popleft()
            if block_name in seen:
                continue
            seen.add(block_name)
            nearest[block_name] = before
            waiting.extend((target, before) for target in ir.successors(blocks[block_name].terminator))
        return nearest

    def _leaving(self, ready: PreparedRun, function: Function, block: Block, target: str) -> Hindrance:
        """Why control did not go from a block, to which it came, to another one."""
        edge = ready.run.coverage.branch_of((function.name, block.name, target))
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
        named = some([call.text for call in calls], _MANY)
        text = f"{function.source_name} was never entered; it is called at {named}"
        return Reason(WhyNot.NOT_CALLED, text, calls=tuple(calls[:_MANY]))

    @cached_property
    def _calls(self) -> dict[str, list[Hindrance]]:
        """Where functions are called by their names."""
        found: dict[str, list[Hindrance]] = {name: [] for name in self._functions}
        for function in self._functions.values():
            for one in function.instructions():
                if isinstance(one, ir.Call) and isinstance(one.callee, GlobalRef) and one.location is not None:
                    calls = found.get(one.callee.name)
                    if calls is not None:
                        calls.append(Hindrance(one.location, function.source_name))
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


def _taken(block: Block | None, number: int, only: bool = False) -> str:
    """Where a block leads to; empty where it does not lead there, or (with ``only``) elsewhere, too."""
    targets = () if block is None else ir.successors(block.terminator)
    return "" if number >= len(targets) or (only and len(targets) > 1) else targets[number]
