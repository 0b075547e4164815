"""The abstract domains by name, from the most precise to the cheapest.

Importing this imports no domain: the names alone are needed to read a command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.base.registry import Registry

if TYPE_CHECKING:
    from clew.analysis.absint.domain import Domain, Ranges

DOMAINS: Registry[type[Domain]] = Registry(
    "domain",
    "--domain",
    {
        "polyhedra": "clew.analysis.absint.polyhedra",
        "octagons": "clew.analysis.absint.octagons",
        "intervals": "clew.analysis.absint.intervals",
    },
)


def make_domain(name: str, ranges: Ranges | None = None) -> Domain:
    """A domain by its name. Where it cannot be had, the next cheaper one: its own name tells."""
    domain = DOMAINS.get(name)
    below = cheaper(name)
    if below is not None and not domain.available():
        return make_domain(below, ranges)
    return domain() if ranges is None else domain(ranges)


def cheaper(name: str) -> str | None:
    """The domain to fall back to; None after the last."""
    names = DOMAINS.names()
    place = names.index(name) + 1
    return names[place] if place < len(names) else None
