"""What runs of the suite take: samples take turns, so that nothing is left out for ever."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from depth import QUICK, THOROUGH, USUAL, selected


class Item:
    """As much of a test as is looked at."""

    path = Path("test_x.py")

    def __init__(self, test: str, number: int, **marks: Any) -> None:
        self.originalname, self.name, self.marks = test, f"{test}[{number}]", marks

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(args=(self.marks[name],)) if name in self.marks else None


def items(count: int, test: str = "test_a", **marks: Any) -> Any:
    return [Item(test, number, **marks) for number in range(count)]


def test_a_sample_has_its_share_and_turns_have_everything() -> None:
    drawn = items(10, sample=3)
    turns = [selected(drawn, USUAL, turn) for turn in range(3)]
    assert [len(kept) for kept in turns] == [4, 3, 3]
    assert {item.name for kept in turns for item in kept} == {item.name for item in drawn}
    assert selected(drawn, THOROUGH, 0) == drawn


def test_every_test_of_a_file_has_a_sample_of_its_own() -> None:
    both = items(4, "test_a", sample=4) + items(4, "test_b", sample=4)
    assert [item.name for item in selected(both, USUAL, 0)] == ["test_a[0]", "test_b[0]"]


def test_what_is_left_to_others() -> None:
    long, slow, plain = items(1, "test_a", thorough=None), items(1, "test_b", slow=None), items(1, "test_c")
    assert selected(long + slow + plain, THOROUGH, 0) == long + slow + plain
    assert selected(long + slow + plain, USUAL, 0) == slow + plain
    assert selected(long + slow + plain, QUICK, 0) == plain


def test_a_quick_run_takes_one_of_each_unless_told_otherwise() -> None:
    assert len(selected(items(50), QUICK, 0)) == 1
    assert len(selected(items(50, sample=4), QUICK, 1)) == 1
    assert len(selected(items(50, quick=12), QUICK, 0)) == 12
    assert len(selected(items(5, quick=12), QUICK, 0)) == 5
    assert [item.name for item in selected(items(6, quick=3), QUICK, 0)] == ["test_a[0]", "test_a[2]", "test_a[4]"]
    assert len(selected(items(50, quick=12), USUAL, 0)) == 50
