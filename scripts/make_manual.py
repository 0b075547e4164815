"""Write ``docs/clew.1``, the manual page, from the commands and their options.

    python scripts/make_manual.py

``man docs/clew.1`` shows it; a wheel installs it. ``tests/repo/test_manual.py`` asks whether it is up to date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from clew.cli.app import TASKS, clew

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "clew.1"
_HEAD = r""".\" Written by scripts/make_manual.py: do not edit.
.TH CLEW 1 "" "Clew" "User Commands"
.SH NAME
clew \- symbolic execution of C programs: inputs that cover the code, inputs that break it, proofs
.SH SYNOPSIS
.B clew
.I COMMAND
.RI [ OPTIONS ]
.RI [ FILE... ]
.RB [ \-\-
.IR COMPILER-OPTIONS ]
.SH DESCRIPTION
Clew explores the paths of a C program with symbolic inputs. Results go to a new folder,
.IR clew-out/N ,
with a link
.I clew-out/last
to it;
.I report.html
in it shows all of them in a browser.
"""
_TAIL = r""".SH FILES
.TP
.I clew-out/last
The newest folder of results: tests, bugs, coverage, summary.json, report.html.
.TP
.I ~/.cache/clew
Compiled programs.
.SH SEE ALSO
.BR clang (1),
.BR klee (1),
.BR genhtml (1)
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, ".SH COMMANDS\n"]
    for title, names in TASKS.items():
        parts.append(f".SS {escaped(title)}\n")
        parts += [text for name in names for text in _brief(name)]
    parts.append(".SH OPTIONS\n")
    parts += [text for names in TASKS.values() for name in names for text in _options(name)]
    return "".join([*parts, _TAIL])


def escaped(text: str) -> str:
    """Text as roff has it."""
    text = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _context(name: str) -> click.Context:
    parent = clew.make_context("clew", [name])  # from which commands have their settings
    command = clew.get_command(parent, name)
    assert command is not None
    return click.Context(command, parent, name)


def _brief(name: str) -> Iterator[str]:
    context = _context(name)
    usage = " ".join(context.command.collect_usage_pieces(context))
    yield f".TP\n\\fBclew {escaped(name)}\\fR {escaped(usage)}\n{escaped(context.command.help or '')}\n"
    codes = re.search(r"Exit code.*", " ".join((context.command.epilog or "").split()))
    if codes:
        yield f".br\n{escaped(codes[0])}\n"


def _options(name: str) -> Iterator[str]:
    context = _context(name)
    records = [param.get_help_record(context) for param in context.command.get_params(context)]
    if any(records):
        yield f".SS clew {escaped(name)}\n"
    for record in filter(None, records):
        yield f".TP\n\\fB{escaped(record[0])}\\fR\n{escaped(record[1])}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
