"""The files of ``--emit``: tests of one function, with the tested source included, so that all its types are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from clew import __version__
from clew.report.csyntax import comment
from clew.report.records import BranchCoverage, BranchId, Test
from clew.report.unit.cases import Case, Subject, cases_of
from clew.report.unit.frameworks import FRAMEWORKS, File, Framework
from clew.report.unit.sources import Sources


def unit_files(
    subject: Subject,
    tests: Sequence[Test],
    branches: Sequence[BranchCoverage],
    framework: str,
    sources: Sources,
    made_by: str,
) -> Iterator[tuple[str, str]]:
    """Names and contents. ``made_by``: the command of the run."""
    cases, left_out = cases_of(subject, tests, _places(branches))
    file = File(f"test_{subject.name}", subject.name, cases, subject.signature.stateful)
    chosen = FRAMEWORKS[framework]
    lines = [*_head(subject, file, framework, left_out, sources, made_by), *_body(file, chosen)]
    yield f"{file.stem}.c", "\n".join(lines) + "\n"
    for name, more in chosen.beside(file):
        yield name, "\n".join(more) + "\n"


def _places(branches: Sequence[BranchCoverage]) -> Mapping[BranchId, tuple[str, int, str]]:
    return {b.id: (Path(b.location.file).name, b.location.line, b.outcome) for b in branches if b.location is not None}


def _head(
    subject: Subject,
    file: File,
    framework: str,
    left_out: Sequence[str],
    sources: Sources,
    made_by: str,
) -> Iterator[str]:
    command = ["cc", *sources.flags, f"{file.stem}.c", *sources.others, "-lm", "-o", file.stem]
    yield f"/* Tests of {subject.name}, found by Clew {__version__}. They say what the code does, be it right or wrong,"
    yield " * so that it is noticed when that changes."
    yield f" *   {comment(' '.join(command))}"
    yield f" * Made by {comment(made_by)}"
    if framework == "gtest":
        yield f" *   (without a main: link it with {file.stem}.cc)"
    for why, count in sorted(Counter(left_out).items()):
        yield f" * {count} not here, since {'it needs' if count == 1 else 'they need'} {comment(why)}: see tests.c."
    yield " */"
    yield "#define main users_main"
    yield f'#include "{sources.included}"'
    yield "#undef main"
    yield ""
    for header in ("math", "stdio", "stdlib", "string"):
        yield f"#include <{header}.h>"
    yield ""


def _body(file: File, framework: Framework) -> Iterator[str]:
    yield from framework.head(file)
    yield ""
    yield "/* What the tested code allocates and keeps is no concern of these tests. */"
    yield "const char *__asan_default_options(void);"
    yield 'const char *__asan_default_options(void) { return "detect_leaks=0"; }'
    yield ""
    for case in file.cases:
        yield from _case(case, framework)
        yield ""
    yield from framework.tail(file)


def _case(case: Case, framework: Framework) -> Iterator[str]:
    if case.bug:
        yield f"#if 0 /* Disabled, since it shows a bug: {comment(case.bug)} */"
    elif case.covers:
        yield f"/* Covers {comment(case.covers)}. */"
    yield from case.callbacks
    yield framework.opening.format(case.name)
    yield from (f"  {line}" for line in case.arrange)
    if case.arrange:
        yield ""
    yield f"  {case.call}"
    if case.checks:
        yield ""
    yield from (f"  EXPECT({condition});" for condition in case.checks)
    yield framework.closing
    if case.bug:
        yield "#endif"
