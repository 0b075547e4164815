"""The reader against itself and against LLVM: printed programs read back equal, and LLVM sees the same
instructions."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from clew.frontend.reader import read_module
from clew.program.ctypes import CTypes
from clew.program.module import Block, Function, Program
from support.printer import print_program

llvm = pytest.importorskip("llvmlite.binding")

_FOLDER = Path(__file__).parents[3] / "cases" / "reader"
_CASES = sorted(_FOLDER.glob("*.ll"))
_UNSUPPORTED = _FOLDER / "unsupported.ll"
_LLVM_REJECTS = (_UNSUPPORTED, _FOLDER / "records.ll")
"""Not for LLVM: an instruction that does not exist; debug records mixed with intrinsics."""


def _bare(program: Program) -> Program:
    """Without what only debug info and names of types and files say."""
    functions: dict[str, Function] = {}
    for name, function in program.functions.items():
        blocks = tuple(
            Block(block.name, tuple(dataclasses.replace(i, location=None) for i in block.instructions))
            for block in function.blocks
        )
        functions[name] = dataclasses.replace(function, blocks=blocks, location=None, ctype=-1)
    variables = {
        name: dataclasses.replace(variable, location=None, ctype=-1, source_name="")
        for name, variable in program.globals.items()
    }
    return dataclasses.replace(program, functions=functions, globals=variables, ctypes=CTypes(), source_files=())


@pytest.mark.parametrize("case", [case for case in _CASES if case != _UNSUPPORTED], ids=lambda path: path.stem)
def test_printed_programs_read_back_equal(case: Path) -> None:
    program = _bare(read_module(case.read_text(encoding="utf-8")))
    # What stands for an ifunc prints as text that is no instruction of its own.
    kept = {name: function for name, function in program.functions.items() if name != "chosen"}
    program = dataclasses.replace(program, functions=kept)
    assert _bare(read_module(print_program(program))) == program


@pytest.mark.parametrize("case", [case for case in _CASES if case not in _LLVM_REJECTS], ids=lambda path: path.stem)
def test_llvm_sees_the_same(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    program, module = read_module(text), llvm.parse_assembly(text)
    for function in module.functions:
        ours = program.functions[function.name]
        theirs = [[str(i).split(" = ")[0].strip() for i in block.instructions] for block in function.blocks]
        assert [len(block.instructions) for block in ours.blocks] == [len(block) for block in theirs]
        for block, lines in zip(ours.blocks, theirs, strict=True):
            for instruction, line in zip(block.instructions, lines, strict=True):
                # LLVM renumbers unnamed values.
                if instruction.result is not None and not instruction.result.name.isdigit():
                    assert line.replace('"', "") == f"%{instruction.result.name}"
    names = {variable.name for variable in module.global_variables if variable.name[:5] != "llvm."}
    assert names - {""} == {name for name in program.globals if not name.isdigit()}
