"""Which functions were run: the part of coverage that lcov wants beside branches and lines."""

from __future__ import annotations

from dataclasses import replace

from clew.execute.coverage import Coverage
from clew.program.module import Function, Program
from clew.report.records import Coverage as CoverageRecord
from clew.report.records import FunctionCoverage


def with_functions(record: CoverageRecord, coverage: Coverage, program: Program) -> CoverageRecord:
    """The record, with an entry for every function that has a place in the user's source."""
    functions = []
    for function in program.functions.values():
        place = place_of(function)
        if place is not None and function.name not in program.runtime:
            covered = (function.name, function.blocks[0].name) in coverage.blocks
            functions.append(FunctionCoverage(function.source_name, *place, covered))
    return replace(record, functions=tuple(functions))


def place_of(function: Function) -> tuple[str, int] | None:
    """Where it begins; without debug info of its own, where its first line with code is."""
    if function.is_declaration:
        return None
    if function.location is not None and function.location.line:
        return function.location.file, function.location.line
    places = [item.location for block in function.blocks for item in block.instructions if item.location is not None]
    lines = [(place.file, place.line) for place in places if place.line]
    return min(lines) if lines else None
