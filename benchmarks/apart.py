"""A function in a process of its own: nothing that ran before has an influence on what it measures."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Died(Exception):
    """The process ended without a result."""

    def __str__(self) -> str:
        return "its process died"


def apart(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What a function of a module gives, in a new interpreter; raises what it raises, or ``Died``."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(function, *args, **named).result()
        except BrokenProcessPool:
            raise Died from None
