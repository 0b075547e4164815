"""Quick imports find and load what Python itself finds and loads."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import sys
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path

import pytest

import clew
from clew.cli.quick_imports import Finder, import_quickly


def value_in(folder: Path, name: str = "thing") -> object:
    """What the module has as ``VALUE``, by a finder that has seen nothing yet."""
    spec = Finder().find_spec(f"clew.{name}", [str(folder)])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.VALUE


def write(file: Path, value: object, compiled: bool = True, time: float | None = None) -> Path:
    """A module, its compiled code, and the file of that; ``time`` is that of the source."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"VALUE = {value!r}\n")
    if time is not None:
        os.utime(file, (time, time))
    if compiled:
        py_compile.compile(str(file))
    return Path(importlib.util.cache_from_source(str(file)))


def test_all_modules_are_found_where_python_finds_them() -> None:
    home = Path(clew.__file__).parent
    finder, seen = Finder(), 0
    for file in sorted(home.rglob("*.py")):
        parts = file.relative_to(home).with_suffix("").parts
        names = parts[:-1] if parts[-1] == "__init__" else parts
        if not names:
            continue
        name, path = ".".join(("clew", *names)), [str(home.joinpath(*names[:-1]))]
        quick, usual = finder.find_spec(name, path), PathFinder.find_spec(name, path)
        assert quick is not None and usual is not None, name
        for attribute in ("name", "origin", "cached", "submodule_search_locations", "parent", "has_location"):
            assert getattr(quick, attribute) == getattr(usual, attribute), (name, attribute)
        seen += 1
    assert seen > 500


def test_compiled_code_is_used(tmp_path: Path) -> None:
    kept = write(tmp_path / "thing.py", 1)
    other = write(tmp_path / "other.py", 2, time=(tmp_path / "thing.py").stat().st_mtime)
    kept.write_bytes(kept.read_bytes()[:16] + other.read_bytes()[16:])
    assert value_in(tmp_path) == 2


@pytest.mark.parametrize("time", [None, 1_000_000_000.0])
def test_code_of_an_earlier_source_is_not(tmp_path: Path, time: float | None) -> None:
    write(tmp_path / "thing.py", 1, time=2_000_000_000.0 if time else None)
    write(tmp_path / "thing.py", 2 if time else 22, compiled=False, time=time)
    assert value_in(tmp_path) in (2, 22)


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b"short"])
def test_what_is_no_compiled_code_is_not(tmp_path: Path, damage: bytes) -> None:
    write(tmp_path / "thing.py", 7).write_bytes(damage)
    assert value_in(tmp_path) == 7


def test_code_that_holds_for_a_digest_is_left_to_python(tmp_path: Path) -> None:
    file = tmp_path / "thing.py"
    write(file, 3, compiled=False)
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    write(file, 4, compiled=False)
    assert value_in(tmp_path) == 4


def test_code_that_is_not_compiled_yet(tmp_path: Path) -> None:
    write(tmp_path / "thing" / "__init__.py", 5, compiled=False)
    assert value_in(tmp_path) == 5


def test_names_that_may_mean_several_things_are_left_to_python(tmp_path: Path) -> None:
    for name in ("native", "double", "plain"):
        write(tmp_path / f"{name}.py", 1, compiled=False)
    (tmp_path / f"native{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    (tmp_path / "plain.c").write_text("")
    (tmp_path / "data").mkdir()
    write(tmp_path / "double" / "__init__.py", 2, compiled=False)
    found = {
        name: Finder().find_spec(f"clew.{name}", [str(tmp_path)]) for name in ("native", "double", "data", "plain")
    }
    assert [name for name, spec in found.items() if spec is not None] == ["plain"]


def test_other_packages_and_places_are_left_to_python(tmp_path: Path) -> None:
    write(tmp_path / "thing.py", 1, compiled=False)
    finder = Finder()
    assert finder.find_spec("other.thing", [str(tmp_path)]) is None
    assert finder.find_spec("clewthing", [str(tmp_path)]) is None
    assert finder.find_spec("clew", None) is None
    assert finder.find_spec("clew.thing", [str(tmp_path / "archive.zip")]) is None
    assert finder.find_spec("clew.thing", [str(tmp_path), str(tmp_path)]) is None


def test_one_finder_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    before = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]
    import_quickly()
    import_quickly()
    assert len(sys.meta_path) == len(before) + 1
