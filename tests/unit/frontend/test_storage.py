"""Programs as bytes and back."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.frontend import CompileOptions, load
from clew.frontend.storage import dump, no_collection, restore

Write = Callable[[str, str], Path]


def test_a_program_comes_back_equal(write: Write) -> None:
    text = (
        "struct s { int a; double b; struct s *next; } list = { 1, 2.5, &list };\n"
        "int f(int x, ...) { switch (x) { case 1: return 2; case 3: return list.a; } return x ? 7 : 9; }\n"
    )
    program = load([write("a.c", text)], CompileOptions(), None)
    assert restore(dump(program, "warning")) == (program, "warning")


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", pickle.dumps(1), pickle.dumps((1, 2)), b"cclew.program.module\nGone\n."]
)
def test_bytes_of_something_else_are_nothing(data: bytes) -> None:
    assert restore(data) is None


def test_garbage_collection_is_as_before() -> None:
    assert gc.isenabled()
    with no_collection():
        assert not gc.isenabled()
        with no_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
