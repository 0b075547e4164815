"""``clew test``: inputs that cover the code, and inputs that crash it."""

from __future__ import annotations

from clew.base.options import TestRequest
from clew.cli.command import exploring

command = exploring(
    "test",
    TestRequest,
    short="Explore C files, write tests, report bugs.",
    help="Explore FILE... (.c, .ll or .bc), write tests, report bugs.",
    codes="0 done, no bug found; 1 bug found; 2 wrong usage or input; 3 stopped early, nothing found.",
)
