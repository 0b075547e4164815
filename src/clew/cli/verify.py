"""``clew verify``: do the program's assertions hold, whatever the inputs?"""

from __future__ import annotations

from clew.base.options import VerifyRequest
from clew.cli.command import exploring

command = exploring(
    "verify",
    VerifyRequest,
    short="Prove the assertions of C files, or show how they fail.",
    help="Prove that no input makes an assertion of FILE... (.c, .ll or .bc) fail, or find one that does.",
    codes="0 TRUE; 1 FALSE; 2 wrong usage or input; 3 UNKNOWN.",
)
