"""Constants of the program, to run-time values and to bytes.

    getelementptr ([8 x i32], ptr @table, i64 0, i64 2)   ->   address of @table + 8

Everything is concrete: addresses are known once globals are laid out. Values follow the run-time
conventions: unsigned ints, ``bool`` for i1, ``float``, tuples for aggregates. ``undef`` becomes zero here;
whoever wants it to be arbitrary asks before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from clew.base.bits import signed
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.expr.rewrite.fpmath import Real
from clew.memory.floats import decoded
from clew.program.layout import DataLayout
from clew.program.types import ArrayType, FloatKind, FloatType, IntType, StructType, Type, VectorType
from clew.program.values import (
    BlockAddress,
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    GlobalRef,
)

ConstantValue = int | Real | tuple["ConstantValue", ...]
"""``bool`` is an ``int`` to the type checker."""

_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
_SHIFTS: Final[dict[str, Callable[[int, int], int]]] = {"shl": lambda a, b: a << b, "lshr": lambda a, b: a >> b}
_RESIZES: Final = frozenset(
    ("trunc", "zext", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "bitcast", "sext", "freeze")
)


@dataclass(slots=True, eq=False)
class ConstantEvaluator:
    """Evaluates constants of one program, given the address of every global and block."""

    layout: DataLayout
    addresses: Mapping[str, int]
    aliases: Mapping[str, Constant]
    block_address: Callable[[str, str], int]

    def evaluate(self, const: Constant) -> ConstantValue:
        """The run-time value of a constant."""
        done: dict[int, ConstantValue] = {}
        stack = [const]
        while stack:
            node = stack[-1]
            parts = self._parts(node)
            missing = [part for part in parts if id(part) not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            done[id(node)] = self._combine(node, [done[id(part)] for part in parts])
        return done[id(const)]

    def _parts(self, node: Constant) -> tuple[Constant, ...]:
        if isinstance(node, ConstAggregate):
            return node.elements
        if isinstance(node, ConstExpr):
            return node.operands
        if isinstance(node, GlobalRef) and node.name in self.aliases:
            return (self.aliases[node.name],)
        return ()

    def _combine(self, node: Constant, parts: list[ConstantValue]) -> ConstantValue:
        match node:
            case ConstInt(type=type, value=value):
                return bool(value) if type == IntType(1) else value
            case ConstFloat(type=FloatType(kind=kind), bits=bits):
                return decode_float(bits, kind)
            case ConstNull():
                return 0
            case ConstZero(type=type) | ConstUndef(type=type):
                return self.zero(type)
            case ConstAggregate():
                return tuple(parts)
            case ConstBytes(data=data):
                return tuple(data)
            case GlobalRef(name=name):
                return parts[0] if parts else self._address(name)
            case BlockAddress(function=function, block=block):
                return self.block_address(function, block)
            case ConstExpr():
                return self._expression(node, parts)
            case _:
                raise Unsupported(f"constant {node}")

    def _address(self, name: str) -> int:
        address = self.addresses.get(name)
        if address is None:
            raise Unsupported(f"the address of '{name}', which the program does not declare")
        return address

    def zero(self, type: Type) -> ConstantValue:
        """The zero of a type. Types nest only as deep as the source was written."""
        match type:
            case IntType(width=1):
                return False
            case FloatType():
                return 0.0
            case StructType(fields=fields):
                return tuple(self.zero(field) for field in fields)
            case ArrayType(count=count, element=element) | VectorType(count=count, element=element):
                return (self.zero(element),) * count
            case _:
                return 0

    # -- constant expressions -----------------------------------------------------------------

    def _expression(self, node: ConstExpr, parts: list[ConstantValue]) -> ConstantValue:
        if node.op == "getelementptr":
            return self._element_pointer(node, parts)
        if not all(isinstance(part, int) for part in parts):
            raise Unsupported(f"constant expression '{node.op}' on {node.operands[0].type}")
        numbers = [int(part) for part in parts]  # type: ignore[arg-type]
        width = self.layout.bits(node.type)
        if node.op in _ARITHMETIC:
            result = _ARITHMETIC[node.op](*numbers)
        elif node.op in _SHIFTS and numbers[1] < width:
            result = _SHIFTS[node.op](*numbers)
        elif node.op in _RESIZES and isinstance(node.type, FloatType):
            return decode_float(numbers[0], node.type.kind)
        elif node.op in _RESIZES:
            source = self.layout.bits(node.operands[0].type)
            result = signed(numbers[0], source) if node.op == "sext" else numbers[0]
        else:
            raise Unsupported(f"constant expression '{node.op}'")
        result &= (1 << width) - 1
        return bool(result) if node.type == IntType(1) else result

    def _element_pointer(self, node: ConstExpr, parts: list[ConstantValue]) -> int:
        assert node.source_type is not None
        numbers = []
        for part, operand in zip(parts, node.operands, strict=True):
            if not isinstance(part, int):
                raise Unsupported("a constant vector of pointers")
            numbers.append(signed(part, self.layout.bits(operand.type)))
        address, first, *rest = numbers
        type = node.source_type
        address += first * self.layout.size(type)
        for index in rest:
            if isinstance(type, StructType):
                address += self.layout.offsets(type)[index]
                type = type.fields[index]
            elif isinstance(type, ArrayType | VectorType):
                type = type.element
                address += index * self.layout.size(type)
            else:
                raise Unsupported(f"getelementptr into {type}")
        return address & ((1 << self.layout.pointer_bits) - 1)

    # -- bytes --------------------------------------------------------------------------------

    def encode(self, const: Constant) -> list[tuple[int, bytes]]:
        """What an object initialised with ``const`` contains: (offset, bytes), zeros elsewhere."""
        result: list[tuple[int, bytes]] = []
        stack = [(0, const)]
        while stack:
            offset, node = stack.pop()
            if isinstance(node, ConstAggregate):
                numbers = self._number_array(node)
                if numbers is None:
                    stack.extend(zip(self._offsets(node.type, offset), node.elements, strict=True))
                else:
                    result.append((offset, numbers))
            elif isinstance(node, ConstBytes):
                result.append((offset, node.data))
            elif isinstance(node, ConstFloat):
                result.append((offset, node.bits.to_bytes(self.layout.store_size(node.type), "little")))
            elif not isinstance(node, ConstZero | ConstUndef | ConstNull):
                value = self.evaluate(node)
                if not isinstance(value, int):
                    raise Unsupported(f"initializer {node}")
                result.append((offset, value.to_bytes(self.layout.store_size(node.type), "little")))
        return result

    def _number_array(self, node: ConstAggregate) -> bytes | None:
        """The contents of an array of whole-byte integers, the commonest large initializer, at once."""
        element = node.type.element if isinstance(node.type, ArrayType) else None
        if not isinstance(element, IntType) or element.width != 8 * self.layout.size(element):
            return None
        size = element.width // 8
        if not all(type(part) is ConstInt for part in node.elements):
            return None
        return b"".join([part.value.to_bytes(size, "little") for part in node.elements])  # type: ignore[attr-defined]

    def _offsets(self, type: Type, start: int) -> list[int]:
        if isinstance(type, StructType):
            return [start + offset for offset in self.layout.offsets(type)]
        assert isinstance(type, ArrayType | VectorType)
        distance = self.layout.size(type.element)
        if isinstance(type, VectorType):
            bits = self.layout.bits(type.element)
            if bits % 8:
                raise Unsupported(f"an initializer of type {type}")
            distance = bits // 8
        return [start + index * distance for index in range(type.count)]


def decode_float(bits: int, kind: FloatKind) -> Real:
    """The value of the bits of a floating-point format."""
    if kind is FloatKind.BFLOAT:
        bits, kind = bits << 16, FloatKind.FLOAT
    value: Real = decoded(bits, kind)
    return value
