"""Cases: text in -> text out. ``pytest tests/cases --update`` writes what the code gives now; review the diff."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", default=False, help="rewrite the expected output of the cases")


@pytest.fixture
def check_case(request: pytest.FixtureRequest) -> Callable[[str, Path], None]:
    """A function that compares text with an expected file, or writes that file under ``--update``."""
    # The option is unknown when pytest starts above this folder; then nothing is to be updated.
    update = bool(request.config.getoption("--update", default=False))

    def check(actual: str, expected: Path) -> None:
        if update:
            expected.write_text(actual, encoding="utf-8")
        assert expected.exists(), f"{expected.name} is missing; run pytest tests/cases --update"
        assert actual == expected.read_text(encoding="utf-8")

    return check
