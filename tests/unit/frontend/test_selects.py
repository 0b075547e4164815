"""Simple branches become selects.

The law: with the same arguments a function does the same before and after. Checked on random functions by a small
interpreter of the instructions they are made of; golden texts show what is converted and what is not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.frontend.promote import promote_function
from clew.frontend.reader import read_module
from clew.frontend.selects import MOST_INSTRUCTIONS, convert, convert_function
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program, Variable, VariableUpdate
from clew.program.types import I1, I32, PTR, VOID, FunctionType, IntType
from clew.program.values import ConstInt, GlobalRef, Register, Value
from depth import examples
from support.printer import print_function
from support.verifier import verify_function, verify_program
from unit.execute.support import c_program, explore

# The law

SLOTS = 3
SINK = FunctionType(VOID, (I32,))
FUEL = 400


class Writer:
    """Turns drawn operations into instructions over variables in memory, which are promoted later."""

    def __init__(self) -> None:
        self.count = 0
        self.body: list[ir.Instruction] = []

    def register(self, type: IntType = I32) -> Register:
        self.count += 1
        return Register(f"t{self.count}", type)

    def read(self, slot: int) -> Register:
        result = self.register()
        self.body.append(ir.Load(result, None, Register(f"s{slot}", PTR), 4))
        return result

    def write(self, slot: int, value: Value) -> None:
        self.body.append(ir.Store(None, None, value, Register(f"s{slot}", PTR), 4))

    def operation(self, kind: str, a: int, b: int, number: int) -> None:
        value = self.read(b)
        if kind == "sink":
            self.body.append(ir.Call(None, None, GlobalRef("sink"), SINK, (ir.Argument(value),)))
            return
        result = self.register()
        self.body.append(ir.Binary(result, None, "add", value, ConstInt(I32, number)))
        self.write(a, result)

    def branch(self, slot: int, number: int, yes: str, no: str) -> None:
        value = self.read(slot)
        condition = self.register(I1)
        self.body.append(ir.Compare(condition, None, "ult", value, ConstInt(I32, number)))
        self.body.append(ir.Branch(None, None, condition, yes, no))


@st.composite
def functions(draw: st.DrawFn) -> Function:
    size = draw(st.integers(3, 12))
    slot = st.integers(0, SLOTS - 1)
    operation = st.tuples(st.sampled_from(["add", "add", "add", "sink"]), slot, slot, st.integers(0, 3))
    writer = Writer()
    blocks = []
    for index in range(size):
        writer.body = []
        if index == 0:
            for number in range(SLOTS):
                address = Register(f"s{number}", PTR)
                writer.body.append(ir.Alloca(address, None, I32, ConstInt(I32, 1), 4))
                writer.write(number, Register(f"a{number}", I32))
        for kind, a, b, number in draw(st.lists(operation, max_size=2)):
            writer.operation(kind, a, b, number)
        # Mostly forwards, by a little: that makes joins. Nothing may jump to the entry.
        near = st.integers(index + 1, min(index + 2, size - 1)) if index + 1 < size else st.nothing()
        target = st.one_of(near, near, near, st.integers(1, size - 1))
        shape = draw(st.sampled_from(["branch", "branch", "jump"])) if index + 1 < size else "return"
        if shape == "branch":
            yes, no = draw(target), draw(target)
            writer.branch(draw(slot), draw(st.integers(1, 6)), f"b{yes}", f"b{no}")
        elif shape == "jump":
            writer.body.append(ir.Jump(None, None, f"b{draw(target)}"))
        else:
            writer.body.append(ir.Return(None, None, writer.read(0)))
        blocks.append(Block(f"b{index}", tuple(writer.body)))
    parameters = tuple(ir.Argument(Register(f"a{number}", I32)) for number in range(SLOTS))
    return promote_function(Function("f", FunctionType(I32, (I32,) * SLOTS), parameters, tuple(blocks)))


def outcome(function: Function, arguments: list[int]) -> tuple[list[int], bool]:
    """What ``sink`` gets, then the result; and whether the function ended within its fuel."""
    blocks = {block.name: block for block in function.blocks}
    registers = {f"a{number}": value for number, value in enumerate(arguments)}
    seen: list[int] = []

    def value(operand: Value) -> int:
        if isinstance(operand, Register):
            return registers[operand.name]
        return operand.value if isinstance(operand, ConstInt) else 0

    block, previous = function.blocks[0], ""
    for _ in range(FUEL):
        fresh = {}
        for i in block.instructions:
            if isinstance(i, ir.Phi) and i.result:
                fresh[i.result.name] = next(value(v) for v, source in i.incoming if source == previous)
        registers.update(fresh)
        target = ""
        for i in block.instructions:
            match i:
                case ir.Binary(result=Register(name=name), left=a, right=b):
                    registers[name] = (value(a) + value(b)) & 0xFFFFFFFF
                case ir.Compare(result=Register(name=name), left=a, right=b):
                    registers[name] = int(value(a) < value(b))
                case ir.Select(result=Register(name=name), condition=c, if_true=a, if_false=b):
                    registers[name] = value(a) if value(c) else value(b)
                case ir.Call(arguments=(ir.Argument(value=passed),)):
                    seen.append(value(passed))
                case ir.Branch(condition=c, if_true=yes, if_false=no):
                    target = yes if value(c) else no
                case ir.Jump(target=only):
                    target = only
                case ir.Return(value=Value() as result):
                    return [*seen, value(result)], True
        previous, block = block.name, blocks[target]
    return seen, False


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(functions(), st.lists(st.integers(0, 7), min_size=SLOTS, max_size=SLOTS))
def test_what_a_function_does_stays_the_same(function: Function, arguments: list[int]) -> None:
    verify_function(function)
    converted = convert_function(function)
    verify_function(converted)
    assert convert_function(converted) is converted
    (before, ended), (after, still) = outcome(function, arguments), outcome(converted, arguments)
    if ended:
        assert (after, still) == (before, True)
    elif not still:  # more is done with the same fuel, where there are fewer blocks
        assert after[: len(before)] == before


# What is converted


def read(text: str) -> Function:
    return read_module(text).functions["f"]


def converted(text: str) -> str:
    function = convert_function(read(text))
    verify_function(function)
    return print_function(function, positions=False).strip()


def unchanged(text: str) -> bool:
    function = read(text)
    return convert_function(function) is function


TRIANGLE = """
declare void @g()
declare i32 @h(i32)
define i32 @f(i32 %x, i32 %y, ptr %p) {
entry:
  %c = icmp eq i32 %x, 1
  br i1 %c, label %then, label %join
then:
  ARM
  br label %join
join:
  %r = phi i32 [ %y, %entry ], [ %z, %then ]
  ret i32 %r
}
"""


def test_a_triangle() -> None:
    assert (
        converted(TRIANGLE.replace("ARM", "%z = add nsw i32 %y, 1"))
        == """
define i32 @f(i32 %x, i32 %y, ptr %p) {
entry:
  %c = icmp eq i32 %x, 1
  %z = add nsw i32 %y, 1
  %r = select i1 %c, i32 %z, i32 %y
  ret i32 %r
}""".strip()
    )


@pytest.mark.parametrize(
    "arm",
    [
        "%z = load i32, ptr %p",
        "%z = call i32 @h(i32 %y)",
        "%z = sdiv i32 %y, 2",
        "%z = add i32 %y, 1\n  store i32 %z, ptr %p",
        "\n  ".join(f"%z{n} = add i32 %y, {n}" for n in range(MOST_INSTRUCTIONS)) + "\n  %z = add i32 %y, 1",
    ],
)
def test_arms_that_do_more_than_compute(arm: str) -> None:
    assert unchanged(TRIANGLE.replace("ARM", arm))


def test_pointers_are_not_selected_but_may_be_computed() -> None:
    pointers = TRIANGLE.replace("%r = phi i32 [ %y,", "%r = phi ptr [ %p,").replace("ret i32 %r", "ret i32 0")
    assert unchanged(pointers.replace("ARM", "%z = getelementptr i8, ptr %p, i64 1"))
    inside = "%q = getelementptr i8, ptr %p, i64 1\n  %o = ptrtoint ptr %q to i64\n  %z = trunc i64 %o to i32"
    assert "select" in converted(TRIANGLE.replace("ARM", inside))


def test_a_diamond_with_other_ways_to_its_join() -> None:
    text = """
declare void @g()
define i32 @f(i32 %x, i1 %a, i1 %b) {
entry:
  br i1 %a, label %head, label %other
other:
  call void @g()
  br label %join
head:
  br i1 %b, label %yes, label %no
yes:
  %y = add i32 %x, 1
  br label %join
no:
  %n = sub i32 %x, 1
  br label %join
join:
  %same = phi i32 [ 0, %other ], [ %x, %yes ], [ %x, %no ]
  %r = phi i32 [ 7, %other ], [ %y, %yes ], [ %n, %no ]
  %s = add i32 %r, %same
  ret i32 %s
}
"""
    assert (
        converted(text)
        == """
define i32 @f(i32 %x, i1 %a, i1 %b) {
entry:
  br i1 %a, label %head, label %other

other:
  call void @g()
  br label %join

head:
  %y = add i32 %x, 1
  %n = sub i32 %x, 1
  %r.1 = select i1 %b, i32 %y, i32 %n
  br label %join

join:
  %same = phi i32 [ 0, %other ], [ %x, %head ]
  %r = phi i32 [ 7, %other ], [ %r.1, %head ]
  %s = add i32 %r, %same
  ret i32 %s
}""".strip()
    )


@pytest.mark.parametrize(
    ("first", "second", "condition", "targets"),
    [
        ("next, label %no", "yes, label %no", "%a, i1 %b, i1 false", "yes, label %no"),
        ("next, label %no", "no, label %yes", "%a, i1 %b, i1 true", "no, label %yes"),
        ("no, label %next", "yes, label %no", "%a, i1 false, i1 %b", "yes, label %no"),
        ("no, label %next", "no, label %yes", "%a, i1 true, i1 %b", "no, label %yes"),
    ],
)  # fmt: skip
def test_conditions_in_a_chain(first: str, second: str, condition: str, targets: str) -> None:
    text = converted(
        f"""
declare void @g()
define i32 @f(i32 %x, i1 %a) {{
entry:
  br i1 %a, label %{first}
next:
  %b = icmp ult i32 %x, 5
  br i1 %b, label %{second}
yes:
  call void @g()
  ret i32 1
no:
  %r = phi i32 [ 10, %entry ], [ 20, %next ]
  ret i32 %r
}}
"""
    )
    assert f"select i1 {condition}\n  br i1 %b.1, label %{targets}" in text
    chosen = "i32 20, i32 10" if first.startswith("next") else "i32 10, i32 20"
    assert f"%r = select i1 %a, {chosen}" in text.replace("%r.1", "%r")


def test_a_branch_that_leads_to_one_place() -> None:
    text = converted(
        """
define i32 @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %one, label %one
one:
  br i1 %b, label %two, label %end
two:
  br label %end
end:
  %r = phi i32 [ 1, %one ], [ 2, %two ]
  ret i32 %r
}
"""
    )
    assert "br " not in text and "%r = select i1 %b, i32 2, i32 1" in text


def test_dead_blocks_do_not_matter() -> None:
    text = converted(
        TRIANGLE.replace("ARM", "%z = add i32 %y, 1")
        .replace("[ %z, %then ]", "[ %z, %then ], [ 3, %dead ]")
        .replace("join:", "dead:\n  br label %join\njoin:")
    )
    assert "dead" not in text and "phi" not in text


def test_blocks_whose_addresses_are_known_stay() -> None:
    dispatch = "entry:\n  %q = select i1 true, ptr %p, ptr %p\n  indirectbr ptr %q, [label %start]\nstart:"
    text = TRIANGLE.replace("ARM", "%z = add i32 %y, 1").replace("entry:", dispatch).replace("%entry ]", "%start ]")
    assert unchanged(text)


def branches(code: str) -> int:
    """Branches left in ``f`` after conversion of a program that the compiler wrote."""
    program = convert(c_program(code))
    verify_program(program)
    return sum(isinstance(block.terminator, ir.Branch) for block in program.functions["f"].blocks)


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("int f(int a, int b) { int r = 0; if (a > 1) { r++; if (b > 2) { r++; if (a > b) r += 5; } } return r; }", 0),
        ("int f(int a, int b) { if (a > 1 && b > 2 && a < 9) return 1; return 2; }", 0),
        ("int f(int a, int b) { int r = 3; if ((a > 1 || b > 2) && a < 9) r = 1; else r = b; return r; }", 0),
        ("int f(int a, int b) { if (!a) return 5; else if (a < b) return 6; else if (b) return 7; return 8; }", 0),
        ("int f(int a, int b) { int r = a; do { if (a) r = b; } while (0); do if (b) r++; while (0); return r; }", 0),
        ("int f(int a, int b) { for (; a < 9; a++) { if (a == b) b++; if (b == 3) continue; a++; } return a; }", 1),
        ("int f(int a, int b) { while (a < 5 && b != 2) { if (a & 1) a += b; else a += 2; } return a; }", 1),
        ("int f(int a, int b) { return a ? b ? 1 : 2 : !b || a == 3; }", 0),
        ("int f(int a, int b) { int s = 1; if (a) s = 2; switch (s) { case 1: return b; default: return a; } }", 1),
        ("int f(int a, int *p) { int m = 3; if (p[a] > m) m = p[a]; return m; }", 0),
        ("int f(int a, int *p) { int m = 3; if (p[a] > m) m = p[a + 1]; return m; }", 1),
        ("int f(int a, int *p) { int m = p[a]; p[0] = 1; if (a > m) m = p[a]; return m; }", 1),
        ("int f(int a, volatile int *p) { int m = 3; if (p[a] > m) m = p[a]; return m; }", 1),
        ("int f(int a, int *p) { return p[a] > 1 && p[a] < 9 || p[a] == a; }", 0),
        ("int f(int a, int *p) { if (a && *p) return 1; return 2; }", 2),
        ("double f(double a, float b) { return a < 1 ? a * 2 : b; }", 0),
        ("int g(int); int f(int a, int b) { if (a < 1 || b < 2) return g(a); return 1; }", 1),
    ],
)  # fmt: skip
def test_what_is_left_of_c_code(code: str, left: int) -> None:
    assert branches(code) == left


# More


def test_debug_information_follows() -> None:
    function = read(TRIANGLE.replace("ARM", "%z = add i32 %y, 1"))
    variable = Variable("v", -1, 0, None)
    entry, then, join = function.blocks
    blocks = (
        Block(entry.name, entry.instructions, (VariableUpdate(1, variable, Register("y", I32)),)),
        Block(then.name, then.instructions, (
            VariableUpdate(0, Variable("w", -1, 0, None), Register("p", PTR), declares=True),
            VariableUpdate(1, variable, Register("z", I32)),
        )),
        Block(join.name, join.instructions, (VariableUpdate(1, variable, Register("r", I32)),)),
    )  # fmt: skip
    result = convert_function(Function(function.name, function.type, function.parameters, blocks))
    (block,) = result.blocks
    updates = [(u.index, u.variable.name, str(u.value), u.declares) for u in block.updates]
    assert updates == [(1, "v", "%y", False), (1, "w", "%p", True), (3, "v", "%r", False)]


def test_selects_are_where_the_branch_was() -> None:
    program = convert(c_program("int f(int a) {\n int r = 1;\n if (a > 3)\n  r = 2;\n return r;\n}"))
    (block,) = program.functions["f"].blocks
    (select,) = (i for i in block.instructions if isinstance(i, ir.Select))
    assert select.location is not None and select.location.line == 3


COUNT = """
int main(void) {
  int a = 0;
  for (int i = 0; i < 8; i++) { int v = __VERIFIER_nondet_int(); if (v == 1) ++a; }
  if (a == 7) reach_error();
  return 0;
}
"""


def test_fewer_paths_lead_to_the_same_places() -> None:
    program = c_program(COUNT)
    before, after = explore(program), explore(convert(program))
    assert set(before.kinds) == set(after.kinds) == {"error-call"}
    assert (len(before.ways), len(after.ways)) == (256, 2)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["row", "nest", "chain"])
def test_long_functions(shape: str) -> None:
    """A row of branches, branches in branches, many conditions for one target: twice as many, twice as much."""
    half, whole = (_long_function(shape, share) for share in (0.5, 1.0))
    assert _calls(lambda: convert(whole)) < 3 * _calls(lambda: convert(half))
    result = convert(whole)
    verify_program(result)
    assert len(result.functions["f"].blocks) < len(whole.functions["f"].blocks)


def _long_function(shape: str, share: float) -> Program:
    row, nest = int(1100 * share), int(200 * share)
    lines = {
        "row": "".join(f"if (a > {n}) r += {n};\n" for n in range(row)),
        "nest": "".join(f"if (a > {n}) {{ r += {n};\n" for n in range(nest)) + "}" * nest,
        "chain": "if (" + " || ".join(f"a == {3 * n}" for n in range(row)) + ") r = 1;",
    }
    return c_program(f"int f(int a) {{ int r = 0;\n{lines[shape]}\nreturn r; }}")


def _calls(action: Callable[[], object]) -> int:
    """How many functions an action calls."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count
