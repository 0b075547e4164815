"""Facts of a path are used through ``State`` (``implies``, ``feasible``...), which tells who listens to implied facts.

A helper of the engine or a model of a library function that looked into the path condition by itself would go on as if
something were certain, and nobody would know.
"""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "clew"
HOME = SOURCE / "execute" / "state.py"
ASKS_FOR_SIBLINGS = SOURCE / "execute" / "engine.py"
"""The engine says that a sibling is infeasible with an event of its own."""


def test_only_states_look_into_path_conditions() -> None:
    found = [place for file in _files() if file != HOME for place in _memberships(file)]
    assert not found, f"State.implies() is for this: {', '.join(found)}"


def test_only_states_ask_the_solver_about_their_paths() -> None:
    found = [place for file in _files() if file not in (HOME, ASKS_FOR_SIBLINGS) for place in _questions(file)]
    assert not found, f"State.feasible() is for this: {', '.join(found)}"


def test_what_is_looked_for_is_found() -> None:
    assert _questions(HOME) and _memberships(HOME)


def _files() -> list[Path]:
    return [file for folder in ("execute", "models", "checks") for file in sorted((SOURCE / folder).rglob("*.py"))]


def _memberships(file: Path) -> list[str]:
    """Uses of ``in`` with the path condition of a state on the right."""
    return [
        _place(file, node)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        and any(isinstance(right, ast.Attribute) and right.attr == "path" for right in node.comparators)
    ]


def _questions(file: Path) -> list[str]:
    """Calls of ``solver.feasible``."""
    return [
        _place(file, node)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "feasible"
        and "solver" in ast.unparse(node.func.value)
    ]


def _place(file: Path, node: ast.expr) -> str:
    return f"{file.relative_to(SOURCE)}:{node.lineno}"
