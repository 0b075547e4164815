"""``clew-cc`` in builds: the real compiler's result, and code in what it makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import TestRequest
from clew.base.recipe import Recipe
from clew.cli.cc.wrapper import real_compiler, run
from clew.frontend.builds.records import records_in
from clew.frontend.builds.resolving import Resolved, resolve
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.units import kept_code
from clew.jobs.sources import resolved

REAL = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(REAL is None, reason="no compiler of the system")
Write = Callable[[str, str], Path]

HALF = '#include "half.h"\nint half(int x) { return x / DIVISOR; }\n'
MAIN = '#include "half.h"\nint main(void) { return half(4) == 2 ? 0 : 1; }\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files, a header in a folder of its own; the current directory."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"src/half.c": HALF, "src/main.c": MAIN, "inc/half.h": "int half(int);\n"}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return tmp_path


def compiled(*words: str) -> int:
    return run(["-Iinc", "-DDIVISOR=2", *words])


def functions(found: Resolved, **options: object) -> set[str]:
    recipes = tuple(found.recipes)
    program = load(found.files, CompileOptions(recipes=recipes, **options), None)  # type: ignore[arg-type]
    return {name for name, function in program.functions.items() if function.blocks}


def test_objects_archives_and_programs(project: Path) -> None:
    assert compiled("-O2", "-c", "src/half.c", "-o", "half.o") == 0
    assert compiled("-c", "src/main.c") == 0
    subprocess.run(["ar", "rcs", "lib.a", "half.o"], check=True)
    records = records_in(Path("half.o"))[0]
    assert [(record.file, record.recipe.flags, record.note) for record in records] == [
        (project / "src/half.c", ("-Iinc", "-DDIVISOR=2"), "")
    ]
    assert resolve([Path("lib.a")], None).files == [Path("src/half.c")]
    subprocess.run([*real_compiler(), "main.o", "lib.a", "-o", "prog"], check=True)
    assert subprocess.run(["./prog"], check=False).returncode == 0
    found = resolve([Path("prog")], None)
    assert (sorted(found.files), found.notes) == ([Path("src/half.c"), Path("src/main.c")], [])
    assert functions(found) == {"main", "half"}


def test_a_shared_library_of_sources(project: Path) -> None:
    assert compiled("-shared", "-fPIC", "src/half.c", "src/main.c", "-o", "lib.so") == 0
    assert sorted(resolve([Path("lib.so")], None).files) == [Path("src/half.c"), Path("src/main.c")]


def test_kept_code_stands_for_a_file_compiled_the_same_way(project: Path) -> None:
    """It is what was built, which a file that has changed is not; for other checks the file is compiled again."""
    from clew.checks.check import chosen_kinds, sanitizers

    assert compiled("-c", "src/half.c") == 0
    request = resolved(TestRequest((Path("half.o"),), function="half"))
    assert request.inputs_asked_for() == ["half.o", "--function", "half"], "what can be asked for again"
    options = CompileOptions(sanitize=sanitizers(chosen_kinds(None)), recipes=request.recipes)
    Path("src/half.c").write_text("int other(void) { return 1; }\n")
    found = resolve([Path("half.o")], None)
    assert found.notes == [
        "files have changed since half.o was built: src/half.c; build it again for what they are now"
    ]
    program = load(request.files, options, None)
    assert {name for name, function in program.functions.items() if function.blocks} == {"half"}
    assert program.source_files == ("src/half.c",)
    assert functions(found) == {"other"}
    Path("src/half.c").unlink()
    assert functions(resolve([Path("half.o")], None)) == {"half"}


def test_the_real_compiler_counts(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("bad.c").write_text("int f( {\n")
    assert run(["-c", "bad.c"]) != 0
    assert not Path("bad.o").exists()
    Path("nested.c").write_text("int f(int x) { int g(int y) { return x + y; } return g(1); }\n")
    if compiled("-c", "nested.c") == 0:  # GCC
        (record,) = records_in(Path("nested.o"))[0]
        assert "function definition is not allowed here" in record.note
        with pytest.raises(UserError, match="holds no LLVM code that can be used"):
            resolve([Path("nested.o")], None)
    assert "clew" not in capfd.readouterr().err


def test_failures_of_ours_are_nobodys_business(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("clew.cli.cc.keeping.find_toolchain", lambda clang: 1 / 0)
    assert compiled("-c", "src/half.c") == 0
    with pytest.raises(UserError, match=r"half.o holds no LLVM code; build it with CC=clew-cc"):
        resolve([Path("half.o")], None)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    assert compiled("-c", "src/main.c") == 0
    assert capfd.readouterr().err == ""


def test_files_of_other_languages_are_noted(project: Path) -> None:
    Path("start.s").write_text(".globl start\nstart:\n")
    assert compiled("-c", "start.s") == 0
    assert compiled("-c", "src/half.c") == 0
    subprocess.run(["ar", "rc", "lib.a", "start.o", "half.o"], check=True)
    (note,) = resolve([Path("lib.a")], None).notes
    assert "start.s (assembler); what they define is taken for undefined" in note


def test_response_files_and_standard_input(project: Path) -> None:
    Path("words").write_text("-Iinc -DDIVISOR=2 -c src/half.c")
    assert run(["@words", "-o", "half.o"]) == 0
    assert records_in(Path("half.o"))[0][0].recipe.flags == ("-Iinc", "-DDIVISOR=2")
    command = [sys.executable, "-m", "clew.cli.cc", "-xc", "-c", "-", "-o", "x.o"]
    subprocess.run(command, input=b"int f;", check=True, cwd=project)
    assert records_in(Path("x.o")) == ([], [])


def test_the_real_compiler_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLEW_CC", "ccache my-gcc -m32")
    assert real_compiler() == ["ccache", "my-gcc", "-m32"]
    monkeypatch.delenv("CLEW_CC")
    (tmp_path / "clew-cc").write_text("#!/bin/sh\n")
    (tmp_path / "clew-cc").chmod(0o755)
    (tmp_path / "cc").symlink_to("clew-cc")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert Path(real_compiler()[0]).parent != tmp_path
    monkeypatch.setenv("PATH", str(tmp_path))
    assert real_compiler()[1:] == ["cc", "-fno-sanitize=all"]


@pytest.mark.parametrize(("named", "reason"), [("no-such-cc", "cannot be started"), ("'", "No closing quotation")])
def test_no_real_compiler(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], named: str, reason: str
) -> None:
    monkeypatch.setenv("CLEW_CC", named)
    for words in (["--version"], ["-c", "src/half.c"]):
        assert run(words) == 127
        said = capfd.readouterr().err
        assert reason in said
        assert said.count("\n") == 1


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_a_build_with_make(project: Path) -> None:
    script = project / "clew-cc"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m clew.cli.cc "$@"\n')
    script.chmod(0o755)
    Path("Makefile").write_text(
        "CFLAGS = -O2 -g -MMD -Iinc -DDIVISOR=2\nprog: src/main.o src/half.o\n\t$(CC) -o $@ $^\n"
    )
    done = subprocess.run(["make", "-j2", f"CC={script}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "half.h" in Path("src/half.d").read_text()
    assert functions(resolve([Path("prog")], None)) == {"main", "half"}


def test_an_object_without_code(project: Path) -> None:
    subprocess.run([*real_compiler(), "-Iinc", "-DDIVISOR=2", "-c", "src/half.c"], check=True)
    with pytest.raises(UserError, match="holds no LLVM code"):
        resolve([Path("half.o")], None)
    Path("half.o").write_bytes(Path("half.o").read_bytes()[:100])
    with pytest.raises(UserError, match="is damaged"):
        resolve([Path("half.o")], None)


def test_recipes_of_files_without_kept_code(project: Path) -> None:
    from clew.frontend.inputs import read_inputs

    (source,) = read_inputs([Path("src/half.c")], [Recipe(project)])
    assert kept_code(source, CompileOptions(), project, 0) is None
