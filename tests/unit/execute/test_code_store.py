"""Generated source is compiled once, and what is kept of it is never wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.cache import Cache
from clew.execute.codegen import code_store
from clew.execute.codegen.code_store import CodeStore

TEXT = "def run(x):\n    return x + 1\n"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that Python's compiler is given."""
    texts: list[str] = []

    def counting(text: str, *more: Any) -> Any:
        texts.append(text)
        return compile(text, *more)

    monkeypatch.setattr(code_store, "compile", counting, raising=False)
    return texts


def run(store: CodeStore, text: str = TEXT, name: str = "f region 0") -> Any:
    namespace: dict[str, Any] = {}
    exec(store.compile(text, name), namespace)
    return namespace["run"](1)


def test_what_was_kept_is_not_compiled_again(cache: Cache, compiled: list[str]) -> None:
    first = CodeStore(cache, "p")
    assert run(first) == 2
    assert run(first) == 2
    first.keep()
    assert compiled == [TEXT]
    assert run(CodeStore(cache, "p")) == 2
    assert compiled == [TEXT]


def test_another_text_or_program_is_compiled(cache: Cache, compiled: list[str]) -> None:
    first = CodeStore(cache, "p")
    run(first)
    first.keep()
    other = TEXT.replace("+ 1", "+ 2")
    assert run(CodeStore(cache, "p"), other) == 3
    assert run(CodeStore(cache, "q")) == 2
    assert compiled == [TEXT, other, TEXT]


def test_parts_with_one_text_have_files_of_their_own(cache: Cache) -> None:
    """What a line belongs to is looked up by the name of the file."""
    store = CodeStore(cache, "p")
    names = {store.compile(TEXT, f"f at {number}").co_filename for number in (1, 2)}
    assert len(names) == 2
    store.keep()
    assert {CodeStore(cache, "p").compile(TEXT, f"f at {number}").co_filename for number in (1, 2)} == names


def test_a_damaged_entry_is_no_entry(cache: Cache, compiled: list[str]) -> None:
    first = CodeStore(cache, "p")
    run(first)
    first.keep()
    (entry,) = cache.folder.glob("*.entry")
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert run(CodeStore(cache, "p")) == 2
    assert len(compiled) == 2


def test_a_cache_from_elsewhere_has_no_code(
    cache: Cache, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    theirs = CodeStore(cache, "p")
    run(theirs)
    theirs.keep()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "here"))
    assert run(CodeStore(cache, "p")) == 2
    assert len(compiled) == 2


def test_a_program_without_a_digest_keeps_nothing(cache: Cache) -> None:
    store = CodeStore(cache, "")
    run(store)
    store.keep()
    assert not cache.folder.exists()


def test_what_was_met_last_has_the_room(cache: Cache, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [TEXT.replace("+ 1", f"+ {number}") for number in range(100, 110)]
    first = CodeStore(cache, "p")
    for text in texts:
        run(first, text)
    monkeypatch.setattr(code_store, "LIMIT", 1500)
    first.keep()
    second = CodeStore(cache, "p")
    assert run(second) == 2
    second.keep()
    compiled.clear()
    assert run(CodeStore(cache, "p")) == 2
    assert not compiled
    third = CodeStore(cache, "p")
    for text in texts:
        run(third, text)
    assert 0 < len(compiled) < len(texts)
