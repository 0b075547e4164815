"""Plug-ins by name."""

from __future__ import annotations

import pytest

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


def test_names_are_sorted(registry: Registry[type]) -> None:
    assert registry.names() == ["dfs", "random-path"]
    assert [(entry.name, entry.item) for entry in registry] == [("dfs", str), ("random-path", int)]
    assert "dfs" in registry
    assert "bfs" not in registry


def test_unknown_name_is_the_users(registry: Registry[type]) -> None:
    with pytest.raises(UserError, match=r"unknown search strategy 'random' for --search.*dfs, random-path"):
        registry.get("random")


def test_close_name_is_suggested(registry: Registry[type]) -> None:
    with pytest.raises(UserError, match="did you mean 'random-path'"):
        registry.get("randompath")


def test_name_taken_twice_is_ours(registry: Registry[type]) -> None:
    with pytest.raises(InternalError):
        registry.register("dfs", "again")(float)
