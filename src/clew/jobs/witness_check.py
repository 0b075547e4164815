"""Correctness witnesses (SV-COMP, format 2.0) that others have written, checked: ``clew verify --witness F``.

The invariants of the witness become assertions in the program: one at the head of each loop, evaluated before the
condition of the loop, or before a statement. All that is verified then, as anything else; an assertion at the head of a
loop is a hypothesis of k-induction, so invariants that are inductive, and imply the property, are enough. If
one of them does not hold, or is not shown to, the witness is not confirmed, whatever is known of the program.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.checks.check import chosen_kinds
from clew.checks.properties import FAILING, INVARIANT
from clew.jobs.verdict import overall
from clew.report.loop_syntax import LoopSyntax, inserted
from clew.report.records import Summary
from clew.report.testcomp import program_hash

_CONSTRAINT = "c_expression"
INVARIANT_KIND = FAILING[INVARIANT]


@dataclass(frozen=True, slots=True)
class Invariant:
    """What a witness claims of a place in a file."""

    file: str
    line: int
    column: int | None
    at_loop: bool
    text: str

    def __str__(self) -> str:
        return f"{self.text!r} ({self.file}:{self.line})"


@dataclass(frozen=True, slots=True)
class WitnessCheck:
    """A request about the program with the assertions of a witness, and where they are."""

    request: VerifyRequest
    claims: Mapping[tuple[str, int, int], Invariant]
    """By file, line and column of the call that says that one is violated."""
    unasked: frozenset[str] = frozenset()
    """Kinds of errors that are looked for since invariants are among them, and that nobody has asked for."""

    def judged(self, summary: Summary) -> Summary:
        """The result of a run over that program as one about the witness."""
        asked = tuple(i for i in summary.properties if self._at(i.location) is None and i.kind not in self.unasked)
        bugs = tuple(b for b in summary.bugs if self._at(b.location) is None and b.kind not in self.unasked)
        verdict = overall([item.verdict for item in asked])
        result = replace(summary, properties=asked, bugs=bugs, verdict=verdict)
        if verdict == "FALSE":
            return replace(result, reason=f"the witness is wrong: {summary.reason}")
        for wanted, problem in (("FALSE", "does not hold"), ("UNKNOWN", "is not shown to hold")):
            for item in summary.properties:
                claim = self._at(item.location)
                if claim is not None and item.verdict == wanted:
                    said = "wrong" if wanted == "FALSE" else "not confirmed"
                    reason = f"the witness is {said}: its invariant {claim} {problem}"
                    return replace(result, verdict="UNKNOWN", reason=reason)
        if verdict == "TRUE":
            return replace(result, reason=f"{summary.reason}; the witness is confirmed")
        return replace(result, reason=f"the invariants of the witness hold, but are not enough: {summary.reason}")

    def _at(self, place: Location | None) -> Invariant | None:
        return None if place is None else self.claims.get((place.file, place.line, place.column))


@contextmanager
def witnessed(request: VerifyRequest) -> Iterator[WitnessCheck]:
    """The request with the invariants of its witness as assertions, in files that are there for so long."""
    assert request.witness is not None
    invariants = read_witness(request.witness, request.files)
    with tempfile.TemporaryDirectory(prefix="clew-witness-") as name:
        files: list[Path] = []
        claims: dict[tuple[str, int, int], Invariant] = {}
        for number, file in enumerate(request.files):
            own = [item for item in invariants if _is_in(item, file, request.files)]
            changed = Path(name) / f"{number}-{file.name}"
            changed.write_text(_asserting(file, own, claims), encoding="utf-8")
            files.append(changed if own else file)
        folders = tuple(f"-I{folder}" for folder in dict.fromkeys(file.resolve().parent for file in request.files))
        flags = (*request.compiler_flags, *folders)
        changed_request = replace(request, files=tuple(files), compiler_flags=flags, witness=None)
        if request.checks is None or INVARIANT_KIND in chosen_kinds(request.checks):
            yield WitnessCheck(changed_request, claims)
        else:
            more = (*request.checks, "assert")
            unasked = chosen_kinds(more) - chosen_kinds(request.checks)
            yield WitnessCheck(replace(changed_request, checks=more), claims, unasked)


def _is_in(item: Invariant, file: Path, files: Sequence[Path]) -> bool:
    return len(files) == 1 or Path(item.file).name == file.name


# Reading


def read_witness(path: Path, files: Sequence[Path]) -> list[Invariant]:
    """The invariants of a correctness witness; UserError if it is none, or one of another program."""
    import yaml  # type: ignore[import-untyped]  # nothing else needs it

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as problem:
        raise UserError(f"{path} cannot be read as a witness: {problem}") from None
    try:
        found: list[Invariant] = []
        for entry in entries:
            if entry["entry_type"] != "invariant_set":
                raise UserError(f"{path} is no correctness witness: it has an entry {entry['entry_type']!r}")
            _check_hashes(path, entry["metadata"]["task"]["input_file_hashes"], files)
            found += [_invariant(path, item["invariant"]) for item in entry["content"]]
    except (KeyError, TypeError, AttributeError) as problem:
        raise UserError(f"{path} is no witness of format 2.0: {problem!r} is missing or wrong") from None
    return found


def _check_hashes(path: Path, hashes: Mapping[str, str], files: Sequence[Path]) -> None:
    own = {program_hash([file]): file for file in files}
    for name, value in hashes.items():
        if value not in own:
            raise UserError(f"{path} is the witness of another program: the hash of {name} differs")


def _invariant(path: Path, item: Mapping[str, Any]) -> Invariant:
    kind, place = item["type"], item["location"]
    if kind not in ("loop_invariant", "location_invariant") or item.get("format", _CONSTRAINT) != _CONSTRAINT:
        raise UserError(f"{path}: invariants of type {kind!r} in format {item.get('format')!r} are not supported")
    text = " ".join(str(item["value"]).split())
    if not text or re.search(r"[;{}#]", text) or text.count("(") != text.count(")"):
        raise UserError(f"{path}: {text!r} is no condition")
    column = place.get("column")
    return Invariant(
        place["file_name"], int(place["line"]), None if column is None else int(column), kind == "loop_invariant", text
    )


# Assertions


def _asserting(file: Path, invariants: Sequence[Invariant], claims: dict[tuple[str, int, int], Invariant]) -> str:
    """The text of a file with assertions; ``claims`` learns where they are."""
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    syntax = LoopSyntax(text)
    additions = [(place, before, claim) for claim in invariants for place, before in _places(file, syntax, claim)]
    marked = inserted(text, [(place, code) for place, code, _ in additions])
    first = f'extern void {INVARIANT}(void);\n#line 1 "{file}"\n'
    by_code = {code: claim for _, code, claim in additions if INVARIANT in code}
    for number, line in enumerate(marked.split("\n"), 1):
        for code, claim in by_code.items():
            start = line.find(code)
            if start >= 0:
                column = len(line[: start + code.index(INVARIANT)].encode("utf-8", "surrogateescape")) + 1
                claims[str(file), number, column] = claim
    return first + marked


def _places(file: Path, syntax: LoopSyntax, claim: Invariant) -> Iterator[tuple[int, str]]:
    """Offsets of a text, and the code to insert there, that check an invariant."""
    check = f"(({claim.text}) ? (void)0 : {INVARIANT}())"
    if not claim.at_loop:
        offset = syntax.offset(claim.line, claim.column or 1)
        offset += len(syntax.text[offset:]) - len(syntax.text[offset:].lstrip())
        if not syntax.begins_statement(offset):
            raise UserError(f"no statement begins at {file}:{claim.line}, where the witness has an invariant")
        yield offset, f"{check}; "
        return
    loop = syntax.at(claim.line, claim.column)
    if loop is None or (loop.condition is None and syntax.text[loop.body] != "{"):
        raise UserError(f"no loop that is understood begins at {file}:{claim.line}, where the witness has an invariant")
    if loop.condition is None:
        yield loop.body + 1, f" {check};"
        return
    start, end = loop.condition
    if not syntax.text[start:end].strip():
        yield start, f"{check}, 1"
        return
    yield start, f"{check}, ("
    yield end, ")"
