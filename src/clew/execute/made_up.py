"""What nobody defines and Clew makes up: results of functions, contents of variables, objects behind pointers.

All of it is inputs, so that a test can repeat it, and marked as made up, so that a report says what it rests on (see
``execute.assumptions``). A pointer is null or leads to a new object of its own, never to anything else; nothing is
known about the size of that object, so an access beyond the part that was made up is a loss, not an error. So is
following a pointer that such an object holds.

    f()                        a number that f returned
    f() is null, *f()          whether the pointer that f returned is null, and the bytes it leads to
    f()+8                      part of a struct that f returned, at that offset
    x, x+8 is null, *(x+8)     the same for a variable ``extern struct s x``
"""

from __future__ import annotations

from typing import Any

from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.state import State
from clew.execute.values import assemble, from_bits, low_bit
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.memory import bulk
from clew.memory.globals import MADE_UP
from clew.memory.object import MemoryObject
from clew.memory.resolve import dangling, named
from clew.program import instructions as ir
from clew.program.module import GlobalVariable, Program
from clew.program.types import I1, I8, ArrayType, FloatType, IntType, OpaqueType, PointerType, StructType, Type
from clew.program.values import GlobalRef, Value
from clew.report.records import LossKind

POINTED_TO = 256
"""Bytes of an object behind a pointer that was made up."""
MOST_KNOWN = 1024
"""Bytes of a variable that are made up; those beyond are a loss when they are read."""
MOST_POINTERS = 8
"""Pointers in one variable that lead to objects; others lead nowhere known."""

_SPELLINGS = {1: "_Bool", 8: "unsigned char", 16: "short", 32: "int", 64: "long long"}


def returned_value(s: State, type: Type, function: str) -> Any:
    """What a function that nobody defines returns."""
    layout = s.run.layout
    text = f"depends on what {function}() returns, which is not defined here"

    def scalar(element: Type, offset: int) -> Any:
        name = f"{function}()" if element is type else f"{function}()+{offset}"
        if isinstance(element, PointerType):
            return _pointer(s, name, text)
        return from_bits(_number(s, name, element, text), element, layout)

    return assemble(type, layout, scalar)


def fill_result(s: State, address: int, size: int, function: str) -> None:
    """The same for a struct that a function returns in memory."""
    text = f"depends on what {function}() returns, which is not defined here"
    s.memory.write_bytes(address, _bytes(s, f"{function}()", size, text))


def make_up_variables(s: State, entry: str) -> None:
    """Contents for the variables that nobody defines, as far as code that starts at ``entry`` can get at them."""
    for name, variable in s.run.program.globals.items():
        if variable.initializer is not None or name.startswith("llvm.") or name not in s.run.machine.in_reach(entry):
            continue
        found = s.memory.find(s.run.globals.addresses[name])
        if found is not None and found[0].pending == found[0].size:  # the others are libc's, and known
            _make_up(s, variable, s.memory.owned(found[0]))  # it may be a constant, which nobody can write to


def _make_up(s: State, variable: GlobalVariable, obj: MemoryObject) -> None:
    name = variable.source_name or variable.name
    what = f"{name} is declared, and not defined anywhere: it has any value, and what else changes it is not explored"
    s.run.note_loss(LossKind.UNDEFINED_VARIABLE, what, s, variable.location)
    text = f"depends on the value of {name}, which is not defined here"
    size = min(obj.size, MOST_KNOWN)
    if isinstance(variable.type, IntType | FloatType):
        is_truth = variable.type == I8 and _is_truth(s.run.program, variable.name)
        value = _number(s, name, variable.type, text, "_Bool" if is_truth else "")
        obj.put(0, build.and_(value, 1, 8) if is_truth else value, s.run.layout.store_size(variable.type))
        return
    if not isinstance(variable.type, PointerType):
        bulk.put(obj, 0, bulk.from_values(_bytes(s, name, size, text)))
    for offset in _pointers(variable.type, s, size)[:MOST_POINTERS]:
        label = name if isinstance(variable.type, PointerType) else f"{name}+{offset}"
        obj.put(offset, _pointer(s, label, text), s.run.layout.pointer_bytes)


def _is_truth(program: Program, name: str) -> bool:
    """Whether a variable of a byte is a ``_Bool``: what is read from it becomes one bit."""
    for function in program.functions.values():
        read: set[Value] = set()
        for block in function.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, ir.Load) and instruction.pointer == GlobalRef(name) and instruction.result:
                    read.add(instruction.result)
                elif isinstance(instruction, ir.Cast) and instruction.to == I1 and instruction.operand in read:
                    return True
    return False


def _pointers(type: Type, s: State, size: int) -> list[int]:
    """Where pointers are in the first ``size`` bytes of an object of a type."""
    layout = s.run.layout
    match type:
        case PointerType():
            return [0] if size >= layout.pointer_bytes else []
        case StructType(fields=fields):
            parts = zip(layout.offsets(type), fields, strict=True)
            return [offset + at for offset, field in parts for at in _pointers(field, s, size - offset)]
        case ArrayType(count=count, element=element):
            step = max(1, layout.size(element))
            inside = _pointers(element, s, size) if not isinstance(element, OpaqueType) else []
            places = range(min(count or size // step, MOST_POINTERS)) if inside else range(0)
            return [n * step + at for n in places for at in inside if n * step + at + layout.pointer_bytes <= size]
    return []


def _number(s: State, name: str, type: Type, text: str, spelling: str = "") -> Any:
    held = (s.run.layout.bits(type) + 7) // 8 * 8
    spelling = spelling or (_SPELLINGS.get(type.width, str(type)) if isinstance(type, IntType) else str(type))
    return read_input(s, name, spelling, held, InputKind.MADE_UP, made_up=text)


def _bytes(s: State, name: str, size: int, text: str) -> tuple[Any, ...]:
    return read_object(s, name, f"unsigned char[{size}]", size, InputKind.MADE_UP, made_up=text)


def _pointer(s: State, name: str, text: str) -> Any:
    """Null, or the address of a new object."""
    target = f"*({name})" if "+" in name else f"*{name}"
    is_null = read_input(s, f"{name} is null", "_Bool", 8, InputKind.MADE_UP, made_up=text)
    address = s.memory.allocate(POINTED_TO, MADE_UP, target, 16, None)
    s.memory.write_bytes(address, _bytes(s, target, POINTED_TO, text))
    return build.ite(low_bit(is_null), 0, address, bv(s.run.pointer_bits))


def leads_nowhere(s: State, address: Expr) -> bool:
    """Whether an address depends on what was made up, and on no object: where it leads, nobody can say."""
    made_up = s.run.made_up
    if not made_up or made_up.isdisjoint(address.symbols):
        return False
    return not named(s.memory, address) and not dangling(s.memory, address)
