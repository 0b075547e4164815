"""Test cases of the Juliet suite for C in a folder: those the paper measures, stack buffer overflows by fgets.

A test case is one file (``..._fgets_12.c``) or several (``..._fgets_51a.c``, ``..._fgets_51b.c``), with the suite's
support file ``io.c``. Which line fails is found by the suite's own comments; C++ is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.subject import Error, Subject
from clew.base.errors import UserError

_FILE = re.compile(r"(?P<case>CWE121_.*_fgets_(?P<number>\d\d))[a-e]?\.c")
_BAD = re.compile(r"^#ifndef OMITBAD$(.*?)^#endif", re.MULTILINE | re.DOTALL)
_FLAW = re.compile(r"POTENTIAL FLAW: Attempt to (?:write|access).*?^\s*\w+\[data\]", re.MULTILINE | re.DOTALL)


def find_cases(folder: Path) -> list[Subject]:
    """All test cases in a folder and below it, by the number of their variant; UserError when there are none."""
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    support = next(iter(sorted(folder.rglob("std_testcase.h"))), None)
    if support is None or not support.with_name("io.c").is_file():
        raise UserError(f"no support files of the Juliet suite in {folder}: std_testcase.h and io.c are missing")
    groups: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(folder.rglob("CWE121_*_fgets_*.c")):
        if match := _FILE.fullmatch(path.name):
            groups.setdefault((match["number"], match["case"]), []).append(path)
    if not groups:
        raise UserError(f"no test case of the Juliet suite in {folder}: there is no CWE121_..._fgets_01.c")
    return [_case(number, files, support) for (number, _), files in sorted(groups.items())]


def _case(number: str, files: list[Path], support: Path) -> Subject:
    """That with ``main`` is the first file, the support file the last; the errors are those of the bad half."""
    errors = frozenset(error for file in files for error in _errors(file))
    if len(errors) != 1:
        raise UserError(f"{files[0]}: {len(errors)} lines are marked as the flaw, and not one")
    flags = (f"-I{support.parent}", "-DINCLUDEMAIN")
    return Subject(number, (*files, support.with_name("io.c")), errors=errors, settings={"compiler_flags": flags})


def _errors(file: Path) -> list[Error]:
    """The lines that fail, as the comments in the bad half say it."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return [
        ("out-of-bounds", file.name, text.count("\n", 0, bad.start(1) + flaw.end()) + 1)
        for bad in _BAD.finditer(text)
        for flaw in _FLAW.finditer(bad[1])
    ]
