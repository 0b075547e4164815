"""What there is to do for a project: its program, loaded once for all runs, and the functions that get one."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path

from clew.analysis.callgraph import CallGraph
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.options import ProjectRequest, TestRequest
from clew.checks.check import sanitizers
from clew.execute.context import RunOptions
from clew.execute.coverage import branch_ids
from clew.jobs.function_coverage import place_of
from clew.jobs.prepare import KEEP_ALL, load_program, make_machine, wanted_kinds
from clew.jobs.project.entries import Entry, changed_lines, entries_of
from clew.jobs.project.part import Parts
from clew.jobs.test import prepare, run_test
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.records import BranchId, Summary

_NOT_OPTIONS = frozenset(
    ("began", "interrupt", "seconds", "memory_mb", "verbose", "since", "only", "files", "notes", "baseline", "fail_on")
)
"""Fields of a request that the results of a function do not depend on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The program, and its entries."""

    request: ProjectRequest
    program: Program
    entries: list[Entry]
    parts: Parts

    def branches(self) -> set[BranchId]:
        """All that there are in the project."""
        return branch_ids(self.program)

    def places(self) -> dict[str, tuple[str, int]]:
        """Where each function begins, as coverage tells it."""
        found = {function.name: place_of(function) for function in self.program.functions.values()}
        return {name: place for name, place in found.items() if place is not None}

    def run_entry(self, request: TestRequest, listener: Listener) -> Summary:
        """The job of one run."""
        named = (entry.name for entry in self.entries if entry.asked == request.function)
        return run_test(request, listener, self.parts.of(next(named, "main")))

    def request_for(self, entry: Entry, seconds: float, memory_mb: float | None) -> TestRequest:
        """What the run of one entry is asked for."""
        request = self.request
        given = {item.name: getattr(request, item.name) for item in fields(TestRequest) if item.init}
        function = None if entry.is_program else entry.asked
        changed = {
            "function": function,
            "seconds": None if request.seconds is None else seconds,
            "memory_mb": memory_mb,
            "notes": (),
            "program": Path(entry.file).stem if entry.is_program and request.apart else request.program,
            "emit": request.emit if function is not None else None,
        }
        return TestRequest(**given | changed)


def plan_of(request: ProjectRequest, listener: Listener) -> Plan:
    """Load the program and choose its entries; ``UserError`` if there is nothing to do."""
    sanitize = sanitizers(wanted_kinds(request))
    program = load_program(request, listener, sanitize, KEEP_ALL, partial(prepare, request))
    calls = CallGraph(program, make_machine(program, RunOptions()).callees)
    shared = {item.name: getattr(request, item.name) for item in fields(request) if item.name not in _NOT_OPTIONS}
    files = [str(file) for file in request.files]
    changed = None if request.since is None else changed_lines(request.since, files)
    found = entries_of(program, calls, repr(sorted(shared.items())), request.only, changed, files)
    if not found and request.since is None:
        which = f"a name like {request.only}" if request.only else "a body"
        raise UserError(f"no function of these files that can be run by itself has {which}")
    return Plan(request, program, found, Parts(program, calls))
