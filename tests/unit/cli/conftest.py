"""A command line whose engine is a stand-in."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.report.listener import Listener
from clew.report.records import Summary
from support.command_line import Clew, caller
from support.schemas import check_folder

Job = Callable[[TestRequest, Listener], Summary]


def _nothing(request: TestRequest, listener: Listener) -> Summary:
    return Summary("test", tuple(str(file) for file in request.files))


@dataclass
class Engine:
    """Stands in for the job; remembers what it was asked."""

    job: Job = _nothing
    requests: list[TestRequest] = field(default_factory=list)

    def run_test(self, request: TestRequest, listener: Listener) -> Summary:
        self.requests.append(request)
        return self.job(request, listener)

    @property
    def request(self) -> TestRequest:
        return self.requests[-1]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Engine]:
    """The stand-in is installed, and the working directory is a fresh one; what was written is as formats have it."""
    made = Engine()
    module = types.ModuleType("clew.jobs.test")
    module.run_test = made.run_test  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "clew.jobs.test", module)
    monkeypatch.chdir(tmp_path)
    yield made
    for folder in tmp_path.glob("clew-out/*"):
        check_folder(folder)


@pytest.fixture
def clew(engine: Engine, capfd: pytest.CaptureFixture[str]) -> Clew:
    """Runs a command line."""
    return caller(capfd)
