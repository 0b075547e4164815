"""One seed, many independent streams.

Everything random in a run comes from here. Each user asks for a stream by name, so that a new user
of randomness does not change what the others draw: same seed and options, same run.
"""

from __future__ import annotations

import hashlib
from random import Random


class Randomness:
    """The random source of one run."""

    __slots__ = ("_streams", "seed")

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._streams: dict[str, Random] = {}

    def stream(self, name: str) -> Random:
        """The generator called ``name``: the same object each time, its seed made of the run's seed and the name."""
        stream = self._streams.get(name)
        if stream is None:
            # Not hash(): Python's string hash differs from process to process.
            digest = hashlib.sha256(f"{self.seed}:{name}".encode()).digest()
            stream = self._streams[name] = Random(int.from_bytes(digest, "big"))
        return stream
