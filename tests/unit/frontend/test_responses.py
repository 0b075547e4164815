"""Options of the compiler in files, and in files that these name."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.frontend.responses import expanded


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_files_within_files() -> None:
    Path("sub").mkdir()
    Path("flags").write_text("-DA @sub/more\n-fwrapv")
    Path("sub/more").write_text("@sub/last -DB")
    Path("sub/last").write_text("-DC")
    assert expanded(["-w", "@flags", "@sub/last"]) == ("-w", "-DA", "-DC", "-DB", "-fwrapv", "-DC")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        (" -DA\t-DB\n\n-DC ", ("-DA", "-DB", "-DC")),
        ('\'-DA="x y"\' "-DB=a \'b\'" -DC=\\"z\\ \\"', ('-DA="x y"', "-DB=a 'b'", '-DC="z "')),
        ("-D'A'=\"1\"2", ("-DA=12",)),
        ("'it\\'s' a\\\\b", ("it's", "a\\b")),
        ("'open end", ("open end",)),
    ],
)
def test_words(text: str, words: tuple[str, ...]) -> None:
    Path("flags").write_text(text)
    assert expanded(["@flags"]) == words


def test_what_cannot_be_read() -> None:
    Path("loop").write_text("-DA @again")
    Path("again").write_text("@./loop")
    with pytest.raises(UserError, match="names itself"):
        expanded(["@loop"])
    with pytest.raises(UserError, match="response file gone cannot be read: No such file"):
        expanded(["-DA", "@gone"])
    assert expanded(["@", "-I", "a@b"]) == ("@", "-I", "a@b")
