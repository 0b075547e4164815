"""Places of the source without an instruction of their own: C labels, and what promotion took away."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.frontend.inputs import LlvmCode
from clew.frontend.llvm import text_files
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.promote import promote
from clew.frontend.reader import read_module
from clew.frontend.storage import dump, restore
from clew.program.module import Program
from support.verifier import verify_program

TEXT = """
define i32 @main() !dbg !5 {
entry:
  %%x = alloca i32
  br label %%out, !dbg !7
out:
  %s
  store i32 1, ptr %%x, !dbg !9
  store i32 2, ptr %%x, !dbg !10
  %%v = load i32, ptr %%x, !dbg !11
  ret i32 %%v, !dbg !11
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!1 = !DIFile(filename: "p.c", directory: "/")
!5 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, unit: !0)
!6 = !DILabel(scope: !5, name: "out", file: !1, line: 3)
!7 = !DILocation(line: 2, column: 3, scope: !5)
!8 = !DILocation(line: 3, column: 1, scope: !5)
!9 = !DILocation(line: 4, column: 3, scope: !5)
!10 = !DILocation(line: 5, column: 3, scope: !5)
!11 = !DILocation(line: 6, column: 3, scope: !5)
"""

_VERSION = """!llvm.module.flags = !{!12}
!12 = !{i32 2, !"Debug Info Version", i32 3}
"""


def places(program: Program) -> list[tuple[str, int, int, str]]:
    return [
        (block.name, landmark.index, landmark.location.line, landmark.label)
        for block in program.functions["main"].blocks
        for landmark in block.landmarks
    ]


@pytest.mark.parametrize("record", ["#dbg_label(!6, !8)", "call void @llvm.dbg.label(metadata !6), !dbg !8"])
def test_labels_are_read(record: str, tmp_path: Path) -> None:
    """Those of older LLVM, which are calls, are brought up to date when the file is linked."""
    file = tmp_path / "p.ll"
    file.write_text(TEXT % record + _VERSION + "declare void @llvm.dbg.label(metadata)\n")
    (text,) = text_files([LlvmCode(file, "p.ll", False)], tmp_path)
    program = read_module(text.read_text())
    assert places(program) == [("out", 0, 3, "out")]
    (landmark,) = program.functions["main"].blocks[1].landmarks
    assert (landmark.location.file, landmark.location.function) == ("p.c", "main")


def test_promotion_keeps_labels_and_the_places_of_stores() -> None:
    """The load needs no landmark: the return is on its line."""
    program = promote(read_module(TEXT % "#dbg_label(!6, !8)"))
    verify_program(program)
    assert places(program) == [("out", 0, 3, "out"), ("out", 0, 4, ""), ("out", 0, 5, "")]
    data = dump(program)
    stored = restore(data) if data is not None else None
    assert stored is not None and places(stored) == places(program)


def test_from_c(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "int main(int n, char **v) {\n  int x = 0;\n  while (n > 0) {\n    x = 5;\n    n--;\n  }\n"
        "  if (x == 5) goto out;\n  x = 4;\nout:\n  return x;\nlost:\n  x = 6;\n  goto lost;\n}\n",
        encoding="utf-8",
    )
    found = {(line, label) for _, _, line, label in places(load([file], CompileOptions(), None))}
    assert {(2, ""), (4, ""), (9, "out"), (11, "lost"), (12, "")} <= found
    assert not {line for line, _ in found} & {1, 3, 6, 14}
