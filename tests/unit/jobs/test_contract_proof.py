"""``clew verify --strategy contracts``: what recursive functions keep at any depth, and what is not claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from unit.execute.support import PRELUDE

INT = "__VERIFIER_nondet_int()"


def verify(folder: Path, code: str) -> Summary:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    request = VerifyRequest((file,), seconds=600.0, compiler_flags=("-w",), strategy="contracts")
    return run_verify(request, Listener())


def program(functions: str, body: str) -> str:
    return f"{functions}\nint main(void) {{ {body} return 0; }}\n"


NINETY_ONE = "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }"
SUM = "unsigned f(unsigned n) { if (n == 0) return 0; return n + f(n - 1); }"
PARITY = """int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }"""
DEPTH = "int depth, calls; void f(int n) { calls++; if (n <= 0) return; depth++; f(n - 1); depth--; }"
FIXED = "int f(int *p, int k, int n) { if (n <= 0) return k; return f(p, k, n - 1) + (*p > 9); }"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "code",
    [
        program(NINETY_ONE, f"int n = {INT}; int r = f(n); assert(n > 100 ? r == n - 10 : r == 91);"),
        program(SUM, f"unsigned n = {INT}; assert(2 * f(n) == n * n + n);"),
        program(PARITY, f"int n = {INT}; if (n < 0) return 0; assert(even(n) == (n % 2 == 0));"),
        program(DEPTH, f"f({INT}); assert(depth == 0);"),
        program(FIXED, f"int x = {INT} & 7, k = {INT}; assert(f(&x, k, {INT}) == k);"),
    ],
)
def test_contracts_prove(tmp_path: Path, code: str) -> None:
    summary = verify(tmp_path, code)
    assert summary.verdict == "TRUE"
    assert "contracts of recursive functions" in summary.reason


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "code",
    [
        program(NINETY_ONE, f"int n = {INT}; if (n < -1000) return 0; int r = f(n); assert(r <= 100000);"),
        program(DEPTH.replace("depth--", "if (n != 500) depth--"), f"f({INT}); assert(depth == 0);"),
        program(
            "int x; void f(int *p, int n) { if (n <= 0) return; int y = n; *p += y; f(&y, n - 1); x |= y != n; }",
            f"int z = 0; f(&z, {INT}); assert(x == 0);",
        ),
        program(SUM.replace("n == 0", "n <= 3000").replace("return 0", "return n == 7"), f"assert(f({INT}) != 1);"),
    ],
)
def test_what_does_not_hold_is_not_proved(tmp_path: Path, code: str) -> None:
    assert verify(tmp_path, code).verdict != "TRUE"


def test_functions_that_are_called_through_pointers_are_left_alone(tmp_path: Path) -> None:
    code = program(
        "int (*g)(int); int f(int n) { return n <= 0 ? 0 : g(n - 1); }", f"g = f; int r = f({INT} & 3); assert(r == 0);"
    )
    summary = verify(tmp_path, code)
    assert summary.verdict == "TRUE"
    assert "contracts" not in summary.reason
