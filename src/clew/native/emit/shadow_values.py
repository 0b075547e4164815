"""Beside each number in a register the node that it comes from: names of shadows, numbers as the runtime takes them."""

from __future__ import annotations

from collections.abc import Sequence

from clew.native.emit.leaves import Leaf, leaves
from clew.native.emit.shadowing import NoShadows
from clew.native.emit.spelling import type_text
from clew.native.emit.writer import Writer
from clew.program import instructions as ir
from clew.program.operands import operands
from clew.program.types import FloatType, IntType, PointerType, StructType, Type, VectorType
from clew.program.values import ConstInt, Register, Value


class ShadowValues(NoShadows):
    """What shadows of one function are written with."""

    def __init__(self, w: Writer) -> None:
        self._w = w
        self._layout = w.context.layout
        self._library = w.is_library

    # Names and values

    def leaves(self, type: Type) -> tuple[Leaf, ...]:
        return leaves(type, self._layout)

    def of(self, value: Value) -> list[str]:
        """The shadows of an operand's numbers."""
        found = self.leaves(value.type)
        if not isinstance(value, Register):
            return ["0"] * len(found)
        return [self._name(value, place) if leaf.width else "0" for place, leaf in enumerate(found)]

    def one(self, value: Value) -> str:
        """The shadow of an operand that is one number."""
        return self.of(value)[0]

    def _name(self, register: Register, place: int) -> str:
        return f"%s{self._w.register(register.name)[2:]}_{place}"

    def words(self, value: Value) -> list[str]:
        """The numbers of an operand, each in 64 bits."""
        return [self._word(value, leaf) for leaf in self.leaves(value.type)]

    def word(self, value: Value) -> str:
        """An operand that is one number, in 64 bits."""
        return self._word(value, Leaf(value.type, width=self._w.context.layout.bits(value.type)))

    def _word(self, value: Value, leaf: Leaf) -> str:
        """A number of an operand in 64 bits; 0 for one that has no shadow."""
        if not leaf.width:
            return "0"
        if isinstance(value, ConstInt):
            return str(value.value)
        w = self._w
        text, type = w.value(value), value.type
        for index in leaf.path:
            if isinstance(type, VectorType):
                text, type = w.define(f"extractelement {type_text(type)} {text}, i32 {index}"), type.element
            else:
                text = w.define(f"extractvalue {type_text(type)} {text}, {index}")
                type = type.fields[index] if isinstance(type, StructType) else type.element  # type: ignore[attr-defined]
        if isinstance(leaf.type, FloatType):
            text = w.define(f"bitcast {type_text(leaf.type)} {text} to i{leaf.width}")
        return text if leaf.width == 64 else w.define(f"zext i{leaf.width} {text} to i64")

    def site(self, kind: str) -> int:
        """The number of a place in the block that is being written."""
        return self._w.context.site(self._w.function.name, self._w.block, kind)

    # Results

    def give(self, i: ir.Instruction, shadows: Sequence[str]) -> None:
        """Name the shadows of what an instruction gave."""
        assert i.result is not None
        for place, (leaf, shadow) in enumerate(zip(self.leaves(i.result.type), shadows, strict=True)):
            if leaf.width:
                self._w.line(f"{self._name(i.result, place)} = or i32 {shadow}, 0")

    def nothing(self, i: ir.Instruction) -> None:
        if i.result is not None:
            self.give(i, ["0"] * len(self.leaves(i.result.type)))

    def fixed(self, values: Sequence[Value]) -> None:
        site: int | None = None
        for value in values:
            if isinstance(value, Register):
                for shadow, word in zip(self.of(value), self.words(value), strict=True):
                    if shadow != "0":
                        site = self.site("fixed") if site is None else site
                        self._w.line(f"call void @clew.fix(i32 {site}, i32 {shadow}, i64 {word})")

    def opaque(self, i: ir.Instruction) -> None:
        """An instruction that has no node."""
        self.fixed(operands(i))
        self.nothing(i)

    def node(self, op: int, shadows: tuple[str, str], words: tuple[str, str], value: str) -> str:
        """A node of two operands."""
        (a, b), (left, right) = shadows, words
        return self._w.define(f"call i32 @clew.node(i32 {op}, i32 {a}, i32 {b}, i64 {left}, i64 {right}, i64 {value})")

    def unary(self, op: int, shadow: str, value: str) -> str:
        return self._w.define(f"call i32 @clew.unary(i32 {op}, i32 {shadow}, i64 {value})")

    def ternary(self, op: int, values: Sequence[Value], value: str) -> str:
        """A node of three operands."""
        shadows = ", ".join(f"i32 {self.one(one)}" for one in values)
        words = ", ".join(f"i64 {self.word(one)}" for one in values)
        return self._w.define(f"call i32 @clew.ternary(i32 {op}, {shadows}, {words}, i64 {value})")

    def width(self, value: Value) -> int:
        """Bits of an integer or a pointer."""
        return self._w.width(value.type)

    def is_number(self, *values: Value) -> bool:
        """Whether all are integers or pointers of at most 64 bits."""
        return all(
            isinstance(value.type, PointerType) or (isinstance(value.type, IntType) and value.type.width <= 64)
            for value in values
        )

    def result_word(self, i: ir.Instruction) -> str:
        """What an instruction gave, in 64 bits."""
        assert i.result is not None
        return self.word(i.result)
