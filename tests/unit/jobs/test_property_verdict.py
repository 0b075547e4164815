"""Verdicts on property files: never more than the bugs that were looked for say."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.base.property_file import read_property
from clew.jobs.verify import run_verify
from clew.report.listener import Listener

HEAD = """extern void abort(void); extern void *malloc(unsigned long); extern void free(void *); extern void exit(int);
void reach_error(void) { abort(); }
int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int();
"""
OVERFLOW, UNREACH, CLEANUP = "G ! overflow", "G ! call(reach_error())", "G valid-memcleanup"


@pytest.mark.parametrize(
    ("formula", "body", "verdict"),
    [
        (UNREACH, "if (x == 77) reach_error();", "FALSE"),
        (UNREACH, "if (x > 5 && x < 3) reach_error(); int y = x + 1;", "TRUE"),
        (OVERFLOW, "x = x + 1;", "FALSE"),
        (OVERFLOW, "if (x < 9) x = x + 1;", "TRUE"),
        (OVERFLOW, "x = 1 << (x & 63);", "UNKNOWN"),
        (CLEANUP, "char *p = malloc(4); if (x == 77) p = 0; free(p);", "FALSE"),
        (CLEANUP, "char *p = malloc(4); if (x == 77) { p = 0; exit(1); } free(p);", "UNKNOWN"),
    ],
)
def test_verdicts(formula: str, body: str, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(f"{HEAD}{body} return 0; }}\n")
    (tmp_path / "p.prp").write_text(f"CHECK( init(main()), LTL({formula}) )\n")
    asked, checks = read_property(str(tmp_path / "p.prp"))
    request = VerifyRequest((tmp_path / "p.c",), specification=asked, checks=checks, data_model="LP64", seconds=60)
    assert run_verify(request, Listener()).verdict == verdict


def test_nothing_is_lost_where_nothing_is_allocated(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "p.prp").write_text("CHECK( init(main()), LTL(G valid-memcleanup) )\n")
    asked, checks = read_property(str(tmp_path / "p.prp"))
    summary = run_verify(VerifyRequest((tmp_path / "p.c",), specification=asked, checks=checks), Listener())
    assert summary.verdict == "TRUE"
