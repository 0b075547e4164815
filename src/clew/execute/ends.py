"""How paths end. Raised by generated code and helpers, caught by the engine alone."""

from __future__ import annotations

from clew.base.errors import PathEnd
from clew.base.location import Location


class Exited(PathEnd):
    """The program ended: ``main`` returned or ``exit`` was called. ``code`` may be symbolic."""

    def __init__(self, code: object, returned: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.returned = returned
        """By returning from the entry function: then no local variable is alive any more."""


class Failed(PathEnd):
    """The path shows a bug; a possible one, if it rests on something made up."""

    def __init__(
        self, kind: str, message: str, location: Location | None = None, rests_on: str = "", bound: str = ""
    ) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.location = location
        """Where to report it, when that is not the instruction that raised it."""
        self.rests_on = rests_on
        """What it depends on that Clew has made up, for people (``depends on what f() returns, ...``); else empty.
        Whoever files the path adds what the inputs of the path say: see ``execute.assumptions``."""
        self.bound = bound
        """What is not explored since the path ends here, though it might go on: a loss."""


BEYOND = "beyond"
"""In place of a kind of bugs: an access past the end of an object whose size nobody knows, which is no error."""


LENGTH = "length"
"""In place of ``out-of-bounds``: past the end of an object that a function is given, whose length somebody chose."""
OWN_LENGTH = "depends on how many elements the caller provides (--array-length)"
LENGTHS = "accesses beyond the elements that pointers of the function are given (--array-length)"


def ending(kind: str, message: str, location: Location | None = None) -> Failed | Lost:
    """The end of a path where a check fails: a bug, or ``BEYOND`` what can be said."""
    if kind == LENGTH:
        return Failed("out-of-bounds", message, location, OWN_LENGTH, LENGTHS)
    return Lost("bounded", message) if kind == BEYOND else Failed(kind, message, location)


class Moved(PathEnd):
    """No end at all: a listener has put the state elsewhere on its path; it goes on from its frames."""


class Dropped(PathEnd):
    """Nothing is left to explore here: an assumption does not hold, or the case was seen before."""


class AlreadyReported(Dropped):
    """The path shows an error that was reported before."""


class Subsumed(PathEnd):
    """What lies ahead was explored by other paths: whatever this one can show, they have shown, or cannot show."""


class Lost(PathEnd):
    """The path goes on, but not with us: a bound was hit or something is not supported."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(kind, what)
        self.kind = kind
        self.what = what
