"""The checks: names for ``--check``, and what Clang has to put into the code for them.

How an error shows is the business of memory, executor and models; ``leaks`` alone has work of its own, at exit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.registry import Registry
from clew.program.module import Program
from clew.program.traps import DIVISION, INDEX, MISALIGNED
from clew.report.kinds import BUG_KINDS


@dataclass(frozen=True, slots=True)
class Check:
    """A class of errors: the kinds of bugs that name it as theirs, and what Clang does for it."""

    sanitizers: tuple[str, ...] = ()
    """Checks of Clang's (``-fsanitize=``) that are compiled in for it."""
    traps: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Numbers of ``llvm.ubsantrap`` that mean this error: kind and message."""
    covers: tuple[str, ...] = ()
    """Kinds of bugs that belong to another check, and that this one finds, too."""


CHECKS: Registry[Check] = Registry("check", "--check")

CHECKS.register("abort", "abort() and traps")(Check())
CHECKS.register("alignment", "misaligned accesses")(
    Check(
        sanitizers=("alignment",),
        traps={
            MISALIGNED: ("misaligned", "access through a pointer that is not aligned as its type requires"),
            23: ("misaligned", "an alignment that was promised does not hold"),
        },
    )
)
CHECKS.register("assert", "assert() that fails, reach_error() and the like")(Check())
CHECKS.register("conversion", "floats converted to integers that cannot hold them")(
    Check(
        sanitizers=("float-cast-overflow",),
        traps={5: ("other", "a float is converted to an integer type that cannot hold it")},
        covers=("other",),
    )
)
CHECKS.register("div", "division by zero")(Check())  # the one quotient that overflows counts as signed overflow
CHECKS.register("leak", "memory that is lost when the program ends")(Check())
CHECKS.register(
    "memory", "out of bounds, null, use after free or return, double and invalid free, copies that overlap"
)(
    Check(  # the memory model sees objects as wholes; Clang's bounds check also sees arrays inside of structs
        sanitizers=("array-bounds", "vla-bound"),
        traps={
            INDEX: ("out-of-bounds", "index out of bounds"),
            19: ("out-of-bounds", "pointer arithmetic overflows"),
            24: ("out-of-bounds", "length of a variable-length array is not positive"),
        },
    )
)
CHECKS.register("other", "other undefined behaviour")(
    Check(
        sanitizers=("builtin",),
        traps={
            8: ("other", "a builtin function is called with an invalid argument"),
            10: ("other", "a value outside its type's range is loaded"),
            16: ("null-dereference", "a null pointer is passed where none may be"),
            17: ("null-dereference", "a null pointer is returned where none may be"),
        },
    )
)
CHECKS.register("overflow", "signed integer overflow")(
    Check(
        sanitizers=("signed-integer-overflow",),
        traps={
            0: ("signed-overflow", "signed addition overflows"),
            # Of divisions, Clang checks the overflow only: the executor sees zero divisors by itself.
            DIVISION: ("signed-overflow", "division of the most negative number by -1"),
            12: ("signed-overflow", "signed multiplication overflows"),
            13: ("signed-overflow", "signed negation overflows"),
            21: ("signed-overflow", "signed subtraction overflows"),
        },
    )
)
CHECKS.register("shift", "shifts out of range")(
    Check(sanitizers=("shift",), traps={20: ("shift", "shift out of range")})
)
CHECKS.register("uninitialized", "uninitialized values that decide a branch or an address, or are printed")(
    Check()  # merely copying one is no error
)
CHECKS.register("unreachable", "code declared unreachable")(
    Check(
        traps={
            1: ("unreachable", "code that is declared unreachable is reached"),
            11: ("unreachable", "a function ends without returning a value"),
        }
    )
)


def checks_of(kinds: Iterable[str]) -> list[str]:
    """The names of the checks that look for bugs of these kinds, sorted."""
    wanted = frozenset(kinds)
    covering = (entry.name for entry in CHECKS if wanted.intersection(entry.item.covers))
    return sorted({*covering, *(BUG_KINDS[kind].check for kind in wanted)})


def chosen_kinds(names: tuple[str, ...] | None) -> frozenset[str]:
    """The kinds the user asks for, by check or by kind; everything by default."""
    if names is None:
        return frozenset(BUG_KINDS)
    kinds: set[str] = set()
    for name in names:
        if name == "all":
            kinds.update(BUG_KINDS)
        elif found := {kind for kind in BUG_KINDS if name in checks_of((kind,))}:
            kinds |= found
        elif name in BUG_KINDS:
            kinds.add(name)
        else:
            known = ", ".join(dict.fromkeys(("all", *sorted(CHECKS.names()), *sorted(BUG_KINDS))))
            raise UserError(f"unknown check {name!r} for --check (there are: {known})")
    return frozenset(kinds)


def sanitizers(kinds: frozenset[str]) -> tuple[str, ...]:
    """What Clang has to compile in to see errors of these kinds."""
    return tuple(name for check in checks_of(kinds) if check in CHECKS for name in CHECKS.get(check).sanitizers)


def states_assumptions(program: Program) -> bool:
    """Whether ``abort`` ends runs that do not count: so it does in programs with ``__VERIFIER_...`` functions."""
    return any(name.startswith("__VERIFIER_") for name in program.functions)


def trapped(number: int) -> tuple[str, str]:
    """The kind and message of a failed check of Clang's."""
    for check in CHECKS:
        if number in check.item.traps:
            return check.item.traps[number]
    return "other", f"undefined behaviour (sanitizer check {number})"
