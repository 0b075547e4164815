"""Recursion cut open: a program in which the calls from inside are one, of any function with any arguments.

    before:                     after, where ``depth`` is 0 for calls from outside:
      %r = call @f(%a)            probe "enter" of f, before; depth == 0 ? choose : result
                         choose:  any call, or the result
                         any:     depth = 1; any %x and scalars; assume what the contract requires;
                                  probe "any" of f, before; call @f(%x); the path ends
                         result:  any %r and scalars; assume what the contract ensures; probe "any" of f, after
      ret %v                      depth == 1 ? probe "enter" of f, after
                                  ret %v

Whatever a real execution does within one call, the cut program can do: in calls from outside as they are, and in any
other one through ``any``, if the contract is right. All paths between two probes together say whether it is: by
induction on the height of the tree of calls, what a contract ensures holds of each that returns. So what no path of the
cut program violates holds. The converse is not true: what a path of it shows may not be.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.havoc import assume, havoc_register
from clew.program import instructions as ir
from clew.program.editing import Draft, arriving_from, split
from clew.program.module import Block, Function, GlobalVariable, Program
from clew.program.types import I1, I32, VoidType
from clew.program.values import ConstInt, GlobalRef, Register, Value
from clew.techniques.invariants.candidates.code import assume_all
from clew.techniques.invariants.candidates.heads import Point, read
from clew.techniques.invariants.candidates.opening import OWN, Names, Probe, probe_call
from clew.techniques.invariants.contracts.contract import RESULT, Component, Contract, registers_of

_DEPTH = f"{OWN}depth."


def cut_recursion(
    effects: ModRef, component: Component, contracts: Mapping[str, Contract], probed: bool = False
) -> Program:
    """The program with the calls of one component cut open; ``probed``: with probes, which number the points anew."""
    program = effects.program
    counter = GlobalVariable(_DEPTH + component.names[0], I32, ConstInt(I32, 0), False, 4, internal=True)
    functions = dict(program.functions)
    for name in component.names:
        functions[name] = _Surgeon(effects, component, contracts, functions[name], counter.name, probed).cut()
    return dataclasses.replace(program, functions=functions, globals={**program.globals, counter.name: counter})


def points_of(component: Component, contracts: Mapping[str, Contract]) -> list[Point]:
    """The points of all contracts, as probes number them: two for each function."""
    return [point for name in component.names for point in (contracts[name].before, contracts[name].after)]


def shown(program: Program, component: Component, contracts: Mapping[str, Contract]) -> Program:
    """The program as it is, with a probe at every point."""
    functions = dict(program.functions)
    for number, name in enumerate(component.names):
        writer = _Writer(program, component, contracts, functions[name])
        first, scalars = writer.entry()
        writer.probe(first, Probe(2 * number, "at"), contracts[name].before, {})
        blocks = []
        for block in functions[name].blocks:
            last = block.instructions[-1]
            if isinstance(last, ir.Return):
                draft = Draft("")
                writer.probe(draft, Probe(2 * number + 1, "at"), contracts[name].after, writer.returned(last, scalars))
                block = block.inserted({len(block.instructions) - 1: tuple(draft.instructions)})
            blocks.append(block)
        blocks[0] = blocks[0].inserted({len(blocks[0].phis): tuple(first.instructions)})
        functions[name] = dataclasses.replace(functions[name], blocks=tuple(blocks))
    return dataclasses.replace(program, functions=functions)


class _Writer:
    """Writes code about the contract of one function."""

    def __init__(
        self, program: Program, component: Component, contracts: Mapping[str, Contract], function: Function
    ) -> None:
        self._program = program
        self._component = component
        self._contracts = contracts
        self._function = function
        self._name = Names(OWN)

    def entry(self) -> tuple[Draft, dict[str, Value]]:
        """Code for the beginning of the function, and the scalars there."""
        first = Draft("")
        return first, self.scalars(first)

    def scalars(self, draft: Draft) -> dict[str, Value]:
        """The scalars as they are now."""
        found = {}
        for name in self._component.scalars:
            result = Register(self._name("memory"), self._program.globals[name].type)
            found[name] = draft.add(ir.Load(result, None, GlobalRef(name), 1))
        return found

    def returned(self, last: ir.Return, scalars: Mapping[str, Value]) -> dict[str, Value]:
        """The terms of a call that returns."""
        registers = registers_of(self._function, [given.value for given in self._function.parameters], scalars)
        return registers | ({RESULT: last.value} if last.value is not None else {})

    def probe(self, draft: Draft, probe: Probe, point: Point, registers: Mapping[str, Value]) -> None:
        """A probe with the values of a point's terms."""
        draft.add(probe_call(probe, read(draft, point.terms, registers, self._name)))


class _Surgeon(_Writer):
    """Cuts one function."""

    def __init__(
        self,
        effects: ModRef,
        component: Component,
        contracts: Mapping[str, Contract],
        function: Function,
        counter: str,
        probed: bool,
    ) -> None:
        super().__init__(effects.program, component, contracts, function)
        self._probed = probed
        self._callees = effects.callees
        self._counter = GlobalRef(counter)
        self._places = {name: number for number, name in enumerate(component.names)}

    def probe(self, draft: Draft, probe: Probe, point: Point, registers: Mapping[str, Value]) -> None:
        if self._probed:
            super().probe(draft, probe, point, registers)

    def cut(self) -> Function:
        """The function with its calls from inside cut open, and its results shown."""
        first, scalars = self.entry()
        done: list[Block] = []
        ends: dict[str, str] = {}
        """Under which name a block ends now."""
        for block in self._function.blocks:
            parts = [block]
            while (index := self._next_call(parts[-1])) is not None:
                before, after = split(parts.pop(), index, self._name("join"))
                parts += self._site(before, after)
            parts += self._showing(parts.pop(), scalars)
            ends[block.name] = parts[-1].name
            done += parts
        done = [self._with_sources(block, ends) for block in done]
        done[0] = done[0].inserted({len(done[0].phis): tuple(first.instructions)})
        return dataclasses.replace(self._function, blocks=tuple(done))

    def _with_sources(self, block: Block, ends: Mapping[str, str]) -> Block:
        for old, new in ends.items():
            if new != old and not block.name.startswith(OWN):
                block = arriving_from(block, old, new)
        return block

    def _next_call(self, block: Block) -> int | None:
        return next((n for n, i in enumerate(block.instructions) if self._called(i) is not None), None)

    def _called(self, instruction: ir.Instruction) -> str | None:
        """The function of the component that an instruction calls."""
        if not isinstance(instruction, ir.Call):
            return None
        target = self._callees.resolve(instruction)
        return target.name if target.kind is CalleeKind.FUNCTION and target.name in self._places else None

    # A call from inside

    def _site(self, before: Block, after: Block) -> list[Block]:
        """What takes the place of the call that a block begins with; the last block is what comes after it."""
        call = after.instructions[0]
        assert isinstance(call, ir.Call)
        name = self._called(call)
        assert name is not None
        head, choose, result = (Draft(self._name(what)) for what in ("head", "choose", "result"))
        called, contract = self._program.functions[name], self._contracts[name]
        registers = registers_of(called, [argument.value for argument in call.arguments], self.scalars(head))
        self.probe(head, Probe(2 * self._places[name], "enter"), contract.before, registers)
        self._branch(head, self._is_outermost(head), choose.name, result.name)
        deeper = [self._any(other) for other in self._component.names]
        extra = self._choices(choose, [block.name for block in deeper], result.name)
        given = self._any_result(result, called, contract, registers)
        self.probe(result, Probe(2 * self._places[name] + 1, "any"), contract.after, registers | given)
        result.add(ir.Jump(None, None, after.name))
        phis: tuple[ir.Instruction, ...] = ()
        if call.result is not None:
            phis = (ir.Phi(call.result, None, ((given[RESULT], result.name),)),)
        first = dataclasses.replace(before, instructions=(*before.instructions, *head.instructions))
        rest = dataclasses.replace(after, instructions=(*phis, *after.instructions[1:]))
        return [first, *(draft.block() for draft in (choose, *extra, *deeper, result)), rest]

    def _is_outermost(self, draft: Draft) -> Value:
        depth = draft.add(ir.Load(Register(self._name("depth"), I32), None, self._counter, 4))
        return draft.add(ir.Compare(Register(self._name("is"), I1), None, "eq", depth, ConstInt(I32, 0)))

    def _branch(self, draft: Draft, condition: Value, yes: str, no: str) -> None:
        draft.add(ir.Branch(None, None, condition, yes, no, implicit=True))

    def _choices(self, choose: Draft, deeper: Sequence[str], result: str) -> list[Draft]:
        """One way of several, nobody knows which."""
        extra: list[Draft] = []
        at = choose
        for name in deeper:
            other = Draft(self._name("choose"))
            way = at.add(havoc_register(Register(self._name("way"), I1)))
            self._branch(at, way, name, result if name == deeper[-1] else other.name)
            if name != deeper[-1]:
                extra.append(other)
                at = other
        return extra

    def _any(self, name: str) -> Draft:
        """A block that makes any call there may be of a function, and ends the path."""
        draft = Draft(self._name("any"))
        called, contract = self._program.functions[name], self._contracts[name]
        fixed = self._component.fixed[name]
        draft.add(ir.Store(None, None, ConstInt(I32, 1), self._counter, 4))
        self._renew(draft)
        arguments = [
            self._function.parameters[place].value
            if place in fixed
            else draft.add(havoc_register(Register(self._name("any"), given.value.type)))
            for place, given in enumerate(called.parameters)
        ]
        registers = registers_of(called, arguments, {})
        assume_all(draft, contract.before, contract.required, registers, self._name)
        self.probe(draft, Probe(2 * self._places[name], "any"), contract.before, registers)
        result = called.type.result
        register = None if isinstance(result, VoidType) else Register(self._name("gone"), result)
        pairs = zip(called.parameters, arguments, strict=True)
        passed = tuple(dataclasses.replace(given, value=value) for given, value in pairs)
        draft.add(ir.Call(register, None, GlobalRef(name), called.type, passed))
        draft.add(assume(ConstInt(I32, 0)))
        draft.add(ir.Unreachable(None, None))
        return draft

    def _any_result(
        self, draft: Draft, called: Function, contract: Contract, registers: Mapping[str, Value]
    ) -> dict[str, Value]:
        self._renew(draft)
        given: dict[str, Value] = {}
        if not isinstance(called.type.result, VoidType):
            given[RESULT] = draft.add(havoc_register(Register(self._name("any"), called.type.result)))
        assume_all(draft, contract.after, contract.ensured, {**registers, **given}, self._name)
        return given

    def _renew(self, draft: Draft) -> None:
        for name in self._component.scalars:
            value = draft.add(havoc_register(Register(self._name("any"), self._program.globals[name].type)))
            draft.add(ir.Store(None, None, value, GlobalRef(name), 1))

    # A return

    def _showing(self, block: Block, scalars: Mapping[str, Value]) -> Iterable[Block]:
        """A block that shows what it returns, if the call is one from inside."""
        last = block.instructions[-1]
        if not isinstance(last, ir.Return):
            return (block,)
        before, after = split(block, len(block.instructions) - 1, self._name("return"))
        head, show = Draft(""), Draft(self._name("show"))
        self._branch(head, self._is_outermost(head), after.name, show.name)
        point = self._contracts[self._function.name].after
        number = self._places[self._function.name]
        self.probe(show, Probe(2 * number + 1, "enter"), point, self.returned(last, scalars))
        show.add(ir.Jump(None, None, after.name))
        first = dataclasses.replace(before, instructions=(*before.instructions, *head.instructions))
        return (first, show.block(), after)
