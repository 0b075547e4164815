"""From what a run found, and what it could not look at, to verdicts: one per property, and one for the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.checks.check import checks_of
from clew.checks.properties import Property, PropertyKey, key_of
from clew.jobs.collector import Collector
from clew.jobs.prepare import PreparedRun
from clew.report.kinds import ORDERLY
from clew.report.records import UNDEFINED, Bug, LossKind, LossNote
from clew.report.records import Property as Judged
from clew.techniques.proof_task import BOUNDED

STOPS = {
    StopReason.TIME: "time limit",
    StopReason.MEMORY: "memory limit",
    StopReason.INSTRUCTIONS: "instruction limit",
    StopReason.INTERRUPTED: "interrupted",
    StopReason.FAILED: "internal error",
}
UNCONFIRMED = "a path violates it, but it is not confirmed by re-execution"
UNDECIDED = "not decided"
_ORDER = (
    *UNDEFINED, LossKind.UNSUPPORTED, LossKind.BOUNDED, LossKind.SOLVER_UNKNOWN, LossKind.EVICTED,
    LossKind.UNEXPLORED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of a run."""

    verdict: str
    reason: str
    properties: tuple[Judged, ...]
    settled: bool = True
    """Whether no question is open: then it does not matter what was left out."""


def judge(
    items: Sequence[Property], ready: PreparedRun, answers: Mapping[Property, str] | None, unroll: int | None
) -> Judgement:
    """The verdicts of a run over ``items``.

    ``answers`` are those of a technique (see ``techniques.proof_task``), None after a run over all paths: then a
    property holds if nothing stands against it.
    """
    collector, losses = ready.collector, ready.run.loss_notes()
    doubt = doubt_of(ready.engine.stopped, collector, losses, unroll)
    # Techniques take a variable that nobody defines for one that has any value, which is not all there is to it.
    undefined = next((note.text for note in losses if note.kind is LossKind.UNDEFINED_VARIABLE), "")
    violated, found = collector.confirmed(), {_key(bug): bug for bug in collector.bugs}
    judged: list[Judged] = []
    held: list[Judged] = []
    settled = True
    for item in items:
        why = doubt if answers is None else answers.get(item, doubt or UNDECIDED) or undefined
        if item.key in violated:
            judged.append(item.judged("FALSE"))
        elif item.key in found:
            judged.append(item.judged("UNKNOWN", _why_open(found[item.key])))
        elif item.collective and any(kind == item.kind for kind, _ in found):
            settled = False
            continue  # what was found speaks for it; there may be more
        elif why:
            judged.append(item.judged("UNKNOWN", why))
        elif item.collective:
            held.append(item.judged("TRUE"))
        else:
            judged.append(item.judged("TRUE"))
    judged += _elsewhere(items, collector.bugs)
    reason = reason_of(judged, [item.kind for item in held])
    verdicts = [item.verdict for item in judged]
    return Judgement(overall(verdicts), reason, (*judged, *held), settled and "UNKNOWN" not in verdicts)


def _key(bug: Bug) -> PropertyKey:
    return key_of(bug.kind, bug.location, bug.function)


def _elsewhere(items: Sequence[Property], bugs: Sequence[Bug]) -> list[Judged]:
    """Violations at places that are no property's own: of collective ones, and calls through pointers."""
    known = {item.key for item in items}
    return [
        Judged(bug.kind, bug.location, bug.function, "UNKNOWN" if why else "FALSE", why)
        for bug in bugs
        if _key(bug) not in known
        for why in (_why_open(bug),)
    ]


def _why_open(bug: Bug) -> str:
    """Why a failure does not answer the question; empty if it does."""
    if bug.is_possible:
        return f"a path may violate it: {bug.rests_on}"
    return "" if bug.confirmed else UNCONFIRMED


def overall(verdicts: Sequence[str]) -> str:
    """The verdict on a program from those on its properties."""
    return next((verdict for verdict in ("FALSE", "UNKNOWN") if verdict in verdicts), "TRUE")


# Why a property that no path was seen to violate may be violated all the same


def doubt_of(
    stopped: StopReason | None, collector: Collector, losses: Sequence[LossNote], unroll: int | None = None
) -> str:
    """What keeps a run over all paths from being a proof; empty if nothing does."""
    if stopped is not None:
        return STOPS[stopped]
    for (kind, where), bound in collector.unasked.items():
        if kind not in ORDERLY and not bound:
            return f"undefined behaviour on the way ({kind} {'at' if isinstance(where, Location) else 'in'} {where})"
    if unroll is not None and losses and all(note.kind is LossKind.BOUNDED for note in losses):
        return f"{BOUNDED} of {unroll}"
    # What the user can do something about comes first.
    first = min(losses, key=lambda note: _ORDER.index(note.kind), default=None)
    return "" if first is None else first.text


# The one line that says it all


def reason_of(judged: Sequence[Judged], held: Sequence[str]) -> str:
    """Why the verdict on the program is what it is; ``held`` are the kinds of errors that show nowhere."""
    wrong = [item for item in judged if item.verdict == "FALSE"]
    open_ = [item for item in judged if item.verdict == "UNKNOWN"]
    if wrong:
        return _violated(wrong, len(judged)) + (f"; {len(open_)} not decided ({open_[0].reason})" if open_ else "")
    if open_:
        return _open(open_, len(judged))
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


def _open(open_: Sequence[Judged], total: int) -> str:
    reason = open_[0].reason
    if reason.startswith(BOUNDED):
        hold = "1 property holds" if total == 1 else f"{total} properties hold"
        return f"{hold} up to the bound{reason.removeprefix(BOUNDED)} (bounded)"
    return reason if len(open_) == total else f"{len(open_)} of {total} properties not decided: {reason}"


def _nowhere(kinds: Sequence[str]) -> str:
    """That errors of these kinds do not occur, by the names of their checks."""
    names = checks_of(kinds)
    if len(names) == 1:
        return f"no {names[0]} error on any path"
    return f"no error on any path of: {', '.join(names)}"
