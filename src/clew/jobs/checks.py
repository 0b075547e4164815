"""Which kinds of bugs a run looks for: ``--check`` and its default."""

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


def chosen_kinds(names: tuple[str, ...] | None, program: Program) -> frozenset[str]:
    """The kinds that count as bugs in this run."""
    if names is None:
        return _default_kinds(program)
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


def _default_kinds(program: Program) -> frozenset[str]:
    """Everything; but where a program uses ``__VERIFIER_...``, ``abort()`` is how it states assumptions."""
    competition = any(name.startswith("__VERIFIER_") for name in program.functions)
    return frozenset(BUG_KINDS) - ({"abort"} if competition else set())
