"""What keeps paths from going one way at a branch, as conditions on inputs that people can read: ``s[0] == '{'``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from clew.describe.c_text import Speller
from clew.execute.coverage import Edge
from clew.execute.engine import Obstacle
from clew.execute.inputs import InputRead
from clew.execute.state import InputRecord
from clew.expr.node import Expr
from clew.expr.op import SYMBOL
from clew.jobs.prepare import PreparedRun
from clew.report.reasons import Attempts, Blocking
from clew.report.records import BranchId
from clew.report.values import ARRAY

MANY = 3
"""Conditions of a path that are named."""
LONGEST = 100
"""Characters of a condition that people still read."""
_TOO_LONG = "..."


def attempts_of(ready: PreparedRun, before: Mapping[Edge | None, int] | None = None) -> dict[BranchId, Attempts]:
    """What paths of a run tell about the outcomes that no path of it takes; ``before`` are refutations to leave out."""
    engine, coverage = ready.engine, ready.run.coverage
    covered, name_of = coverage.taken(), coverage.branch_of
    found: dict[BranchId, Attempts] = {}
    words = Words()

    def add(edge: Edge | None, attempts: Attempts) -> None:
        branch = None if edge is None else name_of(edge)
        if branch is not None and branch not in covered:
            found[branch] = found.get(branch, Attempts()) + attempts

    for edge, count in Counter(engine.left()).items():
        add(edge, Attempts(waiting=count))
    for known, refuted in ready.run.refuted.items():
        add(known, Attempts(refuted=refuted - (before or {}).get(known, 0)))
    for edge, obstacle in engine.awaited().items():
        add(edge, Attempts(awaited=words.blocking(obstacle)))
    for edge, obstacle in engine.obstacles.items():
        add(edge, Attempts(obstacle=words.blocking(obstacle)))
    return found


class Words:
    """Obstacles of one run in words. Most of its paths have most conditions in common: each is spelled once."""

    def __init__(self) -> None:
        self._names = _Names()
        self._speller = Speller(self._names.of, self._names.element, 3 * LONGEST)
        self._texts: dict[Expr, str] = {}
        self._mentions: dict[Expr, int] = {}

    def blocking(self, obstacle: Obstacle) -> Blocking | None:
        """What blocks the way; None where nothing is known, or nothing that could be read."""
        if obstacle.constraint is None:
            return None
        self._names.learn(obstacle.inputs)
        needs = self._text(obstacle.constraint)
        if not _is_readable(needs):
            return None
        near = (one for one in obstacle.others if not one.symbols.isdisjoint(obstacle.constraint.symbols))
        named = tuple(_shortest(map(self._text, near)))
        return Blocking(needs, named, len(named) < len(obstacle.others))

    def _text(self, condition: Expr) -> str:
        text = self._texts.get(condition)
        if text is None:
            is_short = self._mentioned(condition) <= LONGEST // 2
            text = self._texts[condition] = self._speller.condition(condition) if is_short else _TOO_LONG
        return text

    def _mentioned(self, condition: Expr) -> int:
        """How often symbols are named in the text of a condition, as far as that matters: each time takes a character,
        and so does what stands between two."""
        known, stack = self._mentions, [condition]
        while stack:
            part = stack[-1]
            missing = [arg for arg in part.args if arg.symbols and arg not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            if part not in known:
                count = 1 if part.op is SYMBOL else sum([known[arg] for arg in part.args if arg.symbols])
                known[part] = min(count, LONGEST)
        return known[condition]


def _shortest(texts: Iterable[str]) -> list[str]:
    return sorted(filter(_is_readable, dict.fromkeys(texts)), key=lambda text: (len(text), text))[:MANY]


def _is_readable(text: str) -> bool:
    return len(text) <= LONGEST and "..." not in text


class _Names:
    """What symbols are called: the input that they are, or the element of one."""

    def __init__(self) -> None:
        self._known: dict[Expr, str] = {}
        self._counts: dict[Expr, int] = {}
        """Elements of symbols that are arrays."""
        self._learned: set[InputRecord | None] = {None}

    def learn(self, last: InputRecord | None) -> None:
        """The inputs of a path."""
        while last not in self._learned:
            assert last is not None
            self._learned.add(last)
            self._learn(last.read)
            last = last.previous

    def _learn(self, read: InputRead) -> None:
        array = ARRAY.match(read.ctype)
        for at, value in enumerate(read.values):
            if isinstance(value, Expr):
                self._known.setdefault(value, read.name if len(read.values) == 1 else f"{read.name}[{at}]")
                self._counts[value] = int(array["count"]) if array and len(read.values) == 1 else 1

    def of(self, symbol: Expr) -> str:
        """Its name; dots for what is no input, which nobody could read."""
        return self._known.get(symbol, "...")

    def element(self, symbol: Expr, low: int, bits: int) -> str:
        """The element of an array that some bits of a symbol are; empty if they are none."""
        count = self._counts.get(symbol, 1)
        if count < 2 or symbol.width % count or bits != symbol.width // count or low % bits:
            return ""
        return f"{self._known[symbol]}[{low // bits}]"
