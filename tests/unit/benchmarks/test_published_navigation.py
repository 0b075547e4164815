"""Figures of the paper on loop navigation."""

from __future__ import annotations

from benchmarks.navigation import PROGRAMS
from benchmarks.published_navigation import TOOLS, Reported, published


def test_every_program_of_the_paper_is_there() -> None:
    assert set(published()) == set(PROGRAMS) - {"hwm5"}


def test_figures() -> None:
    hwm = published()["hwm"]
    assert [str(hwm.times[tool]) for tool in TOOLS] == ["fail", "534", ">3600", "1.997"]
    assert hwm.chains == "81/161"
    assert published()["fig1_17"].times == {"Pex": Reported(18000.0, ended=False)}


def test_chains_grow_by_the_number_of_words() -> None:
    """Three ways out of each loop, two around it: 3 ** n root chains, and 2 around each loop that a way meets."""
    for name, words in (("hw", 2), ("hwm", 4)):
        around = sum(2 * 3**n for n in range(words))
        assert published()[name].chains == f"{3**words}/{3**words + around}"
