"""Layers that may look in vain."""

from __future__ import annotations

from clew.solver.layers.worth import CREDIT, SELDOM, Worth


def looks(worth: Worth, queries: int, nodes: int, was_of_use: bool) -> int:
    """At how many of so many queries it looks."""
    count = 0
    for _ in range(queries):
        if worth.is_time():
            count += 1
            worth.looked(nodes, was_of_use)
    return count


def test_what_is_of_no_use_is_done_seldom() -> None:
    worth = Worth(100)
    assert looks(worth, 10, 10, False) == 10
    assert looks(worth, 10 * (SELDOM + 1), 10, False) == 10


def test_what_was_of_use_is_done_at_once_for_a_while() -> None:
    worth = Worth(100)
    looks(worth, 50, 10, False)
    while not looks(worth, 1, 10, True):
        pass
    assert looks(worth, CREDIT, 10, False) == CREDIT
    assert looks(worth, SELDOM, 10, False) == 0


def test_what_is_of_use_now_and_then_goes_on() -> None:
    worth = Worth(100)
    assert all(looks(worth, 1, 10, number % CREDIT == 0) for number in range(1000))
