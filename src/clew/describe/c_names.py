"""Values of the program under the names that the source has for them: variables, ``A[i]``, ``p->x``, ``f()``."""

from __future__ import annotations

import json

from clew.describe.c_text import number
from clew.execute.names import Names
from clew.program import instructions as ir
from clew.program.ctypes import CArray, CRecord
from clew.program.module import Function, GlobalVariable, Program
from clew.program.types import ArrayType, IntType, StructType
from clew.program.values import ConstBytes, ConstInt, GlobalRef, Register, Value

LONGEST_STRING = 20
"""Characters of a string that is quoted."""


class CNames:
    """Names and texts for what the program computes: variables, ``A[i]``, ``f()``."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.names = Names()

    def variable(self, function: Function, name: str) -> str:
        """The C variable that a register is, or the best there is."""
        if self.names.definition(function, name) is not None:
            known = self.names.variable(function, name)
            if known is not None:
                return known
        head, _, tail = name.rpartition(".")
        return head if head and tail.isdecimal() else name.removesuffix(".addr")

    def memory(self, function: Function, name: str) -> str:
        """The C variable whose memory a register is the address of."""
        declared = self.names.declared(function, name)
        return declared.name if declared is not None else name

    def part_of_local(self, function: Function, name: str, offset: int) -> str:
        """What lies at an offset in the memory of a local variable."""
        declared = self.names.declared(function, name)
        return name if declared is None else declared.name + self.part(declared.ctype, offset)[0]

    def part_of_global(self, variable: GlobalVariable, offset: int) -> str:
        """The same for a global one."""
        return (variable.source_name or variable.name) + self.part(variable.ctype, offset)[0]

    def part(self, ctype: int, offset: int) -> tuple[str, int]:
        """``.y[2]``: the way to a scalar within an object, and its type; -1 if nothing whole begins there."""
        text = ""
        while True:
            match self._program.ctypes.strip(ctype):
                case CArray(element=element, count=count, bits=bits) if count > 0:
                    size = bits // count // 8
                    text += f"[{offset // size}]"
                    ctype, offset = element, offset % size
                case CRecord(members=members):
                    inside = [m for m in members if m.offset <= 8 * offset < m.offset + m.bits]
                    if not inside:
                        return text, -1
                    text += f".{inside[0].name}"
                    if inside[0].bitfield:
                        return text, -1
                    ctype, offset = inside[0].ctype, offset - inside[0].offset // 8
                case _:
                    return text, -1 if offset else ctype

    def value(self, function: Function, value: Value, depth: int = 6) -> str:
        """What an operand is called, or how it is computed."""
        if isinstance(value, ConstInt):
            return number(value.value, value.type.width) if isinstance(value.type, IntType) else str(value.value)
        if isinstance(value, GlobalRef):
            return self._global(value.name)
        if not isinstance(value, Register) or depth == 0:
            return "?"
        definition = self.names.definition(function, value.name)
        match definition:
            case ir.Cast(operand=operand):
                return self.value(function, operand, depth - 1)
            case ir.Load(pointer=pointer):
                return self.place(function, pointer, depth - 1)
            case ir.Call():
                return self.call(function, definition)
            case ir.Binary(op="add" | "sub" | "mul" as op, left=left, right=right):
                sign = {"add": "+", "sub": "-", "mul": "*"}[op]
                return f"{self.value(function, left, depth - 1)} {sign} {self.value(function, right, depth - 1)}"
            case ir.Alloca():
                return self.memory(function, value.name)
            case ir.GetElementPtr():
                return f"&{self.place(function, value, depth)}"
        return self.variable(function, value.name)

    def place(self, function: Function, pointer: Value, depth: int = 6) -> str:
        """What lies at an address."""
        if isinstance(pointer, GlobalRef):
            return self._global(pointer.name)
        definition = self.names.definition(function, pointer.name) if isinstance(pointer, Register) else None
        if isinstance(definition, ir.Alloca) and isinstance(pointer, Register):
            return self.memory(function, pointer.name)
        if not isinstance(definition, ir.GetElementPtr):
            return f"*{self.value(function, pointer, depth - 1)}"
        first, *rest = definition.indices
        starts = isinstance(first, ConstInt) and first.value == 0 and bool(rest)
        text = (
            self.place(function, definition.base, depth - 1)
            if starts
            else self.value(function, definition.base, depth - 1)
        )
        if not starts:
            text += f"[{self.value(function, first, depth - 1)}]"
        inside = definition.source_type
        for index in rest:
            if isinstance(inside, StructType) and isinstance(index, ConstInt):
                name = self._member(inside, index.value)
                text = f"{text.removeprefix('*')}{'->' if text.startswith('*') else '.'}{name}"
                inside = inside.fields[index.value]
            else:
                text += f"[{self.value(function, index, depth - 1)}]"
                inside = inside.element if isinstance(inside, ArrayType) else inside
        return text

    def _member(self, type: StructType, index: int) -> str:
        """The name of a struct's member: LLVM keeps none, but the records of this size may agree on it."""
        layout = self._program.layout
        bits, offset = 8 * layout.size(type), 8 * layout.offsets(type)[index]
        records = (one for one in self._program.ctypes.entries if isinstance(one, CRecord) and one.bits == bits)
        names = {m.name for one in records for m in one.members if m.offset == offset and not m.bitfield}
        return names.pop() if len(names) == 1 else f"field{index}"

    def call(self, function: Function, call: ir.Call) -> str:
        """What a call gives: the variable it is assigned to, or the name of the function."""
        known = self.names.result_variable(function, call)
        if known is not None:
            return known
        return f"{self._global(call.callee.name)}()" if isinstance(call.callee, GlobalRef) else "?"

    def _global(self, name: str) -> str:
        variable = self._program.globals.get(name)
        if variable is None:
            return name
        if name.startswith(".str") and isinstance(variable.initializer, ConstBytes):
            text = variable.initializer.data.rstrip(b"\0").decode("latin-1")
            return json.dumps(text if len(text) <= LONGEST_STRING else f"{text[:LONGEST_STRING]}...")
        return variable.source_name or name
