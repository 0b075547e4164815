"""Our options and the compiler's; the values of --start."""

from __future__ import annotations

import math

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import UserError
from clew.base.option_values import parse_start
from clew.cli.flags import CompilerCommand, compiler_flags, split_flags


def test_split() -> None:
    line = "p.c -I inc -Iother -DN=3 -D M --time 5 -std=c99 -fwrapv -m32 --json -include a.h -- -O0 --time q.c"
    ours, compiler = split_flags(line.split(), {"--time"})
    assert ours == ["p.c", "--time", "5", "--json"]
    assert " ".join(compiler) == "-I inc -Iother -DN=3 -D M -std=c99 -fwrapv -m32 -include a.h -O0 --time q.c"


def test_values_of_our_options_stay_ours() -> None:
    assert split_flags(["--start", "-Dx", "--function", "-f"], {"--start", "--function"})[1] == []


def test_missing_values() -> None:
    with pytest.raises(click.UsageError, match="'-I' requires an argument"):
        split_flags(["p.c", "-I"], set())
    assert split_flags(["--time"], {"--time"}) == (["--time"], [])


def test_what_does_not_matter_is_named_once() -> None:
    command = CompilerCommand("test")
    for line, kept, said in (
        ("-O2 -DN=3 -g -DN=3 -o it", "-DN=3 -DN=3", "left out: -O2 -g -o it; the folder for results is --out DIR"),
        ("-Wall -I inc", "-Wall -I inc", ""),
        ("-g -c", "", "left out: -g -c"),
    ):
        flags, notes = compiler_flags(command.make_context("test", line.split()))
        assert " ".join(flags) == kept
        assert len(notes) == bool(said)
        assert all(note.endswith(said) for note in notes)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x=5", [("x", 5)]),
        ("x=5,y=-0x10", [("x", 5), ("y", -16)]),
        (" x = 5 , 7", [("x", 5), (None, 7)]),
        ("1,2.5,'a'", [(None, 1), (None, 2.5), (None, 97)]),
        ('s="a,b=\\n\\x41\\101\\0\\""', [("s", b'a,b=\nAA\0"')]),
        ("c='\\n',d='\\x7f',e='\\'',f=','", [("c", 10), ("d", 127), ("e", 39), ("f", 44)]),
        ("x=007", [("x", 7)]),
        ("x=1e3,y=0x1.8p1", [("x", 1000.0), ("y", 3.0)]),
        ("a[0]=1,p->q=2", [("a[0]", 1), ("p->q", 2)]),
        ("x=0b11", [("x", 3)]),
    ],
)
def test_start(text: str, values: list[tuple[str | None, int | float | bytes]]) -> None:
    assert parse_start(text) == tuple(values)


def test_start_with_infinity() -> None:
    ((_, value),) = parse_start("d=-inf")
    assert value == -math.inf


@pytest.mark.parametrize("text", ["", "x", "x=", "=5", "x=5,", ",x=5", "x=5 6", "x='ab'", 'x="a', "x=5,,y=6", "x==5"])
def test_start_refused(text: str) -> None:
    with pytest.raises(UserError, match="--start"):
        parse_start(text)


@pytest.mark.slow
@given(st.text(alphabet="x=,'\"\\ 0a1-."))
def test_start_never_crashes(text: str) -> None:
    try:
        parse_start(text)
    except UserError:
        pass
