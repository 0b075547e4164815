"""What the comments of a benchmark program say of it: ``// name: text``, each on a line of its own."""

from __future__ import annotations

import re
from pathlib import Path

from clew.base.errors import UserError


def comments(text: str, name: str) -> list[str]:
    """The texts of all comments of a name."""
    return re.findall(rf"^// {name}:\s*(.*?)\s*$", text, re.MULTILINE)


def count(path: Path, text: str, name: str) -> int:
    """The number in the only comment of a name; UserError if there is none."""
    found = comments(text, name)
    if len(found) != 1 or not found[0].isdigit():
        raise UserError(f"{path}: no comment '// {name}: N'")
    return int(found[0])
