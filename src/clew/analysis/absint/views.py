"""Signed or unsigned: how the bits of each integer register are read as a number.

A register has one view for good. Registers that are computed from or compared with each other share it, so that linear
facts about them need no conversion; what their instructions and C types say is put to the vote. Any view is correct:
a bad choice costs precision only.
"""

from __future__ import annotations

from collections import defaultdict

from clew.program import instructions as ir
from clew.program.ctypes import CBase, CEnum, CTypes
from clew.program.module import Function
from clew.program.types import I1, IntType, StructType, Type
from clew.program.values import GlobalRef, Register, Value

WIDEST = 64
"""Bits of the integers that are looked at."""

_SHARING = frozenset(("add", "sub", "mul"))
_SIGNED = frozenset(("sdiv", "srem", "ashr"))
_UNSIGNED = frozenset(("udiv", "urem", "lshr"))
_DECLARED = 3
"""Votes of a C type, against one of an instruction."""


def is_number(type: Type) -> bool:
    """Whether values of a type are integers that are looked at."""
    return isinstance(type, IntType) and type.width <= WIDEST


class Views:
    """The views of one function's registers."""

    def __init__(self, function: Function, ctypes: CTypes) -> None:
        self._parent: dict[str, str] = {}
        self._votes: dict[str, int] = defaultdict(int)
        """Per class of registers: positive for signed."""
        self._ctypes = ctypes
        self._overflows: dict[str, tuple[Value, ...]] = {}
        """Operands of operations that tell of overflow, by the registers of their results."""
        for parameter in function.parameters:
            if isinstance(parameter.value, Register) and is_number(parameter.value.type):
                self._find(parameter.value.name)
        for block in function.blocks:
            for instruction in block.instructions:
                self._look(instruction)
            for update in block.updates:
                if isinstance(update.value, Register) and is_number(update.value.type):
                    self._vote(update.value, _DECLARED * self._declared(update.variable.ctype))

    def is_signed(self, register: str) -> bool:
        """The view of a register."""
        return self._votes[self._find(register)] >= 0

    def _declared(self, ctype: int) -> int:
        match self._ctypes.strip(ctype):
            case CBase(encoding=encoding):
                return {"signed": 1, "signed_char": 1, "unsigned": -1, "unsigned_char": -1}.get(encoding, 0)
            case CEnum(signed=signed):
                return 1 if signed else -1
        return 0

    # Classes of registers

    def _find(self, name: str) -> str:
        root = name
        while (above := self._parent.setdefault(root, root)) != root:
            root = above
        while self._parent[name] != root:
            self._parent[name], name = root, self._parent[name]
        return root

    def _share(self, *values: Value | None) -> None:
        names = [value.name for value in values if isinstance(value, Register) and is_number(value.type)]
        for name in names[1:]:
            above, below = self._find(names[0]), self._find(name)
            if above != below:
                self._parent[below] = above
                self._votes[above] += self._votes.pop(below, 0)

    def _vote(self, value: Value | None, votes: int) -> None:
        if isinstance(value, Register) and is_number(value.type):
            self._votes[self._find(value.name)] += votes

    # What instructions say

    def _look(self, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Binary(op=op, left=left, right=right, result=result, flags=flags):
                if op in _SHARING:
                    self._share(left, right, result)
                    self._vote(result, ("nsw" in flags) - ("nuw" in flags and "nsw" not in flags))
                elif op in _SIGNED or op in _UNSIGNED:
                    self._vote(left, 1 if op in _SIGNED else -1)
                    self._vote(result, 1 if op in _SIGNED else -1)
            case ir.Compare(predicate=predicate, left=left, right=right, floating=False):
                self._share(left, right)
                self._vote(left if isinstance(left, Register) else right, _said(predicate))
            case ir.Cast(op="zext", operand=operand):
                self._vote(operand, -1)
            case ir.Cast(op="sext", operand=operand, result=result):
                self._vote(operand, 1)
                self._vote(result, 1)
            case ir.Select(if_true=yes, if_false=no, result=result):
                self._share(result, yes, no)
            case ir.Freeze(operand=operand, result=result):
                self._share(result, operand)
            case ir.Phi(incoming=incoming, result=result):
                self._share(result, *(value for value, _ in incoming))
            case ir.Call(callee=GlobalRef(name=name), arguments=arguments) if ".with.overflow" in name:
                operands = tuple(argument.value for argument in arguments)
                self._share(*operands)
                if instruction.result is not None:
                    self._overflows[instruction.result.name] = operands
                self._vote(arguments[0].value, 1 if name.startswith("llvm.s") else -1)
            case ir.Call(callee=GlobalRef(name=name), result=result) if result is not None:
                self._vote(result, _result_says(name))
            case ir.ExtractValue(aggregate=Register(name=name), indices=(0,), result=result):
                self._share(result, *self._overflows.get(name, ()))


def _said(predicate: str) -> int:
    """What a predicate says about its operands; equality says nothing."""
    return {"s": 1, "u": -1}.get(predicate[0], 0) if predicate not in ("eq", "ne") else 0


def _result_says(name: str) -> int:
    """What the name of an input says about its sign."""
    if not name.startswith("__VERIFIER_nondet_"):
        return 0
    kind = name.removeprefix("__VERIFIER_nondet_")
    return -_DECLARED if kind.startswith("u") or kind in ("size_t", "bool") else _DECLARED


def overflow_operation(instruction: ir.Instruction | None) -> tuple[str, bool, Value, Value] | None:
    """Of ``llvm.sadd.with.overflow`` and its kin: the operation, whether it is signed, and the operands."""
    if not isinstance(instruction, ir.Call) or not isinstance(instruction.callee, GlobalRef):
        return None
    name = instruction.callee.name
    if not name.startswith("llvm.") or ".with.overflow" not in name:
        return None
    what = name.removeprefix("llvm.").partition(".")[0]
    left, right = instruction.arguments[0].value, instruction.arguments[1].value
    result = instruction.result
    if result is None or not isinstance(result.type, StructType) or not is_number(left.type) or left.type == I1:
        return None
    return what[1:], what[0] == "s", left, right
