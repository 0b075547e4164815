"""``clew verify --strategy cells``: what holds of all cells of arrays, and what is not claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from unit.execute.support import PRELUDE

INT = "__VERIFIER_nondet_int()"
FILL = f"for (i = 0; i < n; i++) a[i] = {INT};"
MAX = "for (i = 1; i < n; i++) if (a[i] > m) m = a[i];"
ALL = "for (i = 0; i < n; i++) "


def verify(folder: Path, code: str, **options: Any) -> Summary:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#include <stdlib.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    request = VerifyRequest((file,), seconds=600.0, compiler_flags=("-w",), strategy="cells", **options)
    return run_verify(request, Listener())


def program(body: str, before: str = "") -> str:
    return f"{before}\nint main(void) {{ int i, n = {INT}; if (n < 1 || n > 1000) return 0; {body} return 0; }}\n"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "code",
    [
        program(f"int a[n]; {FILL} int m = a[0]; {MAX} {ALL} assert(a[i] <= m);"),
        program(
            f"{FILL} int e = {INT}, j = 0; while (j < n && a[j] != e) j++; for (i = 0; i < j; i++) assert(a[i] != e);",
            "int a[1000];",
        ),
        program(
            f"int a[1000], b[1000], same = 1; {ALL} a[i] = {INT}, b[i] = {INT};"
            f" {ALL} if (a[i] != b[i]) same = 0; if (same) {ALL} assert(a[i] == b[i]);".replace("i < n", "i < 1000")
        ),
    ],
    ids=["greatest", "search", "comparison"],
)  # fmt: skip
def test_one_cell_proves(tmp_path: Path, code: str) -> None:
    summary = verify(tmp_path, code)
    assert summary.verdict == "TRUE"
    assert "every cell of its arrays" in summary.reason


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "code",
    [
        program(f"int a[n]; {FILL} int m = a[0]; {MAX} m -= n == 777; {ALL} assert(a[i] <= m);"),
        # Two cells are told apart.
        program(f"int a[1000]; {FILL} a[5] = 1; if (n > 700) assert(a[700] == a[5] || a[700] != 1 + a[5]);"),
        # The address goes elsewhere.
        program(f"int a[1000]; {FILL} a[3] = 1; f(a); if (n > 990) assert(a[3] == 1);",
                "void f(int *p) { p[3] = 2; }"),
        program(f"int a[1000]; {FILL} a[3] = 1; freed(a); if (n > 990) assert(a[3] == 1);",
                "void freed(int *p) { p[3] = 2; }"),
        # Bytes of an element are written.
        program(f"int a[1000]; {FILL} a[3] = 1; *((char *)a + 13) = 1; if (n > 990) assert(a[3] == 1);"),
        # Another function writes between two readings.
        program("int *p = &i; g[n] = 1; int v = g[n]; set(n); if (n == 999) assert(v == g[n]);",
                "int g[1001]; void set(int k) { g[k] = 2; }"),
    ],
    ids=["greatest", "two cells", "escaping", "escaping by name", "bytes", "callee"],
)  # fmt: skip
def test_what_does_not_hold_is_not_proved(tmp_path: Path, code: str) -> None:
    assert verify(tmp_path, code).verdict != "TRUE"


def test_indices_of_a_machine_with_32_bits(tmp_path: Path) -> None:
    code = program(f"int a[1000]; {FILL} int m = a[0]; {MAX} {ALL} assert(a[i] <= m);")
    assert verify(tmp_path, code, data_model="ILP32").verdict == "TRUE"


def test_accesses_of_memory_are_not_its_business(tmp_path: Path) -> None:
    code = program(f"int a[100]; for (i = 0; i < n; i++) a[i] = {INT}; assert(i == n);")
    assert verify(tmp_path, code, checks=("assert", "memory")).verdict != "TRUE"
