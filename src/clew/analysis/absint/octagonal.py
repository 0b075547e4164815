"""Tables of octagonal constraints: least upper bounds of sums of two literals, where a literal is ``v`` or ``-v``.

Variables are numbers here: literal ``2*n`` stands for variable ``n``, literal ``2*n + 1`` for its negative. What
follows from bounds of single literals is not kept as a bound of their sum, so a table over variables that have
nothing to do with each other is small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Most = Callable[[int], int | None]
"""The end of a literal's range."""

STEPS = 20_000
"""How many bounds one closure looks at; what is not derived by then is not."""


class Table:
    """Upper bounds of literals, and of sums of two literals of different variables (both ways round)."""

    __slots__ = ("most", "single", "sums")

    def __init__(self, most: Most) -> None:
        self.most = most
        self.single: dict[int, int] = {}
        self.sums: dict[int, dict[int, int]] = {}

    def copy(self) -> Table:
        result = Table(self.most)
        result.single = dict(self.single)
        result.sums = {literal: dict(row) for literal, row in self.sums.items()}
        return result

    def upper(self, literal: int) -> int | None:
        """The upper bound of a literal."""
        found = self.single.get(literal)
        return self.most(literal) if found is None else found

    def upper_sum(self, one: int, other: int) -> int | None:
        """The upper bound of a sum of two literals."""
        if one == other:
            bound = self.upper(one)
            return None if bound is None else 2 * bound
        if one ^ 1 == other:
            return 0
        apart = self._apart(one, other)
        row = self.sums.get(one)
        found = None if row is None else row.get(other)
        return apart if found is None or (apart is not None and apart < found) else found

    def _apart(self, one: int, other: int) -> int | None:
        """What the bounds of two literals say about their sum."""
        left = self.upper(one)
        right = None if left is None else self.upper(other)
        return None if left is None or right is None else left + right

    def related(self) -> Iterator[tuple[int, int, int]]:
        """The bounds of sums, each once."""
        for one, row in self.sums.items():
            for other, bound in row.items():
                if one < other:
                    yield one, other, bound

    def set_single(self, literal: int, bound: int) -> None:
        limit = self.most(literal)
        if limit is None or bound < limit:
            self.single[literal] = bound

    def set_sum(self, one: int, other: int, bound: int) -> None:
        """Unless the literals' own bounds say it."""
        apart = self._apart(one, other)
        if apart is None or bound < apart:
            self.sums.setdefault(one, {})[other] = bound
            self.sums.setdefault(other, {})[one] = bound

    def drop(self, variable: int) -> None:
        """Forget a variable."""
        for literal in (2 * variable, 2 * variable + 1):
            self.single.pop(literal, None)
            for other in self.sums.pop(literal, ()):
                row = self.sums[other]
                del row[literal]
                if not row:
                    del self.sums[other]

    def add(self, bounds: Iterable[tuple[int, int, int]]) -> bool:
        """Bounds of sums (of a literal with itself: of its double), with all that follows. False if it is empty now.

        If the table was closed it is so afterwards.
        """
        pending = list(bounds)
        for _ in range(STEPS):
            if not pending:
                break
            one, other, bound = pending.pop()
            if one ^ 1 == other:
                if bound < 0:
                    return False
            elif one == other:
                if not self._add_single(one, bound // 2, pending):
                    return False
            else:
                self._add_sum(one, other, bound, pending)
        return True

    def _add_single(self, literal: int, bound: int, pending: list[tuple[int, int, int]]) -> bool:
        old = self.upper(literal)
        if old is not None and old <= bound:
            return True
        self.single[literal] = bound
        below = self.upper(literal ^ 1)
        if below is not None and below + bound < 0:
            return False
        for other, gap in list(self.sums.get(literal ^ 1, {}).items()):
            pending.append((other, other, 2 * (gap + bound)))  # other - literal <= gap
        for other, kept in list(self.sums.get(literal, {}).items()):
            limit = self.upper(other)
            if limit is not None and limit + bound <= kept:
                del self.sums[literal][other]
                del self.sums[other][literal]
        return True

    def _add_sum(self, one: int, other: int, bound: int, pending: list[tuple[int, int, int]]) -> None:
        old = self.upper_sum(one, other)
        if old is not None and old <= bound:
            return
        for here, there in ((one, other), (other, one)):
            limit = self.upper(there ^ 1)
            if limit is not None:
                pending.append((here, here, 2 * (bound + limit)))
        left = [(one, 0), *self.sums.get(one ^ 1, {}).items()]
        right = [(other, 0), *self.sums.get(other ^ 1, {}).items()]
        for first, gap in left:
            for second, more in right:
                if gap or more or (first, second) != (one, other):
                    pending.append((first, second, bound + gap + more))
        self.set_sum(one, other, bound)
