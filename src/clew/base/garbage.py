"""Python's search for reference cycles, kept out of the way: it costs up to half the time of a run.

What Clew makes in bulk (instructions, expressions, states) forms no cycles and is freed by counting. A look at two
million objects takes 1.1 to 1.5 s, whenever so many more are kept; what it finds was made once for a program or an
analysis.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Do not look for garbage while millions of objects are made that are none, as programs and explorations do.

    Nor at once afterwards: what was made is taken for old, as if a search had been through it.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not gc.get_freeze_count():  # somebody has put objects aside for good: they are not to come back
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def collect_rarely() -> None:
    """Look for garbage seldom from now on: for a process of Clew's own, whose end must not wait for a last look."""
    gc.set_threshold(2_000_000, 50, 100)
