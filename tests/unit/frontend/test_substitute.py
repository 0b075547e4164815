"""Every class of instruction can be given other operands."""

from __future__ import annotations

from clew.frontend.reader import read_module
from clew.frontend.substitute import substitute
from clew.program.operands import operands
from clew.program.values import Register

TEXT = """
define i32 @f(i32 %a, ptr %p, double %d, i1 %c, <2 x i32> %v, {i32, i32} %s) {
entry:
  %add = add i32 %a, %a
  %neg = fneg double %d
  %cmp = icmp eq i32 %a, %a
  %ext = zext i32 %a to i64
  %sel = select i1 %c, i32 %a, i32 %a
  %frz = freeze i32 %a
  %mem = alloca i32, i32 %a
  %lod = load i32, ptr %p
  store i32 %a, ptr %p
  %gep = getelementptr i8, ptr %p, i32 %a
  %exv = extractvalue {i32, i32} %s, 0
  %inv = insertvalue {i32, i32} %s, i32 %a, 1
  %exe = extractelement <2 x i32> %v, i32 %a
  %ine = insertelement <2 x i32> %v, i32 %a, i32 %a
  %shf = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i32> zeroinitializer
  %cal = call i32 %p(i32 %a)
  %vaa = va_arg ptr %p, i32
  %rmw = atomicrmw add ptr %p, i32 %a seq_cst
  %xch = cmpxchg ptr %p, i32 %a, i32 %a seq_cst seq_cst
  fence seq_cst
  br i1 %c, label %one, label %two
one:
  %phi = phi i32 [ %a, %entry ]
  switch i32 %a, label %end [ i32 1, label %two ]
two:
  indirectbr ptr %p, [label %end]
end:
  ret i32 %a
}
"""


def test_all_operands_are_replaced_and_nothing_else() -> None:
    function = read_module(TEXT).functions["f"]
    fresh = {p.value.name: Register(p.value.name + "2", p.value.type) for p in function.parameters}  # type: ignore[attr-defined]
    seen = 0
    for block in function.blocks:
        for before in block.instructions:
            after = substitute(before, fresh)
            expected = tuple(fresh.get(v.name, v) if isinstance(v, Register) else v for v in operands(before))
            assert operands(after) == expected
            assert type(after) is type(before)
            assert after.result == before.result
            back = substitute(after, {new.name: Register(old, new.type) for old, new in fresh.items()})
            assert back == before
            seen += 1
    assert seen == 25


def test_an_instruction_without_such_operands_is_itself() -> None:
    function = read_module(TEXT).functions["f"]
    for block in function.blocks:
        for instruction in block.instructions:
            assert substitute(instruction, {"elsewhere": Register("x", function.type)}) is instruction
