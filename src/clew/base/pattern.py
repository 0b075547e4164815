"""Regular expressions that are compiled when they are first used: most that a command imports never are."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, as far as methods and attributes go. The first of them tells if the text is wrong."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    """Stands for a compiled pattern, and keeps what it is asked for."""

    def __init__(self, text: Any, flags: int) -> None:
        self._asked = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._asked), name)
        setattr(self, name, found)
        return found
