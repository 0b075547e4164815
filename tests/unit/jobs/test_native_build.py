"""Files of a project are compiled natively as their build does it."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.recipe import Recipe
from clew.frontend.options import CompileOptions
from clew.jobs.native import build as native
from clew.jobs.native.build import NoNativeProgram, Sources, build

pytestmark = pytest.mark.native

FILES = {
    "a/value.c": '#include "value.h"\nstatic int hidden(void) {return N;}\nint value(void) { return M + hidden(); }\n',
    "a/inc/value.h": "#define M 40\nint value(void);\n",
    "main.c": "int value(void);\nint main(void) { return value(); }\n",
}
INCLUDING = "#ifdef CLEW_SOURCE\n#define main users_main\n#include CLEW_SOURCE\n#undef main\n#endif\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """Two files, one of them with a recipe; without sanitizers, which take long to start."""
    plain = [one for one in native.compilers(CompileOptions()) if "without checks" in one.name]
    if not plain:
        pytest.skip("no compiler of the system")
    monkeypatch.setattr(native, "compilers", lambda *_: plain)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    recipe = Recipe(tmp_path / "a", ("-Iinc", "-DN=2"))
    return Sources((tmp_path / "a/value.c", tmp_path / "main.c"), (), "", recipes=(recipe, None))


def test_flags_and_folders_are_those_of_the_build(sources: Sources, tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    place.mkdir()
    program = build(sources, CompileOptions(), place)
    assert subprocess.run([program.path], check=False).returncode == 42


def test_a_driver_that_includes_a_file_is_compiled_as_that(sources: Sources, tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    place.mkdir()
    driver = f"{INCLUDING}int hidden(void);\n__attribute__((constructor)) static void check(void) {{ hidden(); }}\n"
    program = build(replace(sources, driver=driver, function="hidden"), CompileOptions(), place)
    assert subprocess.run([program.path], check=False).returncode == 42


def test_what_does_not_compile_is_told(sources: Sources, tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    place.mkdir()
    sources.files[0].write_text("int value(void) { return nothing; }\n")
    with pytest.raises(NoNativeProgram) as caught:
        build(sources, CompileOptions(), place)
    assert "nothing" in caught.value.details
