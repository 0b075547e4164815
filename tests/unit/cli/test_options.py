"""Options are made from the fields of requests."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from clew.base.budget import positive
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.option import Group, option, options_of
from clew.base.options import InvariantsRequest, LoopsRequest, ReachRequest, Request, TestRequest, VerifyRequest
from clew.base.processes import available_cores
from clew.cli.options import command_options, field_values


@dataclass(frozen=True, slots=True)
class ToyRequest(Request):
    """A new option is one field."""

    rounds: int | None = option(None, "So many rounds.", Group.OWN, type=int, metavar="N", check=positive)
    careful: bool = option(True, "Take no care.", Group.OWN)
    colour: str = option("red", "Of the toy.", Group.OWN, choices=("red", "blue"))


def given(request: type[Request], *words: str) -> dict[str, Any]:
    """The values of fields for a command line."""
    command = click.Command("toy", params=[*command_options(request, {})])
    return field_values(request, command.make_context("toy", list(words)).params)


def test_a_new_option_is_one_field() -> None:
    assert given(ToyRequest, "--rounds", "3", "--no-careful", "--colour", "blue")["rounds"] == 3
    made = ToyRequest((Path("p.c"),), **given(ToyRequest, "--no-careful", "--time", "inf"))
    assert (made.rounds, made.careful, made.colour, made.seconds) == (None, False, "red", None)
    help = click.Command("toy", params=[*command_options(ToyRequest, {})]).get_help(click.Context(click.Command("toy")))
    assert "--rounds N" in help
    assert "[red|blue]" in help


def test_a_request_checks_its_fields() -> None:
    with pytest.raises(UserError, match="--rounds must be a number above 0, not 0"):
        ToyRequest((Path("p.c"),), rounds=0)
    with pytest.raises(UserError, match=r"unknown value 'green' for --colour \(there are: red, blue\)"):
        ToyRequest((Path("p.c"),), colour="green")
    with pytest.raises(click.UsageError, match="Option '--check' names nothing"):
        given(ToyRequest, "--check", ",")


@pytest.mark.parametrize("request_type", [TestRequest, VerifyRequest, ReachRequest, LoopsRequest, InvariantsRequest])
def test_without_options_a_request_is_that_of_the_defaults(request_type: type[Request]) -> None:
    target: dict[str, Any] = {"call": "f"} if request_type is ReachRequest else {}
    made = request_type((Path("p.c"),), **{**given(request_type), **target})
    plain = request_type((Path("p.c"),), **target)
    differing = [item.name for item in fields(made) if getattr(made, item.name) != getattr(plain, item.name)]
    several = ["jobs"] if "jobs" in given(request_type) and available_cores() > 1 else []
    assert differing == ["seconds", *several, "interrupt"]


def test_bounds_of_loops() -> None:
    assert given(TestRequest, "--loop-bound", "7")["loop_bound"] == 7
    assert TestRequest((Path("p.c"),), **given(TestRequest, "--loop-bound", "auto")).loop_bound == "auto"
    assert given(VerifyRequest, "--unroll", "dynamic")["unroll"] is None
    with pytest.raises(UserError, match="--loop-bound must be a number above 0 or 'auto', not 'x'"):
        given(TestRequest, "--loop-bound", "x")


def test_one_option_may_set_several_fields() -> None:
    values = given(ReachRequest, "--line", "p.c:4")
    assert (values["file"], values["line"]) == ("p.c", 4)
    assert "file" not in options_of(ReachRequest)
