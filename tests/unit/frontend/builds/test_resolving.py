"""Projects with a compile_commands.json: files, targets, and everything that may be wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.recipe import Recipe
from clew.frontend.builds.resolving import Resolved, resolve
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.units import seen_from

Write = Callable[[str, str], Path]
BUILD = Path("build")
SOURCES = {"src/main.c": "int f(int);\nint main(void) { return f(N); }\n", "src/f.c": "int f(int x) { return x; }\n"}


def entry(name: str, **more: Any) -> dict[str, Any]:
    """As CMake writes it, below the folder of the build."""
    command = f"ccache cc -O2 -Werror -I../inc -DN=3 -o {name}.o -c ../src/{name}.c"
    return {"directory": str(BUILD.absolute()), "file": f"../src/{name}.c", "command": command, **more}


@pytest.fixture
def project(write: Write) -> Callable[..., None]:
    """Writes the sources, and a database of entries."""
    for name, text in SOURCES.items():
        write(name, text)
    write("inc/unused.h", "")

    def database(*entries: Any) -> None:
        write("build/compile_commands.json", json.dumps(entries))

    database(entry("main"), entry("f"))
    return database


def found(*names: str) -> Resolved:
    return resolve([Path(name) for name in names], BUILD)


def fails(*names: str) -> str:
    with pytest.raises(UserError) as caught:
        found(*names)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["src/f.c", "../src/f.c", "f.c"])
def test_a_file_has_the_flags_of_its_build(project: object, name: str) -> None:
    result = found(name)
    assert (result.files, result.notes) == ([Path("src/f.c")], [])
    assert result.recipes == [Recipe(BUILD.absolute(), ("-I../inc", "-DN=3"), named=True)]


def test_arguments_win_over_commands_and_response_files_are_read(project: Callable[..., None], write: Write) -> None:
    write("build/flags.rsp", "-DN=4 -D'TEXT=a b'")
    project(entry("f", arguments=["cc", "@flags.rsp", "-c", "../src/f.c"], command="nothing"))
    assert [recipe and recipe.flags for recipe in found("f.c").recipes] == [("-DN=4", "-DTEXT=a b")]


def test_files_are_compiled_where_their_build_does_it(project: object) -> None:
    result = found("main.c", "f.c")
    said: list[str] = []
    program = load(result.files, CompileOptions(recipes=tuple(result.recipes)), None, said.append)
    assert program.source_files == ("src/main.c", "src/f.c")
    assert said == []


def test_a_harness_of_the_users(project: object, write: Write) -> None:
    write("harness.c", "int f(int);\nint main(void) { return f(1); }\n")
    result = found("harness.c", "f.c")
    assert result.recipes[0] is None
    assert result.notes == [
        "harness.c is not in build/compile_commands.json; it is compiled with the flags given here alone"
    ]
    program = load(result.files, CompileOptions(recipes=tuple(result.recipes)), None)
    assert program.functions["f"].blocks


# Targets


def write_ninja(write: Write) -> None:
    write(
        "build/build.ninja",
        "rule LINK\n  command = cc $in -o $out\n"
        "build main.o: C_COMPILER ../src/main.c || order\n"
        "build libf.a: AR f.o\n"
        "build bin/the$ program: LINK main.o | $\n    libf.a || all\n"
        "build short: phony bin/the$ program\nbuild all: phony short libf.a\n",
    )


def write_cmake(write: Write) -> None:
    write("build/CMakeFiles/f.dir/objects.rsp", "f.o\n")
    write(
        "build/CMakeFiles/f.dir/link.txt",
        "/usr/bin/ar qc libf.a @CMakeFiles/f.dir/objects.rsp\n/usr/bin/ranlib libf.a\n",
    )
    write("build/bin/CMakeFiles/short.dir/link.txt", "/usr/bin/cc -O2 ../main.o -o 'the program' ../libf.a -lm\n")


@pytest.mark.parametrize("layout", [write_ninja, write_cmake])
@pytest.mark.parametrize("name", ["the program", "build/bin/the program", "bin/the program", "short"])
def test_a_program_is_all_that_it_is_linked_from(
    project: object, write: Write, layout: Callable[[Write], None], name: str
) -> None:
    layout(write)
    assert found(name).files == [Path("src/main.c"), Path("src/f.c")]
    assert found("f").files == [Path("src/f.c")]
    assert found("libf.a", "f.c").files == [Path("src/f.c")]


def test_libraries_that_need_each_other(project: object, write: Write) -> None:
    write("build/build.ninja", "build liba.so: LINK f.o libb.so\nbuild libb.so: LINK main.o liba.so\n")
    assert found("liba.so").files == [Path("src/f.c"), Path("src/main.c")]


@pytest.mark.parametrize("name", ["libf.so", "build/libf.so", "libf.so.1", "libf.so.1.12.0", "f"])
def test_a_library_is_known_by_the_names_of_links_to_it(project: object, write: Write, name: str) -> None:
    write("build/CMakeFiles/f.dir/link.txt", "/usr/bin/cc -shared -Wl,-soname,libf.so.1 -o libf.so.1.12.0 f.o\n")
    assert found(name).files == [Path("src/f.c")]


def test_objects_that_nothing_links(project: Callable[..., None]) -> None:
    project(entry("main"), entry("f", output="CMakeFiles/objects.dir/src/f.c.o"))
    assert found("objects").files == [Path("src/f.c")]


def test_a_program_of_which_nothing_is_known(project: object, write: Write) -> None:
    Path("build/prog").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(57))
    assert fails("build/prog").startswith("build/prog holds no LLVM code; build it with CC=clew-cc, without -flto, or")


def test_names_that_are_several_things(project: Callable[..., None], write: Write) -> None:
    write("other/f.c", "")
    project(entry("f"), entry("f", file="../other/f.c"))
    assert fails("f.c") == "f.c may be src/f.c or other/f.c: name one of them"
    write("build/build.ninja", "build a/x: LINK f.o\nbuild b/x: LINK f.o\n")
    assert "x may be" in fails("x")


def test_a_file_that_is_compiled_in_several_ways(project: Callable[..., None], write: Write) -> None:
    other = entry("f", output="other.o", command="cc -DN=9 -c ../src/f.c")
    project(entry("f"), other, entry("main"), entry("main"))
    write("build/build.ninja", "build a: LINK f.o\nbuild b: LINK other.o\nbuild both: LINK f.o other.o\n")
    (note,) = found("f.c").notes
    assert note.startswith("f.c is compiled in 2 ways by build/compile_commands.json: the first one is taken")
    assert found("main.c").notes == []
    assert [[recipe and recipe.flags[-1] for recipe in found(name).recipes] for name in ("a", "b", "both")] == [
        ["-DN=3"], ["-DN=9"], ["-DN=3", "-DN=9"]
    ]  # fmt: skip


# What is wrong


def test_names_that_are_nothing(project: object, write: Write) -> None:
    write_ninja(write)
    assert "has no file or target 'man.c'; did you mean src/main.c" in fails("man.c")
    there = "files are src/main.c, src/f.c; targets are f, the program"
    assert fails("zzz") == f"build/compile_commands.json has no file or target 'zzz'; {there}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "is broken: Expecting value: line 1 column 2 (char 1); make it again"),
        ("{}", "it is no list of compile commands"),
        ("[1]", "entry 1 is no object"),
        ('[{"file": "x.c", "command": "cc"}]', "entry 1 has no 'directory'"),
        ('[{"file": "", "directory": "."}]', "entry 1 has no 'file'"),
        ('[{"file": "x.c", "directory": "."}]', "entry 1 has neither 'arguments' nor 'command'"),
        ('[{"file": "x.c", "directory": ".", "arguments": [1]}]', "entry 1 has neither 'arguments' nor 'command'"),
        ('[{"file": "x.c", "directory": ".", "command": "cc \'x"}]', "entry 1 (x.c): no closing quotation"),
        ('[{"file": "x.c", "directory": ".", "command": ""}]', "the command of entry 1 (x.c) is empty"),
    ],
)
def test_broken_databases(write: Write, text: str, reason: str) -> None:
    write("build/compile_commands.json", text)
    assert reason in fails("x.c")


def test_builds_that_are_not_there(write: Write) -> None:
    assert fails("x.c").startswith("-p build does not exist; make one with 'cmake")
    BUILD.mkdir()
    assert fails("x.c").startswith("-p build has no compile_commands.json; make one with 'cmake")
    write("a.c", "")
    with pytest.raises(UserError, match=r"-p a\.c is a file; name a compile_commands\.json, or the folder"):
        resolve([Path("a.c")], Path("a.c"))


def test_stale_databases(project: Callable[..., None], write: Write) -> None:
    write_ninja(write)
    Path("src/f.c").unlink()
    assert fails("src/f.c") == (
        "src/f.c, which build/compile_commands.json names, does not exist; configure the build again"
    )
    result = found("short")
    assert result.files == [Path("src/main.c")]
    assert result.notes == ["files that build/compile_commands.json names are gone: src/f.c; configure the build again"]
    project(entry("main", directory=str(Path("gone").absolute()), file="../src/main.c"))
    result = found("main.c")
    with pytest.raises(UserError, match="gone, where the build compiles, is gone; configure the build again"):
        load(result.files, CompileOptions(recipes=tuple(result.recipes)), None)


def test_flags_of_other_compilers(project: Callable[..., None]) -> None:
    project(
        entry("main", arguments=["C:\\VC\\cl.exe", "/nologo", "/W4", "/DN=5", "/I", "..\\inc", "/Fox.obj", "main.c"]),
        entry("f", command="armcc --gnu -fbogus -mbogus -c ../src/f.c"),
    )
    result = found("main.c", "f.c")
    assert result.recipes[0] is not None
    assert result.recipes[0].flags == ("-DN=5", "-I..\\inc")
    assert result.notes == ["../src/main.c is compiled by C:\\VC\\cl.exe: of its flags, only /I, /D and /U are taken"]
    said: list[str] = []
    load(result.files, CompileOptions(recipes=tuple(result.recipes)), None, said.append)
    assert said == ["the compiler does not know --gnu -fbogus -mbogus: left out"]


def test_a_part_of_a_program_that_does_not_compile_is_left_out(project: object, write: Write) -> None:
    write_ninja(write)
    write("src/f.c", "int f(int x) { return y; }\n")
    result = found("short")
    said: list[str] = []
    program = load(result.files, CompileOptions(recipes=tuple(result.recipes)), None, said.append)
    assert program.functions["main"].blocks
    assert not program.functions["f"].blocks
    assert len(said) == 1
    assert "src/f.c does not compile, and what it defines is taken for undefined" in said[0]
    assert "error: use of undeclared identifier 'y'" in said[0]
    result = found("main.c", "f.c")
    with pytest.raises(UserError, match="does not compile"):
        load(result.files, CompileOptions(recipes=tuple(result.recipes)), None)


def test_links_that_lead_in_a_circle(project: object) -> None:
    Path("loop").symlink_to("loop")
    assert "has no file or target 'loop'" in fails("loop")
    assert resolve([Path("loop")], None).files == [Path("loop")]  # reading it tells what is wrong


def test_ten_thousand_files(project: Callable[..., None], write: Write) -> None:
    """Only what is asked for is taken apart."""
    many = [entry(f"unit{number}") for number in range(10_000)]
    many[7]["command"] = "cc 'not closed"
    project(*many, entry("main"), entry("f"))
    lines = [f"build x{number}: LINK unit{number}.o" for number in range(10_000)]
    write("build/build.ninja", "\n".join([*lines, "build prog: LINK main.o f.o", ""]))
    assert found("prog").files == [Path("src/main.c"), Path("src/f.c")]


def test_names_of_files_are_as_seen_from_here() -> None:
    text = '!DIFile(filename: "../src/a.c", directory: "/p/build")\n!DIFile(filename: "x.h", directory: "/usr/include")'
    here = '!DIFile(filename: "src/a.c", directory: "/p")\n!DIFile(filename: "/usr/include/x.h", directory: "/p")'
    assert seen_from(text, "/p") == here
