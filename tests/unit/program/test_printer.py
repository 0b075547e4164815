"""Printing and the table of operands. Whole programs are printed in ``tests/cases/reader``."""

from __future__ import annotations

from pathlib import Path

from clew.frontend.reader import read_module
from clew.program import instructions as ir
from clew.program.operands import operands
from clew.program.types import I1, I8, I32
from clew.program.values import ConstBytes, ConstInt, InlineAsm, MetadataArg, Register
from support.printer import print_function, print_program
from support.spelling import spell, spell_name

_CASE = Path(__file__).parents[2] / "cases" / "reader" / "instructions.ll"


def test_values() -> None:
    assert spell(ConstInt(I1, 1)) == "true"
    assert spell(ConstInt(I8, 255)) == "-1"
    assert spell(Register("a b", I8)) == '%"a b"'
    assert spell(MetadataArg("!5")) == "!5"
    assert spell(InlineAsm("nop\n", "~{cc}")) == 'asm "nop\\0A", "~{cc}"'
    assert spell(ConstBytes(I8, b'"\\\x00a')) == 'c"\\22\\5C\\00a"'
    assert spell_name("@", "é") == '@"\\C3\\A9"'


def test_positions_can_be_left_out() -> None:
    text = """\
define void @f() !dbg !1 {
  ret void, !dbg !0
}
!0 = !DILocation(line: 2, column: 3, scope: !1)
!1 = distinct !DISubprogram(name: "f", file: !2, line: 1)
!2 = !DIFile(filename: "a.c", directory: "/d")
"""
    program = read_module(text)
    assert "; /d/a.c:2:3 in f" in print_program(program)
    assert print_function(program.functions["f"], positions=False) == "define void @f() {\n0:\n  ret void\n}"


def test_operands_of_every_instruction() -> None:
    program = read_module(_CASE.read_text(encoding="utf-8"))
    text = print_program(program)
    seen: set[str] = set()
    for function in program.functions.values():
        for block in function.blocks:
            for instruction in block.instructions:
                seen.add(type(instruction).__name__)
                if not isinstance(instruction, ir.Alloca):
                    assert all(spell(value) in text for value in operands(instruction))
    # By name: a dataclass with slots leaves its first version behind as a subclass.
    known = {kind.__name__ for kind in ir.Instruction.__subclasses__() + ir.Terminator.__subclasses__()}
    assert known - seen == {"Terminator", "UnsupportedInstruction"}
    value = ConstInt(I32, 1)
    assert operands(ir.Store(None, None, value, Register("p", I8), 4)) == (value, Register("p", I8))
