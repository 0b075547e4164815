"""Text from outside (names of files, messages of programs) as it may be shown on a terminal.

"a\\x1b[31m.c"  ->  a\\x1b[31m.c, with a backslash where the control character was
"""

from __future__ import annotations

LINES = "\n\t"
"""To keep in text of several lines."""
_BYTES = range(0xDC80, 0xDD00)
"""How Python keeps bytes of file names that are not UTF-8."""


def printable(text: str, keep: str = "\t") -> str:
    """The text; controls, line ends, marks that turn writing round, broken characters escaped, unless in ``keep``."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else _escaped(ord(char)) for char in text)


def _escaped(code: int) -> str:
    if code in _BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
