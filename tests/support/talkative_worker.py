"""A worker of a cluster that looks for messages, and says what it has done, at once: for tests of what is said."""

from __future__ import annotations

from unittest.mock import patch

from clew.jobs.sharing.process import main

if __name__ == "__main__":
    with (
        patch("clew.jobs.sharing.worker.LOOK", 0.0),
        patch("clew.jobs.sharing.worker.INTERVAL", 0.01),
        patch("clew.jobs.sharing.worker.SELDOM", 1),
    ):
        main()
