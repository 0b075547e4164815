"""From files to a program, with the real compiler."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.frontend import Cache, CompileOptions, load, loading
from clew.frontend.toolchain import find_toolchain
from clew.program.instructions import Branch, Call, Instruction
from clew.program.module import Program
from clew.program.values import GlobalRef
from clew.program.verifier import verify_program

Write = Callable[[str, str], Path]

PROGRAM = "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 1);\n  return x;\n}\n"


def compiled(*files: Path, **options: Any) -> Program:
    """Load without a cache; no warnings expected."""
    program = load(files, CompileOptions(**options), None, lambda text: pytest.fail(text))
    verify_program(program)
    return program


def fails(*files: Path, **options: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        load(files, CompileOptions(**options), None)
    assert "\n" not in str(caught.value)
    return caught.value


def instructions(program: Program, function: str = "main") -> list[Instruction]:
    return [instruction for block in program.functions[function].blocks for instruction in block.instructions]


def called(program: Program, function: str = "main") -> set[str]:
    return {
        i.callee.name
        for i in instructions(program, function)
        if isinstance(i, Call) and isinstance(i.callee, GlobalRef)
    }


def test_one_file(write: Write) -> None:
    program = compiled(write("sub/a.c", PROGRAM))
    main = program.functions["main"]
    assert main.location is not None
    assert (main.location.file, main.location.line) == ("sub/a.c", 2)
    assert program.source_files == ("sub/a.c",)
    assert "__assert_fail" in called(program)


def test_user_flags_win(write: Write) -> None:
    path = write("a.c", PROGRAM)
    write("inc/answer.h", "#define ANSWER 42\n")
    assert "__assert_fail" not in called(compiled(path, flags=("-DNDEBUG",)))
    other = write("b.c", "#include <answer.h>\nint main(void) { return ANSWER + MORE; }\n")
    compiled(other, flags=("-Iinc", "-DMORE=1"))


def test_several_files_are_linked(write: Write) -> None:
    one = write("one.c", "int two(int);\nint main(void) { return two(1); }\n")
    two = write("two.c", "static int half(int x) { return x; }\nint two(int x) { return half(x) + half(x); }\n")
    program = compiled(one, two)
    assert {name for name, f in program.functions.items() if f.blocks} == {"main", "two", "half"}
    assert program.source_files == ("one.c", "two.c")


def test_a_function_defined_twice_is_a_link_error(write: Write) -> None:
    error = fails(write("one.c", "int f(void) { return 1; }"), write("two.c", "int f(void) { return 2; }"))
    assert "cannot link two.c" in str(error)
    assert "'f'" in str(error)


def test_llvm_text_and_bitcode(write: Write, clang: str) -> None:
    source = write("lib.c", "int lib(int x) { return x + 1; }\n")
    main = write("main.c", "int lib(int);\nint main(void) { return lib(1); }\n")
    flags = ["-target", "x86_64-linux-gnu", "-g", "-O1", "-emit-llvm"]
    subprocess.run([clang, *flags, "-c", str(source), "-o", "lib.bc"], check=True)
    subprocess.run([clang, *flags, "-S", str(source), "-o", "lib.ll"], check=True)
    for name in ("lib.bc", "lib.ll"):
        program = compiled(main, Path(name), data_model="LP64")
        assert {"main", "lib"} <= program.functions.keys()
        assert "lib" in compiled(Path(name)).functions
    error = fails(main, Path("lib.bc"), data_model="ILP32")
    assert "compile both for one target" in str(error)


def test_a_system_clang(write: Write, clang: str) -> None:
    program = compiled(write("a.c", "int main(void) { int x = 1; return x; }"), clang=clang)
    assert "main" in program.functions


@pytest.mark.parametrize("version", ["clang version 23.0.0", "gcc (Debian) 12"])
def test_a_compiler_that_does_not_fit(write: Write, tmp_path: Path, version: str) -> None:
    script = tmp_path / "cc"
    script.write_text(f"#!/bin/sh\necho '{version}'\n")
    script.chmod(0o755)
    error = str(fails(write("a.c", PROGRAM), clang=str(script)))
    assert "Clang 23" in error if "clang" in version else "not a Clang" in error


def test_a_compiler_that_is_not_there(write: Write) -> None:
    assert "no such program" in str(fails(write("a.c", PROGRAM), clang="no-such-clang"))


def test_compile_errors_show_what_clang_says(write: Write) -> None:
    error = fails(write("a.c", "int main(void) { return nothing; }\n"))
    assert "a.c does not compile" in str(error)
    assert error.details.startswith("a.c:1:25: error: use of undeclared identifier 'nothing'\n")
    assert "zig: warning" not in error.details


def test_warnings_are_passed_on_from_the_cache_too(write: Write, tmp_path: Path) -> None:
    path = write("a.c", "int main(void) { int x = 0; if (x = 1) return 1; return 0; }\n")
    cache = Cache(tmp_path / "cache")
    for _ in range(2):
        said: list[str] = []
        load([path], CompileOptions(), cache, said.append)
        assert said[0].startswith("a.c:1:")
        assert "-Wparentheses" in said[0]


def test_unknown_targets_and_flags(write: Write) -> None:
    path = write("a.c", "int main(void) { return 0; }\n")
    error = fails(path, target="foo-bar")
    assert "--target foo-bar is not known" in str(error)
    assert error.details == "error: unknown architecture: 'foo'\n"
    assert "-fbogus" in fails(path, flags=("-fbogus",)).details
    assert "big-endian" in str(fails(path, target="powerpc64-linux-gnu"))


@pytest.mark.parametrize(("model", "bits"), [("ILP32", 32), ("LP64", 64)])
def test_data_models(write: Write, model: str, bits: int) -> None:
    check = f'_Static_assert(sizeof(long) * 8 == {bits}, "long");\nint main(void) {{ return 0; }}\n'
    assert compiled(write("a.c", check), data_model=model).layout.pointer_bits == bits


def test_programs_for_klee_and_competitions_need_no_headers(write: Write) -> None:
    with_header = write(
        "k.c",
        "#include <klee/klee.h>\n#include <assert.h>\nint main(void) {\n  int x;\n"
        '  klee_make_symbolic(&x, sizeof x, "x");\n  klee_assume(x > 0);\n  klee_assert(x);\n  assert(x);\n}\n',
    )
    assert {"klee_make_symbolic", "klee_assume", "__assert_fail"} <= called(
        compiled(with_header, flags=("-Wall", "-Wextra", "-std=c99"))
    )
    bare = write("b.c", 'int main(void) { int x; klee_make_symbolic(&x, 4, "x"); return __VERIFIER_nondet_int(); }\n')
    said: list[str] = []
    program = load([bare], CompileOptions(), None, said.append)
    assert {"klee_make_symbolic", "__VERIFIER_nondet_int"} <= called(program)
    assert "undeclared function" in said[0]


def test_calls_of_ctype_functions_stay_calls(write: Write) -> None:
    text = '#include <ctype.h>\n#include <stdlib.h>\nint main(void) { return isdigit(1) + tolower(2) + atoi("3"); }\n'
    assert {"isdigit", "tolower", "atoi"} <= called(compiled(write("a.c", text)))


def test_preprocessed_files_keep_their_own_positions(write: Write) -> None:
    text = '# 1 "orig.c"\nint f(int);\n# 70 "orig.c" 3 4\nint main(void)\n{\n  return f(1);\n}\n'
    program = compiled(write("sub/p.i", text))
    assert program.source_files == ("sub/p.i",)
    (call,) = (i for i in instructions(program) if isinstance(i, Call))
    assert call.location is not None
    assert (call.location.file, call.location.line) == ("sub/p.i", 6)


def test_sanitizers_become_traps(write: Write) -> None:
    path = write("a.c", "int main(int c, char **v) { return c + 1; }\n")
    assert "llvm.ubsantrap" in called(compiled(path, sanitize=("signed-integer-overflow",)))
    assert not called(compiled(path))


def test_branches_are_kept(write: Write) -> None:
    text = "int f(int x) { int y; if (x > 0) y = 1; else y = 2; return y; }\n"
    path = write("a.c", text)
    assert any(isinstance(i, Branch) for i in instructions(compiled(path), "f"))
    other = write("b.c", "int main(void) { return 0; }\n")
    assert any(isinstance(i, Branch) for i in instructions(load([path, other], CompileOptions(), None), "f"))


def test_an_access_out_of_bounds_survives(write: Write) -> None:
    text = "int main(void) { int a[2], i = 5; a[i] = 1; return 0; }\n"
    assert any(type(i).__name__ == "Store" for i in instructions(compiled(write("a.c", text))))


def test_a_warm_start_builds_nothing(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.c", PROGRAM)
    cache = Cache(tmp_path / "cache")
    first = load([path], CompileOptions(), cache)

    def unexpected(*_: object) -> None:
        pytest.fail("built again")

    monkeypatch.setattr(loading, "_build", unexpected)
    assert load([path], CompileOptions(), cache) == first


def test_whatever_matters_makes_a_new_entry(write: Write, tmp_path: Path) -> None:
    write("h.h", "#define N 1\n")
    path = write("a.c", '#include "h.h"\nint main(void) { return N; }\n')
    cache = Cache(tmp_path / "cache")
    first = load([path], CompileOptions(), cache)
    write("h.h", "#define N 2\n")
    second = load([path], CompileOptions(), cache)
    assert first != second
    third = load([path], CompileOptions(flags=("-UN",)), cache)
    assert third == second
    write("a.c", '#include "h.h"\nint main(void) { return N + 1; }\n')
    assert load([path], CompileOptions(), cache) != second


def test_a_damaged_cache_is_built_again(write: Write, tmp_path: Path) -> None:
    path = write("a.c", PROGRAM)
    cache = Cache(tmp_path / "cache")
    first = load([path], CompileOptions(), cache)
    for entry in cache.folder.iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    assert load([path], CompileOptions(), cache) == first


@pytest.mark.native
def test_a_warm_start_imports_no_compiler(write: Write, tmp_path: Path) -> None:
    path = write("a.c", PROGRAM)
    load([path], CompileOptions(), Cache(tmp_path / "cache"))
    script = (
        "import sys; from pathlib import Path; from clew.frontend import *\n"
        f"program = load([Path({str(path)!r})], CompileOptions(), Cache(Path({str(tmp_path / 'cache')!r})))\n"
        "assert 'main' in program.functions\n"
        "heavy = {'llvmlite', 'ziglang', 'subprocess', 'tempfile', 'clew.frontend.reader', 'clew.frontend.llvm'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    environment = {"PYTHONPATH": str(Path(loading.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_nothing_is_left_behind(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    load([write("a.c", PROGRAM), write("c.c", "int other;\n")], CompileOptions(), None)
    fails(write("b.c", "nonsense"))
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "home").exists()


def test_missing_ziglang_says_what_to_install(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.c", PROGRAM)
    monkeypatch.setattr("clew.frontend.toolchain.package_folder", lambda package: None)
    assert "pip install ziglang" in str(fails(path))


def test_the_bundled_compiler_is_a_file() -> None:
    assert Path(find_toolchain(None).command[0]).is_file()
