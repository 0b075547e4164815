"""Answers that are kept: asked once, by arguments, for each object on its own."""

from __future__ import annotations

from clew.base.memo import remembered


class Asked:
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.questions: list[tuple[int, int]] = []

    @remembered
    def sum(self, one: int, other: int) -> int | None:
        """Of two numbers; none for zeros."""
        self.questions.append((one, other))
        return one + other or None


def test_each_question_is_answered_once() -> None:
    asked = Asked()
    assert [asked.sum(1, 2), asked.sum(2, 1), asked.sum(1, 2), asked.sum(0, 0), asked.sum(0, 0)] == [
        3,
        3,
        3,
        None,
        None,
    ]
    assert asked.questions == [(1, 2), (2, 1), (0, 0)], "that there is no answer is remembered, too"


def test_arguments_by_name_count() -> None:
    asked = Asked()
    assert [asked.sum(1, other=2), asked.sum(1, other=3), asked.sum(1, other=2)] == [3, 4, 3]
    assert asked.questions == [(1, 2), (1, 3)]


def test_objects_have_answers_of_their_own() -> None:
    one, other = Asked(), Asked()
    assert one.sum(1, 1) == other.sum(1, 1) == 2
    assert one.questions == other.questions == [(1, 1)]
