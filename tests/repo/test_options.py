"""The guide and the options that requests declare are about the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from clew.analysis.absint.domains import DOMAINS
from clew.base.option import Option, options_of
from clew.base.options import (
    InvariantsRequest,
    LoopsRequest,
    ProjectRequest,
    ReachRequest,
    ReplayRequest,
    Request,
    TestRequest,
    VerifyRequest,
)
from clew.base.registry import Registry
from clew.cli.app import COMMANDS, clew
from clew.report.kinds import BUG_KINDS
from clew.report.writers import WRITERS
from clew.search.registry import SEARCHERS

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
REQUESTS: dict[str, type[Request] | type[ReplayRequest]] = {
    "test": TestRequest, "verify": VerifyRequest, "reach": ReachRequest,
    "loops": LoopsRequest, "invariants": InvariantsRequest, "replay": ReplayRequest,
    "project": ProjectRequest,
}  # fmt: skip
CASES = [
    pytest.param(command, option, id=f"{command} {option.flag}")
    for command, request in REQUESTS.items()
    for option in options_of(request).values()
    if option.group in request.GROUPS
]


def page(name: str) -> str:
    return (GUIDE / f"{name}.md").read_text(encoding="utf-8")


def flags_of(command: str) -> set[str]:
    """As the command line has them."""
    found = clew.get_command(None, command)  # type: ignore[arg-type]
    assert found is not None
    return {flag for parameter in found.params for flag in parameter.opts if flag.startswith("--")}


@pytest.mark.parametrize(("command", "option"), CASES)
def test_an_option_is_in_the_guide(command: str, option: Option) -> None:
    text = page(command) if f"`{option.flag}" in page(command) else page("test")
    assert re.search(rf"`{option.flag}[` ]", text), f"{option.flag} is not in the guide to clew {command}"
    for choice in option.choices:
        assert re.search(rf"`({option.flag} )?{choice}`", text), f"{option.flag} {choice} is not in the guide"


@pytest.mark.parametrize("name", sorted(file.stem for file in GUIDE.glob("*.md")))
def test_the_options_of_tables_are_there(name: str) -> None:
    known = flags_of(name) if name in COMMANDS else {flag for command in COMMANDS for flag in flags_of(command)}
    rows = (line.split("|")[1] for line in page(name).splitlines() if line.startswith("| `--"))
    assert {flag for row in rows for flag in re.findall(r"--[a-z-]+", row)} <= known


def own(registry: Registry[Any]) -> list[str]:
    """Of our own plug-ins: other tests may have registered theirs."""
    return [entry.name for entry in registry if entry.item.__module__.startswith("clew.")]


def test_names_of_plug_ins_are_in_the_guide() -> None:
    text = page("test")
    assert [name for name in own(SEARCHERS) if f"`{name}`" not in text] == []
    assert [kind for kind in BUG_KINDS.values() if f"`{kind.name}`" not in text or f"`{kind.check}`" not in text] == []
    assert [name for name in own(WRITERS) if name not in text + page("verify")] == []
    assert [name for name in own(DOMAINS) if f"`{name}`" not in page("invariants")] == []
