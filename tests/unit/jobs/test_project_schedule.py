"""Turns of a project's entries: the small ones first, then those that cover most, and what is left to cover."""

from __future__ import annotations

from clew.jobs.project.entries import Entry
from clew.jobs.project.schedule import FIRST, GROWTH, LEAST, Schedule

BRANCHES = [(name, block, place) for name in "fgh" for block in "ab" for place in (0, 1)]


def _entry(name: str, *runs: str) -> Entry:
    return Entry(name, name, "p.c", 1, 10, "", frozenset((name, *runs)))


F, G, H = _entry("f", "h"), _entry("g"), _entry("h")


def _of(name: str, count: int) -> list[tuple[str, str, int]]:
    return [branch for branch in BRANCHES if branch[0] == name][:count]


def test_each_entry_has_a_first_turn_in_order() -> None:
    schedule = Schedule([H, G, F], BRANCHES)
    turns = [schedule.first(60, 2) for _ in range(4)]
    assert turns == [(H, FIRST), (G, FIRST), (F, FIRST), None]
    assert schedule.another() is None


def test_many_entries_have_short_turns() -> None:
    assert Schedule([F] * 1000, BRANCHES).first(10, 2) == (F, LEAST)


def test_who_covers_more_than_others_comes_first_and_turns_grow() -> None:
    schedule = Schedule([F, G, H], BRANCHES)
    for _ in range(3):
        schedule.first(60, 2)
    schedule.came(F, _of("f", 1), 2.0, 10, waits=True)
    schedule.came(G, _of("g", 2), 2.0, 20, waits=True)
    schedule.came(H, [], 2.0, 30, waits=True)
    assert (schedule.waiting, schedule.memory_mb) == (3, 60)
    assert schedule.another() == (G, FIRST * GROWTH)
    assert schedule.another() == (F, FIRST * GROWTH)
    schedule.came(F, [], 4.0, 10, waits=True)
    assert schedule.another() == (H, FIRST * GROWTH)  # as little as f, but in a shorter turn


def test_what_others_have_covered_is_no_gain() -> None:
    schedule = Schedule([F, G, H], BRANCHES)
    for _ in range(3):
        schedule.first(60, 2)
    schedule.came(H, _of("h", 4), 2.0, 0, waits=True)
    schedule.came(F, _of("h", 4), 2.0, 0, waits=True)  # h again, by another way
    schedule.came(G, _of("g", 1), 2.0, 0, waits=True)
    assert (schedule.left_for(F), schedule.left_for(H)) == (4, 0)
    assert schedule.least() == H  # nothing is left for it
    assert schedule.another() == (G, FIRST * GROWTH)


def test_an_entry_that_is_done_has_no_more_turns() -> None:
    schedule = Schedule([F], BRANCHES)
    schedule.first(60, 1)
    assert schedule.came(F, _of("f", 4), 1.0, 0, waits=False) == 4
    assert schedule.another() is None
