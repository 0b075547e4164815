"""Python's search for reference cycles, kept out of the way: it costs up to half the time of a run.

What Clew makes in bulk (instructions, expressions, states) forms no cycles and is freed by counting. Half a million
objects take 0.3 to 0.5 s to look through; most states are gone before there are four times as many.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Stop looking for garbage while millions of objects are made that are none."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def collect_rarely() -> None:
    """Look for garbage seldom from now on: for a process of Clew's own, whose end must not wait for a last look."""
    gc.set_threshold(2_000_000, 50, 100)


def collect() -> None:
    """Look for garbage now: memory is short."""
    gc.collect()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for garbage seldom, and never among what exists already: for the length of an exploration."""
    before = gc.get_threshold()
    gc.freeze()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
