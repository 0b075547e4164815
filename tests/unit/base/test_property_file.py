"""Property files of SV-COMP and Test-Comp."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import TestRequest, VerifyRequest
from clew.base.property_file import CHECKED, REFUSED, read_property
from clew.report.kinds import BUG_KINDS

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
MEMSAFETY = "\n".join(f"CHECK( init(main()), LTL(G valid-{what}) )" for what in ("free", "deref", "memtrack")) + "\n"


def given(folder: Path, text: str) -> str:
    (folder / "p.prp").write_text(text)
    return str(folder / "p.prp")


@pytest.mark.parametrize(
    ("text", "formulas", "checks", "coverage"),
    [
        (UNREACH, ("G ! call(reach_error())",), ("error-call",), ""),
        ("\n CHECK(init(main()),LTL(G!call(reach_error())))\n", ("G!call(reach_error())",), ("error-call",), ""),
        ("CHECK( init(main()), LTL(G ! overflow) )", ("G ! overflow",), ("signed-overflow", "shift"), ""),
        ("CHECK( init(main()), LTL(G valid-memcleanup) )", ("G valid-memcleanup",), ("memory-leak",), ""),
        ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", ("COVER EDGES(@DECISIONEDGE)",), None, "branch"),
        (
            "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
            ("COVER EDGES(@CALL(reach_error))",), ("error-call",), "error",
        ),
    ],
)  # fmt: skip
def test_read(
    text: str, formulas: tuple[str, ...], checks: tuple[str, ...] | None, coverage: str, tmp_path: Path
) -> None:
    found, wanted = read_property(given(tmp_path, text))
    assert (found.formulas, wanted, found.coverage) == (formulas, checks, coverage)


def test_several_lines(tmp_path: Path) -> None:
    found, wanted = read_property(given(tmp_path, MEMSAFETY))
    assert wanted is not None
    of_memory = {kind for kind, one in BUG_KINDS.items() if one.check in ("memory", "leak")}
    assert set(wanted) == of_memory - {"overlap"}  # which is no wrong access
    assert found.text == MEMSAFETY.strip()


def test_kinds_are_kinds() -> None:
    assert {kind for kinds in CHECKED.values() for kind in kinds} <= BUG_KINDS.keys()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((f"CHECK( init(main()), LTL({formula}) )", said) for formula, said in REFUSED.items()),
        ("", "is no property file"),
        ("hello", "cannot read 'hello'"),
        ("CHECK( init(start()), LTL(G ! overflow) )", "start at main, not at start"),
        ("CHECK( init(main()), LTL(G ! call(f())) )", "does not know the property"),
        (f"{UNREACH}\nCOVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "is no property file"),
    ],
)
def test_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=says):
        read_property(given(tmp_path, text))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the property file"):
        read_property(str(tmp_path / "none.prp"))


def test_what_does_not_go_together(tmp_path: Path) -> None:
    asked, checks = read_property(given(tmp_path, UNREACH))
    files = (Path("p.c"),)
    assert VerifyRequest(files, specification=asked, checks=checks).checks == ("error-call",)
    with pytest.raises(UserError, match="--property and --check"):
        VerifyRequest(files, specification=asked, checks=("memory",))
    with pytest.raises(UserError, match="leave out --function"):
        TestRequest(files, specification=asked, checks=checks, function="f")
    tests, _ = read_property(given(tmp_path, "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"))
    with pytest.raises(UserError, match="use 'clew test'"):
        VerifyRequest(files, specification=tests)
