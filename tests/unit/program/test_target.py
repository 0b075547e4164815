"""What differs between processors comes from the program, and inputs are told as the program sees them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.program.target import Target, target_of
from targets import AARCH64, X86_64
from unit.execute.support import c_program, explore

I386 = "x86-linux-gnu"
CODE = "int main(void) { char c = __VERIFIER_nondet_char(); if (c == (char)200) return 1; return 0; }"


@pytest.mark.parametrize(
    ("target", "flags", "signed"),
    [
        (X86_64, (), True),
        (I386, (), True),
        (AARCH64, (), False),
        (X86_64, ("-funsigned-char",), False),
        (AARCH64, ("-fsigned-char",), True),
    ],
)
def test_the_sign_of_plain_char(target: str, flags: tuple[str, ...], signed: bool) -> None:
    program = c_program(CODE, target, flags)
    assert target_of(program).signed_char is signed
    (found,) = [way.inputs for way in explore(program).ways if way.code == 1]
    assert found == (-56 if signed else 200,)


@pytest.mark.parametrize(("target", "signed"), [(X86_64, True), (AARCH64, False)])
def test_code_without_debug_info_has_the_sign_that_is_usual(target: str, signed: bool) -> None:
    program = c_program(CODE, target, ("-g0",))
    assert program.ctypes.entries == ()
    assert target_of(program).signed_char is signed


def test_constants() -> None:
    x86, arm = (Target(name.split("-")[0], True) for name in (X86_64, AARCH64))
    assert (x86.ilogb_zero, x86.ilogb_nan, x86.saturates) == (-(2**31), -(2**31), False)
    assert (arm.ilogb_zero, arm.ilogb_nan, arm.saturates) == (1 - 2**31, 2**31 - 1, True)
    assert target_of(replace(c_program(CODE, X86_64), triple="")).architecture == ""
