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
from clew.frontend.compiler import command_line, system_folders
from clew.frontend.target import host_target
from clew.frontend.toolchain import find_toolchain
from clew.program.instructions import Branch, Call, Instruction
from clew.program.module import Program
from clew.program.values import GlobalRef
from support.verifier import verify_program

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
    assert str(error) == "cannot link two.c with one.c: both define 'f'"


def test_the_only_one_of_several_files_that_compiles_is_the_program(write: Write) -> None:
    files = [write("main.c", PROGRAM), write("bad.c", "int f( {")]
    notes: list[str] = []
    program = load(files, CompileOptions(apart=True), None, notes.append)
    assert not program.functions["main"].is_declaration
    assert program == load(files[:1], CompileOptions(), None)
    assert "bad.c does not compile" in "".join(notes)


def test_many_files_are_linked_in_any_order(write: Write) -> None:
    """Each static function stays what it is, and a conflict names the files that have it."""
    text = "static int own(void) {{ return {n}; }}\nint f{n}(void) {{ return own(); }}\n"
    files = [write(f"f{n}.c", text.format(n=n)) for n in range(5)]
    program = compiled(*files)
    assert {f"f{n}" for n in range(5)} <= program.functions.keys()
    assert sum(function.source_name == "own" for function in program.functions.values()) == 5
    assert len({name for n in range(5) for name in called(program, f"f{n}")}) == 5
    write("f4.c", "int f1(void) { return 1; }")
    assert str(fails(*files)) == "cannot link f4.c with f1.c: both define 'f1'"


@pytest.mark.slow
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


def test_a_header_that_is_not_found(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("include/lib", "src", ".hidden/lib"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "include/lib/a.h").write_text("int a;\n")
    (tmp_path / ".hidden/lib/b.h").write_text("int b;\n")
    source = write("src/a.c", '#include "lib/a.h"\nint main(void) { return a; }\n')
    monkeypatch.chdir(tmp_path)
    assert str(fails(source)).endswith("a.c does not compile; lib/a.h is found with -Iinclude")
    monkeypatch.chdir(tmp_path / "src")
    source = Path("a.c")
    assert str(fails(source)).endswith("lib/a.h is found with -I../include")
    source.write_text('#include "lib/b.h"\n')
    assert str(fails(source)).endswith("or pass it flags after --")


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
    assert "big-endian" in str(fails(path, target="powerpc64-linux-gnu"))
    said: list[str] = []
    load([path], CompileOptions(flags=("-fbogus", "-mavx-of-others", "-Wlogical-op")), None, said.append)
    assert said == ["the compiler does not know -fbogus -mavx-of-others: left out"]


def test_headers_of_installed_libraries_come_after_the_c_librarys(write: Write) -> None:
    target = "x86_64-linux-gnu"
    folder = system_folders(target)
    path = write("a.c", "#include <stdio.h>\nint main(void) { return EOF == -1; }\n")
    flags = [word for name in folder for word in ("-I", name)] + [f"-isystem{name}/" for name in folder]
    compiled(path, flags=tuple(flags), target=target)
    command = command_line(CompileOptions(target=target), find_toolchain(None), flags)
    assert [word for word in command if word in folder] == folder


def test_builds_are_for_the_c_library_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.confstr", lambda name: "glibc 2.36")
    toolchain = find_toolchain(None)

    def target(triple: str, built: bool) -> str:
        words = command_line(CompileOptions(target=triple), toolchain, (), built)
        return words[words.index("-target") + 1]

    here = host_target()
    assert (target(here, True), target(here, False)) == (f"{here}.2.36", here)
    assert target("riscv64-linux-gnu", True) == "riscv64-linux-gnu"


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


@pytest.mark.slow
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


EMBED = 'const unsigned char data[] = {\n#embed "data.bin"\n};\nint main(void) { return data[0]; }\n'
WHETHER = '#if __has_include("more.h")\nint main(void) { return 1; }\n#else\nint main(void) { return 0; }\n#endif\n'
INCLUDE = "#include <number.h>\nint main(void) { return NUMBER; }\n"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("text", "flags", "before", "after"),
    [
        pytest.param(
            INCLUDE, "-Ib", {"b/number.h": "#define NUMBER 1"}, {"b/number.h": "#define NUMBER 2"}, id="header"
        ),
        pytest.param(
            INCLUDE,
            "-Ia -Ib",
            {"b/number.h": "#define NUMBER 1"},
            {"a/number.h": "#define NUMBER 2"},
            id="header that shadows another",
        ),
        pytest.param(EMBED, "-std=gnu23", {"data.bin": "1"}, {"data.bin": "2"}, id="embed"),
        pytest.param(WHETHER, "", {}, {"more.h": ""}, id="has_include"),
        pytest.param(
            "int main(void) { return N; }", "@flags", {"flags": "-DN=1"}, {"flags": "-DN=2"}, id="response file"
        ),
        pytest.param(
            "int main(int n, char **v) { return n + 1; }",
            "-fsanitize=signed-integer-overflow -fsanitize-ignorelist=list",
            {"list": ""},
            {"list": "fun:main"},
            id="list of exceptions",
        ),
        pytest.param("int main(void) { return 1; }", "", {}, {"a.c": "int main(void) {  return 1; }"}, id="column"),
    ],
)
def test_whatever_the_compiler_looks_at_counts(
    write: Write, tmp_path: Path, text: str, flags: str, before: dict[str, str], after: dict[str, str]
) -> None:
    path = write("a.c", text)
    for name, content in before.items():
        write(name, content)
    cache = Cache(tmp_path / "cache")
    options = CompileOptions(flags=tuple(flags.split()), target="x86_64-linux-gnu")
    first = load([path], options, cache)
    assert load([path], options, cache) == first
    for name, content in after.items():
        write(name, content)
    second = load([path], options, cache)
    assert second != first
    assert second == load([path], options, None)


@pytest.mark.slow
def test_the_environment_counts(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clang: str) -> None:
    path = write("a.c", INCLUDE)
    cache = Cache(tmp_path / "cache")
    found = []
    for number in (1, 2):
        write(f"{number}/number.h", f"#define NUMBER {number}\n")
        monkeypatch.setenv("CPATH", str(number))
        found.append(load([path], CompileOptions(clang=clang), cache))
    assert found[0] != found[1]


def test_the_runs_own_folder_does_not_count(write: Write, tmp_path: Path) -> None:
    """A preprocessed file is compiled from a copy, in a folder that has another name each time."""
    path = write("a.i", "int main(void) { return 1; }\n")
    cache = Cache(tmp_path / "cache")
    first = load([path], CompileOptions(), cache)
    assert load([path], CompileOptions(), cache) == first
    assert len(list(cache.folder.iterdir())) == 1


@pytest.mark.slow
def test_linked_programs_are_kept_too(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        write("a.c", "int f(void);\nint main(void) { return f(); }\n"),
        write("b.c", "int f(void) { return 1; }\n"),
    ]
    cache = Cache(tmp_path / "cache")
    first = load(files, CompileOptions(), cache)
    with monkeypatch.context() as patch:
        patch.setattr(loading, "_build", lambda *_: pytest.fail("built again"))
        assert load(files, CompileOptions(), cache) == first
    write("b.c", "int f(void) { return 2; }\n")
    assert load(files, CompileOptions(), cache) != first


def test_an_entry_of_something_else_is_built_again(write: Write, tmp_path: Path) -> None:
    """The entry of one program under the name of another's."""
    one, two = write("a.c", "int main(void) { return 1; }\n"), write("b.c", "int main(void) { return 2; }\n")
    cache = Cache(tmp_path / "cache")
    first = load([one], CompileOptions(), cache)
    (entry,) = cache.folder.iterdir()
    second = load([two], CompileOptions(), cache)
    (other,) = set(cache.folder.iterdir()) - {entry}
    other.write_bytes(entry.read_bytes())
    assert load([two], CompileOptions(), cache) == second != first


def test_a_damaged_cache_is_built_again(write: Write, tmp_path: Path) -> None:
    path = write("a.c", PROGRAM)
    cache = Cache(tmp_path / "cache")
    first = load([path], CompileOptions(), cache)
    for entry in cache.folder.iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    assert load([path], CompileOptions(), cache) == first


@pytest.mark.slow
@pytest.mark.native
def test_a_warm_start_imports_no_reader(write: Write, tmp_path: Path) -> None:
    path = write("a.c", PROGRAM)
    load([path], CompileOptions(), Cache(tmp_path / "cache"))
    script = (
        "import sys; from pathlib import Path; from clew.frontend import *\n"
        f"program = load([Path({str(path)!r})], CompileOptions(), Cache(Path({str(tmp_path / 'cache')!r})))\n"
        "assert 'main' in program.functions\n"
        "heavy = {'llvmlite', 'ziglang', 'clew.frontend.reader', 'clew.frontend.promote', 'clew.frontend.llvm'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    environment = {"PYTHONPATH": str(Path(loading.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("files", [1, 2])
def test_there_is_time_while_compilers_are_at_work(write: Write, files: int) -> None:
    """Called once, before what they say is known; what it raises ends them."""
    paths = [write("a.c", PROGRAM), write("b.c", "int other = 1;\n")][:files]
    calls: list[int] = []
    program = load(paths, CompileOptions(), None, meanwhile=lambda: calls.append(1))
    assert "main" in program.functions
    assert calls == [1]

    def fail() -> None:
        raise UserError("enough")

    write("a.c", "this is no C")
    with pytest.raises(UserError, match="enough"):
        load(paths, CompileOptions(), None, meanwhile=fail)


@pytest.mark.slow
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
