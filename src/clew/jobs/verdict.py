"""From the ledger of a command to its verdict and the reason: what was found, answered, and could not be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.checks.check import checks_of
from clew.checks.properties import Property, PropertyKey, key_of
from clew.checks.targets import ReachTarget
from clew.execute.instrument.targets import REACHED
from clew.jobs.findings import Findings
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.run_record import RunRecord, record_of
from clew.report.csyntax import short_value
from clew.report.kinds import ORDERLY
from clew.report.lines import some
from clew.report.records import UNDEFINED, Arrival, Bug, LossKind
from clew.report.records import Property as Judged
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved, bounded

STOPS = {
    StopReason.TIME: "time limit",
    StopReason.MEMORY: "memory limit",
    StopReason.INSTRUCTIONS: "instruction limit",
    StopReason.INTERRUPTED: "interrupted",
    StopReason.FAILED: "internal error",
}
ARRIVAL_UNCONFIRMED = "a path leads to it, but the run ended before re-execution could confirm that"
_MANY_INPUTS, _LONG_INPUT = 6, 60
"""Inputs in a line, and characters of each."""
TARGET: PropertyKey = (REACHED, "")
"""Where the ledger has the answer to whether a target can be reached."""
UNCONFIRMED = Open(OpenReason.UNCONFIRMED, "a path violates it, but it is not confirmed by re-execution")
_ORDER = (
    *UNDEFINED, LossKind.UNSUPPORTED, LossKind.BOUNDED, LossKind.SOLVER_UNKNOWN, LossKind.EVICTED,
    LossKind.UNEXPLORED, LossKind.FAILED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of a run."""

    verdict: str
    reason: str
    properties: tuple[Judged, ...]
    settled: bool = True
    """Whether no question is open: then it does not matter what was left out."""


def too_late(ledger: Ledger) -> str:
    """The reason where nothing could be run."""
    return f"{STOPS[ledger.stopped or StopReason.TIME]} before the program could be run"


def open_properties(ledger: Ledger) -> list[Property]:
    """Those that are neither proved nor violated."""
    confirmed = ledger.findings.confirmed()
    proved = ledger.proved()
    return [item for item in ledger.properties if item.key not in proved and item.key not in confirmed]


def open_within_bound(ledger: Ledger) -> list[Property]:
    """Those of them of which it is not known either that they hold up to the bound."""
    answers = ledger.answers
    return [
        item
        for item in open_properties(ledger)
        if not (isinstance(answer := answers.get(item.key), Open) and answer.reason is OpenReason.BOUNDED)
    ]


def verify_verdict(ledger: Ledger, unroll: int | None) -> Judgement:
    """The verdicts on properties, from the answers there are and what was found."""
    if not ledger.runs:
        return Judgement("UNKNOWN", too_late(ledger), ())
    judgement = _judge(ledger, unroll)
    by = next((answer.text for answer in ledger.answers.values() if isinstance(answer, Proved) and answer.text), "")
    return replace(judgement, reason=f"{judgement.reason}, {by}") if by and judgement.verdict == "TRUE" else judgement


def _judge(ledger: Ledger, unroll: int | None) -> Judgement:
    bugs = ledger.findings.bugs
    doubt = doubt_about(ledger.answering, ledger.findings, unroll) or UNDECIDED
    # Techniques take a variable that nobody defines for one that has any value, which is not all there is to it.
    notes = (note for record in ledger.records() for note in record.notes)
    undefined = next((note for note in notes if note.kind is LossKind.UNDEFINED_VARIABLE), None)
    violated, found = ledger.findings.confirmed(), {_key(bug): bug for bug in bugs}
    judged: list[Judged] = []
    held: list[Judged] = []
    open_: list[Open] = []
    settled = True
    for item in ledger.properties:
        answer = ledger.answers.get(item.key, doubt)
        if isinstance(answer, Proved) and undefined is not None:
            answer = Open(OpenReason.NOT_FOLLOWED, undefined.text)
        if item.key in found:
            answer = _why_open(found[item.key]) or answer
        if item.key in violated:
            judged.append(item.judged("FALSE"))
        elif item.collective and item.key not in found and any(kind == item.kind for kind, _ in found):
            settled = False  # what was found speaks for it; there may be more
        elif isinstance(answer, Open):
            open_.append(answer)
            judged.append(item.judged("UNKNOWN", answer.text))
        elif item.collective:
            held.append(item.judged("TRUE"))
        else:
            judged.append(item.judged("TRUE"))
    judged += _elsewhere(ledger.properties, bugs)
    bound = unroll if open_ and open_[0].reason is OpenReason.BOUNDED else None
    reason = reason_of(judged, [item.kind for item in held], bound)
    verdicts = [item.verdict for item in judged]
    return Judgement(overall(verdicts), reason, (*judged, *held), settled and "UNKNOWN" not in verdicts)


def _key(bug: Bug) -> PropertyKey:
    return key_of(bug.kind, bug.location, bug.function)


def _elsewhere(items: Sequence[Property], bugs: Sequence[Bug]) -> list[Judged]:
    """Violations at places that are no property's own: of collective ones, and calls through pointers."""
    known = {item.key for item in items}
    return [
        Judged(bug.kind, bug.location, bug.function, "UNKNOWN" if why else "FALSE", why.text if why else "")
        for bug in bugs
        if _key(bug) not in known
        for why in (_why_open(bug),)
    ]


def _why_open(bug: Bug) -> Open | None:
    """Why a failure does not answer the question; None if it does."""
    if bug.is_possible:
        return Open(OpenReason.NOT_FOLLOWED, f"a path may violate it: {bug.rests_on}")
    return None if bug.confirmed else UNCONFIRMED


def overall(verdicts: Sequence[str]) -> str:
    """The verdict on a program from those on its properties."""
    return next((verdict for verdict in ("FALSE", "UNKNOWN") if verdict in verdicts), "TRUE")


# Why a property that no path was seen to violate may be violated all the same


def doubt_of(ready: PreparedRun, unroll: int | None = None) -> Open | None:
    """What keeps a run over all paths from being a proof; None if nothing does."""
    return doubt_about(record_of(ready), ready.collector.findings, unroll)


def doubt_about(record: RunRecord, findings: Findings, unroll: int | None = None) -> Open | None:
    """The same of a run as it was told, beside all that was found."""
    losses = record.notes
    if record.stopped is not None:
        return Open(OpenReason.STOPPED, STOPS[record.stopped])
    undefined = undefined_behaviour(findings)
    if undefined is not None:
        return undefined
    if unroll is not None and losses and all(note.kind is LossKind.BOUNDED for note in losses):
        return bounded(unroll)
    # What the user can do something about comes first.
    first = min(losses, key=lambda note: _ORDER.index(note.kind), default=None)
    return None if first is None else Open(OpenReason.NOT_FOLLOWED, first.text)


def undefined_behaviour(findings: Findings) -> Open | None:
    """What keeps anything from being a proof: a path has shown an error that nobody asked for, and what comes behind it
    is not defined."""
    for (kind, where), bound in findings.unasked.items():
        if kind not in ORDERLY and not bound:
            place = f"{'at' if isinstance(where, Location) else 'in'} {where}"
            return Open(OpenReason.NOT_FOLLOWED, f"undefined behaviour on the way ({kind} {place})")
    return None


# The one line that says it all


def reason_of(judged: Sequence[Judged], held: Sequence[str], bound: int | None = None) -> str:
    """Why the verdict on the program is what it is.

    ``held`` are the kinds of errors that show nowhere; ``bound`` is what leaves the first open property open, if given.
    """
    wrong = [item for item in judged if item.verdict == "FALSE"]
    open_ = [item for item in judged if item.verdict == "UNKNOWN"]
    if wrong:
        return _violated(wrong, len(judged)) + (f"; {len(open_)} not decided ({open_[0].reason})" if open_ else "")
    if open_:
        return _open(open_, len(judged), bound)
    parts = []
    if judged:
        which = "the property holds" if len(judged) == 1 else f"all {len(judged)} properties hold"
        parts.append(f"{which} on all paths")
    if held:
        parts.append(_nowhere(held))
    return "; ".join(parts) or "no property"


def _violated(wrong: Sequence[Judged], total: int) -> str:
    first = wrong[0]
    where = first.location or first.function
    named = f"assertion {where}" if first.kind == "assert" else f"{first.kind} at {where}"
    if len(wrong) > 1:
        return f"{len(wrong)} of {total} properties violated (first: {named})"
    return f"{named} violated" if first.kind == "assert" else named


def _open(open_: Sequence[Judged], total: int, bound: int | None) -> str:
    reason = open_[0].reason
    if bound is not None:
        hold = "1 property holds" if total == 1 else f"{total} properties hold"
        return f"{hold} up to the bound of {bound} (bounded)"
    return reason if len(open_) == total else f"{len(open_)} of {total} properties not decided: {reason}"


def _nowhere(kinds: Sequence[str]) -> str:
    """That errors of these kinds do not occur, by the names of their checks."""
    names = checks_of(kinds)
    if len(names) == 1:
        return f"no {names[0]} error on any path"
    return f"no error on any path of: {', '.join(names)}"


# Targets


def is_answered(ledger: Ledger) -> bool:
    """Whether it is known if the target can be reached."""
    return TARGET in ledger.proved() or bool(ledger.findings.confirmed())


def reach_verdict(ledger: Ledger, target: ReachTarget) -> tuple[str, str]:
    """Whether the target can be reached, and why."""
    ended, answer = ledger.answering.stopped, ledger.answers.get(TARGET, UNDECIDED)
    arrival = ledger.findings.arrival
    if arrival is not None and arrival.rests_on:
        return "UNKNOWN", f"a path may lead to {target.text}: {arrival.rests_on}"
    if arrival is not None:
        return ("REACHED", _way(target, arrival)) if arrival.confirmed else ("UNKNOWN", ARRIVAL_UNCONFIRMED)
    if isinstance(answer, Proved) and not target.doubt:
        return "UNREACHABLE", answer.text
    known = answer.text if isinstance(answer, Open) and answer is not UNDECIDED else ""
    stopped = STOPS[ended] if ended else ""
    return "UNKNOWN", known or stopped or target.doubt or UNDECIDED.text


def _way(target: ReachTarget, arrival: Arrival) -> str:
    """How the target is reached, in one line."""
    inputs = some([f"{value.name}={short_value(value, _LONG_INPUT)}" for value in arrival.inputs], _MANY_INPUTS)
    return f"{target.text} is reached" + (f" with {inputs}" if inputs else "")
