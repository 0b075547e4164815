"""Answers to property files: what a verdict on bugs says about the property, and what it does not.

A wrong answer costs more than none: where the bugs that were looked for are not quite what the property is about, the
answer is ``UNKNOWN``.
"""

from __future__ import annotations

from dataclasses import replace

from clew.base.property_file import PropertyFile
from clew.program.module import Program
from clew.report.records import Summary

_HARMLESS = frozenset(
    "abort exit _Exit reach_error __assert_fail printf puts putchar memcpy memset memmove memcmp strlen strcmp strncmp"
    " strcpy strncpy strcat".split()
)
"""Functions of the library that allocate nothing."""


def answered(summary: Summary, asked: PropertyFile | None, program: Program | None) -> Summary:
    """The summary of a verification with the verdict on the property that was asked about."""
    if asked is None:
        return summary
    if summary.verdict == "FALSE" and not any(bug.kind in asked.violations for bug in summary.certain):
        kinds = ", ".join(dict.fromkeys(bug.kind for bug in summary.certain))
        return _unknown(summary, f"what was found ({kinds}) may violate {asked.name}, or not")
    if summary.verdict == "TRUE" and asked.needs_all_memory_freed and (program is None or may_allocate(program)):
        return _unknown(summary, "memory that is lost is looked for where main returns, and not before")
    return summary


def _unknown(summary: Summary, reason: str) -> Summary:
    return replace(summary, verdict="UNKNOWN", reason=reason, loop_invariants=())


def may_allocate(program: Program) -> bool:
    """Whether the program may get memory from somewhere: it calls a function that is not known to do nothing such."""
    return any(
        not function.blocks and name not in _HARMLESS and not name.startswith(("__VERIFIER_", "llvm."))
        for name, function in program.functions.items()
    )
