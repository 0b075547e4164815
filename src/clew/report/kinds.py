"""The kinds of bugs, each declared once: a new kind is one record here, and the place that raises it.

Everything that treats kinds differently reads a field of ``BugKind``: checks, proofs, witnesses, reports, replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from clew.base.dataclass import dataclass


class Specification(StrEnum):
    """What SV-COMP asks about a program. Where errors violate several of them, the first is the one to name."""

    UNREACH_CALL = "G ! call(reach_error())"
    NO_OVERFLOW = "G ! overflow"
    VALID_DEREF = "G valid-deref"
    VALID_FREE = "G valid-free"
    VALID_MEMTRACK = "G valid-memtrack"
    DEFINED_BEHAVIOUR = "G def-behavior"


class Visibility(StrEnum):
    """Where an error shows in a native run, so that one that ends normally contradicts the prediction."""

    ALWAYS = "always"
    ADDRESS_SANITIZER = "with AddressSanitizer"
    UNCERTAIN = "uncertain"
    """There may be no check for it in any build."""


TRAP = "trap"
"""What a native run shows where undefined behaviour was compiled to trap instructions."""
CRASH = "crash"
"""What it shows where only a signal tells."""


@dataclass(frozen=True, slots=True)
class BugKind:
    """All that is known about one kind of bugs."""

    name: str
    """As results and ``--check`` name it."""
    title: str
    cwe: tuple[int, ...]
    """Numbers of the Common Weakness Enumeration."""
    check: str
    """The name for ``--check`` that it belongs to."""
    level: str = "error"
    """Of SARIF."""
    placed: bool = False
    """Shows at places of its own in the program's code only: it needs no collective property."""
    orderly: bool = False
    """Ends a program in a way C defines. A run that does not ask for it takes it for the program's end."""
    provable: bool = True
    """Whether a program whose loops are cut open shows it, if the program itself does. What such a program gives new
    values to is initialized, and may point to anything."""
    undefined: bool = True
    """Surely undefined behaviour: a value that was made up, and leads there, is none that a correct program gets."""
    specification: Specification = Specification.DEFINED_BEHAVIOUR
    """What it violates."""
    is_the_error: bool = False
    """Whether it is *the* error that SV-COMP and Test-Comp ask for."""
    shows_as: frozenset[str] = frozenset()
    """What else a native run may show for it: other kinds, ``TRAP``, ``CRASH``."""
    visibility: Visibility = Visibility.ALWAYS
    asan: str = ""
    """A regular expression for AddressSanitizer's words for it; a text matches that of one kind at most."""
    ubsan: str = ""
    """The same for UndefinedBehaviorSanitizer."""


_ACCESS = frozenset(("out-of-bounds", "null-dereference", "use-after-free", "uninitialized", CRASH))
"""These look alike from outside: a stray address may hit freed memory, nothing, or another object."""
_FREEING = frozenset(("double-free", "invalid-free", "use-after-free", "out-of-bounds", "abort", CRASH))
"""``abort``: the C library's own check of its heap."""
_NULL = r"SEGV on unknown address 0x0{9,}[0-9a-f]{0,3}\b"

_SPECIFIC = (
    BugKind(
        "assert", "Assertion can fail", (617,), "assert", placed=True, orderly=True, undefined=False,
        specification=Specification.UNREACH_CALL,
    ),
    BugKind(
        "error-call", "Error function can be called", (617,), "assert", placed=True, orderly=True, undefined=False,
        specification=Specification.UNREACH_CALL, is_the_error=True, shows_as=frozenset(("assert", "abort")),
    ),
    BugKind(
        "abort", "Program can abort", (617,), "abort", placed=True, orderly=True, undefined=False,
        specification=Specification.UNREACH_CALL, asan="ABRT",
    ),
    BugKind(
        "out-of-bounds", "Access outside an object", (119, 125, 787), "memory",
        specification=Specification.VALID_DEREF, shows_as=_ACCESS | {TRAP}, visibility=Visibility.ADDRESS_SANITIZER,
        asan="buffer-(?:over|under)flow|container-overflow|negative-size-param|unknown-crash|BUS|stack-overflow"
        rf"|out-of-bounds|(?!{_NULL})SEGV",
        ubsan="index .* out of bounds|insufficient space|variable length array|pointer index expression"
        "|addition of unsigned offset|subtraction of unsigned offset",
    ),
    BugKind(
        "overlap", "Copy between overlapping places", (475,), "memory",
        visibility=Visibility.UNCERTAIN, asan="param-overlap",
    ),
    BugKind(
        "null-dereference", "Null pointer dereference", (476,), "memory", specification=Specification.VALID_DEREF,
        shows_as=_ACCESS | {TRAP}, visibility=Visibility.ADDRESS_SANITIZER, asan=_NULL, ubsan="null pointer",
    ),
    BugKind(
        "use-after-free", "Use of memory after it is freed", (416, 562), "memory",
        specification=Specification.VALID_DEREF, shows_as=_ACCESS | {"abort"}, visibility=Visibility.ADDRESS_SANITIZER,
        asan="heap-use-after-free|stack-use-after-return|stack-use-after-scope",
    ),
    BugKind(
        "double-free", "Memory freed twice", (415,), "memory", specification=Specification.VALID_FREE,
        shows_as=_FREEING, visibility=Visibility.ADDRESS_SANITIZER, asan="attempting double-free",
    ),
    BugKind(
        "invalid-free", "Free of memory that was not allocated", (590, 761), "memory",
        specification=Specification.VALID_FREE, shows_as=_FREEING | {"null-dereference"},
        visibility=Visibility.ADDRESS_SANITIZER,
        asan="attempting free on address|bad-free|attempting to call malloc_usable_size|alloc-dealloc",
    ),
    BugKind(
        "memory-leak", "Memory is never freed", (401,), "leak", level="warning", provable=False, undefined=False,
        specification=Specification.VALID_MEMTRACK, visibility=Visibility.ADDRESS_SANITIZER,
    ),
    BugKind(
        "uninitialized", "Use of an uninitialized value", (457, 908), "uninitialized", provable=False, undefined=False,
        shows_as=_ACCESS, visibility=Visibility.UNCERTAIN, ubsan="not a valid value",
    ),
    BugKind(
        "signed-overflow", "Signed integer overflow", (190, 191), "overflow", specification=Specification.NO_OVERFLOW,
        shows_as=frozenset(("division-by-zero", TRAP)),  # INT_MIN / -1 is one to one check and the other to another
        ubsan="signed integer overflow|negation of|division of .* by -1",
    ),
    BugKind(
        "division-by-zero", "Division by zero", (369,), "div", shows_as=frozenset(("signed-overflow", TRAP)),
        asan="FPE", ubsan="division by zero",
    ),
    BugKind(
        "shift", "Undefined shift", (1335,), "shift", placed=True, shows_as=frozenset((TRAP,)),
        ubsan="shift exponent|left shift of|shift of negative",
    ),
    BugKind(
        "misaligned", "Misaligned access", (704, 758), "alignment", placed=True, shows_as=frozenset((TRAP, CRASH)),
        visibility=Visibility.UNCERTAIN, ubsan="misaligned|alignment assumption|assumption of .* alignment",
    ),
    BugKind(
        "unreachable", "Code that must not be reached can be", (758,), "unreachable", placed=True,
        shows_as=frozenset((TRAP, CRASH)), visibility=Visibility.UNCERTAIN, asan="ILL|TRAP",
        ubsan="unreachable|end of non-void|without returning a value",
    ),
)  # fmt: skip
_OTHER = BugKind(
    "other", "Undefined behaviour", (758,), "other", undefined=False,
    shows_as=frozenset((*(kind.name for kind in _SPECIFIC), TRAP, CRASH)),
)  # fmt: skip

BUG_KINDS: Mapping[str, BugKind] = {kind.name: kind for kind in (*_SPECIFIC, _OTHER)}
"""By name, in the order of reports."""
PLACED = frozenset(name for name, kind in BUG_KINDS.items() if kind.placed)
ORDERLY = frozenset(name for name, kind in BUG_KINDS.items() if kind.orderly)
UNPROVABLE = frozenset(name for name, kind in BUG_KINDS.items() if not kind.provable)
SURVIVED = frozenset(("alignment", "conversion", "overflow", "shift", "uninitialized"))
"""Checks of what compiled programs mostly get over."""
UNDEFINED_BEHAVIOUR = frozenset(name for name, kind in BUG_KINDS.items() if kind.undefined)
