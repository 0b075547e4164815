"""The abstract domains by name, from the most precise to the cheapest."""

from __future__ import annotations

from collections.abc import Callable

from clew.analysis.absint import ppl
from clew.analysis.absint.domain import Domain, Ranges, unlimited
from clew.analysis.absint.intervals import Intervals
from clew.analysis.absint.octagons import Octagons
from clew.analysis.absint.polyhedra import Polyhedra

DOMAINS: dict[str, Callable[[Ranges], Domain]] = {
    "polyhedra": Polyhedra,
    "octagons": Octagons,
    "intervals": Intervals,
}


EFFORTS = {"polyhedra": 10_000, "octagons": 250_000, "intervals": 2_000_000}
"""What is spent in a domain before the next cheaper one is tried, as sizes of values: about two seconds; more in the
last one."""


def make_domain(name: str, ranges: Ranges = unlimited) -> Domain:
    """A domain by its name. Where it cannot be had, the next cheaper one: its own name tells."""
    if name == "polyhedra" and not ppl.available():
        name = "octagons"
    return DOMAINS[name](ranges)


def cheaper(name: str) -> str | None:
    """The domain to fall back to; None after the last."""
    names = list(DOMAINS)
    place = names.index(name) + 1
    return names[place] if place < len(names) else None
