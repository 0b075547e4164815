"""The report a person reads at the end of a run: the answer, coverage, what was not done and what would help.

``report_lines`` turns a summary into styled lines; printing them in colour (on a terminal) is all
that needs ``rich``, which is slow to import and is therefore imported only then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TextIO

from clew.base.printable import printable
from clew.report.details import detail_lines
from clew.report.excerpt import Sources
from clew.report.findings import arrival_lines, bug_lines
from clew.report.lines import Line, counted
from clew.report.reasons import NEVER
from clew.report.records import Coverage, Summary
from clew.report.unexplored import granted_lines, loss_lines
from clew.report.verdict import answer_line, property_lines


def report_lines(summary: Summary, verbose: bool = False, sources: Sources | None = None) -> list[Line]:
    """The whole report. What a baseline or a comment sets aside is only counted. ``verbose`` leaves nothing out. Lines
    of source are read from ``sources``.
    """
    sources = sources or Sources()
    told = summary.bugs if verbose else tuple(bug for bug in summary.bugs if not bug.is_set_aside)
    found = arrival_lines if summary.command == "reach" else bug_lines
    return [
        answer_line(replace(summary, bugs=told)),
        ("", ""),
        *found(summary, sources, verbose),
        *aside_lines(len(summary.bugs) - len(told)),
        *property_lines(summary, verbose),
        *_results(summary),
        *granted_lines(summary),
        *loss_lines(summary, verbose),
        *_help(summary),
        *(detail_lines(summary) if verbose else ()),
    ]


def aside_lines(count: int) -> list[Line]:
    """That there are bugs which are not told."""
    if not count:
        return []
    return [(f"not told: {counted(count, 'bug')} that the baseline has or a comment suppresses (--verbose)", "dim")]


def print_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Write styled lines, in colour where a person looks at them; what they quote cannot steer the terminal."""
    lines = ((printable(text), style) for text, style in lines)
    if stream.isatty():
        from rich.console import Console
        from rich.text import Text

        console = Console(file=stream, highlight=False, soft_wrap=True)
        for text, style in lines:
            console.print(Text(text, style))
    else:
        stream.writelines(f"{text}\n" for text, _ in lines)


def _results(summary: Summary) -> Iterable[Line]:
    """Coverage, and where to find the rest."""
    if summary.command not in ("verify", "reach"):
        yield from _coverage(summary.coverage)
    if summary.tests or summary.command == "test":
        yield f"tests     {summary.tests:,}" + (f" in {summary.out}/tests" if summary.out and summary.tests else ""), ""
    if summary.out:
        yield f"report    {summary.out}/report.html", ""


def _coverage(coverage: Coverage) -> Iterable[Line]:
    for name, covered, total in (
        ("branches", coverage.branches_covered, len(coverage.branches)),
        ("lines", coverage.lines_covered, len(coverage.lines)),
    ):
        if total:
            excluded = _excluded(coverage) if name == "branches" else ""
            style = "green" if covered == total else ""
            yield f"{name:<9} {covered:,} of {total:,} covered ({covered / total:.0%}){excluded}", style


def _excluded(coverage: Coverage) -> str:
    """How many of the branches that are not covered cannot be, as far as the run knows."""
    reasons = [branch.reason for branch in coverage.branches if not branch.covered]
    never = sum(reason is not None and reason.why in NEVER for reason in reasons)
    if not never:
        return ""
    rest = "the other one" if len(reasons) == 1 else "the others"
    return f", no input takes {rest if never == len(reasons) else f'{never:,} of the others'}"


def _help(summary: Summary) -> Iterable[Line]:
    if summary.advice:
        yield "", ""
        yield "what you can do next:", "bold"
        yield from ((f"  {line}", "") for line in summary.advice)
