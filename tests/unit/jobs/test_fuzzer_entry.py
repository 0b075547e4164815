"""Programs that have ``LLVMFuzzerTestOneInput`` and no ``main``."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha1
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import ReplayRequest, TestRequest, VerifyRequest
from clew.jobs.replay import run_replay
from clew.jobs.seeds import read_seeds
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.folder import OutputFolder
from clew.report.listener import Listener
from clew.report.recorder import Recorder
from clew.report.replay_records import Status

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
    assert warnings == ["LLVMFuzzerTestOneInput is given at most 64 bytes; --input-size N for another number"]


def test_how_much_input_may_be_said(source: Path) -> None:
    summary = run_test(TestRequest((source,), input_size=3, seconds=60.0), Listener())
    assert not summary.bugs and summary.stopped is None and not summary.warnings
    assert run_verify(VerifyRequest((source,), input_size=5, checks=("memory",)), Listener()).verdict == "FALSE"


def test_the_size_of_an_input_is_that_of_a_fuzzer(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UserError, match="--stdin N for this one"):
        run_test(TestRequest((source,), input_size=3), Listener())
    with pytest.raises(UserError, match="give one of them"):
        TestRequest((source,), input_size=3, stdin=3)


def test_what_is_found_is_a_corpus_to_start_from(source: Path, tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path / "out")
    request = TestRequest((source,), input_size=8, seconds=60.0)
    run_test(request, Recorder(folder, request))
    corpus = sorted((folder.path / "corpus").iterdir())
    assert all(file.name == sha1(file.read_bytes(), usedforsecurity=False).hexdigest() for file in corpus)
    assert any(file.read_bytes().startswith(b"FUZZ") for file in corpus)
    seeds = read_seeds(folder.path / "corpus", 8, pytest.fail)
    assert len(seeds) == len(corpus)
    again = run_test(replace(request, seeds=folder.path / "corpus"), Listener())
    assert [bug.kind for bug in again.bugs] == ["out-of-bounds"]


@pytest.mark.native
def test_its_tests_run_natively(source: Path, tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path / "out")
    request = TestRequest((source,), input_size=8, seconds=60.0)
    recorder = Recorder(folder, request)
    recorder.finish(run_test(request, recorder))
    report = run_replay(ReplayRequest(folder.path))
    assert len(report.tests) > 2 and {test.status for test in report.tests} == {Status.AGREED}


def test_a_verdict_needs_a_bound_that_the_user_gives(source: Path) -> None:
    with pytest.raises(UserError, match="--input-size N"):
        run_verify(VerifyRequest((source,)), Listener())
