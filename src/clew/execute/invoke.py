"""Calls: entering and leaving C functions, models, functions nobody defines, variable arguments."""

from __future__ import annotations

from typing import Any

from clew.analysis.callees import CalleeKind
from clew.base.errors import Unsupported
from clew.execute.access import load_typed, store, store_typed
from clew.execute.argument_registers import GENERAL_END, SAVED, SavedRegisters, needed_registers, saved_registers
from clew.execute.bulk import copy_memory
from clew.execute.codegen.compiled import CompiledFunction
from clew.execute.decide import concretize
from clew.execute.ends import Exited, Failed, Lost
from clew.execute.events import MergePoint
from clew.execute.exposed_memory import MAY_END, may_be_the_end, show
from clew.execute.forking import Live
from clew.execute.frame import Frame
from clew.execute.heap.callbacks import call_outside, called, is_outside
from clew.execute.invocation import Invocation
from clew.execute.made_up import fill_result, returned_value
from clew.execute.pointers import settle
from clew.execute.state import State
from clew.memory.globals import MADE_UP
from clew.program import instructions as ir
from clew.program.layout import DataLayout
from clew.program.types import PTR, IntType, Type, VoidType
from clew.program.variable_arguments import come_in_registers

MAX_DEPTH = 157 * 64
"""Nested calls; deeper recursion is cut and reported. (Generated code comes to ``enter`` at every 64th depth only.)"""


def enter(s: State, f: Frame, function: CompiledFunction, arguments: tuple[Any, ...]) -> None:
    """Start a C function; the calling frame is already suspended after the call."""
    if f.depth >= MAX_DEPTH:
        raise Lost("bounded", f"recursion deeper than {MAX_DEPTH} calls (in {function.name})")
    s.frame = Frame(function, arguments, f, s.owner)


def activate(s: State, f: Frame, function: CompiledFunction) -> Frame:
    """The frame of a C function that runs without one so far; the calling frame is suspended after the call."""
    s.frame = frame = Frame(function, (), f, s.owner)
    return frame


def enter_with(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    function: CompiledFunction,
    arguments: tuple[Any, ...],
    copies: tuple[tuple[int, Type, int], ...],
    extra: tuple[Any, ...],
    extra_types: tuple[tuple[Type, Any, int], ...],
) -> None:
    """Start a C function that gets structs by value (as private copies) or variable arguments."""
    values = list(arguments)
    made = []
    for position, type, align in copies:
        size = s.run.layout.size(type)
        address = s.memory.allocate(
            size, "argument", f"argument {position + 1} of {function.name}", max(align, 1), None
        )
        copy_memory(s, f, point, live, address, values[position], size)
        values[position] = address
        made.append(address)
        s.log(address)
    enter(s, f, function, tuple(values))
    assert s.frame is not None
    s.frame.allocated = tuple(made)
    s.frame.arguments = tuple(zip(extra_types, extra, strict=True))


def enter_indirect(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    address: Any,
    arguments: tuple[Any, ...],
    call: ir.Call,
    after: int,
    after_live: Live,
) -> None:
    """Call through a pointer: find the function, then enter it or run its model."""
    if s.run.surroundings is not None:
        address = called(s, f, point, live, address)
        if is_outside(s, address):
            f.at, f.live = after, after_live
            s.result = call_outside(s, f, point, live, address, call, arguments)
            return
    where = settle(s, f, point, live, address)
    name = s.run.globals.functions.get(where)
    if name is None:
        raise _bad_target(s, where)
    callee = s.run.callees.named(name)
    if s.step(name):
        f.at, f.live = point, live
        return
    f.at, f.live = after, after_live
    if callee.kind is CalleeKind.FUNCTION:
        parameters = callee.target.parameters
        pairs = zip(call.arguments, parameters, strict=False)
        if any(given.value.type != wanted.value.type for given, wanted in pairs):
            raise Failed("other", f"{name} is called through a pointer of an incompatible type")
        if call.result is not None and callee.target.type.result != call.type.result:
            raise Failed("other", f"{name} is called through a pointer to a function with another result type")
        if len(arguments) < len(parameters):
            raise Failed("other", f"{name} is called through a pointer with too few arguments")
        fixed, extra = arguments[: len(parameters)], arguments[len(parameters) :]
        kinds = tuple((a.value.type, a.byval, a.align) for a in call.arguments[len(parameters) :])
        if not callee.target.type.varargs:
            extra, kinds = (), ()
        copies = tuple(
            (n, a.byval, a.align) for n, a in enumerate(call.arguments[: len(parameters)]) if a.byval is not None
        )
        enter_with(s, f, point, live, s.run.compiler.function(name), fixed, copies, extra, kinds)
    elif callee.kind is CalleeKind.MODEL:
        s.result = call_model(s, f, point, live, callee.target, call, arguments)
    else:
        s.result = call_undefined(s, f, point, live, name, call, arguments)
    if callee.kind is not CalleeKind.FUNCTION:
        s.log(s.result)


def _bad_target(s: State, address: int) -> Failed | Lost:
    if address < 4096:
        return Failed("null-dereference", "call through a null function pointer")
    found = s.memory.find(address)
    if found is not None and found[0].kind == MADE_UP:
        return Lost("undefined-function", f"call of a function that was made up: {found[0].name}")
    return Failed("other", f"call through a pointer that is no function: {s.memory.describe(address)}")


def leave(s: State, f: Frame, value: Any) -> None:
    """Return to the caller; the outermost function ends the program."""
    if f.allocated:
        s.memory.release_stack(f.allocated)
    parent = f.parent
    if parent is None:
        raise Exited(0 if value is None else value, returned=True)
    if parent.owner is not s.owner:
        parent = parent.suspended(s.owner, parent.at, parent.live)
    s.result = value
    s.frame = parent


def call_model(
    s: State, f: Frame, point: int, live: Live, model: Any, call: ir.Call, arguments: tuple[Any, ...]
) -> Any:
    """Run the model of a function in place."""
    if s.constant_symbols:
        for listener in s.run.events.library_call:
            listener(MergePoint(s, f, point, live, model.name))
    return model.run(Invocation(s, f, point, live, call, model.name), *arguments)


def call_undefined(
    s: State, f: Frame, point: int, live: Live, name: str, call: ir.Call, arguments: tuple[Any, ...]
) -> Any:
    """Nobody defines the function: it may return anything, and sets what was not set; see
    ``execute.exposed_memory``."""
    s.run.note_undefined_function(s, f, name, call)
    if call.noreturn:
        raise Lost("undefined-function", f"call of undefined function {name}, which does not return")
    if may_be_the_end(s.run.program.functions[f.function.name], call):
        s.environment = s.environment.set(MAY_END, name)
        if s.run.anything_made_up:
            raise Exited(0)
    show(s, call, arguments, name)
    for argument, value in zip(call.arguments, arguments, strict=False):
        if argument.sret is not None:
            address = concretize(s, f, point, live, value, s.run.pointer_bits)
            fill_result(s, address, s.run.layout.size(argument.sret), name)
    type = call.type.result
    return None if isinstance(type, VoidType) else returned_value(s, type, name)


# Variable arguments


def start_arguments(s: State, f: Frame, point: int, live: Live, list_address: Any) -> None:
    """``va_start``: put all variable arguments into one area of memory, and the list at its start.

    The register save areas of the ABIs are declared used up, so that code compiled for any of them
    takes every argument from the area in memory; unless it matters what registers pass.
    """
    layout, saved = s.run.layout, _saved(s, f)
    places, size, align = _places(layout, f.arguments, saved)
    area = registers = s.memory.allocate(size, "argument", "variable arguments", align, None)
    f.allocated = (*f.allocated, area)
    if any(place is not None for place in saved.offsets):
        registers = s.memory.allocate(SAVED, "argument", "variable arguments in registers", 16, None)
        f.allocated = (*f.allocated, registers)
    for ((type, byval, _), value), offset, register in zip(f.arguments, places, saved.offsets, strict=True):
        where = area + offset if register is None else registers + register
        if byval is not None:
            copy_memory(s, f, point, live, where, value, layout.size(byval))
        else:
            store_typed(s, f, point, live, where, value, type)
    for offset, value, size in _list_fields(s.run.architecture, area, registers, saved):
        store(s, f, point, live, list_address + offset, value, size)


def _places(
    layout: DataLayout, arguments: tuple[tuple[Any, Any], ...], saved: SavedRegisters
) -> tuple[list[int], int, int]:
    """Where in their area arguments lie (those that registers pass take no room), its size, and its alignment."""
    slot, position, alignment = layout.pointer_bytes, 0, 16
    places = []
    for ((type, byval, align), _), register in zip(arguments, saved.offsets, strict=True):
        held = byval if byval is not None else type
        if register is None:
            unit = max(slot, align or layout.align(held)) if slot == 8 else slot
            alignment = max(alignment, unit)
            position = -(-position // unit) * unit
        places.append(position)
        if register is None:
            position += -(-layout.size(held) // slot) * slot
    return places, position + slot, alignment


def _saved(s: State, f: Frame) -> SavedRegisters:
    """Which arguments registers pass, where that matters."""
    if not come_in_registers(s.run.program):
        return SavedRegisters((None,) * len(f.arguments), GENERAL_END, SAVED)
    fixed = [(one.value.type, one.byval is not None) for one in f.function.function.parameters]
    return saved_registers(fixed, [(one[0], one[1] is not None) for one, _ in f.arguments], s.run.layout)


def _list_fields(architecture: str, area: int, registers: int, saved: SavedRegisters) -> list[tuple[int, int, int]]:
    """The ``va_list`` of an ABI as (offset, value, size): its memory area, and the registers that are left."""
    if architecture == "x86_64":
        # gp_offset, fp_offset, overflow_arg_area, reg_save_area.
        return [(0, saved.general, 4), (4, saved.vector, 4), (8, area, 8), (16, registers, 8)]
    if architecture == "aarch64":
        # __stack, __gr_top, __vr_top, __gr_offs, __vr_offs.
        return [(0, area, 8), (8, area, 8), (16, area, 8), (24, 0, 4), (28, 0, 4)]
    if architecture in ("i386", "i686", "x86"):
        return [(0, area, 4)]
    raise Unsupported(f"variable arguments on {architecture}")


_LIST_SIZE = {"x86_64": 24, "aarch64": 32}


def copy_arguments(s: State, f: Frame, point: int, live: Live, target: Any, source: Any) -> None:
    """``va_copy``."""
    copy_memory(s, f, point, live, target, source, _LIST_SIZE.get(s.run.architecture, s.run.layout.pointer_bytes))


def next_argument(s: State, f: Frame, point: int, live: Live, list_address: Any, type: Type) -> Any:
    """The ``va_arg`` instruction, which Clang emits where the list is a plain pointer."""
    layout = s.run.layout
    slot = layout.pointer_bytes
    if s.run.architecture == "x86_64" and any(needed := needed_registers(type, layout)):
        field, step, end = (0, 8 * needed[0], GENERAL_END) if needed[0] else (4, 16, SAVED)
        offset = load_typed(s, f, point, live, list_address + field, IntType(32))
        if isinstance(offset, int) and offset + step <= end:
            registers = load_typed(s, f, point, live, list_address + 16, PTR)
            store(s, f, point, live, list_address + field, offset + step, 4)
            return load_typed(s, f, point, live, registers + offset, type)
    place = 8 if s.run.architecture == "x86_64" else 0
    cell = list_address + place if place else list_address
    area = load_typed(s, f, point, live, cell, PTR)
    value = load_typed(s, f, point, live, area, type)
    advanced = area + -(-layout.size(type) // slot) * slot
    store(s, f, point, live, cell, advanced, slot)
    return value
