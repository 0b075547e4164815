"""Names for bugs that stay the same while the code around them changes.

A fingerprint is made of the kind of the bug, its file, its function, the text of its line, but for a comment that
suppresses bugs there, and the place within that text: two bugs of a kind on one line are two. It does not depend on
numbers of lines: what comes and goes above the function, or within it on other lines, does not matter. Of lines with
the same text in one function, the first, second, ... have different ones.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from clew.base.location import Location
from clew.report.excerpt import Sources
from clew.report.places import source_root, within
from clew.report.records import Bug
from clew.report.suppressions import COMMENT

LENGTH = 32
"""Hexadecimal digits."""


def fingerprint_of(bug: Bug, sources: Sources, root: Path | None = None) -> str:
    """The bug's fingerprint; files are named as seen from ``root``, or from the root of the sources."""
    where = bug.location
    name = "" if where is None else str(within(where.file, root or source_root()) or where.file)
    text, before = ("", 0) if where is None else _line(where, bug.function, sources)
    parts = (bug.kind, name, bug.function, text, str(before), str(_position(where, sources)))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:LENGTH]


def _line(where: Location, function: str, sources: Sources) -> tuple[str, int]:
    """The text of a line, without differences in blanks, and how many of the same are above it in its function."""
    lines = sources.text(where.file).split("\n")[: where.line]
    if len(lines) < where.line:
        return "", 0
    text = _plain(lines[-1])
    begin = _beginning(lines, function)
    return text, sum(_plain(line) == text for line in lines[begin:-1])


def _position(where: Location | None, sources: Sources) -> int:
    """How many characters of its line, blanks and suppressing comments aside, are before a place."""
    if where is None or not where.column:
        return 0
    begin = sources.raw_line(where)[: where.column - 1].decode("utf-8", "replace")
    return len(_plain(begin).replace(" ", ""))


def _plain(line: str) -> str:
    return " ".join(COMMENT.sub("", line).split())


def _beginning(lines: list[str], function: str) -> int:
    """The position of the last line that may begin the function: its name, and not indented; 0 if there is none."""
    if not function:
        return 0
    start = re.compile(rf"(?=\S)[^;]*\b{re.escape(function)}\s*\(")
    return next((at for at in range(len(lines) - 1, -1, -1) if start.match(lines[at])), 0)
