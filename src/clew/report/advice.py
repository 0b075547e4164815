"""What would help where a run has left something open: an option, another command, more files, a precondition.

Each piece of advice is one line that begins with what to do. It follows from the result alone, so that the text, the
page and ``summary.json`` say the same.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from clew.base.budget import StopReason
from clew.report.kinds import BUG_KINDS, ORDERLY, SURVIVED
from clew.report.lines import counted, some
from clew.report.reasons import WhyNot
from clew.report.records import UNDEFINED, LossKind, LossNote, Summary

_OPTION = re.compile(r"--[a-z]+(?:-[a-z]+)*")
_ROUNDS = " runs more than "
"""In the text of a loss: a loop came to its bound."""
_GUESSED = " (guessed"
_PARAMETER = re.compile(r"\w+: ")
_MANY = 4
_NAMED_ONLY = "abort"
"""The check that is made of all programs only if it is named."""
OTHER_ERRORS = "--check assert,overflow,memory or --check all: only assertions were checked, there are other errors"


def advice(summary: Summary, resumable: bool = False) -> Iterator[str]:
    """What would help, the most promising first; nothing where nothing was left open.

    ``resumable``: the run has left something from which ``clew resume`` can go on.
    """
    if summary.verdict in ("FALSE", "REACHED", "UNREACHABLE"):
        return
    yield from _past_bugs(summary)
    yield from _more_budget(summary, resumable)
    yield from _bounds(summary)
    yield from _definitions(summary.losses)
    yield from _promises(summary)
    yield from _allocations(summary)
    yield from _other_functions(summary)
    if summary.checks and set(summary.checks) <= ORDERLY:
        yield OTHER_ERRORS
    if any(note.kind is LossKind.FAILED for note in summary.losses):
        yield "an internal error is a bug of Clew's: please report it, with what --verbose tells"


def _past_bugs(summary: Summary) -> Iterator[str]:
    """A bug ends its path: where many end so, little behind was looked at, though users may want to."""
    kinds = dict.fromkeys(bug.kind for bug in summary.bugs)
    without = {BUG_KINDS[kind].check for kind in kinds if kind in BUG_KINDS}
    failed, ended = summary.stats.paths_failed, summary.stats.paths_completed + summary.stats.paths_pruned
    if summary.command != "test" or not without <= SURVIVED or not failed or 3 * failed < ended:
        return
    which = "every path ends" if failed >= ended else f"{failed:,} of {counted(ended, 'path')} end"
    asked = _words(summary, "checks")
    every = dict.fromkeys(kind.check for kind in BUG_KINDS.values() if kind.check != _NAMED_ONLY)
    left = [check for check in (asked if asked and "all" not in asked else every) if check not in {*without, *kinds}]
    if left:
        yield f"--check {','.join(left)}: goes on where {which} ({', '.join(kinds)})"


def _more_budget(summary: Summary, resumable: bool) -> Iterator[str]:
    budget = summary.budget or {}
    resume = f"clew resume {shlex.quote(summary.out)}" if resumable else ""
    match summary.stopped:
        case StopReason.TIME:
            seconds = budget.get("seconds")
            longer = f"--time {2 * seconds:g}" if isinstance(seconds, float | int) else "a longer --time"
            if resume:
                yield f"{resume}: goes on where this run stopped; or {longer} for a new one"
            else:
                yield f"{longer}: twice the time"
        case StopReason.INTERRUPTED if resume:
            yield f"{resume}: goes on where this run was interrupted"
        case StopReason.INSTRUCTIONS:
            yield "a larger --max-instructions"
    if summary.stopped is StopReason.MEMORY or any(note.kind is LossKind.EVICTED for note in summary.losses):
        yield "a larger --memory MB: paths were given up to stay within it"


def _bounds(summary: Summary) -> Iterator[str]:
    """Options that losses name, and the one that bounds loops."""
    bounded = [note.what for note in summary.losses if note.kind is LossKind.BOUNDED]
    rounds = "--unroll" if summary.command == "verify" else "--loop-bound"
    named = [option for text in bounded for option in _OPTION.findall(text) if option != "--function"]
    named += [rounds for text in bounded if _ROUNDS in text]
    if named:
        yield f"{' or '.join(dict.fromkeys(named))} with a larger number: behaviour beyond a bound was not looked at"


def _definitions(losses: Sequence[LossNote]) -> Iterator[str]:
    names = dict.fromkeys(note.what.split(" ")[0] for note in losses if note.kind in UNDEFINED)
    if names:
        yield f"name the files, too, that define {some([*names], _MANY)}; or the build, with -p DIR"


def _promises(summary: Summary) -> Iterator[str]:
    if any("caller" in bug.rests_on for bug in summary.possible):
        name = (summary.build or {}).get("function") or "NAME"
        guessed = "; ".join(text for text in summary.assumed if _GUESSED in text).partition(_GUESSED)[0].split(", ")
        said = ", ".join(text for text in guessed if _PARAMETER.match(text)) or "..."
        yield f"--function '{name}({said})', or what else callers promise: makes possible bugs certain, or none"


def _allocations(summary: Summary) -> Iterator[str]:
    reasons = [branch.reason for branch in summary.coverage.branches if not branch.covered and branch.reason]
    failing = sum(reason.why is WhyNot.ALLOCATION for reason in reasons)
    if failing:
        yield f"--malloc-may-fail: allocations that fail have {counted(failing, 'outcome')} of branches for them"


def _other_functions(summary: Summary) -> Iterator[str]:
    far = [function for function in summary.coverage.functions if not function.in_reach]
    if far and summary.command == "test":
        named = _words(summary, "named") or [*summary.files]
        program = shlex.join([*named, *_words(summary, "flags")])
        yield f"clew project {program}: tests also {counted(len(far), 'function')} that nothing calls from here"


def _words(summary: Summary, key: str) -> list[str]:
    """Words of the command line that made the program."""
    found = (summary.build or {}).get(key)
    return [*map(str, found)] if isinstance(found, list | tuple) else []
