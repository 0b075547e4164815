"""LLVM code that cannot be used: one clear line each, whatever LLVM does about it."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.frontend import CompileOptions, load
from clew.frontend.llvm import _CHAR6, is_bitcode, producer_version

Write = Callable[[str, str], Path]


@pytest.fixture
def bitcode(write: Write, clang: str) -> bytes:
    source = write("good.c", "int f(int x) { while (x > 3) x /= 2; return x; }\n")
    subprocess.run([clang, "-g", "-O1", "-emit-llvm", "-c", str(source), "-o", "good.bc"], check=True)
    return Path("good.bc").read_bytes()


def fails(name: str) -> UserError:
    with pytest.raises(UserError) as caught:
        load([Path(name)], CompileOptions(), None)
    assert "\n" not in str(caught.value)
    return caught.value


def with_version(bitcode: bytes, version: str) -> bytes:
    """The bitcode with the two digits of the version in its identification block changed."""
    bits = int.from_bytes(bitcode, "little")
    mark = sum(_CHAR6.index(letter) << 6 * place for place, letter in enumerate("LLVM22"))
    wanted = sum(_CHAR6.index(letter) << 6 * place for place, letter in enumerate(f"LLVM{version}"))
    offset = next(o for o in range(2048) if (bits >> o) & ((1 << 36) - 1) == mark)
    return (bits ^ ((mark ^ wanted) << offset)).to_bytes(len(bitcode), "little")


def test_the_producer_is_read_from_the_head(bitcode: bytes) -> None:
    assert is_bitcode(bitcode)
    assert producer_version(bitcode) == 22
    assert producer_version(with_version(bitcode, "31")) == 31
    assert producer_version(b"BC\xc0\xde" + bytes(100)) is None
    assert producer_version(b"") is None


def test_code_of_a_newer_llvm_is_named_as_such(bitcode: bytes) -> None:
    newer = bytearray(with_version(bitcode, "23"))
    Path("new.bc").write_bytes(newer[: len(newer) // 2])
    assert "was written by LLVM 23, and Clew reads up to LLVM 22" in str(fails("new.bc"))


def test_damaged_bitcode(bitcode: bytes) -> None:
    Path("bad.bc").write_bytes(bitcode[: len(bitcode) // 2])
    assert "bad.bc is damaged bitcode" in str(fails("bad.bc"))
    for content in (b"", b"BC", b"int main(void) { return 0; }"):
        Path("bad.bc").write_bytes(content)
        assert "bad.bc is not LLVM bitcode" in str(fails("bad.bc"))


@pytest.mark.slow
def test_random_damage_never_ends_us(bitcode: bytes) -> None:
    source = random.Random(7)
    for _ in range(6):
        damaged = bytearray(bitcode)
        for _ in range(12):
            damaged[source.randrange(4, len(damaged))] = source.randrange(256)
        Path("bad.bc").write_bytes(damaged)
        try:
            load([Path("bad.bc")], CompileOptions(), None)
        except UserError as error:
            assert "bad.bc" in str(error)


def test_damaged_text(write: Write) -> None:
    write("bad.ll", "define i32 @f( {")
    error = fails("bad.ll")
    assert "bad.ll is not LLVM text" in str(error)
    assert "expected type" in error.details


def test_text_that_parses_but_is_not_valid(write: Write) -> None:
    write(
        "bad.ll", "define i32 @f() {\nentry:\n  br label %next\nnext:\n  %x = phi i32 [ 0, %next ]\n  ret i32 %x\n}\n"
    )
    assert "bad.ll is not LLVM text" in str(fails("bad.ll"))


def test_text_that_makes_llvm_end_its_process(write: Write) -> None:
    flag = '!{i32 2, !"Debug Info Version", i32 3}'
    write("bad.ll", f"define void @f() {{ ret void }}\n!llvm.module.flags = !{{!0, !1}}\n!0 = {flag}\n!1 = {flag}\n")
    assert "bad.ll is not LLVM text" in str(fails("bad.ll"))
