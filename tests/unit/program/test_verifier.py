"""The verifier: accepts what the reader gives for good text, names what is wrong with the rest."""

from __future__ import annotations

import dataclasses

import pytest

from clew.base.errors import InternalError
from clew.frontend.reader import read_module
from clew.program.instructions import Binary, Jump, Return, Switch
from clew.program.module import Block, Program, Variable, VariableUpdate
from clew.program.types import I8, I32
from clew.program.values import ConstInt, Register
from support.verifier import verify_function, verify_program

GOOD = """\
define i32 @f(i32 %x, ptr %p) {
entry:
  %c = icmp slt i32 %x, 3
  br i1 %c, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %x
  br i1 %d, label %end, label %loop

end:
  %r = phi i32 [ %x, %entry ], [ %j, %loop ]
  ret i32 %r

dead:
  %u = add i32 %v, 1
  %v = add i32 %u, 1
  ret i32 %v
}
"""


def test_good_program() -> None:
    verify_program(read_module(GOOD))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("ret i32 %r", "ret i32 %q", "%q is not defined"),
        ("[ %x, %entry ], [ %j, %loop ]\n  ret", "[ %x, %entry ]\n  ret", "exactly the predecessors"),
        ("[ %x, %entry ], [ %j", "[ %j, %entry ], [ %j", "does not dominate"),
        ("%d = icmp eq i32 %j, %x", "%d = icmp eq i32 %r, %x", "does not dominate"),
        (
            "%i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add",
            "%i = add i32 %j, 1\n  %j = add",
            "does not dominate",
        ),
        ("ret i32 %r", "ret i32 %c", "used as i32"),
        ("ret i32 %r", "ret void", "void differ"),
        ("%d = icmp", "%c = icmp", "defined twice"),
        ("label %end, label %loop\n", "label %end, label %nowhere\n", "no block 'nowhere'"),
        ("label %end, label %loop\n", "label %end, label %entry\n", "the entry block has predecessors"),
        ("%j = add i32 %i, 1", "%j = fadd i32 %i, 1", "an operand is of type i32"),
        ("%j = add i32 %i, 1", "%j = call i32 @g(i32 %i)", "@g is not defined"),
        ("%j = add i32 %i, 1", "%j = trunc i32 %i to i32", "from i32 to i32"),
        ("%j = add i32 %i, 1", "%j = zext ptr %p to i32", "the operand is of type ptr"),
        ("%j = add i32 %i, 1", "%j = select i32 %i, i32 %i, i32 %i", "a condition of type i32"),
    ],
)
def test_bad_programs(old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    with pytest.raises(InternalError, match=complaint):
        verify_program(read_module(GOOD.replace(old, new)))


def _with_block(program: Program, index: int, block: Block) -> Program:
    function = program.functions["f"]
    blocks = (*function.blocks[:index], block, *function.blocks[index + 1 :])
    return dataclasses.replace(program, functions={"f": dataclasses.replace(function, blocks=blocks)})


@pytest.mark.parametrize(
    ("instructions", "complaint"),
    [
        ((), "no terminator"),
        ((Jump(None, None, "end"), Jump(None, None, "end")), "a terminator inside"),
        (
            (Binary(Register("k", I32), None, "add", ConstInt(I32, 1), ConstInt(I8, 1)), Jump(None, None, "end")),
            "differ",
        ),
        ((Switch(None, None, ConstInt(I8, 1), "end", ((1, "end"), (1, "end"))),), "the same value"),
        ((Switch(None, None, ConstInt(I8, 1), "end", ((256, "end"),)),), "out of range"),
        ((Return(None, None, ConstInt(I8, 1)),), "differ"),
    ],
)
def test_bad_blocks(instructions: tuple[object, ...], complaint: str) -> None:
    program = _with_block(read_module(GOOD), 3, Block("dead", instructions))  # type: ignore[arg-type]
    with pytest.raises(InternalError, match=complaint):
        verify_function(program.functions["f"])


def test_updates_must_be_inside_their_block() -> None:
    program = read_module(GOOD)
    update = VariableUpdate(9, Variable("x", -1, 0, None), ConstInt(I32, 0))
    block = dataclasses.replace(program.functions["f"].blocks[2], updates=(update,))
    with pytest.raises(InternalError, match="outside the block"):
        verify_program(_with_block(program, 2, block))


def test_initializers_and_aliases_are_checked() -> None:
    with pytest.raises(InternalError, match="@g: @missing is not defined"):
        verify_program(read_module("@g = global [1 x ptr] [ptr getelementptr (i8, ptr @missing, i64 1)]\n"))
    with pytest.raises(InternalError, match="@a: @missing"):
        verify_program(read_module("@a = alias i8, ptr @missing\n"))
