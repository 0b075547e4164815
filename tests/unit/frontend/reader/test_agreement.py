"""The reader against itself and against LLVM: printed programs read back equal, and LLVM sees the same
instructions."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from clew.frontend.reader import body, read_module
from clew.frontend.reader.plain import read_plain
from clew.program import instructions as ir
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


def test_whole_lines_are_read_as_token_by_token(monkeypatch: pytest.MonkeyPatch) -> None:
    matched = []

    def read(*line: Any) -> Any:
        matched.append(read_plain(*line))
        return matched[-1]

    def none(*line: Any) -> None:
        return None

    for text in (case.read_text(encoding="utf-8") for case in _CASES):
        monkeypatch.setattr(body, "read_plain", read)
        program = read_module(text)
        monkeypatch.setattr(body, "read_plain", none)
        assert read_module(text) == program
    kinds = {type(instruction) for instruction in matched if instruction is not None}
    assert kinds == {
        *(ir.Load, ir.Store, ir.Binary, ir.Compare, ir.Cast, ir.GetElementPtr),
        *(ir.Jump, ir.Branch, ir.Unreachable, ir.Call),
    }


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
