"""The configurations that are compared."""

from __future__ import annotations

import pytest

from benchmarks.configurations import check as check_ways
from benchmarks.configurations import configurations, switches
from clew.base.errors import UserError

FLAGS = {"--no-accelerate", "--no-merge", "--no-summarize", "--no-invariants", "--no-navigate"}


def test_each_technique_alone_and_all_but_one() -> None:
    ways = configurations("test")
    assert set(switches().values()) == FLAGS == set(ways["off"]) and ways["default"] == ()
    assert set(ways["merging alone"]) == FLAGS - {"--no-merge"} and ways["no merging"] == ("--no-merge",)
    assert len(ways) == 2 + 2 * len(FLAGS)


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
