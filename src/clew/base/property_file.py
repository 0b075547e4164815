"""Property files of SV-COMP and Test-Comp (``unreach-call.prp``): what is asked about a program.

A line each: ``CHECK( init(main()), LTL(G ! call(reach_error())) )`` asks whether something holds,
``COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`` for tests. What Clew cannot answer is refused, in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.pattern import pattern

_LINE = pattern(r"(CHECK|COVER)\(init\((\w+)\(\)\),(LTL|FQL)\((.*)\)\)")

CHECKED: Mapping[str, tuple[str, ...]] = {
    "G!call(reach_error())": ("error-call",),
    "G!call(__VERIFIER_error())": ("error-call",),
    "G!overflow": ("signed-overflow",),
    "Gvalid-free": ("double-free", "invalid-free"),
    "Gvalid-deref": ("out-of-bounds", "null-dereference", "use-after-free"),
    "Gvalid-memtrack": ("memory-leak",),
    "Gvalid-memcleanup": ("memory-leak",),
}
"""Formulas without blanks, and the kinds of bugs that violate them."""
COVERED: Mapping[str, str] = {
    "COVEREDGES(@DECISIONEDGE)": "branch",
    "COVEREDGES(@CONDITIONEDGE)": "branch",
    "COVEREDGES(@BASICBLOCKENTRY)": "branch",
    "COVEREDGES(@CALL(reach_error))": "error",
    "COVEREDGES(@CALL(__VERIFIER_error))": "error",
}
"""What tests are asked for, and what they then cover: branches (so all statements and conditions, too) or the error."""
REFUSED: Mapping[str, str] = {
    "Fend": "Clew does not decide whether programs terminate",
    "G!data-race": "Clew does not run threads side by side, so it knows nothing of data races",
    "Gdef-behavior": "Clew does not look for all undefined behaviour there is; name checks with --check",
}
_DOUBTFUL = {"signed-overflow": ("shift",)}
"""Kinds that may violate the same property, and may not: a shift can overflow, or be undefined otherwise."""


@dataclass(frozen=True, slots=True)
class PropertyFile:
    """What a property file asks for."""

    name: str
    formulas: tuple[str, ...]
    """As the file has them, without ``CHECK`` and what belongs to it."""
    violations: tuple[str, ...] = ()
    """Kinds of bugs that violate it."""
    coverage: str = ""
    """``branch`` or ``error``, where tests are asked for."""

    @property
    def text(self) -> str:
        """The formula, or several of them as the file has them."""
        if len(self.formulas) == 1:
            return self.formulas[0]
        return "\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in self.formulas)

    @property
    def checks(self) -> tuple[str, ...]:
        """The kinds of bugs to look for: those that violate it, and those that may."""
        doubtful = (kind for found in self.violations for kind in _DOUBTFUL.get(found, ()))
        error = ("error-call",) if self.coverage == "error" else ()
        return (*self.violations, *doubtful, *error)

    @property
    def needs_all_memory_freed(self) -> bool:
        """Whether it also speaks of memory that is still pointed to, or lost before the program ends by ``exit``."""
        return "memory-leak" in self.violations


def read_property(text: str) -> tuple[PropertyFile, tuple[str, ...] | None]:
    """The property of a file, and the checks it asks for (None: the usual ones); UserError where it is none of ours."""
    path = Path(text)
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the property file {path}: {getattr(error, 'strerror', None) or error}") from None
    parsed = [_parsed(path, line) for line in lines if line and not line.startswith(("//", "#"))]
    if not parsed or len({word for word, _ in parsed}) > 1:
        raise UserError(f"{path} is no property file: it needs lines with CHECK( ... ), or with COVER( ... )")
    formulas = tuple(formula for _, formula in parsed)
    keys = [re.sub(r"\s", "", formula) for formula in formulas]
    if parsed[0][0] == "COVER":
        made = PropertyFile(path.name, formulas, coverage="error" if COVERED[keys[0]] == "error" else "branch")
    else:
        violations = dict.fromkeys(kind for key in keys for kind in CHECKED[key])
        made = PropertyFile(path.name, formulas, tuple(violations))
    return made, made.checks or None


def _parsed(path: Path, line: str) -> tuple[str, str]:
    """``CHECK`` or ``COVER``, and the formula."""
    found = _LINE.fullmatch(re.sub(r"\s", "", line))
    if found is None:
        raise UserError(f"{path}: cannot read {line[:80]!r}: it should be CHECK( init(main()), LTL(...) )")
    word, entry, _, key = found.groups()
    if entry != "main":
        raise UserError(f"{path}: programs start at main, not at {entry}; --function starts elsewhere")
    if key in REFUSED:
        raise UserError(f"{path}: {REFUSED[key]}")
    if key not in (COVERED if word == "COVER" else CHECKED):
        raise UserError(f"{path}: Clew does not know the property {key}")
    inner = line[line.index("LTL(" if "LTL(" in line else "FQL(") + 4 : line.rindex(")")].rstrip()
    return word, inner.removesuffix(")").strip()
