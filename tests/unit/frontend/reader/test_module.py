"""Whole modules: functions, globals, debug info."""

from __future__ import annotations

import textwrap

from clew.base.location import Location
from clew.frontend.reader import read_module
from clew.program.ctypes import CArray, CBase, CEnum, CFunction, CMember, CNamed, CPointer, CRecord
from clew.program.instructions import Call, Load, Return, Switch, Unreachable, UnsupportedInstruction
from clew.program.module import Program
from clew.program.types import I8, I32, PTR, ArrayType
from clew.program.values import Register


def _read(text: str) -> Program:
    return read_module(textwrap.dedent(text))


def test_empty_module() -> None:
    program = _read('source_filename = "x.c"\n; comment\n')
    assert program.functions == {} and program.globals == {}
    assert program.source_files == ("x.c",)
    assert program.layout.pointer_bits == 64


def test_parameters_and_entry_block_are_numbered_together() -> None:
    function = _read("define i32 @f(i32 %0, ptr %named, i32) {\n  ret i32 %1\n}\n").functions["f"]
    assert [parameter.value for parameter in function.parameters] == [
        Register("0", I32),
        Register("named", PTR),
        Register("1", I32),
    ]
    assert function.blocks[0].name == "2"


def test_byval_sret_and_align_of_parameters() -> None:
    text = "declare void @f(ptr dead_on_unwind sret([4 x i8]) align 4, ptr byval(i32) align 8 captures(none))\n"
    first, second = _read(text).functions["f"].parameters
    assert (first.sret, first.byval, first.align) == (ArrayType(4, I8), None, 4)
    assert (second.sret, second.byval, second.align) == (None, I32, 8)


def test_noreturn_from_groups_callees_and_words() -> None:
    program = _read("""\
        define void @f(ptr %p) {
          call void @group()
          call void %p() #0
          call void %p() noreturn
          call void %p() #1
          ret void
        }
        declare void @group() #0
        attributes #0 = { nounwind noreturn }
        attributes #1 = { "note"="noreturn" }
        """)
    calls = [i for i in program.functions["f"].blocks[0].instructions if isinstance(i, Call)]
    assert [call.noreturn for call in calls] == [True, True, True, False]
    assert program.functions["group"].noreturn


def test_switch_cases_are_unsigned() -> None:
    program = _read("""\
        define void @f(i8 %x) {
          switch i8 %x, label %1 [
            i8 -1, label %1 ; the last
            i8 2, label %1
          ], !prof !0
        1:
          ret void
        }
        """)
    switch = program.functions["f"].blocks[0].terminator
    assert isinstance(switch, Switch)
    assert switch.cases == ((255, "1"), (2, "1"))


def test_constructors_run_by_priority() -> None:
    entry = "{ i32, ptr, ptr }"
    program = _read(
        f"@llvm.global_ctors = appending global [2 x {entry}] "
        f"[{entry} {{ i32 9, ptr @b, ptr null }}, {entry} {{ i32 1, ptr @a, ptr null }}]\n"
        "declare void @a()\ndeclare void @b()\n"
    )
    assert program.constructors == ("a", "b")
    assert "llvm.global_ctors" not in program.globals


def test_ifunc_becomes_an_unsupported_function() -> None:
    function = _read("@f = ifunc i32 (ptr), ptr @r\ndeclare ptr @r()\n").functions["f"]
    first, last = function.blocks[0].instructions
    assert isinstance(first, UnsupportedInstruction) and isinstance(last, Unreachable)


def test_unknown_instruction_is_kept_as_text() -> None:
    function = _read("define void @f() {\n  %x = frobnicate i32 1\n  ret void\n}\n").functions["f"]
    unknown = function.blocks[0].instructions[0]
    assert isinstance(unknown, UnsupportedInstruction)
    assert unknown.text == "%x = frobnicate i32 1"
    assert unknown.result is not None and unknown.result.name == "x"


DEBUG = """\
    define i32 @f(ptr %p) !dbg !5 {
      %v = load i32, ptr %p, align 4, !dbg !8
      ret i32 %v, !dbg !10
    }
    !llvm.dbg.cu = !{!0}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
    !1 = !DIFile(filename: "/home/u/p/a.c", directory: "/home/u/p")
    !2 = !DIFile(filename: "a.c", directory: "/home/u/p")
    !3 = !DIFile(filename: "lib/h.h", directory: "/usr")
    !4 = !DIFile(filename: "inc/x.h", directory: "/home/u/p")
    !5 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 7, type: !20, unit: !0)
    !6 = distinct !DISubprogram(name: "g", scope: !3, file: !3, line: 2, unit: !0)
    !7 = distinct !DILexicalBlock(scope: !6, file: !4, line: 3)
    !8 = !DILocation(line: 4, column: 9, scope: !7, inlinedAt: !9)
    !9 = distinct !DILocation(line: 8, column: 1, scope: !5)
    !10 = !DILocation(line: 9, scope: !5, atomGroup: 1)
    !20 = !DISubroutineType(types: !21)
    !21 = !{!22, !23, null}
    !22 = !DIDerivedType(tag: DW_TAG_typedef, name: "num", file: !2, line: 1, baseType: !24)
    !23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
    !24 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    !25 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !2, size: 320, elements: !26)
    !26 = !{!27, !28, !29, !34}
    !27 = !DIDerivedType(tag: DW_TAG_member, name: "self", baseType: !23, size: 64)
    !28 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !24, size: 3, offset: 64, flags: DIFlagBitField)
    !29 = !DIDerivedType(tag: DW_TAG_member, name: "m", baseType: !30, size: 192, offset: 96)
    !30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 192, elements: !31)
    !31 = !{!32, !33}
    !32 = !DISubrange(count: 2)
    !33 = !DISubrange(count: 3)
    !34 = !DIDerivedType(tag: DW_TAG_member, name: "e", baseType: !35, size: 32, offset: 288)
    !35 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", baseType: !24, size: 32, elements: !36)
    !36 = !{!37}
    !37 = !DIEnumerator(name: "A", value: -1)
    """


def test_locations_name_files_as_the_user_did() -> None:
    function = _read(DEBUG).functions["f"]
    load, ret = function.blocks[0].instructions
    assert isinstance(load, Load) and isinstance(ret, Return)
    assert load.location == Location("inc/x.h", 4, 9, "g")
    assert ret.location == Location("/home/u/p/a.c", 9, 0, "f")
    assert function.location == Location("/home/u/p/a.c", 7, 0, "f")


def test_scopes_that_lead_round_have_no_function() -> None:
    text = DEBUG.replace("!DILexicalBlock(scope: !6, file: !4", "!DILexicalBlock(scope: !40").rstrip()
    text += "\n    !40 = distinct !DILexicalBlock(scope: !7, file: !4)\n"
    load = _read(text).functions["f"].blocks[0].instructions[0]
    assert load.location == Location("inc/x.h", 4, 9, "")


def test_c_types() -> None:
    program = _read(DEBUG)
    entries = program.ctypes.entries
    function = entries[program.functions["f"].ctype]
    assert isinstance(function, CFunction) and function.varargs and len(function.params) == 1
    assert isinstance(entries[function.result], CNamed)
    assert program.ctypes.strip(function.result) == CBase("int", 32, "signed")
    pointer = entries[function.params[0]]
    assert isinstance(pointer, CPointer)
    record = entries[pointer.to]
    assert isinstance(record, CRecord) and record.name == "s" and not record.union
    own, bitfield, matrix, enum = record.members
    assert own.ctype == function.params[0]
    assert bitfield == CMember("b", bitfield.ctype, 64, 3, True)
    rows = entries[matrix.ctype]
    assert isinstance(rows, CArray) and (rows.count, rows.bits) == (2, 192)
    row = entries[rows.element]
    assert isinstance(row, CArray) and (row.count, row.bits) == (3, 96)
    assert entries[enum.ctype] == CEnum("e", 32, True, (("A", -1),))
