"""Source excerpts: the right line, and the caret under the right character."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.location import Location
from clew.report.excerpt import Sources


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "p.c").write_bytes(b"int main(void) {\n\tx = \xc3\xa9 + y;\r\n" + b"z" * 500 + b"\n\0bad\xff\n")
    return Sources(tmp_path)


def test_caret(sources: Sources) -> None:
    assert sources.excerpt(Location("p.c", 1, 5)) == ["   1 | int main(void) {", "     |     ^"]


def test_tabs_and_bytes_are_not_columns(sources: Sources) -> None:
    # Column 9 counts bytes: a tab, "x = ", two bytes of one letter, a blank; the tab is shown four wide.
    assert sources.excerpt(Location("p.c", 2, 9)) == [
        "   1 | int main(void) {",
        "   2 |     x = é + y;",
        "     |           ^",
    ]


def test_long_and_odd_lines(sources: Sources) -> None:
    shown = sources.excerpt(Location("p.c", 3, 400), before=0)
    assert len(shown) == 1 and shown[0].endswith("...") and len(shown[0]) < 120
    assert sources.excerpt(Location("p.c", 4), before=0) == ["   4 | ?bad\ufffd"]


@pytest.mark.parametrize(
    "place",
    [None, Location("p.c", 0), Location("p.c", 99), Location("absent.c", 1), Location(".", 1), Location("\0", 1)],
)
def test_nothing_to_show(sources: Sources, place: Location | None) -> None:
    assert sources.excerpt(place) == []
    assert sources.line(place) == ""


def test_line(sources: Sources) -> None:
    assert sources.line(Location("p.c", 2)) == "x = é + y;"
