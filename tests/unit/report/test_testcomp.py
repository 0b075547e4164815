"""Test-Comp's XML, as TestCov reads it."""

from __future__ import annotations

import ctypes
import hashlib
import math
import struct
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.report.records import Bug, InputValue, Test
from clew.report.testcomp import case_xml, escape, literal, metadata_xml


def test_exact_text() -> None:
    assert case_xml(Test((InputValue("x", "int", 32, -5),))) == (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" '
        '"https://sosy-lab.org/test-format/testcase-1.1.dtd">\n'
        "<testcase>\n"
        '  <input variable="x" type="int">-5</input>\n'
        "</testcase>\n"
    )


def test_error_attribute_is_for_the_error_function() -> None:
    assert '<testcase coversError="true">' in case_xml(Test((), error=Bug("error-call", "", None, "f")))
    assert "coversError" not in case_xml(Test((), error=Bug("out-of-bounds", "", None, "f")))


def test_objects_become_scalars() -> None:
    words = InputValue("a", "int[2]", 64, struct.pack("<2i", 1, -1), "object")
    empty = InputValue("e", "char[0]", 0, b"", "object")
    root = ElementTree.fromstring(case_xml(Test((words, empty, InputValue("d", "double", 64, 0.5)))))
    assert [(child.get("variable"), child.text) for child in root] == [
        ("a[0]", "1"),
        ("a[1]", "-1"),
        ("d", "0x1.0000000000000p-1"),
    ]


@pytest.mark.slow
@given(st.lists(st.integers(0, 0x10FFFF).map(chr)).map("".join))  # plain text() reads a table of Unicode first
def test_any_name_gives_well_formed_xml(name: str) -> None:
    text = case_xml(Test((InputValue(name, name, 32, 1),)))
    (child,) = ElementTree.fromstring(text.encode("utf-8", "replace"))
    assert child.text == "1"
    assert text.split("\n")[1].startswith("<!DOCTYPE testcase ")


def test_escape() -> None:
    assert escape('a<b&"c"\0\ud800') == "a&lt;b&amp;&quot;c&quot;??"


_LIBC = ctypes.CDLL(None)


@given(st.floats())
def test_doubles_are_read_back_exactly(value: float) -> None:
    read = ctypes.c_double()
    text = literal(InputValue("d", "double", 64, value))
    assert _LIBC.sscanf(text.encode(), b"%lf", ctypes.byref(read)) == 1
    if math.isnan(value):
        assert math.isnan(read.value)
    else:
        assert struct.pack("<d", read.value) == struct.pack("<d", value)


@given(st.floats(width=32, allow_nan=False))
def test_floats_are_read_back_exactly(value: float) -> None:
    read = ctypes.c_float()
    text = literal(InputValue("f", "float", 32, value))
    assert _LIBC.sscanf(text.encode(), b"%f", ctypes.byref(read)) == 1
    assert struct.pack("<f", read.value) == struct.pack("<f", value)


@pytest.mark.parametrize(("bits", "word"), [(32, "32bit"), (64, "64bit")])
def test_metadata(tmp_path: Path, bits: int, word: str) -> None:
    program = tmp_path / "p.c"
    program.write_text("int main;")
    text = metadata_xml((program,), "main", bits, "branch", datetime(2024, 1, 2, tzinfo=UTC))
    assert text.split("\n")[1].startswith("<!DOCTYPE test-metadata ")
    root = ElementTree.fromstring(text)
    assert [child.tag for child in root] == [
        "sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture",
        "creationtime",
    ]  # fmt: skip
    found = {child.tag: child.text for child in root}
    assert found["programhash"] == hashlib.sha256(b"int main;").hexdigest()
    assert found["architecture"] == word
    assert found["specification"] == "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"
    assert found["creationtime"] == "2024-01-02T00:00:00+00:00"


def test_metadata_of_a_function_in_a_vanished_file(tmp_path: Path) -> None:
    text = metadata_xml((tmp_path / "gone.c",), "parse", 64, "branch", datetime(2024, 1, 2, tzinfo=UTC))
    assert "init(parse())" in text
    assert hashlib.sha256().hexdigest() in text
