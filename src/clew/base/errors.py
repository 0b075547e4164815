"""The tree of errors.

Findings about the analysed program are data (see ``clew.report.records``), never exceptions.
Failures of the tool share one root::

    ClewError
    |- UserError       the input or the command line is wrong; the message says what to do
    |- Unsupported     the program needs something Clew lacks; names it, and where
    `- InternalError   a bug of ours

The end of one path is not a failure: ``PathEnd`` derives from ``BaseException`` so that no
``except Exception`` on the way swallows it. The executor alone catches it.
"""

from __future__ import annotations

from clew.base.location import Location


class ClewError(Exception):
    """Root of everything that makes the tool, not the analysed program, fail."""


class UserError(ClewError):
    """Bad input or usage: one line that says what is wrong and what to do; exit code 2.

    ``details`` holds text shown verbatim below that line, such as the compiler's diagnostics.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class Unsupported(ClewError):
    """The program uses a feature Clew does not model. Ends the path; makes a proof impossible."""

    def __init__(self, feature: str, location: Location | None = None) -> None:
        super().__init__(feature)
        self.feature = feature
        self.location = location


class InternalError(ClewError):
    """An invariant of Clew's own does not hold."""


class PathEnd(BaseException):
    """Root of the ways a path ends; caught by the executor and nowhere else."""
