"""What ``clew invariants`` tells: facts at loop heads, loop exits and branches. Plain data.

As text (``InvariantReport.lines``)::

    main (p.c:5)
      p.c:8, loop1
        x == #loop1
        2*x == y@entry - y
        y >= -1
        true: y >= 1
      p.c:8, false: leaves loop1
        x == #loop1
        2*x == y@entry - y
        -1 <= y <= 0
      p.c:12, branch: the same
        true: x >= 1118
        false: x <= 1117
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.report.description import Description
from clew.report.facts import Fact
from clew.report.lines import Line, cut
from clew.report.records import fields_to_json, json_of, place

Facts = tuple[Fact, ...] | None
"""What holds at a point; None if control never comes there."""

_MANY = 24
"""Facts at one point that are shown to people."""
_LEMMAS = 8
"""The same, of lemmas."""
_ALIKE = 2
"""Inequalities between the same terms that are."""
_HEAVY = 1000
"""Sum of the factors of an inequality that is not."""
_DEAD = "never reached"


def _to_json(facts: Facts) -> dict[str, object]:
    return {"reachable": facts is not None, "invariants": json_of(facts or ())}


def _lines(facts: Facts, indent: str) -> Iterator[Line]:
    if facts is None:
        yield f"{indent}{_DEAD}", "yellow"
        return
    told = _told(facts)
    numbers = [fact.text for fact in told if fact.is_number]
    if numbers:
        yield indent + ", ".join(numbers), "green"
    told = [fact for fact in told if not fact.is_number]
    lines = [(f"{indent}{fact.text}", "green" if fact.is_equality else "") for fact in told]
    yield from cut(lines, _MANY, indent, ", see --json", "dim")
    if not facts:
        yield f"{indent}nothing is known", "dim"


def _told(facts: Iterable[Fact]) -> list[Fact]:
    """What is worth a person's time: not all the lines that a curve is hemmed in by."""
    shown: list[Fact] = []
    alike: Counter[frozenset[str]] = Counter()
    for fact in sorted(facts, key=lambda fact: 0 if fact.is_equality else fact.weight):
        names = frozenset(term.text for term, _ in fact.terms)
        if fact.is_equality or len(names) == 1:
            shown.append(fact)
        elif fact.weight <= _HEAVY and alike[names] < _ALIKE:
            alike[names] += 1
            shown.append(fact)
    return [fact for fact in facts if fact in shown]


@dataclass(frozen=True, slots=True)
class HeadNote:
    """The head of a loop: what holds whenever control is there."""

    name: str
    location: Location | None
    depth: int
    inside: str
    """The loop around it; empty if there is none."""
    facts: Facts
    lemmas: tuple[str, ...] = ()
    """What holds there beside, of other kinds than facts."""
    kind = "loop"

    def to_json(self) -> dict[str, object]:
        inside = self.inside or None
        return {
            "kind": self.kind, "loop": self.name, "inside": inside, "lemmas": list(self.lemmas),
            **place(self.location), **_to_json(self.facts),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class OutcomeNote:
    """One way that a branch can go."""

    outcome: str
    """As of ``BranchCoverage``."""
    leaves: tuple[str, ...]
    """Loops that this way leads out of, the innermost first."""
    facts: Facts
    entered: tuple[Fact, ...] = ()
    """What holds beside if the body of the loop was entered, which this way leads out of."""

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self, "facts") | _to_json(self.facts)


@dataclass(frozen=True, slots=True)
class BranchNote:
    """A branch: what holds before it, and on each of its ways."""

    location: Location | None
    facts: Facts
    outcomes: tuple[OutcomeNote, ...]
    kind = "branch"

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind, **fields_to_json(self, "facts"), **_to_json(self.facts)}


Note = HeadNote | BranchNote


@dataclass(frozen=True, slots=True)
class FunctionInvariants:
    """A function and what holds at its points, which are in the order of the source."""

    name: str
    location: Location | None
    points: tuple[Note, ...] = ()
    alone: bool = False
    """Whether it was looked at by itself, with anything for its parameters: nothing calls it."""
    calls: int = 1
    """Chains of calls that lead to it; what is told holds on all of them."""

    def to_json(self) -> dict[str, object]:
        return {"function": self.name, **fields_to_json(self, "name")}

    def lines(self) -> Iterator[Line]:
        where = f" ({self.location})" if self.location else ""
        how = ", on its own" if self.alone else f", called in {self.calls} ways" if self.calls > 1 else ""
        yield f"{self.name}{where}{how}", "bold"
        shown: Facts = ()
        before: Note | None = None
        for point in self.points:
            if isinstance(point, HeadNote):
                around = f" in {point.inside}" if point.inside else ""
                yield f"  {_place(point.location)}, {point.name}{around}", "bold"
                if point.facts or not point.lemmas:
                    yield from _lines(point.facts, "    ")
                lemmas = [(f"    {text}", "green" if "==" in text else "") for text in point.lemmas]
                yield from cut(lemmas, _LEMMAS, "    ", ", see --json", "dim")
                shown = point.facts
            else:
                at_head = isinstance(before, HeadNote) and _place(before.location) == _place(point.location)
                yield from _branch(point, shown, at_head)
                left = [outcome.facts for outcome in point.outcomes if outcome.leaves]
                shown = left[-1] if left else point.facts
            before = point


def _place(location: Location | None) -> str:
    return str(location) if location is not None else "somewhere"


def _branch(note: BranchNote, shown: Facts, at_head: bool) -> Iterator[Line]:
    """A branch; what was just ``shown`` is not told again, least of all at the head of the loop it decides on."""
    if note.facts is None:
        yield f"  {_place(note.location)}, branch", "bold"
        yield from _lines(None, "    ")
        return
    if note.facts == shown and at_head:
        pass
    elif note.facts == shown and shown:
        yield f"  {_place(note.location)}, branch: the same", "bold"
    else:
        yield f"  {_place(note.location)}, branch", "bold"
        yield from _lines(note.facts, "    ")
    for way in note.outcomes:
        if not way.leaves or way.facts is None:
            new = [fact for fact in _told(way.facts or ()) if fact not in note.facts]
            text = _DEAD if way.facts is None else ", ".join(fact.text for fact in new) or "nothing more"
            style = "yellow" if way.facts is None else "" if new else "dim"
            yield f"    {way.outcome}: {text}", style
    for way in note.outcomes:
        if way.leaves and way.facts is not None:
            yield f"  {_place(note.location)}, {way.outcome}: leaves {', '.join(way.leaves)}", "bold"
            yield from _lines(way.facts, "    ")
            more = ", ".join(fact.text for fact in _told(way.entered))
            if more:
                yield f"    if {way.leaves[0]} was entered: {more}", ""


@dataclass(frozen=True, slots=True)
class InvariantReport(Description[FunctionInvariants]):
    """What ``clew invariants`` tells of all functions with loops or branches."""

    domain: str = ""
    """The abstract domain that the facts were found in."""
    command = "invariants"
    nothing = "no loops and no branches"
    incomplete = "there is more to know"

    def to_json(self) -> dict[str, object]:
        more = {"domain": self.domain, "notes": list(self.notes)}
        return dict(sorted({**Description.to_json(self), **more}.items()))
