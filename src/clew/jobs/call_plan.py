"""The plan of a ``--function`` call: which input of a test goes into which parameter."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.callgraph import named_by
from clew.analysis.mod_ref import ModRef
from clew.execute.heap.shapes import Shapes
from clew.jobs.reexecution import EntryPoint
from clew.program.ctypes import CFunction, CRecord, CTypes
from clew.program.instructions import Argument
from clew.program.module import Function, GlobalVariable, Program
from clew.program.types import ArrayType, FloatType, IntType, PointerType, Type, VoidType
from clew.report.callplan import CallPlan, FunctionType, Signature, Slot


def call_plan(program: Program, entry: EntryPoint) -> CallPlan | None:
    """The plan; None for a program's ``main``, and for a call that C cannot spell (vectors, large integers)."""
    if entry.as_program:
        return None
    try:
        return _Planner(program, entry).plan()
    except _NoPlanError:
        return None


def signature(program: Program, entry: EntryPoint, calls: ModRef) -> Signature | None:
    """The entry as C has it; None for a program's ``main``, and without debug info."""
    function, shapes = entry.function, Shapes(program.ctypes, program.layout)
    kind = shapes.strip(function.ctype)
    if entry.as_program or function.location is None or not isinstance(kind, CFunction):
        return None
    spell = program.ctypes.spell
    types = tuple(spell(ctype) for ctype in kind.params)
    records = tuple(isinstance(shapes.strip(ctype), CRecord) for ctype in kind.params)
    stateful = bool(calls.written_by_function(function.name))
    functions = dict(_function_types(program.ctypes))
    file = function.location.file
    whole = program.whole or program
    needs, visible = _needed_files(whole, file), dict(_visible(whole, file))
    return Signature(file, spell(kind.result), types, records, stateful, needs, functions, visible)


def _needed_files(program: Program, file: str) -> frozenset[str]:
    """The other files that are to be linked with one."""
    places = {name: item.location.file for name, item in _definitions(program) if item.location is not None}
    names: dict[str, list[str]] = {}
    for name, place in places.items():
        names.setdefault(place, []).append(name)
    found, work = {file}, [file]
    while work:
        for name in names.get(work.pop(), ()):
            for other in named_by(program, name):
                if other in places and places[other] not in found:
                    found.add(places[other])
                    work.append(places[other])
    return frozenset(found - {file})


def _visible(program: Program, file: str) -> Iterator[tuple[str, str]]:
    """What code in a file can name: what it defines, or declares, as far as it makes use of that."""
    own = [name for name, item in _definitions(program) if item.location is not None and item.location.file == file]
    for name in {*own, *(other for one in own for other in named_by(program, one))}:
        item = program.functions.get(name) or program.globals.get(name)
        known = item.source_name if item is not None else ""
        rest = name.removeprefix(known).removeprefix(".")  # a number, where several files have such a name
        if known.isidentifier() and name.startswith(known) and (not rest or rest.isdigit()):
            yield name, known


def _definitions(program: Program) -> Iterator[tuple[str, Function | GlobalVariable]]:
    """What the files define."""
    yield from ((name, function) for name, function in program.functions.items() if function.blocks)
    yield from ((name, variable) for name, variable in program.globals.items() if variable.initializer is not None)


def _function_types(ctypes: CTypes) -> Iterator[tuple[str, FunctionType]]:
    """All types of functions, with how they are spelled."""
    for index in range(len(ctypes.entries)):
        kind = ctypes.strip(index)
        if isinstance(kind, CFunction):
            parameters = tuple(map(ctypes.spell, kind.params))
            yield ctypes.spell(index), FunctionType(ctypes.spell(kind.result), parameters, kind.varargs)


class _NoPlanError(Exception):
    """Something C has no type for."""


class _Planner:
    """Counts what parameters take, in the order in which the harness makes them."""

    def __init__(self, program: Program, entry: EntryPoint) -> None:
        self._layout = program.layout
        self._shapes = Shapes(program.ctypes, program.layout)
        self._function = entry.function
        self._inputs = self._pointers = self._objects = 0

    def plan(self) -> CallPlan:
        function = self._function
        kind = self._shapes.strip(function.ctype)
        types = kind.params if isinstance(kind, CFunction) else ()
        if len(types) != len(function.parameters):
            types = (-1,) * len(function.parameters)
        slots = [self._slot(parameter, ctype) for parameter, ctype in zip(function.parameters, types, strict=True)]
        return CallPlan(_result(function.type.result), tuple(slots))

    def _slot(self, parameter: Argument, ctype: int) -> Slot:
        type = parameter.value.type
        if parameter.sret is not None:
            raise _NoPlanError
        by_address = isinstance(type, PointerType) and isinstance(self._shapes.strip(ctype), CRecord)
        if parameter.byval is not None or by_address:
            size = self._shapes.size(ctype) if parameter.byval is None else self._layout.size(parameter.byval)
            self._objects += 1
            return Slot("bytes", given=self._objects - 1, count=size)
        if isinstance(type, PointerType):
            self._pointers += 1
            return Slot("ptr", pointer=self._pointers - 1)
        if isinstance(type, ArrayType) and type.element == IntType(64):
            self._inputs += type.count
            return Slot("words", self._inputs - type.count, count=type.count)
        self._inputs += 1
        return Slot(_machine_type(type), self._inputs - 1)


def _machine_type(type: Type) -> str:
    match type:
        case IntType(width=bits) if bits in (1, 8, 16, 32, 64, 128):
            return f"i{bits}"
        case FloatType() if str(type) in ("float", "double"):
            return "f32" if str(type) == "float" else "f64"
    raise _NoPlanError


def _result(type: Type) -> str:
    if isinstance(type, VoidType):
        return "void"
    return f"i{type.width}" if isinstance(type, IntType) and type.width <= 64 else "other"
