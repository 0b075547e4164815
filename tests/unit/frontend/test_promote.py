"""Promotion of variables to registers.

The law: along every walk through the control flow graph, a function hands the same values to the
outside before and after. Checked on random functions by a small interpreter of just the
instructions they are made of; golden texts show names, places and debug info.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.frontend.promote import promote_function
from clew.frontend.reader import read_module
from clew.program.instructions import (
    Alloca,
    Argument,
    Call,
    IndirectBranch,
    Instruction,
    Load,
    Phi,
    Return,
    Store,
    Terminator,
    successors,
)
from clew.program.module import Block, Function, Variable, VariableUpdate
from clew.program.types import I32, PTR, VOID, FunctionType
from clew.program.values import ConstInt, ConstNull, ConstUndef, GlobalRef, Register, Value
from depth import examples
from support.printer import print_function
from support.verifier import verify_function

SLOTS = 3
SINK = FunctionType(VOID, (I32,))


def slot(number: int) -> Register:
    return Register(f"s{number}", PTR)


def call(name: str, value: Value) -> Call:
    return Call(None, None, GlobalRef(name), FunctionType(VOID, (value.type,)), (Argument(value),))


@dataclass
class Builder:
    """Turns drawn operations into a function over ``SLOTS`` variables."""

    counter: int = 0

    def load(self, number: int) -> Load:
        self.counter += 1
        return Load(Register(f"t{self.counter}", I32), None, slot(number), 4)

    def operation(self, kind: str, a: int, b: int) -> list[Instruction]:
        if kind == "store":
            self.counter += 1
            return [Store(None, None, ConstInt(I32, self.counter), slot(a), 4)]
        if kind == "start" or kind == "end":
            return [call(f"llvm.lifetime.{kind}.p0", slot(a))]
        loaded = self.load(a)
        assert loaded.result is not None
        if kind == "sink":
            return [loaded, call("sink", loaded.result)]
        return [loaded, Store(None, None, loaded.result, slot(b), 4)]


Operation = tuple[str, int, int]


KINDS = ["store", "sink", "copy", "start", "end"]


@st.composite
def functions(draw: st.DrawFn, kinds: list[str] = KINDS) -> Function:
    size = draw(st.integers(1, 7))
    # Nothing may jump to the entry, in LLVM as here.
    targets = st.lists(st.integers(1, size - 1), max_size=3, unique=True) if size > 1 else st.just([])
    number = st.integers(0, SLOTS - 1)
    operation = st.tuples(st.sampled_from(kinds), number, number)
    builder = Builder()
    blocks = []
    for index in range(size):
        body: list[Instruction] = []
        if index == 0:
            body = [Alloca(slot(n), None, I32, ConstInt(I32, 1), 4) for n in range(SLOTS)]
        for kind, a, b in draw(st.lists(operation, max_size=4)):
            body += builder.operation(kind, a, b)
        goes = draw(targets)
        end: Terminator = Return(None, None, None)
        if goes:
            end = IndirectBranch(None, None, ConstNull(), tuple(f"b{t}" for t in goes))
        blocks.append(Block(f"b{index}", (*body, end)))
    return Function("f", FunctionType(VOID, ()), (), tuple(blocks))


UNKNOWN = "undef"


def outcome(function: Function, choices: list[int]) -> list[int | str]:
    """What ``sink`` gets on the walk that ``choices`` describe."""
    blocks = {block.name: block for block in function.blocks}
    registers: dict[str, int | str] = {}
    memory: dict[str, int | str] = {}
    seen: list[int | str] = []

    def value(operand: Value) -> int | str:
        if isinstance(operand, Register):
            return registers[operand.name]
        return operand.value if isinstance(operand, ConstInt) else UNKNOWN

    block, previous = function.blocks[0], ""
    for choice in [*choices, 0]:
        registers.update(
            {
                phi.result.name: next(value(v) for v, source in phi.incoming if source == previous)
                for phi in block.instructions
                if isinstance(phi, Phi) and phi.result
            }
        )
        for instruction in block.instructions:
            match instruction:
                case Load(result=Register(name=name), pointer=Register(name=pointer)):
                    registers[name] = memory.get(pointer, UNKNOWN)
                case Store(value=stored, pointer=Register(name=pointer)):
                    memory[pointer] = value(stored)
                case Call(callee=GlobalRef(name="sink"), arguments=(Argument(value=passed),)):
                    seen.append(value(passed))
                case Call(
                    callee=GlobalRef(name="llvm.lifetime.start.p0"), arguments=(Argument(value=Register() as r),)
                ):
                    memory[r.name] = UNKNOWN
        goes = successors(block.terminator)
        if not goes:
            break
        previous, block = block.name, blocks[goes[choice % len(goes)]]
    return seen


@settings(max_examples=examples(300))
@given(functions(), st.lists(st.integers(0, 5), max_size=12))
def test_what_a_function_does_stays_the_same(function: Function, choices: list[int]) -> None:
    promoted = promote_function(function)
    verify_function(promoted)
    assert outcome(promoted, choices) == outcome(function, choices)
    kinds = {type(i) for block in promoted.blocks for i in block.instructions}
    assert not kinds & {Alloca, Load, Store}
    assert not any("lifetime" in str(i) for block in promoted.blocks for i in block.instructions)


@settings(max_examples=examples(100))
@given(functions(["store", "sink", "start", "end"]))
def test_every_phi_is_needed(function: Function) -> None:
    """Pruned: each phi's value is used, by an instruction or by a phi that is.

    Without copies, that is: ``x = x`` in a loop is a use to the source, if to nobody else.
    """
    promoted = promote_function(function)
    phis = {p.result.name: p for b in promoted.blocks for p in b.instructions if isinstance(p, Phi) and p.result}
    used = [
        argument.value.name
        for block in promoted.blocks
        for i in block.instructions
        if isinstance(i, Call)
        for argument in i.arguments
        if isinstance(argument.value, Register)
    ]
    live: set[str] = set()
    while used:
        name = used.pop()
        if name in phis and name not in live:
            live.add(name)
            used += [v.name for v, _ in phis[name].incoming if isinstance(v, Register)]
    assert live == phis.keys()


def test_promoting_twice_changes_nothing() -> None:
    function = read("define i32 @f(i32 %x) {\nentry:\n  %a = alloca i32\n  store i32 %x, ptr %a\n"
                    "  %v = load i32, ptr %a\n  ret i32 %v\n}\n")  # fmt: skip
    once = promote_function(function)
    assert promote_function(once) is once


def read(text: str) -> Function:
    return read_module(text).functions["f"]


def promoted(text: str) -> str:
    function = promote_function(read(text))
    verify_function(function)
    return print_function(function, positions=False)


def test_a_loop() -> None:
    assert (
        promoted("""
define i32 @f(i32 %n) {
entry:
  %n.addr = alloca i32
  %i = alloca i32
  %i.1 = add i32 %n, 0
  store i32 %n, ptr %n.addr
  call void @llvm.lifetime.start.p0(ptr %i)
  store i32 0, ptr %i
  br label %cond

cond:
  %0 = load i32, ptr %i
  %1 = load i32, ptr %n.addr
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %body, label %end

body:
  %2 = load i32, ptr %i
  %inc = add nsw i32 %2, 1
  store i32 %inc, ptr %i
  br label %cond

end:
  %3 = load i32, ptr %i
  call void @llvm.lifetime.end.p0(ptr %i)
  ret i32 %3
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
""").strip()
        == """
define i32 @f(i32 %n) {
entry:
  %i.1 = add i32 %n, 0
  br label %cond

cond:
  %i.2 = phi i32 [ 0, %entry ], [ %inc, %body ]
  %cmp = icmp slt i32 %i.2, %n
  br i1 %cmp, label %body, label %end

body:
  %inc = add nsw i32 %i.2, 1
  br label %cond

end:
  ret i32 %i.2
}
""".strip()
    )


def test_what_must_stay_in_memory_stays() -> None:
    text = """
define i32 @f(i32 %x) {
entry:
  %escapes = alloca i32
  %volatile = alloca i32
  %other.type = alloca i32
  %array = alloca [2 x i32]
  %many = alloca i32, i32 2
  %stored = alloca i32
  %place = alloca ptr
  store i32 1, ptr %escapes
  call void @sink(ptr %escapes)
  store volatile i32 %x, ptr %volatile
  %0 = load volatile i32, ptr %volatile
  store i16 1, ptr %other.type
  %1 = load i32, ptr %other.type
  %2 = getelementptr [2 x i32], ptr %array, i64 0, i64 5
  store i32 1, ptr %2
  store i32 1, ptr %many
  store ptr %stored, ptr %place
  ret i32 %0
}

declare void @sink(ptr)
"""
    before = read(text)
    after = promote_function(before)
    kept = {i.result.name for i in after.blocks[0].instructions if isinstance(i, Alloca) and i.result}
    assert kept == {"escapes", "volatile", "other.type", "array", "many", "stored"}


def test_a_read_before_any_write_is_undefined() -> None:
    function = promote_function(
        read("define i32 @f() {\nentry:\n  %x = alloca i32\n  %v = load i32, ptr %x\n  ret i32 %v\n}\n")
    )
    (end,) = function.blocks[0].instructions
    assert end == Return(None, end.location, ConstUndef(I32))


def test_unreachable_blocks_lose_their_accesses_too() -> None:
    text = (
        "define i32 @f() {\nentry:\n  %x = alloca i32\n  store i32 1, ptr %x\n  br label %end\n\n"
        "dead:\n  store i32 2, ptr %x\n  br label %end\n\n"
        "end:\n  %v = load i32, ptr %x\n  ret i32 %v\n}\n"
    )
    function = promote_function(read(text))
    verify_function(function)
    assert not any(isinstance(i, Store | Load | Alloca) for block in function.blocks for i in block.instructions)


def test_debug_info_follows_the_values() -> None:
    x = Variable("x", -1, 0, None)
    y = Variable("y", -1, 0, None)
    address, other = Register("x", PTR), Register("y", PTR)
    one, two = ConstInt(I32, 1), ConstInt(I32, 2)
    entry = Block(
        "entry",
        (
            Alloca(address, None, I32, ConstInt(I32, 1), 4),
            Alloca(other, None, I32, ConstInt(I32, 1), 4),
            Store(None, None, one, address, 4),
            call("sink", other),
            Store(None, None, two, address, 4),
            Return(None, None, None),
        ),
        (VariableUpdate(2, x, address, declares=True), VariableUpdate(3, y, other, declares=True)),
    )
    function = promote_function(Function("f", FunctionType(VOID, ()), (), (entry,)))
    (block,) = function.blocks
    assert [type(i) for i in block.instructions] == [Alloca, Call, Return]
    assert block.updates == (
        VariableUpdate(1, x, one),
        VariableUpdate(1, y, other, declares=True),
        VariableUpdate(2, x, two),
    )


def test_phis_are_named_and_announced_after_the_c_variable() -> None:
    variable = Variable("count", -1, 1, None)
    address = Register("count.addr", PTR)
    entry = Block(
        "entry",
        (Alloca(address, None, I32, ConstInt(I32, 1), 4), IndirectBranch(None, None, ConstNull(), ("a", "b"))),
        (VariableUpdate(1, variable, address, declares=True),),
    )
    arms = [
        Block(
            name,
            (Store(None, None, ConstInt(I32, n), address, 4), IndirectBranch(None, None, ConstNull(), ("end",))),
        )
        for n, name in enumerate("ab")
    ]
    loaded = Register("v", I32)
    end = Block("end", (Load(loaded, None, address, 4), call("sink", loaded), Return(None, None, None)))
    function = promote_function(Function("f", FunctionType(VOID, ()), (), (entry, *arms, end)))
    last = function.blocks[-1]
    phi = last.instructions[0]
    assert isinstance(phi, Phi)
    assert phi.result == Register("count.1", I32)
    assert last.updates == (VariableUpdate(1, variable, Register("count.1", I32)),)


@pytest.mark.slow
def test_a_long_function_with_many_variables() -> None:
    """``if`` after ``if`` over 300 variables, 6,000 blocks: linear, and nowhere near a recursion limit."""
    variables, steps = 300, 3000
    allocas = [Alloca(Register(f"s{n}", PTR), None, I32, ConstInt(I32, 1), 4) for n in range(variables)]
    blocks = [Block("entry", (*allocas, IndirectBranch(None, None, ConstNull(), ("b0",))))]
    for step in range(steps):
        loaded = Register(f"t{step}", I32)
        after = f"b{step + 1}"
        read_one = Load(loaded, None, Register(f"s{step * 7 % variables}", PTR), 4)
        write_one = Store(None, None, loaded, Register(f"s{step * 11 % variables}", PTR), 4)
        jump = IndirectBranch(None, None, ConstNull(), (f"w{step}", after))
        blocks.append(Block(f"b{step}", (read_one, call("sink", loaded), jump)))
        blocks.append(Block(f"w{step}", (write_one, IndirectBranch(None, None, ConstNull(), (after,)))))
    blocks.append(Block(f"b{steps}", (Return(None, None, None),)))
    function = promote_function(Function("f", FunctionType(VOID, ()), (), tuple(blocks)))
    assert not any(isinstance(i, Alloca | Load | Store) for block in function.blocks for i in block.instructions)


def test_a_variable_whose_scope_has_ended_has_no_value_any_more() -> None:
    x = Variable("x", -1, 0, None)
    address, seven = Register("x", PTR), ConstInt(I32, 7)
    entry = Block(
        "entry",
        (
            Alloca(address, None, I32, ConstInt(I32, 1), 4),
            call("llvm.lifetime.start.p0", address),
            Store(None, None, seven, address, 4),
            call("sink", seven),
            call("llvm.lifetime.end.p0", address),
            call("sink", seven),
            Return(None, None, None),
        ),
        (VariableUpdate(2, x, address, declares=True),),
    )
    (block,) = promote_function(Function("f", FunctionType(VOID, ()), (), (entry,))).blocks
    assert [type(i) for i in block.instructions] == [Call, Call, Return]
    assert block.updates[-1] == VariableUpdate(1, x, ConstUndef(I32)), "behind the first call"
    assert VariableUpdate(0, x, seven) in block.updates


def test_the_end_of_a_scope_says_nothing_of_other_variables() -> None:
    x, y = Variable("x", -1, 0, None), Variable("y", -1, 0, None)
    one, other = Register("x", PTR), Register("y", PTR)
    entry = Block(
        "entry",
        (
            Alloca(one, None, I32, ConstInt(I32, 1), 4),
            Alloca(other, None, I32, ConstInt(I32, 1), 4),
            Store(None, None, ConstInt(I32, 7), one, 4),
            Store(None, None, ConstInt(I32, 8), other, 4),
            call("llvm.lifetime.end.p0", one),
            Return(None, None, None),
        ),
        (VariableUpdate(2, x, one, declares=True), VariableUpdate(2, y, other, declares=True)),
    )
    (block,) = promote_function(Function("f", FunctionType(VOID, ()), (), (entry,))).blocks
    last = {update.variable.name: update.value for update in block.updates}
    assert last == {"x": ConstUndef(I32), "y": ConstInt(I32, 8)}
