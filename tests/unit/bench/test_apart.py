"""Functions in processes of their own."""

from __future__ import annotations

import os

import pytest

from clew.base.budget import positive
from clew.base.errors import UserError
from clew.bench.apart import Died, apart


@pytest.mark.slow
def test_another_process() -> None:
    assert apart(os.getpid) != os.getpid()


def test_arguments_and_results() -> None:
    assert apart(positive, "--time", value=3) == 3


def test_what_is_raised_is_raised_here() -> None:
    with pytest.raises(UserError, match="--time must be a number above 0"):
        apart(positive, "--time", -1)


def test_a_process_that_dies() -> None:
    with pytest.raises(Died, match="died"):
        apart(os._exit, 3)
