"""Targets are found in the code: lines, labels, functions; what does not exist is explained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.options import ReachRequest
from clew.checks.targets import ReachTarget, find_target
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.program.module import Program
from unit.execute.support import PRELUDE

CODE = """extern void undefined(int);
static int helper(int x) {
  int y;
  y = x + 1;
  return y;
}
void (*pointer)(int) = undefined;
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 3) {
    y = 5;
    goto out;
  }
  for (int i = 0; i < x; i++)
    y += helper(i);

  undefined(y); // a comment
out:
  return y;
}
int unused(void) { return 3; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("targets")
    return compiled(folder, CODE)


def compiled(folder: Path, code: str, *more: str) -> Program:
    """A program of ``p.c`` and perhaps others, ``q0.c``, ..."""
    files = []
    for name, text in [("p.c", code), *((f"q{number}.c", text) for number, text in enumerate(more))]:
        (folder / name).write_text(f'{PRELUDE}\n#line 1 "{name}"\n{text}', encoding="utf-8")
        files.append(folder / name)
    return load(files, CompileOptions(("-w",)), None)


def find(program: Program, entry: str = "main", **target: Any) -> ReachTarget:
    return find_target(program, program.functions[entry], ReachRequest((Path("p.c"),), **target))


def blocks(target: ReachTarget) -> list[str]:
    return [spot.block for spot, _ in target.places]


def test_a_line_has_a_spot_in_every_block_with_code_of_it(program: Program) -> None:
    target = find(program, line=14)
    assert target.text == "p.c:14"
    assert blocks(target) == ["if.end", "for.cond", "for.inc"] or len(blocks(target)) >= 3
    assert {location.line for _, location in target.places if location is not None} == {14}


def test_assignments_to_promoted_variables_are_code(program: Program) -> None:
    ((spot, location),) = find(program, line=11).places
    assert (spot.function, location and location.line) == ("main", 11)
    assert find(program, line=4).places[0][0].function == "helper"


def test_a_label_and_its_line_are_the_same_place(program: Program) -> None:
    label = find(program, label="out")
    assert (label.text, blocks(label)) == ("label out", blocks(find(program, line=18)))


def test_a_function_is_its_first_instruction(program: Program) -> None:
    ((spot, location),) = find(program, call="helper").places
    assert (spot.function, spot.index, location and location.line) == ("helper", 0, 2)


def test_a_function_without_definition_is_its_calls(program: Program) -> None:
    target = find(program, call="undefined")
    ((_, location),) = target.places
    assert location is not None and location.line == 17
    assert target.doubt == "undefined() may be called through a pointer"


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"line": 16}, "p.c:16 has no code, or none that can run; nearest lines: 15, 17"),
        ({"line": 3}, "nearest lines: 4"),
        ({"line": 1000}, "nearest lines: 21"),
        ({"line": 4, "file": "r.c"}, "no file with code 'r.c'; did you mean 'p.c'?"),
        ({"label": "uot"}, "no label 'uot'; did you mean 'out'?"),
        ({"call": "helpr"}, "no function 'helpr'; did you mean 'helper'?"),
        ({"call": "llvm.dbg"}, "no function 'llvm.dbg'; there is __VERIFIER_nondet_int, helper, main"),
    ],
)
def test_what_does_not_exist(program: Program, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        find(program, **wanted)


@pytest.mark.slow
def test_a_line_in_several_files(tmp_path: Path) -> None:
    same = "int %s(int x) {\n  return x;\n}\n"
    main = "extern int a(int), b(int);\nint main(void) {\n\n\n  return a(1) + b(2); }\n"
    program = compiled(tmp_path, main, same % "a", same % "b")
    with pytest.raises(UserError, match=r"line 2 has code in q0\.c and q1\.c: say which with --line q0\.c:2"):
        find(program, line=2)
    with pytest.raises(UserError, match=r"line 4 has no code in any of p\.c, q0\.c, q1\.c; name a file"):
        find(program, line=4)
    assert find(program, line=5).text == "p.c:5"
    assert find(program, line=2, file="q1.c").places[0][0].function == "b"


def test_files_by_the_end_of_their_names(tmp_path: Path) -> None:
    code = '#line 1 "one/p.c"\nint f(void) {\n return 1; }\n#line 1 "two/p.c"\nint main(void) {\n return f(); }\n'
    program = compiled(tmp_path, code)
    with pytest.raises(UserError, match=r"p\.c may be one/p\.c or two/p\.c: give more of its name"):
        find(program, line=2, file="p.c")
    assert find(program, line=2, file="two/p.c").places[0][0].function == "main"


def test_without_debug_information(tmp_path: Path) -> None:
    file = tmp_path / "p.ll"
    file.write_text("define i32 @main() {\n  ret i32 0\n}\n", encoding="utf-8")
    program = load([file], CompileOptions(), None)
    with pytest.raises(UserError, match="no line numbers: compile it with -g"):
        find(program, line=1)
    assert find(program, call="main").places


def test_what_no_control_flow_leads_to(program: Program, tmp_path: Path) -> None:
    assert find(program, call="unused").cut_off == "function unused is never called from main"
    assert find(program, entry="helper", line=17).cut_off == "function main is never called from helper"
    dead = compiled(tmp_path, "int main(void) {\n  int x = 1;\n  return x;\nlost:\n  x = 2;\n  goto lost;\n}\n")
    for target in (find(dead, label="lost"), find(dead, line=5)):
        assert target.cut_off == "target is in dead code: nothing leads to it in main's control flow"
    assert not find(dead, line=2).cut_off


def test_functions_that_pointers_may_lead_to_are_not_cut_off(tmp_path: Path) -> None:
    code = """static void f(void) {}
    void (*p)(void) = f;
    int main(void) { p(); }
    """
    assert not find(compiled(tmp_path, code), call="f").cut_off


def test_assembly_may_lead_anywhere(tmp_path: Path) -> None:
    code = 'int f(void) { return 1; }\nint main(void) { __asm__ volatile("call f"); }\n'
    assert not find(compiled(tmp_path, code), call="f").cut_off


@pytest.mark.slow
def test_several_functions_of_one_name(tmp_path: Path) -> None:
    one = "static int f(int x) { return x; }\nint a(int x) { return f(x); }\n"
    program = compiled(tmp_path, "extern int a(int);\n" + one.replace("int a", "int main"), one)
    assert len(find(program, entry="main", call="f").places) == 1
    program = compiled(
        tmp_path,
        "extern int a(int);\nstatic int f(int x) { return x; }\nint main(void) { return f(1) + a(2); }\n",
        one,
    )
    assert len(find(program, call="f").places) == 2


def test_aliases(tmp_path: Path) -> None:
    code = """int real(int x) { return x; }
    extern int other(int x) __attribute__((alias("real")));
    int main(void) { return other(3); }
    """
    ((spot, _),) = find(compiled(tmp_path, code), call="other").places
    assert spot.function == "real"
