"""The records of kinds of bugs are consistent."""

from __future__ import annotations

import re

import pytest

from clew.report.kinds import BUG_KINDS, CRASH, TRAP


@pytest.mark.parametrize("name", BUG_KINDS)
def test_a_kind(name: str) -> None:
    kind = BUG_KINDS[name]
    assert kind.name == name
    assert kind.title and kind.cwe and kind.check
    assert kind.shows_as <= {*BUG_KINDS, TRAP, CRASH}
    assert not (kind.orderly and kind.undefined)
    for words in (kind.asan, kind.ubsan):
        re.compile(words)


def test_there_is_one_error_of_the_competitions() -> None:
    assert [kind.name for kind in BUG_KINDS.values() if kind.is_the_error] == ["error-call"]
