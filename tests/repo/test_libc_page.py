"""docs/guide/libc.md names every function of the C library that there is a model or a source of, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from clew.models.registry import all_models
from clew.runtime.linking import PROVIDED

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "libc.md"
MACROS = {"assert", "errno"}
ENDING = {"clone", "fork", "pthread_create", "thrd_create", "vfork"}
"""What ends a path is named beside the functions that do something."""


def public_names() -> set[str]:
    names = {*all_models(), *PROVIDED}
    return {name for name in names if not name.startswith(("_", "klee_", "clew.", "clew_")) and name != "reach_error"}


def is_variant(name: str, listed: set[str]) -> bool:
    """Whether a function is another form of one that is named: by its ending, or taking a ``va_list``."""
    endings = [name.removesuffix(ending) for ending in ("f", "l", "_l", "64", "_unlocked")]
    return any(form in listed for form in endings if form != name) or (name[:1] == "v" and name[1:] in listed)


def test_the_page_lists_what_there_is() -> None:
    rows = [line.split("|") for line in PAGE.read_text().split("## C itself")[0].splitlines() if line.startswith("|")]
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
    known = public_names()
    assert {name for name in known - listed - ENDING if not is_variant(name, listed)} == set()
    assert listed - known - MACROS == set()
