"""The configurations that are compared."""

from __future__ import annotations

import pytest

from benchmarks.configurations import check as check_ways
from benchmarks.configurations import configurations, switches
from clew.base.errors import UserError
from clew.base.option import options_of
from clew.base.options import TestRequest

FLAGS = {"--no-accelerate", "--no-merge", "--no-summarize", "--no-invariants", "--no-navigate"}
INTERPRETER = ("--engine", "interpreter")


def test_each_technique_alone_and_all_but_one() -> None:
    ways = configurations("test")
    assert set(ways["off"]) == FLAGS | set(INTERPRETER) and ways["default"] == ()
    assert set(ways["merging alone"]) == set(ways["off"]) - {"--no-merge"} and ways["no merging"] == ("--no-merge",)
    assert set(ways["mutation alone"]) == FLAGS and ways["no mutation"] == INTERPRETER
    assert INTERPRETER[1] in options_of(TestRequest)["engine"].choices
    assert len(ways) == 2 + 2 * len(switches()) == 2 + 2 * (len(FLAGS) + 1)


def test_strategies() -> None:
    assert configurations("verify") == {
        "default": (),
        "acceleration": ("--strategy", "acceleration"),
        "cells": ("--strategy", "cells"),
        "conflicts": ("--strategy", "conflicts"),
        "contracts": ("--strategy", "contracts"),
        "induction": ("--strategy", "induction"),
        "merging": ("--strategy", "merging"),
        "numbers": ("--strategy", "numbers"),
        "summaries": ("--strategy", "summaries"),
        "plain": ("--strategy", "plain"),
        "no invariants": ("--no-invariants",),
    }
    assert configurations("reach").keys() == {"default", "chains", "merging", "plain"}


def test_some_of_them() -> None:
    assert configurations("test", ("off", "* alone")).keys() >= {"default", "off", "summaries alone"}
    assert "no merging" not in configurations("test", ("off", "* alone"))
    assert configurations("reach", ("off",)).keys() == {"default"}
    check_ways(("off", "plain", "no *"))
    with pytest.raises(UserError, match="no configuration is called on"):
        check_ways(("on",))
