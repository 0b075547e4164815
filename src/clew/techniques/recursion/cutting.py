"""Recursion cut open: a program in which the calls beyond a depth are one, of any function with any arguments.

    before:                     after, for a depth of N (the number of calls from inside that wait for one another):
      %r = call @f(%a)            N > depth ?  real : beyond
                         real:    depth += 1; %r1 = call @f(%a); depth -= 1
                         beyond:  is the contract's first half true of %a?; N == depth ? choose : result
                         choose:  any call, or the result
                         any:     depth = N + 1; any %x and memory that the contract's first half allows; call @f(%x);
                                  the path ends
                         result:  any %r2 and memory that the contract's second half allows
      ret %v                      depth == N + 1 ? is the contract's second half true of %v?
                                  ret %v

Whatever a real execution does within one call, the cut program can do: in calls up to the depth as they are, and in any
deeper one through ``any``, if the contract is right. That is what its candidates are asked for in the same program: the
first half of all calls from inside, the second of all that return, by induction on the height of the tree of calls.
So what no path of the cut program violates holds. The converse is not true: what a path of it shows may not be.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.candidates import candidate
from clew.execute.instrument.havoc import assume, havoc_register
from clew.program import instructions as ir
from clew.program.editing import Draft, arriving_from, split
from clew.program.module import Block, Function, GlobalVariable, Program
from clew.program.types import I1, I32, VoidType
from clew.program.values import ConstInt, GlobalRef, Register, Value
from clew.techniques.recursion.conditions import Condition, Term
from clew.techniques.recursion.contracts import RESULT, Component, Contract, afterwards, parameter

_DEPTH = "clew.depth."


def cut_recursion(
    effects: ModRef, component: Component, contracts: Mapping[str, Contract], depth: int, asked: bool = False
) -> Program:
    """The program with the calls of one component cut open.

    ``asked``: whether the conditions of the contracts are candidates to be asked for. Their numbers are as
    ``numbered`` has it.
    """
    program = effects.program
    counter = GlobalVariable(_DEPTH + component.names[0], I32, ConstInt(I32, 0), False, 4, internal=True)
    surgeon = _Surgeon(effects, component, contracts, depth, asked, counter.name)
    functions = dict(program.functions)
    for name in component.names:
        functions[name] = surgeon.cut(functions[name])
    return dataclasses.replace(program, functions=functions, globals={**program.globals, counter.name: counter})


def numbered(component: Component, contracts: Mapping[str, Contract]) -> Iterator[tuple[int, str, bool, Condition]]:
    """The conditions of contracts: number, function, whether of the first half, and the condition."""
    number = 0
    for name in component.names:
        for first, conditions in ((True, contracts[name].before), (False, contracts[name].after)):
            for condition in conditions:
                yield number, name, first, condition
                number += 1


class _Surgeon:
    """Cuts the functions of one component."""

    def __init__(
        self,
        effects: ModRef,
        component: Component,
        contracts: Mapping[str, Contract],
        depth: int,
        asked: bool,
        counter: str,
    ) -> None:
        self._effects = effects
        self._program = effects.program
        self._component = component
        self._contracts = contracts
        self._depth = depth
        self._asked = asked
        self._counter = GlobalRef(counter)
        self._numbers = {
            (name, first, condition): number for number, name, first, condition in numbered(component, contracts)
        }
        self._serial = 0

    def _name(self, what: str) -> str:
        self._serial += 1
        return f"clew.{what}.{self._serial}"

    def cut(self, function: Function) -> Function:
        """A function with its calls from inside cut open, and its results asked for."""
        entry = Draft("")
        remembered = {scalar: self._load(entry, scalar) for scalar in self._component.scalars}
        done: list[Block] = []
        work = [self._asking(function, block, remembered) for block in reversed(function.blocks)]
        renamed: dict[str, str] = {}
        while work:
            block = work.pop()
            index = next((n for n, i in enumerate(block.instructions) if self._inner(i) is not None), None)
            if index is None:
                done.append(block)
                continue
            first, rest = split(block, index, self._name("join"))
            call = rest.instructions[0]
            assert isinstance(call, ir.Call)
            pieces = self._site(function, call, first.name, rest.name)
            join = dataclasses.replace(rest, instructions=(*pieces.phis, *rest.instructions[1:]))
            done.append(dataclasses.replace(first, instructions=(*first.instructions, *pieces.head)))
            done += pieces.blocks
            renamed[_root(block.name, renamed)] = join.name
            work.append(join)
        done = [self._with_sources(block, renamed) for block in done]
        done[0] = done[0].inserted({len(done[0].phis): tuple(entry.instructions)})
        return dataclasses.replace(function, blocks=tuple(done))

    def _with_sources(self, block: Block, renamed: Mapping[str, str]) -> Block:
        """A block that knows under which names those end now that lead to it."""
        for old, new in renamed.items():
            block = arriving_from(block, old, new)
        return block

    def _inner(self, instruction: ir.Instruction) -> str | None:
        """The function of the component that an instruction calls."""
        if not isinstance(instruction, ir.Call):
            return None
        target = self._effects.callees.resolve(instruction)
        return target.name if target.kind is CalleeKind.FUNCTION and target.name in self._component.names else None

    # A call from inside

    def _site(self, function: Function, call: ir.Call, before: str, join: str) -> _Site:
        name = self._inner(call)
        assert name is not None
        head, real, beyond, choose, result = (
            Draft(self._name(what)) for what in ("head", "real", "beyond", "choose", "result")
        )
        waiting = head.add(ir.Load(Register(self._name("depth"), I32), None, self._counter, 4))
        self._branch(head, self._compared(head, "ult", waiting), real.name, beyond.name)
        real_result = self._real(real, call, waiting, join)
        values = self._before(beyond, [argument.value for argument in call.arguments])
        self._ask(beyond, name, True, values)
        self._branch(beyond, self._compared(beyond, "eq", waiting), choose.name, result.name)
        deeper = [self._any(function, other) for other in self._component.names]
        extra = self._choices(choose, [block.name for block in deeper], result.name)
        any_result = self._result(result, call, name, values, join)
        phis: tuple[ir.Instruction, ...] = ()
        if call.result is not None and real_result is not None and any_result is not None:
            phis = (ir.Phi(call.result, None, ((real_result, real.name), (any_result, result.name))),)
        blocks = [draft.block() for draft in (real, beyond, choose, *extra, *deeper, result)]
        return _Site(tuple(head.instructions), blocks, phis)

    def _compared(self, draft: Draft, predicate: str, depth: Value) -> Value:
        bound = ConstInt(I32, self._depth)
        return draft.add(ir.Compare(Register(self._name("is"), I1), None, predicate, depth, bound))

    def _branch(self, draft: Draft, condition: Value, yes: str, no: str) -> None:
        draft.add(ir.Branch(None, None, condition, yes, no, implicit=True))

    def _set_depth(self, draft: Draft, value: Value) -> None:
        draft.add(ir.Store(None, None, value, self._counter, 4))

    def _real(self, draft: Draft, call: ir.Call, waiting: Value, join: str) -> Value | None:
        more = draft.add(ir.Binary(Register(self._name("more"), I32), None, "add", waiting, ConstInt(I32, 1)))
        self._set_depth(draft, more)
        result = None if call.result is None else Register(self._name("given"), call.result.type)
        draft.add(dataclasses.replace(call, result=result))
        self._set_depth(draft, waiting)
        draft.add(ir.Jump(None, None, join))
        return result

    def _choices(self, choose: Draft, deeper: Sequence[str], result: str) -> list[Draft]:
        """One way of several, nobody knows which."""
        extra: list[Draft] = []
        at = choose
        for place, name in enumerate(deeper):
            other = result
            if place + 1 < len(deeper):
                extra.append(Draft(self._name("choose")))
                other = extra[-1].name
            way = at.add(havoc_register(Register(self._name("way"), I1)))
            self._branch(at, way, name, other)
            at = extra[-1] if extra else at
        return extra

    def _any(self, function: Function, name: str) -> Draft:
        """A block that makes any call there may be of a function, and ends the path."""
        draft = Draft(self._name("any"))
        called = self._program.functions[name]
        fixed = self._component.fixed.get(name, frozenset())
        self._set_depth(draft, ConstInt(I32, self._depth + 1))
        for scalar in self._component.scalars:
            self._renew(draft, scalar)
        arguments: list[Value] = []
        for place, given in enumerate(called.parameters):
            if place in fixed:
                arguments.append(function.parameters[place].value)
            else:
                arguments.append(draft.add(havoc_register(Register(self._name("any"), given.value.type))))
        values = self._before(draft, arguments)
        for condition in self._contracts[name].before:
            condition.assumed(draft, self._name, values)
        result = called.type.result
        register = None if isinstance(result, VoidType) else Register(self._name("gone"), result)
        passed = tuple(
            dataclasses.replace(given, value=value) for given, value in zip(called.parameters, arguments, strict=True)
        )
        draft.add(ir.Call(register, None, GlobalRef(name), called.type, passed))
        draft.add(assume(ConstInt(I32, 0)))
        draft.add(ir.Unreachable(None, None))
        return draft

    def _result(self, draft: Draft, call: ir.Call, name: str, before: dict[Term, Value], join: str) -> Value | None:
        values = dict(before)
        for scalar in self._component.scalars:
            values[afterwards(scalar)] = self._renew(draft, scalar)
        result = self._program.functions[name].type.result
        value: Value | None = None
        if not isinstance(result, VoidType):
            value = values[RESULT] = draft.add(havoc_register(Register(self._name("any"), result)))
        for condition in self._contracts[name].after:
            condition.assumed(draft, self._name, values)
        draft.add(ir.Jump(None, None, join))
        return value if call.result is not None else None

    # Values

    def _before(self, draft: Draft, arguments: Sequence[Value]) -> dict[Term, Value]:
        values = {parameter(place): value for place, value in enumerate(arguments)}
        return values | {scalar: self._load(draft, scalar) for scalar in self._component.scalars}

    def _load(self, draft: Draft, scalar: str) -> Value:
        type = self._program.globals[scalar].type
        return draft.add(ir.Load(Register(self._name("memory"), type), None, GlobalRef(scalar), 1))

    def _renew(self, draft: Draft, scalar: str) -> Value:
        type = self._program.globals[scalar].type
        value = draft.add(havoc_register(Register(self._name("any"), type)))
        draft.add(ir.Store(None, None, value, GlobalRef(scalar), 1))
        return value

    # Asking

    def _ask(self, draft: Draft, name: str, first: bool, values: Mapping[Term, Value]) -> None:
        contract = self._contracts[name]
        for condition in (contract.before if first else contract.after) if self._asked else ():
            holds = condition.code(draft, self._name, values)
            flag = draft.add(ir.Cast(Register(self._name("flag"), I32), None, "zext", holds, I32))
            draft.add(candidate(self._numbers[name, first, condition], flag))

    def _asking(self, function: Function, block: Block, remembered: Mapping[str, Value]) -> Block:
        """A block that asks for the second half of the contract before it returns, at any depth.

        What a call within the depth gives is not the business of the contract: its conditions are true of that, then.
        """
        last = block.instructions[-1]
        if not isinstance(last, ir.Return) or not self._asked or not self._contracts[function.name].after:
            return block
        draft = Draft("")
        values: dict[Term, Value] = {parameter(n): given.value for n, given in enumerate(function.parameters)}
        values.update(remembered)
        values.update({afterwards(scalar): self._load(draft, scalar) for scalar in self._component.scalars})
        if last.value is not None:
            values[RESULT] = last.value
        depth = draft.add(ir.Load(Register(self._name("depth"), I32), None, self._counter, 4))
        within = draft.add(ir.Compare(Register(self._name("is"), I1), None, "ule", depth, ConstInt(I32, self._depth)))
        for condition in self._contracts[function.name].after:
            holds = condition.code(draft, self._name, values)
            either = draft.add(ir.Binary(Register(self._name("either"), I1), None, "or", holds, within))
            flag = draft.add(ir.Cast(Register(self._name("flag"), I32), None, "zext", either, I32))
            draft.add(candidate(self._numbers[function.name, False, condition], flag))
        return block.inserted({len(block.instructions) - 1: tuple(draft.instructions)})


@dataclasses.dataclass(frozen=True, slots=True)
class _Site:
    """What takes the place of one call."""

    head: tuple[ir.Instruction, ...]
    blocks: list[Block]
    phis: tuple[ir.Instruction, ...]


def _root(name: str, renamed: Mapping[str, str]) -> str:
    """The block of the source that a block is the last part of."""
    return next((old for old, new in renamed.items() if new == name), name)
