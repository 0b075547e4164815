"""Programs as bytes and back."""

from __future__ import annotations

import gc
import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.frontend import CompileOptions, load
from clew.frontend.storage import _Restorer, dump, no_collection, restore
from clew.program.layout import DataLayout
from clew.program.module import GlobalVariable, Program
from clew.program.types import ArrayType, IntType, Type

Write = Callable[[str, str], Path]


def test_a_program_comes_back_equal(write: Write) -> None:
    text = (
        "struct s { int a; double b; struct s *next; } list = { 1, 2.5, &list };\n"
        "int f(int x, ...) { switch (x) { case 1: return 2; case 3: return list.a; } return x ? 7 : 9; }\n"
    )
    program = load([write("a.c", text)], CompileOptions(), None)
    data = dump(program)
    assert data is not None
    assert restore(data) == program


def test_a_program_that_is_nested_too_deeply_is_not_stored() -> None:
    value: Type = IntType(8)
    for _ in range(5_000):
        value = ArrayType(1, value)
    program = Program("", DataLayout(), {}, {"g": GlobalVariable("g", value, None, False, 1)})
    assert dump(program) is None


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", pickle.dumps(1), pickle.dumps((1, 2)), b"cclew.program.module\nGone\n."]
)
def test_bytes_of_something_else_are_nothing(data: bytes) -> None:
    assert restore(data) is None


class Calls:
    """Pickled, it is the call of a function."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call


def test_bytes_can_call_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for call in (
            Calls(os.system, f"touch {mark}"),
            Calls(eval, f"open({str(mark)!r}, 'w')"),
            Calls(Path(mark).touch),
            Calls(dump, 1),
            Calls(getattr, Program, "__init__"),
        ):
            data = pickle.dumps(call, protocol)
            assert restore(data) is None
            with pytest.raises(pickle.UnpicklingError, match="no part of a program"):
                _Restorer(io.BytesIO(data)).load()
    assert not mark.exists()


@pytest.mark.parametrize(
    "name",
    ["io open", "clew.program.module dataclass", "clew.program.types Enum", "clew.program.module __loader__.exec"],
)
def test_what_the_modules_of_programs_import_is_out_of_reach(name: str) -> None:
    with pytest.raises(pickle.UnpicklingError):
        _Restorer(io.BytesIO()).find_class(*name.split())


def test_garbage_collection_is_as_before() -> None:
    assert gc.isenabled()
    with no_collection():
        assert not gc.isenabled()
        with no_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
