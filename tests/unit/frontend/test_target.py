"""Which target a run compiles for."""

from __future__ import annotations

import pytest

from clew.base.errors import UserError
from clew.frontend.options import CompileOptions
from clew.frontend.target import choose_target, clang_triple, host_target, zig_triple


@pytest.mark.parametrize(
    ("machine", "triple"),
    [
        ("x86_64", "x86_64-linux-gnu"),
        ("AMD64", "x86_64-linux-gnu"),
        ("arm64", "aarch64-linux-gnu"),
        ("aarch64", "aarch64-linux-gnu"),
        ("i686", "x86-linux-gnu"),
        ("vax", "x86_64-linux-gnu"),
    ],
)
def test_every_host_gets_a_linux_target(machine: str, triple: str) -> None:
    assert host_target(machine) == triple


@pytest.mark.native
def test_default_is_the_host() -> None:
    assert choose_target(CompileOptions()) == host_target()


def test_data_models() -> None:
    assert choose_target(CompileOptions(data_model="ILP32")) == "x86-linux-gnu"
    assert choose_target(CompileOptions(data_model="LP64")) == "x86_64-linux-gnu"


def test_target_and_data_model_may_agree_but_not_disagree() -> None:
    agree = CompileOptions(target="x86_64-pc-linux-gnu", data_model="LP64")
    assert choose_target(agree) == "x86_64-linux-gnu"
    with pytest.raises(UserError, match="disagree"):
        choose_target(CompileOptions(target="aarch64-linux-gnu", data_model="LP64"))


@pytest.mark.parametrize(
    ("given", "zig"),
    [
        ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu"),
        ("i686-pc-linux-gnu", "x86-linux-gnu"),
        ("arm64-linux-gnu", "aarch64-linux-gnu"),
        ("x86_64-linux-musl", "x86_64-linux-musl"),
    ],
)
def test_triples_as_zig_spells_them(given: str, zig: str) -> None:
    assert zig_triple(given) == zig


def test_triples_as_clang_spells_them() -> None:
    assert clang_triple("x86-linux-gnu") == "i386-linux-gnu"
    assert clang_triple("x86_64-linux-gnu") == "x86_64-linux-gnu"
