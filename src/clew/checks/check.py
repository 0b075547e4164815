"""What a check is, and the register of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module

from clew.base.errors import UserError


@dataclass(frozen=True, slots=True)
class Check:
    """A class of errors."""

    name: str
    """For ``--check``."""
    help: str
    kinds: tuple[str, ...]
    """Kinds of bugs, as results name them."""
    sanitizers: tuple[str, ...] = ()
    """Checks of Clang's (``-fsanitize=``) that are compiled in for it."""
    traps: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Numbers of ``llvm.ubsantrap`` that mean this error: kind and message."""


CHECKS: dict[str, Check] = {}


def register(check: Check) -> Check:
    """Make a check known."""
    CHECKS[check.name] = check
    return check


MODULES = (
    "aborts", "alignment", "assertions", "conversions", "division", "leaks", "memory", "other", "overflow", "shifts",
    "uninitialized", "unreachable",
)  # fmt: skip
"""The modules of this package that hold a check."""


def all_checks() -> Mapping[str, Check]:
    """Every check by name."""
    for name in MODULES:
        import_module(f"clew.checks.{name}")  # which registers its check
    return CHECKS


def chosen_kinds(names: tuple[str, ...] | None) -> frozenset[str]:
    """The kinds the user asks for, by check or by kind; everything by default."""
    checks = all_checks()
    by_kind = {kind for check in checks.values() for kind in check.kinds}
    if names is None:
        return frozenset(by_kind)
    kinds: set[str] = set()
    for name in names:
        if name == "all":
            kinds |= by_kind
        elif name in checks:
            kinds.update(checks[name].kinds)
        elif name in by_kind:
            kinds.add(name)
        else:
            known = ", ".join(dict.fromkeys(("all", *sorted(checks), *sorted(by_kind))))
            raise UserError(f"unknown check {name!r} for --check (there are: {known})")
    return frozenset(kinds)


def sanitizers(kinds: frozenset[str]) -> tuple[str, ...]:
    """What Clang has to compile in to see errors of these kinds."""
    wanted = (check for _, check in sorted(all_checks().items()) if kinds.intersection(check.kinds))
    return tuple(name for check in wanted for name in check.sanitizers)


def trapped(number: int) -> tuple[str, str]:
    """The kind and message of a failed check of Clang's."""
    for check in all_checks().values():
        if number in check.traps:
            return check.traps[number]
    return "other", f"undefined behaviour (sanitizer check {number})"
