"""A program that reads numbers with ``scanf``, changed to one that is given any numbers instead: about numbers alone.

    n = scanf("%d %d", &a, &b)   ->   n = any of -1, 0, 1, 2;  a = n > 0 ? any : a;  b = n > 1 ? any : b

It can do all that the program can do, whatever text there is; and more, as what is read no longer depends on what was
read before. So nothing else may read from files: that would see text which was read already.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from clew.execute.instrument.havoc import assume, havoc_register
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.editing import Draft, rewritten
from clew.program.module import Function, Program
from clew.program.types import I1, I8, I16, I32, I64, FloatKind, FloatType, IntType, Type
from clew.program.values import ConstBytes, ConstInt, GlobalRef, Register, Value

_FORMATS = {f"{prefix}{name}": place for prefix in ("", "__isoc99_", "__isoc23_") for name, place in
            (("scanf", 0), ("fscanf", 1))}  # fmt: skip
"""The functions, with the argument that is the format; before it comes the stream."""
_OPENING = frozenset(("fopen", "fopen64"))
_DIRECTIVE = re.compile(
    rb"%(?P<skip>\*)?\d*(?P<length>hh|h|ll|l|j|z|t|q)?(?P<kind>[diouxXfFeEgGaA])|%%|[^%]", re.DOTALL
)
_WIDTHS = {b"hh": I8, b"h": I16, b"": I32, b"ll": I64, b"j": I64, b"q": I64}


def with_any_numbers(program: Program) -> Program | None:
    """The changed program; None if it reads no numbers, or anything else."""
    models = all_models()
    declared = {name for name, function in program.functions.items() if function.is_declaration}
    effects = {name: models[name].effect for name in sorted(declared & models.keys())}
    reading = {name for name, effect in effects.items() if effect.reads_input and not effect.is_input}
    if not reading & _FORMATS.keys() or reading - _FORMATS.keys() - _OPENING:
        return None
    functions = {}
    for name, function in program.functions.items():
        changed = _Change(program, function).done()
        if changed is None:
            return None
        functions[name] = changed
    return dataclasses.replace(program, functions=functions)


class _Change:
    """Of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self._program = program
        self._function = function
        self._serial = 0
        self._is_known = True

    def done(self) -> Function | None:
        """The function with all that changes; None if it reads in a way that is not known."""
        if not any(_name(i) in _FORMATS for i in self._function.instructions()):
            return self._function
        blocks = tuple(rewritten(block, self._instruction) for block in self._function.blocks)
        return dataclasses.replace(self._function, blocks=blocks) if self._is_known else None

    def _instruction(self, draft: Draft, number: int, i: ir.Instruction) -> None:
        if not isinstance(i, ir.Call) or _name(i) not in _FORMATS:
            draft.add(i)
        elif not self._read(draft, i):
            self._is_known = False

    def _read(self, draft: Draft, call: ir.Call) -> bool:
        """Write what a call becomes; False if its format is not known."""
        place = _FORMATS[_name(call)]
        values = [argument.value for argument in call.arguments]
        types = self._types(values[place]) if len(values) > place else None
        if types is None or len(types) > len(values) - place - 1 or call.type.result != I32:
            return False
        for stream in values[:place]:  # it has to be one that is open
            draft.add(ir.Load(self._register(I8), call.location, stream, 1))
        count = draft.add(havoc_register(call.result or self._register(I32)))
        self._assume(draft, "sge", count, ConstInt(I32, (1 << 32) - 1))
        self._assume(draft, "sle", count, ConstInt(I32, len(types)))
        for number, (type, target) in enumerate(zip(types, values[place + 1 :], strict=False)):
            there = draft.add(ir.Compare(self._register(I1), None, "sgt", count, ConstInt(I32, number)))
            fresh = draft.add(havoc_register(self._register(type)))
            old = draft.add(ir.Load(self._register(type), call.location, target, 1))
            new = draft.add(ir.Select(self._register(type), None, there, fresh, old))
            draft.add(ir.Store(None, call.location, new, target, 1))
        return True

    def _types(self, form: Value) -> list[Type] | None:
        """The types of the numbers that a format stores."""
        variable = self._program.globals.get(form.name) if isinstance(form, GlobalRef) else None
        if variable is None or not variable.constant or not isinstance(variable.initializer, ConstBytes):
            return None
        text = variable.initializer.data.partition(b"\0")[0]
        found = list(_DIRECTIVE.finditer(text))
        if sum(len(match[0]) for match in found) != len(text):
            return None
        return list(self._stored(found))

    def _stored(self, directives: list[re.Match[bytes]]) -> Iterator[Type]:
        for match in directives:
            length = match["length"] or b""
            if match["kind"] is None or match["skip"]:
                continue
            if match["kind"] in b"fFeEgGaA":
                yield FloatType(FloatKind.DOUBLE if length == b"l" else FloatKind.FLOAT)
            else:
                yield _WIDTHS.get(length) or IntType(self._program.layout.pointer_bits)

    def _assume(self, draft: Draft, predicate: str, left: Value, right: Value) -> None:
        holds = draft.add(ir.Compare(self._register(I1), None, predicate, left, right))
        draft.add(assume(draft.add(ir.Cast(self._register(I32), None, "zext", holds, I32))))

    def _register(self, type: Type) -> Register:
        self._serial += 1
        return Register(f"clew.read.{self._serial}", type)


def _name(i: ir.Instruction) -> str:
    """The function that is called by its name, if one is."""
    return i.callee.name if isinstance(i, ir.Call) and isinstance(i.callee, GlobalRef) else ""
