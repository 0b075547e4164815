"""A process that explores a part of the paths of an arm: what it tells of them, and how it gets more.

It stops between two slices of a path only: there what is done and what is left can be told together.
"""

from __future__ import annotations

from typing import Any, Protocol

from clew.jobs.arms import Arm
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.worker import Worker
from clew.parallel.local import Channel
from clew.parallel.messages import Give, Knowledge, Take
from clew.parallel.prefix import Prefix
from clew.report.listener import Listener

WAIT = 0.1
"""Seconds for which a process that has nothing left keeps its turn: others are asked for some of theirs meanwhile."""

PathMessage = Take | Give | Knowledge


class Teller(Protocol):
    """The rest of the process."""

    def look(self, seconds: float = 0.0) -> None:
        """Take in the messages that have come, and wait so long for one."""

    def tell(self) -> None:
        """Tell how things stand, and what was found."""

    def tell_news(self) -> None:
        """Tell what was found, if something was."""


class Mailbox(Channel):
    """The messages about paths, of all that come to the process."""

    def __init__(self, channel: Channel, teller: Teller) -> None:
        self.number = channel.number
        self._channel = channel
        self._teller = teller
        self.letters: list[PathMessage] = []

    def at_work(self, job: int) -> None:
        self._channel.at_work(job)

    def send(self, message: object) -> None:
        self._channel.send(message)

    def receive(self, seconds: float | None = 0.0) -> Any:
        self._teller.look()
        return self.letters.pop(0) if self.letters else None


class PathWorker(Worker):
    """The part of one process in the exploration of an arm."""

    def __init__(self, ready: PreparedRun, ledger: Ledger, arm: Arm[Any], mailbox: Mailbox, teller: Teller) -> None:
        super().__init__(ready, ledger, Relay(Listener()), mailbox)  # what is found, the teller tells
        self._arm = arm
        self._mailbox = mailbox
        self._teller = teller
        self._attended = arm.moment

    def attend(self) -> None:
        """Between two slices: hear and tell what there is, and pause, if the turn is over."""
        if self._attended == self._arm.moment:
            return
        self._attended = self._arm.moment
        self.poll()
        if self._arm.is_due():
            self.commit()
            self._arm.give_way()

    def more(self) -> bool:  # type: ignore[override]
        """Nothing is left here: pause until there is; False if the run has stopped, after a last word."""
        engine = self._ready.engine
        while engine.stopped is None and not len(self._ready.run.searcher):
            reason = self._ready.budget.exhausted()
            if reason is not None:
                engine.stop(reason)
            else:
                self.commit(idle=True)
                self._teller.look(WAIT)
                self.read()
                if self.is_idle:
                    self._arm.give_way()
        if engine.stopped is not None:
            self.commit(ends=True)
        return engine.stopped is None

    def read(self) -> None:
        """While it is paused: what has come."""
        heard = bool(self._mailbox.letters)
        while self._mailbox.letters:
            self._hear(self._mailbox.letters.pop(0), self.is_idle)
        if heard and self.is_idle:
            self.commit(idle=True)
        elif heard and not self._arm.is_working:
            self._teller.tell()  # what is left has changed

    @property
    def is_idle(self) -> bool:
        return not len(self._ready.run.searcher) and self._ready.engine.running is None

    def commit(self, given: tuple[Prefix, ...] | None = None, idle: bool = False, ends: bool = False) -> None:
        """What was found is told before the paths count as done that have shown it: who dies in between has told too
        much, never too little."""
        self._teller.tell_news()
        super().commit(given, idle, ends)
