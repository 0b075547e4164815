"""A program of the table ``combination``, with the command that runs it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.configurations import TEST
from benchmarks.subject import Subject


@dataclass(frozen=True, slots=True)
class Case(Subject):
    """A subject whose name begins with where it comes from: ``real/json``, ``verify/ring_safe``."""

    command: str = TEST
    errors_known: bool = False
    """Are ``errors`` all that there are, so that another one is a false alarm?"""

    @property
    def has_verdict(self) -> bool:
        """Does the command answer with one?"""
        return self.command != TEST

    def digest(self, options: Sequence[str], seconds: float) -> str:
        """Of all that is asked, the sources included: a run of another digest is another run.

        Folders do not matter: some programs are written to a new one each time.
        """
        places = sorted({str(file.parent) for file in self.files}, key=len, reverse=True)
        words = [word for one in (*self.options, *options) for word in [_without(one, places)]]
        whole = hashlib.sha256(repr((self.command, words, seconds)).encode())
        for file in self.files:
            whole.update(file.name.encode() + b"\0" + file.read_bytes())
        return whole.hexdigest()


def _without(word: str, places: Sequence[str]) -> str:
    for place in places:
        word = word.replace(place, "")
    return word
