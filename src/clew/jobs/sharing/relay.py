"""A listener between a job and those who listen: in a worker it keeps what was found until that is told as a whole."""

from __future__ import annotations

from clew.report.listener import Listener, Listeners, Snapshot
from clew.report.records import Bug, Test


class Relay(Listeners):
    """Passes everything on, until it is told to keep it."""

    def __init__(self, listener: Listener) -> None:
        super().__init__([listener])
        self.interval = listener.interval
        self._keeps = False
        self._found: list[Test | Bug] = []
        self._warnings: list[str] = []

    def keep(self) -> None:
        """Pass nothing on from now on."""
        self._keeps = True

    @property
    def has_found(self) -> bool:
        """Whether something is kept that should be told soon."""
        return bool(self._found)

    @property
    def has_any(self) -> bool:
        """Whether anything is kept."""
        return bool(self._found or self._warnings)

    def taken(self) -> tuple[tuple[Test | Bug, ...], tuple[str, ...]]:
        """What was found, and warnings, since this was asked last."""
        kept = tuple(self._found), tuple(self._warnings)
        self._found, self._warnings = [], []
        return kept

    def progress(self, snapshot: Snapshot) -> None:
        if not self._keeps:
            super().progress(snapshot)

    def test_found(self, test: Test) -> None:
        if self._keeps:
            self._found.append(test)
        else:
            super().test_found(test)

    def bug_found(self, bug: Bug) -> None:
        if self._keeps:
            self._found.append(bug)
        else:
            super().bug_found(bug)

    def warning(self, text: str) -> None:
        if self._keeps:
            self._warnings.append(text)
        else:
            super().warning(text)
