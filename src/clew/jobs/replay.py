"""``clew replay``: the tests of a run, natively, one contained process each, compared with what was predicted."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew.base.command_line import relocated
from clew.base.errors import InternalError, UserError
from clew.base.options import ReplayRequest
from clew.checks.check import CHECKS, chosen_kinds, sanitizers
from clew.frontend.options import CompileOptions
from clew.jobs.native.build import NativeProgram, NoNativeProgram, Sources, build, shown
from clew.jobs.native.comparison import SANITIZER_EXIT, Observation, judge, observe
from clew.jobs.native.leak_search import LeakSearch, try_leak_search
from clew.jobs.native.sandbox.serve import KEPT
from clew.jobs.native.sandboxed import Sandbox, sandboxed
from clew.report.driver import driver_source, in_libc
from clew.report.folder import readable_json, write_or_refuse
from clew.report.kinds import BUG_KINDS, SURVIVED, TRAP
from clew.report.lines import counted
from clew.report.reading import StoredRun, StoredTest, read_run
from clew.report.replay_records import Replayed, ReplayReport, Status
from clew.report.stubs import made_up_functions, made_up_variables
from clew.report.test_environment import setting_of
from clew.report.testcomp import program_hash
from clew.report.writers import DriverTest

LEAK = "memory-leak"
TRAPPING = frozenset(name for name, kind in BUG_KINDS.items() if TRAP in kind.shows_as)
"""Kinds of bugs that a sanitizer's trap may stand for."""
QUARANTINE = 8
"""The part of a test's memory in which AddressSanitizer keeps what was freed."""


def run_replay(request: ReplayRequest, progress: Callable[[int, int], None] | None = None) -> ReplayReport:
    """Compile, run every test, and write ``replay.json``; UserError or NoNativeProgram when that cannot be done."""
    run = read_run(request.folder)
    sources = run.sources()
    warnings = _warnings(run, sources)
    with _scratch() as folder:
        program = _build(run, sources, folder, request)
        numbered = list(enumerate(run.tests, 1))
        with _sandboxed(folder, request) as sandbox:
            results = _run_all(numbered, run.argv, program, sandbox, request, progress)
            containment, missing = sandbox.kept, sandbox.broken
        _second_opinion(run, sources, program, results, folder, request)
    interrupted = len(results) < len(run.tests)
    report = ReplayReport(
        str(request.folder), shown(program), containment, tuple(results), tuple(warnings), interrupted, missing
    )
    write_or_refuse(request.folder / "replay.json", readable_json(report.to_json()))
    return report


def _warnings(run: StoredRun, sources: tuple[Path, ...]) -> list[str]:
    if run.program_hash and program_hash(sources) != run.program_hash:
        return ["the program has changed since the tests were made; they may not fit it any more"]
    return []


def _build(
    run: StoredRun, sources: tuple[Path, ...], folder: Path, request: ReplayRequest, clang_only: bool = False
) -> NativeProgram:
    if run.function is not None and run.call is None:
        raise UserError(f"the parameters of {run.function} have no C types; its tests can only be replayed by hand")
    tests = [DriverTest(test.inputs, argv=run.argv) for test in run.tests]
    inputs = tuple(value for test in run.tests for value in test.inputs)
    try:
        driver = driver_source(tests, run.files, run.entry, run.call, stubs=False)
    except (LookupError, ValueError):
        raise UserError("a test describes memory that makes no sense: the output folder is damaged") from None
    entry = run.entry if run.function is not None else None
    options = CompileOptions(target=run.target, data_model=run.data_model)  # type: ignore[arg-type]  # read_run checked
    resolved = tuple(path.resolve() for path in sources)
    program = Sources(resolved, _flags(run), driver, entry, inputs, run.recipes)
    return build(program, options, folder, request.compiler, clang_only)


def _second_opinion(
    run: StoredRun,
    sources: tuple[Path, ...],
    first: NativeProgram,
    results: list[Replayed],
    folder: Path,
    request: ReplayRequest,
) -> None:
    """GCC folds some undefined operations away before its sanitizer sees them: ask Clang about those."""
    doubtful = [
        (number, run.tests[number - 1])
        for number, result in enumerate(results, 1)
        if result.status is Status.DISAGREED and result.predicted in TRAPPING and result.observed.startswith("exit ")
    ]
    if not doubtful or first.compiler.clang or request.compiler is not None or _interrupted(request):
        return
    place = folder / "second"
    place.mkdir(mode=0o711)
    try:
        program = _build(run, sources, place, request, clang_only=True)
    except NoNativeProgram:
        return
    with _sandboxed(place, request) as sandbox:
        again = _run_all(doubtful, run.argv, program, sandbox, request, None)
    for (number, _), result in zip(doubtful, again, strict=False):
        if result.status is Status.AGREED:
            note = f"not seen by {first.compiler.name}, which may fold it away; seen by {program.compiler.name}"
            results[number - 1] = replace(result, notes=(*result.notes, note))


def _flags(run: StoredRun) -> tuple[str, ...]:
    """The user's flags; folders they name are relative to where the run was started. What the run did not look for, and
    compiled programs get over, is not to stop them."""
    here = Path(run.directory or ".")
    asked = sanitizers(chosen_kinds(run.checks))
    unasked = sorted({name for check in SURVIVED for name in CHECKS.get(check).sanitizers}.difference(asked))
    without = (f"-fno-sanitize={','.join(unasked)}",) if unasked else ()
    return (*relocated(run.flags, lambda path: str(here / path)), *without)


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder that other users (the one tests run as) can pass through, and that is removed with all in it."""
    try:
        with tempfile.TemporaryDirectory(prefix="clew-replay-", ignore_cleanup_errors=True) as name:
            Path(name).chmod(0o711)
            yield Path(name)
    except OSError as error:
        raise UserError(
            f"cannot create temporary files: {error.strerror or error}; set TMPDIR to a folder with room"
        ) from None


@contextmanager
def _sandboxed(folder: Path, request: ReplayRequest) -> Iterator[Sandbox]:
    with sandboxed(folder, request.without) as sandbox:
        if not request.uncontained:
            sandbox.require()
        yield sandbox


def _run_all(
    chosen: list[tuple[int, StoredTest]],
    argv: tuple[bytes | int, ...],
    program: NativeProgram,
    sandbox: Sandbox,
    request: ReplayRequest,
    progress: Callable[[int, int], None] | None,
) -> list[Replayed]:
    results: list[Replayed] = []
    search: LeakSearch | None = None
    for number, test in chosen:
        if _interrupted(request):
            break
        if progress is not None:
            progress(number, len(chosen))
        try:
            job = _job(number, test, argv, program, request)
            if test.kind == LEAK and program.compiler.address_checks:
                search = search or try_leak_search(sandbox, program, job)
                job = _searching(job, search)
            answer = sandbox.run(job)
        except InternalError:
            if _interrupted(request):
                break
            raise
        results.append(_result(test, answer, program, search.problem if search and test.kind == LEAK else ""))
    return results


def _searching(job: dict[str, Any], search: LeakSearch) -> dict[str, Any]:
    """The job with a search for leaks that takes its time, or without one."""
    if not search.problem:
        return {**job, "seconds": job["seconds"] + search.seconds}
    options = job["environment"]["ASAN_OPTIONS"].replace("detect_leaks=1", "detect_leaks=0")
    return {**job, "environment": {**job["environment"], "ASAN_OPTIONS": options}}


def _interrupted(request: ReplayRequest) -> bool:
    return request.interrupt.requested


def _job(
    number: int,
    test: StoredTest,
    argv: tuple[bytes | int, ...],
    program: NativeProgram,
    request: ReplayRequest,
) -> dict[str, Any]:
    address = program.compiler.address_checks
    return {
        "number": number,
        "program": str(program.path),
        "arguments": [word.hex() for word in setting_of(test.inputs, argv).arguments],
        "environment": {"CLEW_TEST": str(number), **_sanitizer_environment(test, request)},
        "seconds": request.seconds,
        "memory_mb": request.memory_mb,
        # AddressSanitizer reserves terabytes of addresses, of which it uses few.
        "addresses": not address,
        "file_mb": request.file_mb,
        "disk_mb": request.disk_mb,
        "processes": request.processes,
    }


def _sanitizer_environment(test: StoredTest, request: ReplayRequest) -> dict[str, str]:
    leaks = int(test.kind == LEAK)
    common = f"exitcode={SANITIZER_EXIT}:abort_on_error=0:color=never:symbolize=1"
    address = (
        f"detect_leaks={leaks}:quarantine_size_mb={request.memory_mb // QUARANTINE}:allocator_may_return_null=1"
        ":detect_stack_use_after_return=1:handle_abort=0:strict_string_checks=0:detect_odr_violation=0"
    )
    return {"ASAN_OPTIONS": f"{common}:{address}", "UBSAN_OPTIONS": f"{common}:print_stacktrace=0",
            "LSAN_OPTIONS": f"exitcode={SANITIZER_EXIT}"}  # fmt: skip


def _result(test: StoredTest, answer: dict[str, Any], program: NativeProgram, no_leaks: str = "") -> Replayed:
    """``no_leaks``: why there was no search for leaks, where there should have been one."""
    predicted = replace(test, kind=test.kind or (test.ends if test.ends in BUG_KINDS else ""))
    seen = observe(answer, program.compiler.traps)
    status = judge(predicted, seen, program.compiler.address_checks and not no_leaks)
    real = [name for name in made_up_functions(test.inputs) if name not in program.stubs]
    real += [name for name in made_up_variables(test.inputs) if name not in program.stubs]
    if (real or answer.get("full")) and status is Status.DISAGREED:
        status = Status.UNDECIDED
    given = sum(content is not None for content in setting_of(test.inputs).files.values())
    notes = (*_made_up_notes(test, real, status), *_notes(predicted, seen, answer, status, given, bool(real)))
    if no_leaks:
        notes = (*notes, f"LeakSanitizer does not work here: {no_leaks}")
    return Replayed(test.name, str(predicted), seen.text, status, notes, answer.get("seconds", 0.0))


def _made_up_notes(test: StoredTest, real: list[str], status: Status) -> Iterator[str]:
    """Whether what the engine made up was there: ``real`` names what the machine's C library has."""
    here = [name for name in real if in_libc(name)]
    named = ", ".join(sorted(here or real))
    if real and not here and status is not Status.AGREED:
        yield f"{named}: natively nobody defines it, nor is it needed (it is weak); the test does something else"
    elif real and status is not Status.AGREED:
        what = "the possible bug does not show with it" if test.rests_on else "the test does something else with it"
        yield f"{named}: the C library has it, which was used instead of the test's values; {what}"
    elif test.rests_on and not real:
        given = "; a stub gave the test's values" if any(value.kind == "made-up" for value in test.inputs) else ""
        yield f"possible: it {test.rests_on}{given}"
    elif test.rests_on:
        yield f"{named}: shows with what the C library has, too"


def _notes(
    predicted: StoredTest,
    seen: Observation,
    answer: dict[str, Any],
    status: Status,
    given: int,
    real: bool = False,
) -> Iterator[str]:
    """What else there is to say; ``real``: something of the C library took the place of what was made up."""
    if "failed" in answer:
        return
    if predicted.line and seen.line and predicted.line != seen.line:
        yield f"predicted for line {predicted.line}, reported for line {seen.line}"
    if answer["left"] and answer["stopped"] != "processes":
        yield f"left {answer['left']} of its processes running: ended"
    for event in dict.fromkeys(str(event) for event in answer["events"]):
        if event.startswith("refused "):
            yield f"tried to change {event.removeprefix('refused ')} outside its folder, which was refused"
        if event.startswith("no-file "):
            yield f"needs the file {event.removeprefix('no-file ')}, which cannot be made in its folder"
    if answer["full"]:
        yield "its disk limit refused a write, which a machine with more room would not"
    written = answer["files"] - given
    if written > 0:
        yield f"wrote {counted(written, 'file')} into its folder"
    if status is Status.UNDECIDED and predicted.kind and seen.kind != "not-run" and not real and not answer["full"]:
        yield f"this build has no check that shows {predicted.kind}"
    if predicted.output and not real and not seen.kind and not answer["err"] and answer["out_size"] <= KEPT:
        digest = hashlib.sha256(str(answer["out"]).encode("latin-1")).hexdigest()
        if digest != predicted.output:
            yield "its output differs from what the engine saw"
    if answer["exit"] == 126 and "cannot start" in answer["err"]:
        yield str(answer["err"]).strip()
