"""Test-Comp's exchange format: a ``testcase`` file per test, and ``metadata.xml`` beside them.

TestCov reads the first two lines literally, takes the text of the root's children in order, and
chokes on an empty ``<input/>``: each input is one scalar on one line, and objects are written as
their elements. Floats are hexadecimal, which ``sscanf("%lf")`` reads back exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from clew import __version__
from clew.report.kinds import BUG_KINDS
from clew.report.records import InputValue, Test
from clew.report.values import given

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
_DTD = '<!DOCTYPE {0} PUBLIC "+//IDN sosy-lab.org//DTD test-format {0} 1.1//EN" "https://sosy-lab.org/test-format/{0}-1.1.dtd">'
SPECIFICATIONS = {
    "branch": "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
    "error": "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
}
SUITE = "test-suite.zip"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}


def case_xml(test: Test) -> str:
    """The text of a test file. Only a call of the error function counts as covering *the* error."""
    bug = test.error
    is_the_error = bug is not None and BUG_KINDS[bug.kind].is_the_error and not bug.is_possible
    covers_error = ' coversError="true"' if is_the_error else ""
    lines = [_DECLARATION, _DTD.format("testcase"), f"<testcase{covers_error}>"]
    for value in given(test.inputs):
        for scalar in value.elements():
            name, ctype = escape(scalar.name), escape(scalar.type)
            lines.append(f'  <input variable="{name}" type="{ctype}">{literal(scalar)}</input>')
    lines.append("</testcase>")
    return "\n".join(lines) + "\n"


def metadata_xml(files: Sequence[Path], entry: str, pointer_bits: int, covers: str, created: datetime) -> str:
    """The text of ``metadata.xml``; with several files, the first names the program and all make the hash.

    ``covers``: one of ``SPECIFICATIONS``; ``clew test`` covers branches, whatever else its goal is.
    """
    program = str(files[0]) if files else ""
    fields = (
        ("sourcecodelang", "C"),
        ("producer", f"Clew {__version__}"),
        ("specification", SPECIFICATIONS[covers].replace("main()", f"{entry}()")),
        ("programfile", program),
        ("programhash", program_hash(files)),
        ("entryfunction", entry),
        ("architecture", "32bit" if pointer_bits == 32 else "64bit"),
        ("creationtime", created.isoformat(timespec="seconds")),
    )
    body = [f"  <{tag}>{escape(text)}</{tag}>" for tag, text in fields]
    return "\n".join([_DECLARATION, _DTD.format("test-metadata"), "<test-metadata>", *body, "</test-metadata>", ""])


def suite_zip(tests: Path) -> bytes:
    """The suite as TestCov wants it: ``metadata.xml`` and the test files, in a zip without folders."""
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(tests.glob("*.xml")):
            archive.write(file, file.name)
    return made.getvalue()


def program_hash(files: Sequence[Path]) -> str:
    """SHA-256 of the program's text; a file that cannot be read (any more) counts as empty."""
    import hashlib  # loads OpenSSL: a run without tests does without

    digest = hashlib.sha256()
    for file in files:
        try:
            digest.update(file.read_bytes())
        except OSError:
            continue
    return digest.hexdigest()


def literal(value: InputValue) -> str:
    """A scalar as the harness's ``sscanf`` reads it."""
    if isinstance(value.value, float):
        return value.value.hex()  # "nan", "inf", "-inf" for what has no digits
    assert isinstance(value.value, int)
    return str(value.value)


def escape(text: str) -> str:
    """Text for XML; characters XML cannot hold become question marks."""
    return "".join(_ESCAPES.get(char) or (char if _in_xml(char) else "?") for char in text)


def _in_xml(char: str) -> bool:
    """May XML 1.0 contain this character? No controls, no surrogates, no U+FFFE and U+FFFF."""
    return " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
