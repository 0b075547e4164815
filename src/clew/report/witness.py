"""``witness.yml``: the verdict in a form that other verifiers can check (witnesses of SV-COMP, format 2.0).

A violation is what the inputs are, call by call, and the place that they lead to. A proof is the loop invariants that
it rests on, where there are some that C can say; an empty set of them is a valid witness.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from clew import __version__
from clew.base.location import Location
from clew.base.property_file import PropertyFile
from clew.report.csyntax import c_value
from clew.report.excerpt import Sources
from clew.report.kinds import BUG_KINDS, Specification
from clew.report.loop_syntax import LoopSyntax
from clew.report.records import Bug, InputValue, LoopInvariant, Summary
from clew.report.testcomp import program_hash
from clew.report.writers import WRITERS, RunResults


@WRITERS.register("witness.yml", "the verdict of clew verify, for other verifiers")
def write_witness(results: RunResults) -> str | None:
    if results.summary.command != "verify":
        return None
    bits = results.program.pointer_bits
    asked = results.request.specification
    return witness_of(results.summary, results.request.files, bits, datetime.now(UTC), results.sources, asked)


def witness_of(
    summary: Summary,
    files: Sequence[Path],
    pointer_bits: int,
    created: datetime,
    sources: Sources | None = None,
    asked: PropertyFile | None = None,
) -> str | None:
    """The text of the file; None where there is nothing to witness. ``asked``: the property that was asked about."""
    confirmed = [bug for bug in summary.certain if bug.confirmed]
    bug = min(confirmed, key=lambda bug: not BUG_KINDS[bug.kind].is_the_error, default=None)
    if summary.verdict == "FALSE" and bug is not None:
        kind, content = "violation_sequence", _violation(bug, sources or Sources())
        of_bug = specification_of((bug.kind,))
        specification = of_bug if asked is None or len(asked.formulas) > 1 else asked.formulas[0]
    elif summary.verdict == "TRUE":
        kind, content = "invariant_set", _invariants(summary.loop_invariants, sources or Sources())
        specification = specification_of(summary.checks) if asked is None else asked.text
    else:
        return None
    task = {
        "input_files": [str(file) for file in files],
        "input_file_hashes": {str(file): program_hash([file]) for file in files},
        "specification": specification,
        "data_model": "ILP32" if pointer_bits == 32 else "LP64",
        "language": "C",
    }
    made = created.isoformat(timespec="seconds")
    name = json.dumps([kind, task, content, made], sort_keys=True)
    metadata = {
        "format_version": "2.0",
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, name)),
        "creation_time": made,
        "producer": {"name": "Clew", "version": __version__},
        "task": task,
    }
    return "\n".join(_yaml([{"entry_type": kind, "metadata": metadata, "content": content}])) + "\n"


def _invariants(invariants: Sequence[LoopInvariant], sources: Sources) -> list[object]:
    """Those of loops whose keywords are found; the text of a condition is that of C."""
    found: list[object] = []
    for invariant in invariants:
        syntax = LoopSyntax(sources.text(invariant.location.file))
        loop = syntax.around(invariant.location.line, max(invariant.location.column, 1))
        if loop is None:
            continue
        line, column = syntax.place(loop.start)
        location = {**_place(replace(invariant.location, line=line)), "column": column, "function": invariant.function}
        value = {"type": "loop_invariant", "location": location, "value": invariant.text, "format": "c_expression"}
        found.append({"invariant": value})
    return found


def specification_of(kinds: Sequence[str]) -> str:
    """The property of SV-COMP that errors of these kinds violate, the first there is."""
    violated = {BUG_KINDS[kind].specification for kind in kinds}
    return next((text for text in Specification if text in violated), Specification.DEFINED_BEHAVIOUR).value


def _violation(bug: Bug, sources: Sources) -> list[object]:
    waypoints = [point for value in bug.inputs if (point := _input(value, sources)) is not None]
    if bug.location is not None:
        # Without the function: for an inlined one, or a macro, validators may see another.
        waypoints.append(_waypoint("target", {**_place(bug.location), **_column(bug.location.column)}))
    return [{"segment": [{"waypoint": point}]} for point in waypoints]


def _input(value: InputValue, sources: Sources) -> dict[str, object] | None:
    """What a call returns; None for an input that does not come from one, or has no value in C."""
    where = value.place
    if where is None or value.kind != "nondet" or isinstance(value.value, bytes):
        return None
    if isinstance(value.value, float) and not math.isfinite(value.value):
        return None
    location = {**_place(where), **_column(_closing(sources, where))}
    if where.function:
        location["function"] = where.function
    constraint = {"value": f"\\result == {c_value(value)}", "format": "acsl_expression"}
    return {**_waypoint("function_return", location), "constraint": constraint}


def _waypoint(kind: str, location: Mapping[str, object]) -> dict[str, object]:
    return {"type": kind, "action": "follow", "location": location}


def _place(location: Location) -> dict[str, object]:
    return {"file_name": location.file, "line": location.line}


def _column(column: int) -> dict[str, object]:
    return {"column": column} if column else {}


def _closing(sources: Sources, call: Location) -> int:
    """The column of the parenthesis that closes a call, where the format wants it; 0 if it is not on that line."""
    text = sources.raw_line(call)
    depth = 0
    for column in range(max(call.column, 1), len(text) + 1):
        char = text[column - 1 : column]
        depth += (char == b"(") - (char == b")")
        if char == b")" and depth <= 0:
            return column if depth == 0 else 0
        if depth == 0 and char in (b";", b",", b"{", b"}"):
            break
    return 0


def _yaml(value: object) -> list[str]:
    """Lines of YAML in block style; texts are quoted as in JSON, which YAML reads alike."""
    if isinstance(value, Mapping) and value:
        return [line for key, item in value.items() for line in _entry(f"{_key(str(key))}:", item)]
    if isinstance(value, list) and value:
        return [line for item in value for line in _item(_yaml(item))]
    return [json.dumps(value)]


def _entry(head: str, item: object) -> list[str]:
    lines = _yaml(item)
    if not item or not isinstance(item, Mapping | list):
        return [f"{head} {lines[0]}"]
    return [head, *(f"  {line}" for line in lines)]


def _item(lines: list[str]) -> list[str]:
    return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]


def _key(text: str) -> str:
    return text if text.replace("_", "").isalpha() and text.isascii() else json.dumps(text)
