"""Which value C variables have at points of a function."""

from __future__ import annotations

from pathlib import Path

from clew.analysis.scopes import Scope, Scopes
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.program.module import Function
from clew.program.values import ConstInt, Register


def function(folder: Path, code: str, name: str = "f") -> Function:
    file = folder / "p.c"
    file.write_text(code, encoding="utf-8")
    return load([file], CompileOptions(("-w",)), None).functions[name]


def plain(scope: Scope) -> dict[str, str | int]:
    """Registers by name, numbers as they are, ``*`` before what is in memory."""
    found: dict[str, str | int] = {}
    for variable, content in scope.items():
        if isinstance(content.value, ConstInt):
            found[variable.name] = content.value.value
        elif isinstance(content.value, Register):
            found[variable.name] = f"{'*' if content.in_memory else ''}{content.value.name}"
    return found


def test_a_loop(tmp_path: Path) -> None:
    f = function(tmp_path, "int f(int y) { int x = 0; while (y > 0) { x = x + 1; y = y - 2; } return x; }")
    scopes = Scopes(f)
    head = next(block for block in f.blocks if block.name == "while.cond")
    body = next(block for block in f.blocks if block.name == "while.body")
    assert plain(scopes.end(f.blocks[0].name)) == {"y": "y", "x": 0}
    assert plain(scopes.start(head.name)) == plain(scopes.end(head.name)) == {"y": "y.1", "x": "x.1"}
    assert plain(scopes.start(body.name)) == {"y": "y.1", "x": "x.1"}
    assert plain(scopes.at(body.name, 1)) == {"y": "y.1", "x": "add"}
    assert plain(scopes.end(body.name)) == {"y": "sub", "x": "add"}


def test_the_start_is_before_the_code(tmp_path: Path) -> None:
    """An assignment of a number needs no instruction; still it comes after the beginning of its block."""
    f = function(tmp_path, "int f(int n) { int x = 1; do { x = 5; n--; } while (n > x); return x + n; }")
    scopes = Scopes(f)
    head = next(block for block in f.blocks if block.name == "do.body")
    assert plain(scopes.start(head.name)) == {"n": "n.1"}, "1 or 5, and nobody asks"
    assert plain(scopes.end(head.name))["x"] == 5


def test_joins(tmp_path: Path) -> None:
    """What differs and is not needed any more has no value."""
    code = "int f(int n) { int x = 1, y = 2, z; if (n) { x = 3; z = 4; } else { y = 7; z = 4; } return y; }"
    f = function(tmp_path, code)
    join = f.blocks[-1]
    scope = plain(Scopes(f).start(join.name))
    assert scope == {"n": "n", "y": "y.1", "z": 4}


def test_values_of_earlier_iterations_are_none(tmp_path: Path) -> None:
    code = """int f(int n) {
      int old, sum = 0;
      while (n > 0) { old = n; n = n - 1; if (n & 1) sum += old; }
      return sum;
    }"""
    f = function(tmp_path, code)
    scopes = Scopes(f)
    assert "old" not in plain(scopes.start("while.cond"))
    assert plain(scopes.end("while.body"))["old"] == "n.1"


def test_memory(tmp_path: Path) -> None:
    f = function(tmp_path, "void g(int *); int f(void) { int x; g(&x); return x; }")
    assert plain(Scopes(f).end(f.blocks[-1].name)) == {"x": "*x"}


def test_unreachable_blocks_have_no_scope(tmp_path: Path) -> None:
    f = function(tmp_path, "int f(int n) { return n; n++; again: n--; goto again; }")
    scopes = Scopes(f)
    dead = [block.name for block in f.blocks[1:]]
    assert all(not scopes.start(name) and not scopes.end(name) for name in dead)
