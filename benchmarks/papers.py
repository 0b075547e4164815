"""The figures that papers report, to stand beside the measured ones: ``papers/NAME.json``, each with its source."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "papers"


@cache
def paper(table: str) -> dict[str, Any]:
    """What was published for a table; its key ``source`` says where and how it was measured."""
    found: dict[str, Any] = json.loads((FOLDER / f"{table}.json").read_text(encoding="utf-8"))
    return found
