"""The filter of kernel calls, run on a small machine of our own: for every processor, whichever this one is."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from clew.jobs.native.sandbox.seccomp import assemble, rules
from clew.jobs.native.sandbox.syscalls import LAST_KNOWN, NUMBERS

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "i386": 0x40000003, "arm": 0x40000028}
HEADERS = {"x86_64": "x86-linux-any/asm/unistd_64.h", "aarch64": "aarch64-linux-any/asm/unistd_64.h",
           "i386": "x86-linux-any/asm/unistd_32.h"}  # fmt: skip
ALLOW, KILL = "allow", "kill"
OWN = 1234


def _verdict(code: bytes, call: tuple[int, int], *arguments: int) -> str:
    """What the filter says of a call: (architecture, number), arguments."""
    arch, number = call
    data = struct.pack("<IIQ6Q", number, arch, 0, *(*arguments, *[0] * (6 - len(arguments))))
    steps = [struct.unpack_from("<HBBI", code, at) for at in range(0, len(code), 8)]
    at, value = 0, 0
    while True:
        kind, yes, no, constant = steps[at]
        at += 1
        if kind == 0x20:
            (value,) = struct.unpack_from("<I", data, constant)
        elif kind == 0x05:
            at += constant
        elif kind == 0x06:
            names = {0x7FFF0000: ALLOW, 0x80000000: KILL}
            return names.get(constant) or errno.errorcode[constant & 0xFFFF]
        else:
            test = {0x15: value == constant, 0x25: value > constant, 0x45: bool(value & constant)}[kind]
            at += yes if test else no


def _call(processor: str, name: str) -> tuple[int, int]:
    return ARCHITECTURES[processor], NUMBERS[processor][name]


@pytest.mark.parametrize("processor", HEADERS)
def test_numbers_are_those_of_the_headers(processor: str) -> None:
    package = pytest.importorskip("ziglang")
    header = Path(package.__file__).parent / "lib/libc/include" / HEADERS[processor]
    known = {found[1]: int(found[2]) for found in re.finditer(r"#define __NR_(\w+)\s+(\d+)", header.read_text())}
    assert NUMBERS[processor] == {name: known[name] for name in NUMBERS[processor]}
    elsewhere = {name for other in NUMBERS.values() for name in other}
    assert not [name for name in elsewhere - set(NUMBERS[processor]) if name in known]
    assert known["mseal"] == LAST_KNOWN


@pytest.mark.parametrize(("host", "processor"), [("x86_64", "x86_64"), ("x86_64", "i386"), ("aarch64", "aarch64")])
def test_verdicts(host: str, processor: str) -> None:
    inside, outside = (assemble(rules(spaces, spaces, OWN), host) for spaces in (True, False))
    for code in (inside, outside):
        assert _verdict(code, (ARCHITECTURES[processor], 1)) == ALLOW
        assert _verdict(code, (ARCHITECTURES[processor], LAST_KNOWN + 1)) == "ENOSYS"
        assert _verdict(code, _call(processor, "keyctl")) == "EPERM"
        assert _verdict(code, _call(processor, "mount")) == "EPERM"
        assert _verdict(code, _call(processor, "clone"), 0x00000011) == ALLOW
        assert _verdict(code, _call(processor, "clone"), 0x10000011) == "EPERM"
        assert _verdict(code, _call(processor, "clone3")) == "ENOSYS"
        assert _verdict(code, _call(processor, "setpriority")) == "EPERM"
        assert [_verdict(code, _call(processor, "prlimit64"), pid) for pid in (0, 7)] == [ALLOW, "EPERM"]
    assert [_verdict(inside, _call(processor, "socket"), kind) for kind in (1, 2, 10, 40)] == [
        *[ALLOW] * 3,
        "EAFNOSUPPORT",
    ]
    assert _verdict(outside, _call(processor, "socket"), 1) == "EPERM"
    assert (_verdict(inside, _call(processor, "fchmod")), _verdict(outside, _call(processor, "fchmod"))) == (
        ALLOW,
        "EPERM",
    )
    assert [_verdict(outside, _call(processor, "kill"), pid) for pid in (OWN, 0, 1, 2**64 - 1)] == [
        ALLOW,
        ALLOW,
        "EPERM",
        "EPERM",
    ]
    assert [_verdict(outside, _call(processor, "ioctl"), 3, what) for what in (0x40086602, 0x5401)] == ["EPERM", ALLOW]


def test_other_ways_of_calling_end_the_process() -> None:
    for host in ("x86_64", "aarch64"):
        code = assemble(rules(True, True, OWN), host)
        assert _verdict(code, (ARCHITECTURES["arm"], 1)) == KILL
    assert _verdict(assemble([], "aarch64"), (ARCHITECTURES["x86_64"], 1)) == KILL
    assert _verdict(assemble([], "x86_64"), (ARCHITECTURES["x86_64"], 0x40000000 | 1)) == KILL
