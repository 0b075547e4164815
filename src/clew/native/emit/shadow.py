"""Shadows in LLVM's text: beside each number in a register the node that it comes from, 0 if it depends on no input.

What has no node of its own (floating-point arithmetic, vectors, wide integers) takes its operands as they are: a record
says so, which keeps the trace exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.native.emit.instruction import scaled, steps
from clew.native.emit.shadow_calls import ShadowCalls
from clew.native.trace_ops import NodeOp, what
from clew.program import instructions as ir
from clew.program.module import Block
from clew.program.operands import operands
from clew.program.types import FloatType, IntType, VectorType
from clew.program.values import ConstInt, Register, Value

_BINARY = {
    "add": NodeOp.ADD, "sub": NodeOp.SUB, "mul": NodeOp.MUL, "udiv": NodeOp.UDIV, "sdiv": NodeOp.SDIV,
    "urem": NodeOp.UREM, "srem": NodeOp.SREM, "and": NodeOp.AND, "or": NodeOp.OR, "xor": NodeOp.XOR,
    "shl": NodeOp.SHL, "lshr": NodeOp.LSHR, "ashr": NodeOp.ASHR,
}  # fmt: skip
_COMPARED = {
    "eq": (NodeOp.EQ, False), "ne": (NodeOp.NE, False), "ult": (NodeOp.ULT, False), "ule": (NodeOp.ULE, False),
    "slt": (NodeOp.SLT, False), "sle": (NodeOp.SLE, False), "ugt": (NodeOp.ULT, True), "uge": (NodeOp.ULE, True),
    "sgt": (NodeOp.SLT, True), "sge": (NodeOp.SLE, True),
}  # fmt: skip
"""The operation, and whether sides change places."""
_MOVING = frozenset({"ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "bitcast"})
_DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})


class Shadows(ShadowCalls):
    """Of one function."""

    # Instructions

    def before(self, i: ir.Instruction) -> None:
        match i:
            case ir.Load(pointer=pointer) if i.result is not None:
                self._bounds(pointer, self._layout.store_size(i.result.type))
            case ir.Store(pointer=pointer, value=value):
                self._bounds(pointer, self._layout.store_size(value.type))
                self.fixed([pointer])
            case ir.Binary(op=op, right=right) if op in _DIVISIONS and not isinstance(right, ConstInt):
                self._division(right)
            case ir.AtomicUpdate():
                self.fixed(operands(i))

    def _bounds(self, pointer: Value, size: int) -> None:
        if isinstance(pointer, Register) and not self._library:
            site = self.site("bounds")
            self._w.line(
                f"call void @clew.bounds(i32 {site}, i32 {self.one(pointer)}, i64 {self._w.value(pointer)}, i64 {size})"
            )

    def _division(self, right: Value) -> None:
        width = self._w.width(right.type)
        if isinstance(right.type, VectorType) or width > 64:
            return
        w = self._w
        right_word = self.word(right)
        differs = w.define(f"icmp ne i64 {right_word}, 0")
        value = w.define(f"zext i1 {differs} to i64")
        node = self.node(what(NodeOp.NE, width), (self.one(right), "0"), (right_word, "0"), value)
        taken = w.define(f"zext i1 {differs} to i32")
        w.line(f"call void @clew.fork(i32 {self.site('division')}, i32 {node}, i32 {taken})")

    def after(self, i: ir.Instruction) -> None:
        handler = _HANDLERS.get(type(i))
        if handler is None:
            self.opaque(i)
        else:
            handler(self, i)

    def _binary(self, i: ir.Binary) -> None:
        if i.op not in _BINARY or not self.is_number(i.left, i.right):
            self.opaque(i)
            return
        op = what(_BINARY[i.op], self._w.width(i.left.type))
        words = self.word(i.left), self.word(i.right)
        self.give(i, [self.node(op, (self.one(i.left), self.one(i.right)), words, self.result_word(i))])

    def _compare(self, i: ir.Compare) -> None:
        if i.floating or not self.is_number(i.left, i.right):
            self.opaque(i)
            return
        op, swapped = _COMPARED[i.predicate]
        left, right = (i.right, i.left) if swapped else (i.left, i.right)
        words = self.word(left), self.word(right)
        shadows = self.one(left), self.one(right)
        self.give(i, [self.node(what(op, self._w.width(left.type)), shadows, words, self.result_word(i))])

    def _cast(self, i: ir.Cast) -> None:
        before, after = self.leaves(i.operand.type), self.leaves(i.to)
        if len(before) != 1 or len(after) != 1 or not before[0].width or not after[0].width:
            self.opaque(i)
            return
        source, target = before[0].width, after[0].width
        shadow = self.one(i.operand)
        if i.op in _MOVING and source == target:
            self.give(i, [shadow])
        elif not self.is_number(i.operand) or isinstance(i.to, FloatType):
            self.opaque(i)
        elif target < source:
            self.give(i, [self.unary(what(NodeOp.EXTRACT, target), shadow, self.result_word(i))])
        else:
            op = NodeOp.SEXT if i.op == "sext" else NodeOp.ZEXT
            self.give(i, [self.unary(what(op, target), shadow, self.result_word(i))])

    def _select(self, i: ir.Select) -> None:
        assert i.result is not None
        if not isinstance(i.condition.type, IntType):
            self.opaque(i)
            return
        condition, choice = self.one(i.condition), self._w.value(i.condition)
        found = []
        parts = zip(
            self.leaves(i.result.type), self.of(i.if_true), self.of(i.if_false), self.words(i.if_true),
            self.words(i.if_false), self.words(i.result), strict=True,
        )  # fmt: skip
        for leaf, yes, no, left, right, value in parts:
            if not leaf.width:
                self.fixed([i.condition])
                found.append("0")
                continue
            found.append(
                self._w.define(
                    f"call i32 @clew.choice(i32 {leaf.width}, i32 {condition}, i1 {choice}, i32 {yes}, i32 {no}, "
                    f"i64 {left}, i64 {right}, i64 {value})"
                )
            )
        self.give(i, found)

    def _freeze(self, i: ir.Freeze) -> None:
        self.give(i, self.of(i.operand))

    def _alloca(self, i: ir.Alloca) -> None:
        self.fixed([i.count])
        self.nothing(i)

    def _load(self, i: ir.Load) -> None:
        assert i.result is not None
        w, found = self._w, []
        numbers = self.leaves(i.result.type)
        at, address = self.one(i.pointer), w.value(i.pointer)
        if not numbers or not all(leaf.width for leaf in numbers):
            self.fixed([i.pointer])
            size = self._layout.store_size(i.result.type)
            w.line(f"call void @clew_fix_memory(i32 {self.site('fixed')}, i64 {address}, i64 {size})")
            self.nothing(i)
            return
        if len(numbers) > 1:
            self.fixed([i.pointer])
            at = "0"
        for leaf, word in zip(numbers, self.words(i.result), strict=True):
            place = w.define(f"add i64 {address}, {leaf.offset}") if leaf.offset else address
            found.append(self._loaded(at, place, leaf.width, word))
        self.give(i, found)

    def _loaded(self, at: str, address: str, width: int, word: str) -> str:
        """The node of a number in memory."""
        size, call = -(-width // 8), "@clew_load_at" if self._library else "@clew.load_at"
        node = self._w.define(
            f"call i32 {call}(i32 {self.site('address')}, i32 {at}, i64 {address}, i32 {size}, i64 {word})"
        )
        return node if width == 8 * size else self.unary(what(NodeOp.EXTRACT, width), node, word)

    def _store(self, i: ir.Store) -> None:
        self.stored(self._w.value(i.pointer), i.value)

    def stored(self, address: str, value: Value) -> None:
        w, numbers = self._w, self.leaves(value.type)
        if not numbers or not all(leaf.width for leaf in numbers):
            self.fixed([value])
            w.line(f"call void @clew_clear_nodes(i64 {address}, i64 {self._layout.store_size(value.type)})")
            return
        call = "@clew_store_node" if self._library else "@clew.store_node"
        for leaf, shadow in zip(numbers, self.of(value), strict=True):
            place = w.define(f"add i64 {address}, {leaf.offset}") if leaf.offset else address
            w.line(f"call void {call}(i64 {place}, i32 {-(-leaf.width // 8)}, i32 {shadow})")

    def _atomic_update(self, i: ir.AtomicUpdate) -> None:
        size = self._layout.store_size(i.value.type)
        self._w.line(f"call void @clew_lose(i32 {self.site('atomic')})")
        self._w.line(f"call void @clew_clear_nodes(i64 {self._w.value(i.pointer)}, i64 {size})")
        self.nothing(i)

    def _element_pointer(self, i: ir.GetElementPtr) -> None:
        w = self._w
        parts = steps(w, i)
        address, node = w.value(i.base), self.one(i.base)
        for step, index in parts:
            if index is None:
                continue
            number = scaled(w, index, 1)
            node = w.define(
                f"call i32 @clew.element(i32 {node}, i32 {self.one(index)}, i64 {address}, i64 {number}, "
                f"i32 {w.width(index.type)}, i64 {step})"
            )
            offset = number if step == 1 else w.define(f"mul i64 {number}, {step}")
            address = w.define(f"add i64 {address}, {offset}")
        fixed = sum(step for step, index in parts if index is None)
        if fixed:
            op = what(NodeOp.ADD, 64)
            node = self.node(op, (node, "0"), (address, str(fixed)), w.target(i))
        self.give(i, [node])

    def _extract_value(self, i: ir.ExtractValue) -> None:
        self._part(i, i.aggregate, i.indices)

    def _part(self, i: ir.Instruction, whole: Value, indices: tuple[int, ...]) -> None:
        numbers, shadows = self.leaves(whole.type), self.of(whole)
        found = [s for leaf, s in zip(numbers, shadows, strict=True) if leaf.path[: len(indices)] == indices]
        assert i.result is not None
        if len(found) == len(self.leaves(i.result.type)):
            self.give(i, found)
        else:
            self.nothing(i)  # of a value without shadows

    def _insert_value(self, i: ir.InsertValue) -> None:
        self._changed(i, i.aggregate, i.element, i.indices)

    def _changed(self, i: ir.Instruction, whole: Value, part: Value, indices: tuple[int, ...]) -> None:
        numbers, shadows = self.leaves(whole.type), self.of(whole)
        more = iter(self.of(part))
        if not numbers:
            self.fixed([part])
            return
        found = [
            next(more, "0") if leaf.path[: len(indices)] == indices else shadow
            for leaf, shadow in zip(numbers, shadows, strict=True)
        ]
        self.give(i, found)

    def _extract_element(self, i: ir.ExtractElement) -> None:
        if isinstance(i.index, ConstInt):
            self._part(i, i.vector, (i.index.value,))
        else:
            self.opaque(i)

    def _insert_element(self, i: ir.InsertElement) -> None:
        if isinstance(i.index, ConstInt):
            self._changed(i, i.vector, i.element, (i.index.value,))
        else:
            self.opaque(i)

    def _done(self, i: ir.Instruction) -> None:
        """Calls have their shadows already."""

    # Control flow

    def phi(self, i: ir.Phi, labels: Sequence[tuple[Value, str]]) -> None:
        assert i.result is not None
        for place, leaf in enumerate(self.leaves(i.result.type)):
            if leaf.width:
                pairs = {label: f"[ {self.of(value)[place]}, %{label} ]" for value, label in labels}
                self._w.line(f"{self._name(i.result, place)} = phi i32 {', '.join(pairs.values())}")

    def decide(self, block: Block) -> None:
        match block.terminator:
            case ir.Branch(condition=Register() as condition, if_true=yes, if_false=no) if yes != no:
                taken = self._w.define(f"zext i1 {self._w.value(condition)} to i32")
                self._w.line(f"call void @clew.fork(i32 {self.site('branch')}, i32 {self.one(condition)}, i32 {taken})")
            case ir.Switch(value=Register() as value) if self.is_number(value):
                self._w.line(
                    f"call void @clew.case(i32 {self.site('switch')}, i32 {self.one(value)}, i64 {self.word(value)})"
                )
            case ir.IndirectBranch(address=address):
                self.fixed([address])


_HANDLERS: dict[type[ir.Instruction], Callable[[Shadows, Any], None]] = {
    ir.Binary: Shadows._binary,
    ir.Compare: Shadows._compare,
    ir.Cast: Shadows._cast,
    ir.Select: Shadows._select,
    ir.Freeze: Shadows._freeze,
    ir.Alloca: Shadows._alloca,
    ir.Load: Shadows._load,
    ir.Store: Shadows._store,
    ir.AtomicUpdate: Shadows._atomic_update,
    ir.GetElementPtr: Shadows._element_pointer,
    ir.ExtractValue: Shadows._extract_value,
    ir.InsertValue: Shadows._insert_value,
    ir.ExtractElement: Shadows._extract_element,
    ir.InsertElement: Shadows._insert_element,
    ir.Call: Shadows._done,
}
