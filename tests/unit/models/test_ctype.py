"""ctype.h: every function against the real libc for EOF and all chars, concrete and as a formula."""

from __future__ import annotations

import ctypes

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.models.ctype import CLASSES
from unit.execute.support import c_program, explore
from unit.models.drive import Driver, libc

NAMES = [*CLASSES, "isascii", "toascii", "tolower", "toupper"]
CHARS = [-1, *range(256)]


def real(name: str, char: int) -> int:
    function = getattr(libc(), name)
    function.restype, function.argtypes = ctypes.c_int, [ctypes.c_int]
    result = int(function(char))
    return result if name.startswith("to") else int(result != 0)


def shown(name: str, result: int) -> int:
    signed = result - (1 << 32) if result >> 31 else result
    return signed if name.startswith("to") else int(signed != 0)


@pytest.mark.parametrize("name", NAMES)
def test_all_characters(name: str) -> None:
    driver = Driver()
    whole = build.symbol("c", bv(32))
    formula = driver.call(name, whole)
    for char in CHARS:
        wanted = real(name, char)
        assert shown(name, driver.call(name, char & 0xFFFFFFFF)) == wanted, char
        assert shown(name, Model({whole: char & 0xFFFFFFFF}).eval(formula)) == wanted, char


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("signed", [False, True])
def test_extended_bytes(name: str, signed: bool) -> None:
    """What a program has is mostly a char that became an int."""
    byte = build.symbol("b", bv(8))
    extended = build.sext(byte, 8, 32) if signed else build.zext(byte, 8, 32)
    formula = Driver().call(name, extended)
    for value in range(256):
        number = value - 256 if signed and value > 127 else value
        result, wanted = shown(name, Model({byte: value}).eval(formula)), real(name, number)
        if name in ("tolower", "toupper"):
            # Of a negative char glibc makes an unsigned one, musl leaves it alone; as a char both are the same.
            result, wanted = result & 255, wanted & 255
        assert result == wanted, value


@pytest.mark.parametrize("name", list(CLASSES))
def test_values_that_are_no_characters_are_in_no_class(name: str) -> None:
    driver = Driver()
    whole = build.symbol("c", bv(32))
    formula = driver.call(name, whole)
    for value in (256 + 65, 1 << 31, 0xFFFF0041, 0x7FFFFFFF):
        assert driver.call(name, value) == 0
        assert Model({whole: value}).eval(formula) == 0


def test_results_are_formulas_not_forks() -> None:
    code = """
    #include <ctype.h>
    int main(void) {
      int c = __VERIFIER_nondet_int(), n = 0;
      n = !!isalpha(c) + !!isdigit(c) + !!isspace(c) + !!ispunct(c) + (tolower(c) != c) + (toupper(c) != c);
      if (n == 2) return 2;
      return 0;
    }
    """
    found = explore(c_program(code))
    assert found.codes == [0, 2]
    letter = next(way.inputs[0] for way in found.ways if way.code == 2)
    assert isinstance(letter, int) and chr(letter).isalpha()


def test_tables_of_code_compiled_elsewhere() -> None:
    driver = Driver()
    memory = driver.state.memory
    classes = memory.load_bits(driver.call("__ctype_b_loc"), 8)
    lower = memory.load_bits(driver.call("__ctype_tolower_loc"), 8)
    upper = memory.load_bits(driver.call("__ctype_toupper_loc"), 8)
    assert not isinstance(classes, Expr) and not isinstance(lower, Expr) and not isinstance(upper, Expr)
    for char in CHARS:
        entry = memory.load_bits(classes + 2 * char, 2)
        for name, (members, bit) in CLASSES.items():
            assert bool(int(memory_value(entry)) & bit) == (char in members) == bool(real(name, char))
        assert memory.load_bits(lower + 4 * char, 4) == real("tolower", char) & 0xFFFFFFFF
        assert memory.load_bits(upper + 4 * char, 4) == real("toupper", char) & 0xFFFFFFFF
    assert driver.call("__ctype_b_loc") == driver.call("__ctype_b_loc")


def memory_value(value: int | Expr) -> int:
    assert not isinstance(value, Expr)
    return value
