"""Plug-ins by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clew.base import registry as registry_module
from clew.base.errors import InternalError, UserError
from clew.base.registry import Registry


@pytest.fixture
def registry() -> Registry[type]:
    made: Registry[type] = Registry("search strategy", "--search")
    made.register("random-path", "a random walk down the tree")(int)
    made.register("dfs", "deepest first")(str)
    return made


def test_decorator_returns_the_item_and_keeps_it(registry: Registry[type]) -> None:
    @registry.register("bfs", "oldest first")
    class Breadth:
        pass

    assert registry.get("bfs") is Breadth


def test_names_are_in_the_order_of_declaration(registry: Registry[type]) -> None:
    assert registry.names() == ["random-path", "dfs"]
    assert [(entry.name, entry.item) for entry in registry] == [("random-path", int), ("dfs", str)]
    assert "dfs" in registry
    assert "bfs" not in registry


def test_unknown_name_is_the_users(registry: Registry[type]) -> None:
    with pytest.raises(UserError, match=r"unknown search strategy 'random' for --search.*random-path, dfs"):
        registry.get("random")


def test_close_name_is_suggested(registry: Registry[type]) -> None:
    with pytest.raises(UserError, match="did you mean 'random-path'"):
        registry.get("randompath")


def test_a_module_is_imported_when_its_plug_in_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lazy: Registry[type] = Registry("plug-in", "--plug-in", {"late": "clew_late", "never": "clew_never"})
    monkeypatch.setattr(registry_module, "lazy", lazy, raising=False)
    (tmp_path / "clew_late.py").write_text(
        "from clew.base import registry\nregistry.lazy.register('late', 'comes late')(int)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert lazy.names() == ["late", "never"]
    assert "late" in lazy
    assert "clew_late" not in sys.modules
    assert lazy.get("late") is int
    assert lazy.entry("late").help == "comes late"
    (tmp_path / "clew_never.py").write_text("")
    with pytest.raises(InternalError, match="clew_never does not register the plug-in never"):
        lazy.get("never")


def test_name_taken_twice_is_ours(registry: Registry[type]) -> None:
    with pytest.raises(InternalError):
        registry.register("dfs", "again")(float)
