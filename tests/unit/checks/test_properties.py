"""Properties are found in the code, and named as the engine names a failure there."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.checks.check import chosen_kinds, sanitizers
from clew.checks.properties import FAILING, OVERRIDING, Property, failing_kind, properties
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.verify import run_verify
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from unit.execute.support import PRELUDE

ASSERTIONS = frozenset(("assert", "error-call", "abort"))


def compiled(folder: Path, code: str, kinds: frozenset[str] = ASSERTIONS) -> Program:
    file = folder / "p.c"
    file.write_text(PRELUDE + code, encoding="utf-8")
    return load([file], CompileOptions(("-w",), sanitize=sanitizers(kinds)), None)


def found(folder: Path, code: str, kinds: frozenset[str] = ASSERTIONS) -> list[Property]:
    program = compiled(folder, code, kinds)
    return list(properties(program, kinds, program.functions["main"]))


def lines(items: list[Property]) -> list[tuple[str, int, str]]:
    return [(item.kind, item.location.line if item.location else 0, item.function) for item in items]


def test_calls_that_fail_are_properties(tmp_path: Path) -> None:
    code = """#include <assert.h>
    void abort(void);
    static void check(int c) {
      if (!c)
        reach_error();
    }
    int main(void) {
      int x = __VERIFIER_nondet_int();
      assert(x < 5);
      if (x == 3)
        abort();
      check(x);
      if (x == 4)
        __builtin_trap();
    }
    """
    items = found(tmp_path, code)
    assert lines(items) == [
        ("error-call", 5, "check"),
        ("assert", 9, "main"),
        ("abort", 11, "main"),
        ("abort", 14, "main"),
    ]
    assert not any(item.collective for item in items)
    assert len(set(items)) == len(items)
    without = found(tmp_path, code, frozenset({"assert"}))
    assert lines(without) == [("assert", 9, "main")]


def test_spots_are_the_instructions(tmp_path: Path) -> None:
    program = compiled(tmp_path, "int main(void) { if (__VERIFIER_nondet_int()) reach_error(); return 0; }")
    (item,) = properties(program, ASSERTIONS, program.functions["main"])
    (spot,) = item.spots
    block = next(block for block in program.functions[spot.function].blocks if block.name == spot.block)
    assert block.instructions[spot.index].location == item.location


def test_only_what_the_entry_can_reach(tmp_path: Path) -> None:
    code = """
    void unused(void) { reach_error(); }
    static void pointed(void) {
      reach_error();
    }
    void (*table[])(void) = { pointed };
    __attribute__((constructor)) static void first(void) {
      reach_error();
    }
    int main(void) { table[__VERIFIER_nondet_int() & 0](); return 0; }
    """
    assert lines(found(tmp_path, code)) == [("error-call", 4, "pointed"), ("error-call", 8, "first")]


def test_the_body_of_an_error_function_does_not_count(tmp_path: Path) -> None:
    code = """#include <assert.h>
    void reach_error(void) { assert(0); }
    int main(void) {
      reach_error();
    }
    """
    assert lines(found(tmp_path, code)) == [("error-call", 4, "main")]


def test_calls_through_pointers_count_if_they_can_fail(tmp_path: Path) -> None:
    code = """
    static void fine(void) {}
    int main(void) {
      void (*f)(void) = __VERIFIER_nondet_int() ? fine : %s;
      f();
    }
    """
    assert lines(found(tmp_path, code % "reach_error")) == [("error-call", 5, "main")]
    assert lines(found(tmp_path, code % "0")) == []


def test_traps_of_the_compiler(tmp_path: Path) -> None:
    code = """
    int main(void) {
      int x = __VERIFIER_nondet_int();
      x += 5;
      return x << x;
    }
    """
    kinds = frozenset(("signed-overflow", "shift"))
    items = found(tmp_path, code, kinds)
    assert [(item.kind, item.location.line) for item in items if item.location] == [
        ("signed-overflow", 4),
        ("shift", 5),
    ]


def test_kinds_that_show_anywhere_are_collective(tmp_path: Path) -> None:
    code = "int main(void) { int x = __VERIFIER_nondet_int(); return x / (x | 1); }"
    memory = [item for item in found(tmp_path, code, chosen_kinds(("memory",))) if item.collective]
    assert [item.kind for item in memory] == sorted(chosen_kinds(("memory",)))
    assert lines(found(tmp_path, code, chosen_kinds(("div",)))) == [("division-by-zero", 0, "main")]
    # Clang checks the quotient.
    assert not any(item.collective for item in found(tmp_path, code, chosen_kinds(("overflow",))))


def test_unchecked_quotients_overflow_anywhere(tmp_path: Path) -> None:
    code = "int main(void) { int x = __VERIFIER_nondet_int(); return x / (x | 1); }"
    program = compiled(tmp_path, code, frozenset())
    (item,) = properties(program, frozenset({"signed-overflow"}), program.functions["main"])
    assert item.collective


def test_macros_give_one_property_several_spots(tmp_path: Path) -> None:
    code = """
    #define BOTH(x) if (x > 3) reach_error(); if (x < -3) reach_error();
    int main(void) {
      int x = __VERIFIER_nondet_int();
      BOTH(x)
      return 0;
    }
    """
    (item,) = found(tmp_path, code)
    assert len(item.spots) == 2


def test_the_table_is_that_of_the_models() -> None:
    models = all_models()
    assert FAILING.keys() <= models.keys()
    assert {name for name in FAILING if models[name].overrides} == OVERRIDING


def test_what_the_program_defines_is_no_error(tmp_path: Path) -> None:
    program = compiled(
        tmp_path, "void __assert(const char *m) {} void abort(void); int main(void) { __assert(0); abort(); }"
    )
    assert failing_kind(program, "__assert") is None
    assert failing_kind(program, "abort") == "abort"
    assert failing_kind(program, "reach_error") == "error-call"


CODES = {
    "assert": "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 5); }",
    "error-call": "int main(void) { if (__VERIFIER_nondet_int() == 5)\n reach_error(); }",
    "abort": "void abort(void); int main(void) { if (__VERIFIER_nondet_int() == 5)\n abort(); }",
    "signed-overflow": "int main(void) { int x = __VERIFIER_nondet_int();\n return x + 1 > 5; }",
    "shift": "int main(void) { unsigned x = __VERIFIER_nondet_int();\n return 1u << x > 5; }",
    "unreachable": "int main(void) { if (__VERIFIER_nondet_int() == 5)\n __builtin_unreachable(); return 0; }",
}


@pytest.mark.parametrize("kind", CODES)
def test_failures_match_properties(kind: str, tmp_path: Path) -> None:
    """What the engine finds is one of the static properties: the list has no second entry for it."""
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + CODES[kind], encoding="utf-8")
    request = VerifyRequest((file,), checks=(kind,), strategy="plain", compiler_flags=("-w",), seconds=600.0)
    summary = run_verify(request, Listener())
    assert [(item.kind, item.verdict) for item in summary.properties] == [(kind, "FALSE")]
    assert summary.properties[0].location == summary.bugs[0].location


def test_a_property_is_named(tmp_path: Path) -> None:
    (item,) = found(tmp_path, "int main(void) {\n reach_error(); }")
    assert str(item).endswith("p.c:2") and str(item).startswith("error-call at")
    assert str(dataclasses.replace(item, location=None)) == "error-call in main"
