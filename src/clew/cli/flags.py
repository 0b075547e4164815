"""Separates the compiler's options from ours.

    test p.c -I inc -DN=3 --time 5 -fwrapv -- -O0   ->   test p.c --time 5   and   -I inc -DN=3 -fwrapv -O0

Ours start with two dashes, but for a few of one letter: so any other word with one dash is the compiler's, and
everything after ``--`` is. The value of an option of ours is never taken for one of the compiler's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import click

from clew.base.command_line import VALUED, meaningful
from clew.cli.help import Command

_OURS = ("-h",)
_META = "clew.compiler_flags"


def split_flags(args: Sequence[str], valued: Collection[str]) -> tuple[list[str], list[str]]:
    """(ours, the compiler's). ``valued`` are those options of ours that take the next word as value."""
    ours: list[str] = []
    compiler: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            compiler.extend(words)
        elif word.startswith("-") and not word.startswith("--") and word not in (*_OURS, *valued):
            compiler.append(word)
            if word in VALUED:
                value = next(words, None)
                if value is None:
                    raise click.UsageError(f"Option '{word}' requires an argument")
                compiler.append(value)
        else:
            ours.append(word)
            if word in valued:
                ours.extend(value for value in [next(words, None)] if value is not None)
    return ours, compiler


class CompilerCommand(Command):
    """A command that accepts the compiler's options between its own; ``compiler_flags`` gets them."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- COMPILER-OPTIONS]"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        ours, compiler = split_flags(args, valued)
        ctx.meta[_META] = tuple(compiler)
        return super().parse_args(ctx, ours)


def compiler_flags(ctx: click.Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags that ``CompilerCommand`` set aside, and those in files that they name, as far as they matter; and what
    is to be said of the others: one sentence, or none."""
    flags = ctx.meta.get(_META, ())
    assert isinstance(flags, tuple)
    if not flags:
        return (), ()
    from clew.frontend.responses import expanded  # with all of the frontend, which takes a while

    given = expanded(flags)
    kept = meaningful(given)
    return kept, tuple(_left_out(given, kept))


def _left_out(given: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    spare = Counter(given) - Counter(kept)
    words = [word for word in dict.fromkeys(given) if word in spare]
    if words:
        hint = "; the folder for results is --out DIR" if "-o" in words else ""
        yield f"flags that say nothing of what the code means are left out: {' '.join(words)}{hint}"
