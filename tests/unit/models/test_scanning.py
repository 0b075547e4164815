"""The scanf family: known text against the real libc, symbolic text against known text."""

from __future__ import annotations

import ctypes
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.execute.ends import Failed
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.sort import bv
from clew.models.scanning import Scan
from clew.models.supplies import Supply
from clew.models.varargs import PassedArguments
from clew.program.types import PTR
from depth import examples
from unit.models.calls import Call
from unit.models.libc_scans import differences

LIBC = ctypes.CDLL(None)
SCANF = getattr(LIBC, "__isoc99_sscanf", LIBC.sscanf)
LIBC_STREAM = getattr(LIBC, "__isoc99_fscanf", LIBC.fscanf)
LIBC.fmemopen.restype = ctypes.c_size_t
SIZE = 32


def libc(text: bytes, form: bytes, count: int) -> tuple[int, list[bytes]]:
    targets = [ctypes.create_string_buffer(b"\xaa" * SIZE, SIZE) for _ in range(count)]
    return int(SCANF(text, form, *targets)), [target.raw for target in targets]


def scan(
    text: list[Any] | bytes, form: bytes, count: int, model: Model = EMPTY_MODEL, length: Any = None
) -> tuple[int, list[bytes], Call]:
    call: Any = Call(model)
    targets = tuple(call.put(b"\xaa" * SIZE) for _ in range(count))
    source = Supply((), list(text), 0, len(text) if length is None else length)
    result = Scan(call, source, PassedArguments(targets, (PTR,) * count, 64)).run(form)
    value = model.eval(result)
    assert all(model.eval(condition) for condition in call.path)
    stored = [bytes(model.eval(byte) for byte in call.read_bytes(target, SIZE)) for target in targets]
    return value - (1 << 32) if value >> 31 else value, stored, call


INTEGERS = [
    b"", b" ", b"0", b"12", b"-12", b"+7", b"+", b"-", b" 42x", b"0x1F", b"0x", b"0xg", b"-0x10", b"077", b"08", b"1e5",
    b"99999999999", b"-99999999999", b"18446744073709551615", b"18446744073709551616", b"-18446744073709551616",
    b"9223372036854775808", b"-9223372036854775809", b"\t\n 5 6", b"a", b"12abc", b"0b1", b"--1",
    b"99999999999999999999999",
]  # fmt: skip


@pytest.mark.parametrize("text", INTEGERS)
@pytest.mark.parametrize(
    "form",
    [b"%d", b"%i", b"%u", b"%x", b"%o", b"%hhd", b"%hd", b"%ld", b"%lld", b"%lu", b"%2d", b"%3i", b"%1x", b"%zu",
     b"%*d", b"%2x"],
)  # fmt: skip
def test_integers_as_libc(text: bytes, form: bytes) -> None:
    count = 0 if b"*" in form else 1
    assert scan(text, form, count)[:2] == libc(text, form, count)


@pytest.mark.parametrize(
    ("text", "form", "count"),
    [
        (b"key = value", b"%s = %s", 2),
        (b"key=value", b"%[a-z]=%[a-z]", 2),
        (b"key=12", b"%[^=]=%d", 2),
        (b"]x]y", b"%[]x]%c", 2),
        (b"a-b", b"%[a-]%s", 2),
        (b"abc", b"%[^]]", 1),
        (b"12:34:56", b"%d:%d:%d", 3),
        (b"12:34", b"%d:%d:%d", 3),
        (b"12-34", b"%d:%d", 2),
        (b"  x", b"%c%c%c", 3),
        (b"  x", b" %c", 1),
        (b"abcdef", b"%3c%n", 2),
        (b"ab", b"%5c", 1),
        (b"50%", b"%d%%%n", 2),
        (b"50 %x", b"%d%%%c", 2),
        (b"abc def", b"%2s%s%s", 3),
        (b"abc def", b"%*s%s%n", 2),
        (b"", b"%c", 1),
        (b"", b"%s", 1),
        (b"   ", b"%s", 1),
        (b"x", b"y%s", 1),
        (b"", b"y", 0),
        (b"", b" ", 0),
        (b"", b"%n", 1),
        (b"ab 12", b"%*s %d%n", 2),
        (b"7", b"%*d%d", 1),
        (b"1 2 3", b"%d%d%d", 3),
        (b"3.25x", b"%lf%c", 2),
        (b"3.25", b"%f", 1),
        (b"-1e3 .5 5.", b"%lf%lf%lf", 3),
        (b"1e", b"%lf", 1),
        (b"1e+", b"%lf", 1),
        (b"1ex", b"%lf%c", 2),
        (b"inf nan", b"%lf%lf", 2),
        (b"infinity", b"%lf%n", 2),
        (b"0x1.8p1", b"%lf", 1),
        (b"12.5", b"%2lf%lf", 2),
        (b".", b"%lf", 1),
        (b"x", b"%lf", 1),
        (b"infi 1", b"%lf%c", 2),
        (b"0x 1", b"%lf%c", 2),
        (b"nan(1) 2", b"%lf%c", 2),
        (b"1e5e5", b"%f%s", 2),
    ],
)
def test_formats_as_libc(text: bytes, form: bytes, count: int) -> None:
    assert scan(text, form, count)[:2] == libc(text, form, count)


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(st.sampled_from([" ", "1", "-", "x", "0", "9", ":", "%", "\n", "7f"]), max_size=8).map("".join),
    st.lists(
        st.sampled_from(["%d", "%x", "%i", " ", "%s", "%2d", "%c", ":", "%3s", "%[0-9x]", "%*d", "%n", "%u", "%[^:]"]),
        min_size=1,
        max_size=4,
    ),
)
def test_random_formats_as_libc(text: str, parts: list[str]) -> None:
    form = "".join(parts).encode()
    count = sum(part.startswith("%") and not part.startswith("%*") for part in parts)
    assert scan(text.encode(), form, count)[:2] == libc(text.encode(), form, count)


NOT_QUITE = [
    b"-x", b"+", b"-", b"x", b"- 1", b"0x", b"0xg", b"-0x ", b"--1", b" +-", b"12", b"1-", b".", b"-.", b"+.x", b"1e",
    b"i", b"ix", b"inx", b"-in", b"0x.", b"1e+x", b"nax",
]  # fmt: skip


@pytest.mark.parametrize("form", [b"%d", b"%i", b"%x", b"%u", b"%1d", b"%2x", b"%f", b" %d", b"%d%d", b"%3s%d"])
def test_what_is_read_in_vain_is_read(form: bytes) -> None:
    """libc puts back one byte at most."""
    for text in NOT_QUITE:
        content = ctypes.create_string_buffer(text)
        stream = LIBC.fmemopen(content, ctypes.c_size_t(len(text)), b"r")
        targets = [ctypes.create_string_buffer(SIZE) for _ in range(2)]
        LIBC_STREAM(ctypes.c_void_p(stream), form, *targets)
        wanted = LIBC.ftell(ctypes.c_void_p(stream))
        LIBC.fclose(ctypes.c_void_p(stream))
        call: Any = Call(EMPTY_MODEL)
        addresses = tuple(call.put(bytes(SIZE)) for _ in range(2))
        read = Scan(call, Supply((), list(text), 0, len(text)), PassedArguments(addresses, (PTR, PTR), 64))
        read.run(form)
        assert EMPTY_MODEL.eval(read.position) == wanted, text


FORMS = [b"%d", b"%i %c", b"%s", b"%x,%d", b"%2s%d", b" %[0-9]%s", b"%d%n", b"%u:%u", b"%c%s", b"%lld"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_symbolic_text_as_libc(form: bytes, seed: int) -> None:
    """The formulas, evaluated, give what libc gives for the text the model stands for."""
    rng = random.Random(seed)
    symbols = [build.symbol(f"t{n}", bv(8)) for n in range(7)]
    length = build.symbol("length", bv(32))
    count = form.count(b"%")
    for _ in range(40):
        content = [rng.choice(b" 1230-+x,:a\n9f") for _ in symbols]
        used = rng.randrange(len(symbols) + 1)
        model = Model({**dict(zip(symbols, content, strict=True)), length: used})
        text = bytes(content[:used])
        assert scan(list(symbols), form, count, model, length)[:2] == libc(text, form, count), text


def test_long_symbolic_numbers_saturate() -> None:
    symbols = [build.symbol(f"t{n}", bv(8)) for n in range(22)]
    for text in (
        b"9223372036854775808",
        b"-9223372036854775808",
        b"-9223372036854775809",
        b"1" * 22,
        b"18446744073709551616",
    ):
        model = Model({**dict(zip(symbols, text.ljust(22, b" "), strict=True))})
        for form in (b"%ld", b"%lu", b"%d", b"%hu"):
            assert scan(list(symbols), form, 1, model)[:2] == libc(text, form, 1)


def test_a_word_that_is_too_long_is_out_of_bounds() -> None:
    symbols = [build.symbol(f"t{n}", bv(8)) for n in range(40)]
    model = Model(dict.fromkeys(symbols, 65))
    with pytest.raises(Failed, match="out-of-bounds"):
        scan(list(symbols), b"%s", 1, model)
    scan(list(symbols), b"%31s", 1, model)


@pytest.mark.parametrize("text", [b"2.5 ", b"-1e3", b"infx", b"0x1p", b"1e+ ", b"+. 1", b"1.5"])
def test_a_symbolic_float_is_one_formula_for_its_shape(text: bytes) -> None:
    symbols = [build.symbol(f"t{n}", bv(8)) for n in range(len(text))]
    model = Model(dict(zip(symbols, text, strict=True)))
    result, stored, call = scan(list(symbols), b"%lf", 1, model)
    assert (result, stored) == libc(text, b"%lf", 1)
    assert not call.losses


def test_what_is_not_modelled_says_so() -> None:
    for form in (b"%ls", b"%1$d"):
        with pytest.raises(Unsupported):
            scan(b"1", form, 1)


def test_random_texts_as_libc() -> None:
    assert differences(random.Random(0), examples(400)) == []


@pytest.mark.parametrize(
    ("text", "form", "wanted"),
    [
        (b" word x", b"%ms", b"word\0"),
        (b"12ab", b"%m[0-9]", b"12\0"),
        (b"word", b"%2ms", b"wo\0"),
        (b"xy", b"%3mc", b"xy"),
    ],
)
def test_characters_in_an_object_of_their_own(text: bytes, form: bytes, wanted: bytes) -> None:
    symbols = [build.symbol(f"t{n}", bv(8)) for n in range(len(text))]
    model = Model(dict(zip(symbols, text, strict=True)))
    for values in (list(text), list(symbols)):
        result, (stored,), call = scan(values, form, 1, model)
        address = int.from_bytes(stored[:8], "little")
        found = call.memory.find(address)
        assert result == 1 and found is not None and found[0].size == len(wanted)
        assert bytes(model.eval(byte) for byte in call.read_bytes(address, len(wanted))) == wanted
