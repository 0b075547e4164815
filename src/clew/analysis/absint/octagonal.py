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
            for other in list(self.sums.get(literal, ())):
                self._drop_sum(literal, other)

    def add(self, bounds: Iterable[tuple[int, int, int]]) -> bool:
        """Bounds of sums (of a literal with itself: of its double), with all that follows. False if it is empty now.

        If the table was closed it is so afterwards.
        """
        for one, other, bound in bounds:
            if not self._add(one, other, bound):
                return False
        return True

    def _add(self, one: int, other: int, bound: int) -> bool:
        if one ^ 1 == other:
            return bound >= 0
        if one == other:
            return self._add_single(one, bound // 2)
        old = self.upper_sum(one, other)
        if old is not None and old <= bound:
            return True
        back = self.upper_sum(one ^ 1, other ^ 1)
        if back is not None and back + bound < 0:
            return False
        # In a closed table, whatever follows uses the new bound once, or follows from bounds of single literals.
        left = [(one, 0), *self.sums.get(one ^ 1, {}).items()]
        right = [(other, 0), *self.sums.get(other ^ 1, {}).items()]
        for first, gap in left:
            for second, more in right:
                total = bound + gap + more
                if first == second:
                    if not self._add_single(first, total // 2):
                        return False
                elif first ^ 1 == second:
                    if total < 0:
                        return False
                else:
                    old = self.upper_sum(first, second)
                    if old is None or total < old:
                        self.set_sum(first, second, total)
        for here, there in ((one, other), (other, one)):
            limit = self.upper(there ^ 1)
            if limit is not None and not self._add_single(here, bound + limit):
                return False
        return True

    def _add_single(self, literal: int, bound: int) -> bool:
        pending = [(literal, bound)]
        for _ in range(STEPS):
            if not pending:
                break
            literal, bound = pending.pop()
            old = self.upper(literal)
            if old is not None and old <= bound:
                continue
            self.single[literal] = bound
            below = self.upper(literal ^ 1)
            if below is not None and below + bound < 0:
                return False
            for other, gap in self.sums.get(literal ^ 1, {}).items():  # other - literal <= gap
                pending.append((other, gap + bound))
            for other, kept in list(self.sums.get(literal, {}).items()):
                limit = self.upper(other)
                if limit is not None and limit + bound <= kept:
                    self._drop_sum(literal, other)
        return True

    def _drop_sum(self, one: int, other: int) -> None:
        for literal, second in ((one, other), (other, one)):
            row = self.sums[literal]
            del row[second]
            if not row:
                del self.sums[literal]

    def independent(self) -> list[tuple[int, int, int]]:
        """Bounds of sums that do not follow from two others."""
        left = {literal: dict(row) for literal, row in self.sums.items()}
        for one, other, bound in list(self.related()):
            del left[one][other], left[other][one]
            ways = (
                gap + left.get(middle ^ 1, {}).get(other, bound + abs(gap) + 1) for middle, gap in left[one].items()
            )
            if all(total > bound for total in ways):
                left[one][other] = left[other][one] = bound
        return [(one, other, bound) for one, row in left.items() for other, bound in row.items() if one < other]
