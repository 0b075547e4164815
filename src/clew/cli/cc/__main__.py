"""``python -m clew.cli.cc`` is ``clew-cc``."""

from __future__ import annotations

from clew.cli.cc import main

main()
