"""The configurations of a command that the table ``combination`` compares: which techniques are on, which strategy.

They come from the options of the commands: a technique with a switch, and a strategy, is compared as soon as it is
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from clew.base.errors import UserError
from clew.base.option import options_of
from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.techniques.registry import SWITCHES

TEST, VERIFY, REACH = "test", "verify", "reach"

DEFAULT, OFF = "default", "off"
"""A command as it is; all techniques off."""
MUTATION = "mutation"
"""The technique that is no part of the interpreter's run, but mutates inputs of the compiled program beside it."""

Options = tuple[str, ...]


def switches() -> dict[str, Options]:
    """The techniques of ``clew test`` that are on by default, each with the options that turn it off."""
    known = options_of(TestRequest)
    flags: dict[str, Options] = {
        name: (known[field].flag,) for name, (field, value) in SWITCHES.items() if value is True
    }
    return {**flags, MUTATION: (known["engine"].flag, "interpreter")}


def of_test() -> dict[str, Options]:
    """As it is; without techniques; with one of them; with all but one."""
    off = switches()
    alone = {f"{name} alone": _all_off(name) for name in off}
    return {DEFAULT: (), OFF: _all_off(), **alone, **{f"no {name}": options for name, options in off.items()}}


def _all_off(but: str = "") -> Options:
    """What turns all techniques off, but one."""
    return tuple(word for name, options in switches().items() if name != but for word in options)


def of_verify() -> dict[str, Options]:
    """As it is; each strategy; without invariants."""
    known = options_of(VerifyRequest)
    return {**_strategies(known["strategy"].choices), "no invariants": (known["invariants"].flag,)}


def of_reach() -> dict[str, Options]:
    """As it is; each strategy."""
    return _strategies(options_of(ReachRequest)["strategy"].choices)


def _strategies(names: tuple[str, ...]) -> dict[str, Options]:
    return {DEFAULT: (), **{name: ("--strategy", name) for name in names if name != "auto"}}


def configurations(command: str, wanted: tuple[str, ...] = ()) -> Mapping[str, Options]:
    """Those of a command whose names match one of the globs in ``wanted``, if there are any; always the default."""
    ways = {TEST: of_test, VERIFY: of_verify, REACH: of_reach}[command]()
    return {way: options for way, options in ways.items() if way == DEFAULT or not wanted or _matches(way, wanted)}


def check(wanted: tuple[str, ...]) -> None:
    """UserError for a glob that no configuration of any command matches."""
    names = sorted({*of_test(), *of_verify(), *of_reach()})
    for pattern in wanted:
        if not any(_matches(name, (pattern,)) for name in names):
            raise UserError(f"--ways: no configuration is called {pattern} (there are: {', '.join(names)})")


def _matches(way: str, wanted: tuple[str, ...]) -> bool:
    return any(fnmatchcase(way, pattern) for pattern in wanted)
