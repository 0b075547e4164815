"""The programs of the table ``combination``: those of all other tables, the realistic ones of the tests, libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks import conflicts, engine, invariants, merging, navigation, summaries, targets
from benchmarks.case import Case
from benchmarks.configurations import REACH, VERIFY, switches
from benchmarks.plot import WHOLE
from benchmarks.request import BenchRequest
from benchmarks.subject import PROGRAMS, Subject, comments, expected_errors, nothing
from clew.base.errors import UserError

REAL = Path(__file__).resolve().parents[1] / "tests" / "programs" / "real"

QUICK = (
    "real/calc-bug", "real/json", "real/ring", "merging/fig1_twice", "merging/twenty", "merging/12-*",
    "summaries/nest2", "invariants/records", "navigation/hw", "targets/jsmn-6", "verify/ring_safe",
    "verify/jsmn-4", "reach/fig1",
)  # fmt: skip
"""With --quick."""


def chosen(request: BenchRequest, place: Path) -> list[Case]:
    """What was asked for; some programs are written to ``place``. UserError when there is none."""
    kept = [case for case in _all(request, place) if _is_wanted(case.name, request)]
    if not kept:
        raise nothing("combination", request)
    return kept


def _is_wanted(name: str, request: BenchRequest) -> bool:
    return request.wants(name) and (not request.quick or BenchRequest(only=QUICK).wants(name))


def _all(request: BenchRequest, place: Path) -> Iterator[Case]:
    yield from _real()
    yield from _tested(place)
    yield from _verdicts()
    if request.targets is not None:
        if not request.targets.is_dir():
            raise UserError(f"--targets: no such folder: {request.targets}; {_what_to_fetch()}")
        wanted = [target for target in targets.TARGETS if _is_wanted(target.name, request)]
        yield from (target.case(request.targets.resolve()) for target in wanted)


def _what_to_fetch() -> str:
    libraries = {target.library.folder: target.library.origin for target in targets.TARGETS}
    return "fetch " + ", ".join(f"github.com/{origin} as {folder}/" for folder, origin in libraries.items())


def _real() -> Iterator[Case]:
    """Each program twice: the fixed version, and the one with seeded bugs."""
    for path in sorted(REAL.glob("*.c")):
        stdin = comments(path.read_text(encoding="utf-8"), "stdin")
        options = ("--stdin", stdin[0]) if stdin else ()
        fixed = Case(f"real/{path.stem}", (path,), options=options, errors_known=True)
        yield fixed
        yield replace(fixed, name=f"{fixed.name}-bug", options=("-DBUG", *options), errors=expected_errors([path]))


def _tested(place: Path) -> Iterator[Case]:
    """The programs of the tables for ``clew test``, as these tables run them, but for what is on or off."""
    yield from (Case(f"engine/{name}", (PROGRAMS / f"{name}.c",)) for name in (*engine.CONCRETE, *engine.SYMBOLIC))
    for subject in merging.programs(place):
        if subject.kind in ("", WHOLE):
            flags = (*subject.settings["compiler_flags"], "--stdin", str(merging.STDIN))
            yield replace(_case("merging", subject, flags), errors=subject.errors, errors_known=True)
    everything = BenchRequest()
    off = {word for options in switches().values() for word in options}
    for subject in summaries.chosen(everything):
        yield _case("summaries", subject, tuple(word for word in subject.options if word not in off))
    yield from (_case("invariants", subject) for subject in invariants.chosen(everything))
    yield from (_case("navigation", subject) for subject in navigation.chosen(BenchRequest(quick=True)))


def _verdicts() -> Iterator[Case]:
    for task in conflicts.chosen(BenchRequest()):
        yield Case(f"verify/{task.name}", task.files, expected=task.expected, options=task.options, command=VERIFY)
    for subject in navigation.chosen(BenchRequest()):
        options = (*subject.options, *navigation.TARGET)
        yield Case(
            f"reach/{subject.name}", subject.files, expected=subject.expected, options=options, command=REACH
        )  # fmt: skip


def _case(table: str, subject: Subject, options: tuple[str, ...] = ()) -> Case:
    return Case(f"{table}/{subject.name}", subject.files, options=options)
