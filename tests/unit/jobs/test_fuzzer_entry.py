"""Programs that have ``LLVMFuzzerTestOneInput`` and no ``main``."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import TestRequest, VerifyRequest
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener

FUZZED = """
#include <stddef.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size >= 4 && memcmp(data, "FUZZ", 4) == 0)
    return data[size];
  return 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    made = tmp_path / "fuzz.c"
    made.write_text(FUZZED)
    return made


def test_the_entry_is_called_with_standard_input(source: Path) -> None:
    summary = run_test(TestRequest((source,), stdin=8, seconds=60.0), Listener())
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("out-of-bounds", True)]
    assert [branch.covered for branch in summary.coverage.branches] == [True] * 4


def test_how_much_input_is_said(source: Path) -> None:
    warnings: list[str] = []

    class Heard(Listener):
        def warning(self, text: str) -> None:
            warnings.append(text)

    run_test(TestRequest((source,), seconds=60.0, max_instructions=1), Heard())
    assert warnings == ["LLVMFuzzerTestOneInput is given at most 64 bytes; --stdin N for another number"]


def test_a_verdict_needs_a_bound_that_the_user_gives(source: Path) -> None:
    with pytest.raises(UserError, match="--stdin N"):
        run_verify(VerifyRequest((source,)), Listener())
