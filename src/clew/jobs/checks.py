"""Which kinds of bugs a run looks for (``--check``), and what the compiler has to put in for that."""

from __future__ import annotations

from clew.base.errors import UserError
from clew.program.module import Program
from clew.report.records import BUG_KINDS

GROUPS = {
    "assert": ("assert", "error-call"),
    "abort": ("abort",),
    "memory": (
        "out-of-bounds", "null-dereference", "use-after-free", "double-free", "invalid-free", "uninitialized",
    ),
    "div": ("division-by-zero",),
    "overflow": ("signed-overflow",),
    "shift": ("shift",),
    "unreachable": ("unreachable",),
    "other": ("other",),
}  # fmt: skip
"""Names of --check that stand for several kinds; every kind is a name of its own, too."""

_SANITIZERS = {
    "signed-overflow": ("signed-integer-overflow",),
    "shift": ("shift",),
    "out-of-bounds": ("array-bounds", "vla-bound"),
    "other": ("float-cast-overflow",),
}
"""Checks of Clang's that find a kind the memory model and the executor cannot see by themselves."""


def chosen_kinds(names: tuple[str, ...] | None) -> frozenset[str]:
    """The kinds the user asks for; everything by default."""
    if names is None:
        return frozenset(BUG_KINDS)
    kinds: set[str] = set()
    for name in names:
        if name in GROUPS:
            kinds.update(GROUPS[name])
        elif name in BUG_KINDS:
            kinds.add(name)
        else:
            known = ", ".join(dict.fromkeys((*GROUPS, *BUG_KINDS)))
            raise UserError(f"unknown check {name!r} for --check (there are: {known})")
    return frozenset(kinds)


def sanitizers(kinds: frozenset[str]) -> tuple[str, ...]:
    """The checks the compiler has to put in."""
    return tuple(name for kind in sorted(kinds) for name in _SANITIZERS.get(kind, ()))


def without_assumptions(names: tuple[str, ...] | None, kinds: frozenset[str], program: Program) -> frozenset[str]:
    """By default ``abort()`` is no bug where a program uses ``__VERIFIER_...``: there it states assumptions."""
    competition = any(name.startswith("__VERIFIER_") for name in program.functions)
    return kinds - {"abort"} if names is None and competition else kinds
