"""Expressions and instructions as C says them, for people: ``A[i] == 1 && i < 15``.

Made for reading, not for compiling: conversions that widen are left out, and what C has no words for is an operator's
name and its arguments. A text has a bound on its length.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from clew.execute.names import Names
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.rewrite.linear import decompose
from clew.expr.sort import SortKind
from clew.program import instructions as ir
from clew.program.ctypes import CArray, CRecord
from clew.program.module import Function, GlobalVariable, Program, Variable
from clew.program.types import ArrayType, IntType, StructType
from clew.program.values import ConstBytes, ConstInt, GlobalRef, Register, Value
from clew.solver.path import conjuncts

LONGEST = 400
"""Characters of one text, about; "..." stands for the rest."""
LONGEST_STRING = 20
"""Characters of a string that is quoted."""
_DEEPEST = 40
"""Of nested operands that are written out."""

_OR, _AND, _EQUAL, _ORDER, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)
"""How tight operators bind."""
_ORDERS = {Op.ULT: ("<", ">="), Op.ULE: ("<=", ">"), Op.SLT: ("<", ">="), Op.SLE: ("<=", ">"),
           Op.FLT: ("<", ""), Op.FLE: ("<=", "")}  # fmt: skip
_INFIX = {
    Op.MUL: ("*", _PRODUCT), Op.UDIV: ("/", _PRODUCT), Op.SDIV: ("/", _PRODUCT), Op.UREM: ("%", _PRODUCT),
    Op.SREM: ("%", _PRODUCT), Op.AND: ("&", _EQUAL), Op.OR: ("|", _EQUAL), Op.XOR: ("^", _EQUAL),
    Op.SHL: ("<<", _ORDER), Op.LSHR: (">>", _ORDER), Op.ASHR: (">>", _ORDER),
    Op.FADD: ("+", _SUM), Op.FSUB: ("-", _SUM), Op.FMUL: ("*", _PRODUCT), Op.FDIV: ("/", _PRODUCT),
    Op.FEQ: ("==", _EQUAL),
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_UNSIGNED = frozenset((Op.ULT, Op.ULE, Op.UDIV, Op.UREM, Op.AND, Op.OR))

Text = tuple[str, int]
"""A text, and how tight its outermost operator binds."""


def number(value: int, width: int, unsigned: bool = False) -> str:
    """An integer; signed unless told otherwise."""
    negative = not unsigned and width > 1 and value >> (width - 1)
    return str(value - (1 << width) if negative else value)


class Speller:
    """Texts for expressions; ``names`` tells what symbols are called."""

    def __init__(self, names: Callable[[Expr], str]) -> None:
        self._names = names

    def text(self, value: Any, width: int = 0) -> str:
        """A value as text."""
        return _shortened(self._spell(value, width, False, _DEEPEST)[0])

    def condition(self, value: Any) -> str:
        """A condition; the parts of a conjunction in the order of their lengths."""
        if not isinstance(value, Expr):
            return "always" if value else "never"
        if len(conjuncts(value)) == 1:
            return self.text(value)
        parts = sorted((self._within(part, _EQUAL, _DEEPEST) for part in conjuncts(value)), key=len)
        return _shortened(" && ".join(dict.fromkeys(parts)))

    def _within(self, e: Any, level: int, depth: int, unsigned: bool = False, width: int = 0) -> str:
        """As an operand of an operator that binds so tight."""
        text, own = self._spell(e, width, unsigned, depth)
        return text if own >= level else f"({text})"

    def _spell(self, e: Any, width: int, unsigned: bool, depth: int) -> Text:
        if isinstance(e, bool | float):
            return str(e).lower(), _ATOM
        if isinstance(e, int):
            return number(e, width, unsigned), _ATOM
        assert isinstance(e, Expr)
        if depth <= 0:
            return "...", _ATOM
        match e.op:
            case Op.CONST:
                return self._spell(e.value, e.width, unsigned, depth)
            case Op.SYMBOL:
                return self._names(e), _ATOM
            case Op.ZEXT | Op.SEXT | Op.FP_FROM_BITS | Op.FP_TO_BITS | Op.FP_TO_FP | Op.FP_FROM_SBV | Op.FP_FROM_UBV:
                return self._spell(e.args[0], e.args[0].width, unsigned or e.op is Op.ZEXT, depth)
            case Op.ADD | Op.NEG:
                return self._sum(e, depth)
            case Op.MUL if e.args[-1].op is Op.CONST:
                factor = self._spell(e.args[-1], e.width, unsigned, depth)[0]
                return f"{factor} * {self._within(e.args[0], _PRODUCT, depth - 1)}", _PRODUCT
            case Op.SHL if e.args[1].op is Op.CONST:
                return f"{1 << e.args[1].value} * {self._within(e.args[0], _PRODUCT, depth - 1)}", _PRODUCT
            case Op.LNOT:
                return self._negated(e.args[0], depth)
            case Op.EQ if e.args[0].sort.kind is SortKind.BOOL:
                return self._infix(e, "==", _EQUAL, depth)
            case Op.EQ:
                return self._compared(e, "==", False, depth), _EQUAL
            case Op.LAND:
                return " && ".join(self._within(part, _EQUAL, depth - 1) for part in e.args), _AND
            case Op.ITE:
                when, yes, no = (self._within(arg, _EQUAL, depth - 1, width=e.width) for arg in e.args)
                return f"{when} ? {yes} : {no}", _OR - 1
            case Op.EXTRACT:
                return self._part(e, depth)
        if e.op in _ORDERS:
            return self._compared(e, _ORDERS[e.op][0], e.op in _UNSIGNED, depth), _ORDER
        if e.op in _INFIX:
            return self._infix(e, *_INFIX[e.op], depth)
        arguments = ", ".join(self._within(arg, _OR - 1, depth - 1) for arg in e.args)
        return f"{e.op.name.lower()}({arguments})", _ATOM

    def _infix(self, e: Expr, sign: str, level: int, depth: int) -> Text:
        unsigned = e.op in _UNSIGNED
        return f" {sign} ".join(self._within(arg, level + 1, depth - 1, unsigned) for arg in e.args), level

    def _compared(self, e: Expr, sign: str, unsigned: bool, depth: int) -> str:
        """A comparison: numbers stand on the right, counters on the left."""
        left, right = (self._within(arg, _ORDER + 1, depth - 1, unsigned) for arg in e.args)
        if e.args[0].op is Op.CONST or (self._counted(e.args[1]) and not self._counted(e.args[0])):
            return f"{right} {_MIRRORED.get(sign, sign)} {left}"
        return f"{left} {sign} {right}"

    def _negated(self, e: Expr, depth: int) -> Text:
        if e.op is Op.LNOT:
            return self._spell(e.args[0], 0, False, depth)
        if e.op is Op.LAND:
            return " || ".join(self._negated_within(part, _AND, depth - 1) for part in e.args), _OR
        if e.op is Op.EQ and e.args[0].sort.kind is not SortKind.BOOL:
            return self._compared(e, "!=", False, depth), _EQUAL
        if _ORDERS.get(e.op, ("", ""))[1]:
            return self._compared(e, _ORDERS[e.op][1], e.op in _UNSIGNED, depth), _ORDER
        return f"!{self._within(e, _UNARY, depth - 1)}", _UNARY

    def _negated_within(self, e: Expr, level: int, depth: int) -> str:
        text, own = self._negated(e, depth)
        return text if own >= level else f"({text})"

    def _sum(self, e: Expr, depth: int) -> Text:
        """Positive terms first, the number last."""
        terms, rest = decompose(e)
        texts: list[tuple[bool, str]] = []
        for term, factor in terms.items():
            negative = bool(factor >> (e.width - 1))
            amount = (1 << e.width) - factor if negative else factor
            text = self._within(term, _PRODUCT, depth - 1)
            texts.append((negative, text if amount == 1 else f"{amount} * {text}"))
        texts.sort(key=lambda item: (item[0], _rank(item[1])))
        if rest:
            negative = bool(rest >> (e.width - 1))
            texts.append((negative, str((1 << e.width) - rest if negative else rest)))
        (minus, first), *others = texts
        joined = ("-" if minus else "") + first + "".join(f" {'-' if sign else '+'} {text}" for sign, text in others)
        return joined, _SUM if others else _UNARY if minus else _PRODUCT if " * " in first else _ATOM

    def _part(self, e: Expr, depth: int) -> Text:
        high, low = e.value
        whole = e.args[0]
        if low == 0 and self._is_counter(whole):  # its value is what matters, not its bits
            return self._spell(whole, whole.width, False, depth)
        inner = self._within(whole, _UNARY, depth - 1)
        return (f"(int{high + 1}){inner}", _UNARY) if low == 0 else (f"{inner} >> {low} & {hex(e.mask)}", _EQUAL)

    def _is_counter(self, e: Expr) -> bool:
        name = self._names(e) if e.op is Op.SYMBOL else ""
        return name[:1] == "k" and name[1:].isdecimal()

    def _counted(self, e: Expr) -> bool:
        return any(self._is_counter(made) for made in e.symbols)


def _rank(text: str) -> tuple[bool, int, str]:
    """The order of terms: counters after everything else, by their numbers."""
    tail = text.rpartition(" ")[2]
    is_counter = tail[:1] == "k" and tail[1:].isdecimal()
    return is_counter, int(tail[1:]) if is_counter else 0, text


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


class SourceNames:
    """Names and texts for what the program computes: variables, ``A[i]``, ``f()``."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names = Names()
        self._definitions: dict[str, dict[str, ir.Instruction]] = {}
        self._places: dict[str, dict[str, Variable]] = {}

    def variable(self, function: Function, name: str) -> str:
        """The C variable that a register is, or the best there is."""
        definition = self._defined(function).get(name)
        known = (
            self._names.variable(function, Register(name, definition.result.type))
            if definition and definition.result
            else None
        )
        if known is not None:
            return known
        head, _, tail = name.rpartition(".")
        return head if head and tail.isdecimal() else name.removesuffix(".addr")

    def memory(self, function: Function, name: str) -> str:
        """The C variable whose memory a register is the address of."""
        declared = self._declared(function).get(name)
        return declared.name if declared is not None else name

    def declared(self, function: Function, name: str) -> Variable | None:
        """The C variable whose memory a register is the address of; None if there is none."""
        return self._declared(function).get(name)

    def part_of_local(self, function: Function, name: str, offset: int) -> str:
        """What lies at an offset in the memory of a local variable."""
        declared = self._declared(function).get(name)
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

    def _declared(self, function: Function) -> dict[str, Variable]:
        known = self._places.get(function.name)
        if known is None:
            known = self._places[function.name] = {
                update.value.name: update.variable
                for block in function.blocks
                for update in block.updates
                if update.declares and isinstance(update.value, Register)
            }
        return known

    def value(self, function: Function, value: Value, depth: int = 6) -> str:
        """What an operand is called, or how it is computed."""
        if isinstance(value, ConstInt):
            return number(value.value, value.type.width) if isinstance(value.type, IntType) else str(value.value)
        if isinstance(value, GlobalRef):
            return self._global(value.name)
        if not isinstance(value, Register) or depth == 0:
            return "?"
        definition = self._defined(function).get(value.name)
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
        definition = self._defined(function).get(pointer.name) if isinstance(pointer, Register) else None
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
                text = f"{text.removeprefix('*')}{'->' if text.startswith('*') else '.'}field{index.value}"
                inside = inside.fields[index.value]
            else:
                text += f"[{self.value(function, index, depth - 1)}]"
                inside = inside.element if isinstance(inside, ArrayType) else inside
        return text

    def call(self, function: Function, call: ir.Call) -> str:
        """What a call gives: the variable it is assigned to, or the name of the function."""
        known = self._names.result_variable(function, call)
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

    def _defined(self, function: Function) -> dict[str, ir.Instruction]:
        known = self._definitions.get(function.name)
        if known is None:
            known = self._definitions[function.name] = {
                i.result.name: i for block in function.blocks for i in block.instructions if i.result is not None
            }
        return known
