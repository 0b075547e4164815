"""Values replaced by symbols: the state stays what it is, since an equation says what each symbol is.

    n = 7      becomes      n = lifted!1,   path: lifted!1 == 7

What is explored from there on is then told in terms of the symbol, and holds for whatever else it may be bound to.
Addresses stay what they are: who points where must be visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.execute.frame import Frame
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr, as_bool, constant
from clew.expr.sort import BOOL, Sort, bv
from clew.expr.walk import hard_parts, is_hard, substitute
from clew.memory.resolve import dangling, named
from clew.memory.space import AddressSpace
from clew.memory.symbolic import settle_array
from clew.program.module import Function
from clew.program.types import IntType, Type
from clew.program.values import Register
from clew.techniques.merging.snapshot import Contents, Extent, Holder, InMemory, InRegister, Snapshot


class Lifting:
    """Makes symbols: one for each value that is replaced."""

    def __init__(self) -> None:
        self._count = 0
        self._types: dict[str, tuple[Type, ...]] = {}

    def lift(self, state: State, now: Snapshot, frame: Frame, point: int, holders: Iterable[Holder]) -> dict[Expr, Any]:
        """Replace what holders hold, in a state that is suspended at ``point``; returns what the new symbols are."""
        chosen = self._chosen(state, now, frame, point, holders)
        if not chosen:
            return {}
        state.depart()
        registers = [list(values) for values in now.registers]
        frames = 1
        known: dict[Expr, Any] = {}
        for symbol, (holder, value) in chosen.items():
            known[symbol] = state.model.eval(value)
            match holder:
                case InRegister(frame=number, place=place):
                    registers[number][place] = symbol
                    frames = max(frames, number + 1)
                case InMemory(address=address, size=size):
                    state.memory.store_bits(address, symbol, size)
                case Extent(base=base):
                    state.memory.extents[base] = symbol
            state.path = state.path.define(equation(symbol, value))
        state.frame = _with_registers(state, frame, point, registers, frames)
        state.model = state.model.updated(known)
        return {symbol: value for symbol, (_, value) in chosen.items()}

    def number(self, state: State, now: Snapshot, frame: Frame, point: int, numbers: Mapping[Holder, int]) -> None:
        """Replace what holders hold by the numbers that it is, in a state that is suspended at ``point``."""
        state.depart()
        registers = [list(values) for values in now.registers]
        for holder, number in numbers.items():
            if isinstance(holder, InRegister):
                registers[holder.frame][holder.place] = number
            elif isinstance(holder, InMemory):
                state.memory.store_bits(holder.address, number, holder.size)
        state.frame = _with_registers(state, frame, point, registers, len(registers))

    def lower(self, state: State, now: Snapshot, frame: Frame, point: int, fixed: frozenset[Expr]) -> None:
        """Replace symbols that stand for numbers by these numbers, in a state that is suspended at ``point``."""
        state.depart()
        numbers = {symbol: state.model.eval(symbol) for symbol in fixed}
        registers = [[_lowered(value, numbers) for value in values] for values in now.registers]
        held = {holder for symbol in fixed for holder in now.holders.get(symbol, ())}
        for holder in sorted((h for h in held if isinstance(h, InMemory)), key=lambda h: h.address):
            value = now.value(holder)
            if value is not None:
                state.memory.store_bits(holder.address, _lowered(value, numbers), holder.size)
        for base in sorted(h.base for h in held if isinstance(h, Contents)):
            settle_array(state.memory, base, numbers)
        for base, size in list(state.memory.extents.items()):
            state.memory.extents[base] = _as_expr(_lowered(size, numbers), size)
        state.frame = _with_registers(state, frame, point, registers, len(registers))

    def _chosen(
        self, state: State, now: Snapshot, frame: Frame, point: int, holders: Iterable[Holder]
    ) -> dict[Expr, tuple[Holder, Any]]:
        """What can be replaced, with the symbols for it: all values are from before anything is."""
        found: dict[Expr, tuple[Holder, Any]] = {}
        taken: set[int] = set()
        for holder in holders:
            if isinstance(holder, InMemory):
                cells = range(holder.address, holder.address + holder.size)
                if not taken.isdisjoint(cells) or not _is_variable(state.memory, holder):
                    continue
                taken.update(cells)
            value = now.value(holder)
            if isinstance(value, Expr) and state.is_constant(value):
                value = _eased(state, value)
            sort = self._sort(state, frame, point, holder, value)
            if sort is not None:
                found[self._symbol(sort)] = (holder, value)
        return found

    def _symbol(self, sort: Sort) -> Expr:
        self._count += 1
        return build.symbol(f"lifted!{self._count}", sort)

    def _sort(self, state: State, frame: Frame, point: int, holder: Holder, value: Any) -> Sort | None:
        """The sort of a symbol for what is held; None where it had better stay."""
        if value is None or is_address(state.memory, value):
            return None
        if isinstance(value, Expr) and (value.symbols & state.run.undefined or is_hard((value,))):
            return None  # an equation with a product in it would be the hardest part of the path
        match holder:
            case InRegister(frame=number, place=place):
                return _sort_of(self._type(frame, point, number, place), value)
            case InMemory(address=address, size=size):
                return bv(8 * size) if not _is_part_of_address(state.memory, address) else None
            case Extent():
                return bv(state.run.pointer_bits)
        return None

    def _type(self, frame: Frame, point: int, number: int, place: int) -> Type:
        at = point
        for _ in range(number):
            assert frame.parent is not None
            frame = frame.parent
            at = frame.at
        function = frame.function
        types = self._types.get(function.name)
        if types is None:
            types = self._types[function.name] = _register_types(function.function)
        return types[function.plan.points[at].live[place]]


def _eased(state: State, value: Expr) -> Any:
    """A value that is constant on a path, with numbers in the operations that a solver would find hard."""
    symbols = frozenset[Expr]().union(*(part.symbols for part in hard_parts((value,))))
    numbers = {symbol: constant_value(state, symbol) for symbol in by_name(symbols) if symbol.mask}
    return substitute(value, numbers) if numbers else value


def by_name(symbols: Iterable[Expr]) -> list[Expr]:
    """Symbols in an order that is the same in every run."""
    return sorted(symbols, key=lambda symbol: str(symbol.value))


def constant_value(state: State, value: Expr) -> int | bool:
    """The number, or truth value, that something is for all inputs of a path; who listens to implied facts is told."""
    if value.sort is not BOOL:
        return int(state.constant_value(value, value.width))
    holds = bool(state.model.eval(value))
    state.is_certain(value if holds else _negation(value))
    return holds


def _negation(value: Expr) -> Expr:
    negation = build.lnot(value)
    assert isinstance(negation, Expr)
    return negation


def _as_expr(size: Any, before: Expr) -> Expr:
    return size if isinstance(size, Expr) else constant(size, before.sort)


def _lowered(value: Any, numbers: dict[Expr, Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_lowered(part, numbers) for part in value)
    return (
        substitute(value, numbers)
        if isinstance(value, Expr) and not numbers.keys().isdisjoint(value.symbols)
        else value
    )


def equation(symbol: Expr, value: Any) -> Expr:
    """What a path is told of a symbol that stands for a value."""
    return as_bool(build.iff(symbol, value) if symbol.sort is BOOL else build.eq(symbol, value, symbol.width))


def _register_types(function: Function) -> tuple[Type, ...]:
    """Types of all registers, by number."""
    found: list[Type] = []
    for parameter in function.parameters:
        assert isinstance(parameter.value, Register)
        found.append(parameter.value.type)
    for block in function.blocks:
        found += [instruction.result.type for instruction in block.instructions if instruction.result is not None]
    return tuple(found)


def _sort_of(type: Type, value: Any) -> Sort | None:
    if not isinstance(type, IntType):
        return None
    if isinstance(value, bool) or (isinstance(value, Expr) and value.sort is BOOL):
        return BOOL
    return bv(type.width) if isinstance(value, int) or value.sort is bv(type.width) else None


def is_address(memory: AddressSpace, value: Any) -> bool:
    """Whether a value is, or names, the address of an object, or of one that is gone."""
    if isinstance(value, Expr):
        return bool(named(memory, value) or dangling(memory, value))
    if type(value) is not int:
        return False
    return value >> memory.page_bits in memory.pages or memory.was_used(value) or memory.freed(value) is not None


def _is_part_of_address(memory: AddressSpace, address: int) -> bool:
    """Whether the aligned word that a byte lies in is an address."""
    found = memory.find(address)
    if found is None:
        return False
    obj, size = found[0], memory.pointer_bits // 8
    start = address - address % size - obj.base
    if start < 0 or start + size > obj.size:
        return False
    return is_address(memory, int.from_bytes(obj.data[start : start + size], "little"))


def _is_variable(memory: AddressSpace, holder: InMemory) -> bool:
    """Whether some bytes lie in a variable of the program's: it may be on other paths only that they do."""
    found = memory.find(holder.address)
    if found is None or found[0].constant or found[0].kind not in ("stack", "heap", "global"):
        return False
    return found[1] + holder.size <= found[0].size


def _with_registers(state: State, frame: Frame, point: int, registers: list[list[Any]], count: int) -> Frame:
    """The state's frames, of which the innermost ``count`` get other registers."""
    chain = [frame]
    while len(chain) < count:
        parent = chain[-1].parent
        assert parent is not None
        chain.append(parent)
    above = chain[-1].parent
    for number in range(count - 1, -1, -1):
        old = chain[number]
        copy = Frame(old.function, tuple(registers[number]), above, state.owner, old.at if number else point)
        copy.allocated, copy.arguments = old.allocated, old.arguments
        above = copy
    assert above is not None
    return above
