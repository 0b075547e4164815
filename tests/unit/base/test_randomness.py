"""Streams of randomness: repeatable, independent, the same in every process."""

from __future__ import annotations

from clew.base.randomness import Randomness


def test_same_seed_same_numbers() -> None:
    assert Randomness(7).stream("search").random() == Randomness(7).stream("search").random()


def test_seeds_and_names_differ() -> None:
    draws = {Randomness(seed).stream(name).random() for seed in (0, 1) for name in ("search", "eviction")}
    assert len(draws) == 4


def test_streams_do_not_disturb_each_other() -> None:
    alone, shared = Randomness(3), Randomness(3)
    shared.stream("eviction").random()
    assert alone.stream("search").random() == shared.stream("search").random()


def test_a_stream_goes_on() -> None:
    source = Randomness(3)
    assert source.stream("a") is source.stream("a")
    assert source.stream("a").random() != source.stream("a").random()


def test_fixed_across_processes() -> None:
    assert Randomness(1).stream("search").randrange(10**6) == 177688
