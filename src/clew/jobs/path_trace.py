"""The path that given inputs take, step by step: lines in the order in which they run, outcomes of branches, and the
values that variables get.

Generated code reports a leaf of a tree when it is taken for the first time; here every leaf stays fresh, so that all of
them are reported. The values are those that the code computes with, under the names that debug information gives them.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from clew.base.location import Location
from clew.execute.codegen.compiled import Compiler
from clew.execute.codegen.emitter import Origin
from clew.execute.coverage import Coverage
from clew.execute.run import Run
from clew.jobs.reexecution import ConcreteOutcome
from clew.program import instructions as ir
from clew.program.ctypes import CBase
from clew.program.module import Block, Program, Variable
from clew.program.types import FloatType, IntType, PointerType
from clew.program.values import ConstInt, ConstNull, GlobalRef, Register, Value
from clew.report.csyntax import c_value
from clew.report.path import PathStep
from clew.report.records import BranchId
from clew.report.values import InputValue

FIRST, LAST = 150, 350
"""Steps that are kept, at the beginning and at the end of a path; what lies between them is counted."""
LATE = 4 * LAST
"""Leaves at the end of a path that are looked at closely, for its last steps: most leaves are a step at least."""
_WIDEST = 60
"""Characters of a value."""

_Place = tuple[str, int, str]
"""A step's function, line and outcome."""


def told_steps(
    run: Run, execute: Callable[[Coverage], ConcreteOutcome]
) -> tuple[ConcreteOutcome, tuple[PathStep, ...]]:
    """How a re-execution ends, which ``execute`` makes, and its steps. It is made twice: what can be left out of a long
    path is known once its length is."""
    leaves = _Leaves(run.program, run.machine.compiler)
    execute(leaves)
    trace = _PathTrace(run.program, run.machine.compiler, leaves.count)
    return execute(trace), trace.steps()


class _Leaves(Coverage):
    """Counts the leaves that a re-execution takes."""

    count = 0

    def leaf(self, unit: int, number: int) -> bool:
        self.count += 1
        return False


class _PathTrace(Coverage):
    """Coverage of one re-execution, of so many leaves, that keeps its path as well."""

    def __init__(self, program: Program, compiler: Compiler, leaves: int) -> None:
        super().__init__(program, compiler)
        self._program = program
        self._left = leaves
        self._first: list[PathStep] = []
        self._last: deque[PathStep] = deque(maxlen=LAST)
        self._count = 0
        self._open: PathStep | None = None
        """The step that may still get values and an outcome."""
        self._seen: dict[str, str] = {}
        """The latest values of variables, since the function that runs was entered or came back."""
        self._function = ""
        self._lines: dict[tuple[int, int, _Place | None], tuple[int, PathStep | None]] = {}
        """For leaves of the middle, by the step that was open: steps that ended in them, and the one that is open."""
        self._readable: dict[str, ir.Store] = {}
        """For global variables, the stores after which they have had the value that memory has now."""

    def steps(self) -> tuple[PathStep, ...]:
        """The path, without its middle if it is long."""
        self._close()
        left_out = self._count - len(self._first) - len(self._last)
        last = list(self._last)
        if left_out and last:
            last[0] = replace(last[0], skipped=left_out)
        return (*self._first, *last)

    def leaf(self, unit: int, number: int) -> bool:
        self._left -= 1
        if self._left > LATE and len(self._first) >= FIRST:
            self._pass(unit, number)
            return False
        new = super().leaf(unit, number)
        self.fresh[unit][number] = True
        code = self._compiler.units[unit]
        leaf = code.leaves[number]
        self._note(code.function, leaf.spans, leaf.edges, sys._getframe(2).f_locals)
        return new

    def _pass(self, unit: int, number: int) -> None:
        """A leaf of the middle was taken: count its steps, and do not look at values."""
        now = self._open
        key = unit, number, None if now is None else (now.function, now.location.line, now.outcome)
        known = self._lines.get(key)
        if known is None:
            before, code = self._count, self._compiler.units[unit]
            self._note(code.function, code.leaves[number].spans, code.leaves[number].edges, {})
            self._last.clear()
            self._seen.clear()
            self._lines[key] = self._count - before, self._open
        else:
            self._count += known[0]
            self._open = known[1]

    def interrupted(self, function: str, origin: Origin) -> bool:
        new = super().interrupted(function, origin)
        *passed, (block, first, _) = origin.spans
        spans = (*passed, (block, first, origin.position + 1))
        self._note(function, spans, origin.edges, self._interrupted_locals())
        return new

    def _interrupted_locals(self) -> Mapping[str, Any]:
        """The variables of the generated code that an exception, which is being handled, has left."""
        found: Mapping[str, Any] = {}
        trace = sys.exc_info()[2]
        while trace is not None:
            if self._compiler.origin(trace) is not None:
                found = trace.tb_frame.f_locals
            trace = trace.tb_next
        return found

    def _note(
        self,
        function: str,
        spans: tuple[tuple[str, int, int], ...],
        edges: tuple[tuple[str, str], ...],
        values: Mapping[str, Any],
    ) -> None:
        if function in self._program.runtime:
            return
        if function != self._function:
            self._function = function
            self._seen.clear()
        compiled = self._compiler.function(function)
        self._readable = dict(_last_stores([(compiled.plan.blocks[name], first, stop) for name, first, stop in spans]))
        targets = dict(edges)
        for name, first, stop in spans:
            block = compiled.plan.blocks[name]
            self._run(function, block, first, stop, values)
            if stop == len(block.instructions) and name in targets:
                self._decide(function, name, targets[name])

    def _run(self, function: str, block: Block, first: int, stop: int, values: Mapping[str, Any]) -> None:
        """Instructions of a block have run."""
        shown = self._compiler.function(function).function.source_name
        updates = [update for update in block.updates if first <= update.index <= stop and not update.declares]
        at = 0
        for index in range(first, stop):
            while at < len(updates) and updates[at].index <= index:
                self._set(function, updates[at].variable, updates[at].value, values)
                at += 1
            instruction = block.instructions[index]
            self._arrive(instruction.location, shown)
            if isinstance(instruction, ir.Store) and isinstance(instruction.pointer, GlobalRef):
                self._store(function, instruction, instruction.pointer, values)
        for update in updates[at:]:
            self._set(function, update.variable, update.value, values)

    def _arrive(self, location: Location | None, function: str) -> None:
        """Something at a place is run: a step of its own, unless the line was there already."""
        if location is None or not location.line:
            return
        now = self._open
        if now is None or now.function != function or now.location.line != location.line or now.outcome:
            self._close()
            self._open = PathStep(location, function)

    def _store(self, function: str, store: ir.Store, variable: GlobalRef, values: Mapping[str, Any]) -> None:
        """A global variable gets a value: one that code has under a name, or that memory still has."""
        known = self._program.globals.get(variable.name)
        if known is None or not known.source_name or known.type != getattr(store.value, "type", None):
            return
        state = values.get("s")
        if self._readable.get(variable.name) is store and state is not None and isinstance(known.type, IntType):
            address = state.run.machine.globals.evaluate_constant(variable)
            raw = state.memory.load_bits(address, (known.type.width + 7) // 8)
            value: Value = ConstInt(known.type, raw) if isinstance(raw, int) else store.value
        else:
            value = store.value
        self._set(function, Variable(known.source_name, known.ctype, 0, known.location), value, values)

    def _set(self, function: str, variable: Variable, value: Value, values: Mapping[str, Any]) -> None:
        """A variable has got a value; it belongs to the line that is run, if that is one of its function."""
        text = self._shown(function, variable, value, values)
        if text is None or self._seen.get(variable.name) == text:
            return
        self._seen[variable.name] = text
        now = self._open
        if now is None or now.function != self._compiler.function(function).function.source_name:
            if variable.location is None:
                return
            self._close()
            now = PathStep(variable.location, self._compiler.function(function).function.source_name)
        known = {**dict(now.values), variable.name: text}
        self._open = replace(now, values=tuple(known.items()))

    def _shown(self, function: str, variable: Variable, value: Value, values: Mapping[str, Any]) -> str | None:
        """A value as C spells it; None where it is not known, or says nothing to people."""
        raw: Any = None
        if isinstance(value, ConstInt):
            raw = value.value
        elif isinstance(value, Register):
            number = self._compiler.function(function).plan.liveness.numbers.get(value.name)
            raw = values.get(f"v{number}")
        kind = getattr(value, "type", None)
        if isinstance(value, ConstNull) or (isinstance(kind, PointerType) and raw == 0):
            return "NULL"
        if isinstance(kind, PointerType) and isinstance(raw, int):
            state = values.get("s")
            return None if state is None else str(state.memory.describe(raw))
        if not isinstance(raw, int | float) or not isinstance(kind, IntType | FloatType):
            return None
        stripped = self._program.ctypes.strip(variable.ctype)
        ctype = stripped.name if isinstance(stripped, CBase) else "int"
        typed = InputValue.from_raw(variable.name, ctype, kind.width if isinstance(kind, IntType) else 64, raw)
        text = str(typed.value) if isinstance(typed.value, int) and typed.bits > 8 else c_value(typed)
        return text if len(text) <= _WIDEST else text[:_WIDEST] + "..."

    def _decide(self, function: str, block: str, target: str) -> None:
        taken = self.branch_of((function, block, target))
        outcome = self._names.get(taken) if taken is not None else None
        if outcome is not None and self._open is not None:
            self._open = replace(self._open, outcome=outcome)

    @cached_property
    def _names(self) -> Mapping[BranchId, str]:
        return {branch.id: branch.outcome for branch in self.branches}

    def _close(self) -> None:
        if self._open is None:
            return
        self._count += 1
        (self._first if len(self._first) < FIRST else self._last).append(self._open)
        self._open = None


def _last_stores(spans: list[tuple[Block, int, int]]) -> Iterator[tuple[str, ir.Store]]:
    """The last store to each global variable in code that has run, as far as nothing behind it may change that."""
    seen: set[str] = set()
    for block, first, stop in reversed(spans):
        for instruction in reversed(block.instructions[first:stop]):
            match instruction:
                case ir.Store(pointer=GlobalRef(name=name)):
                    if name not in seen:
                        yield name, instruction
                    seen.add(name)
                case ir.Store() | ir.Call() | ir.AtomicUpdate() | ir.CompareExchange():
                    return
