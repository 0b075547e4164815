"""``clew report`` and ``clew explain`` on the command line: exit codes and output."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Clew


def test_the_page_is_written_again(clew: Clew, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    assert clew("test", "p.c", "--out", "o", "--quiet").code == 0
    page = tmp_path / "o" / "report.html"
    first = page.read_bytes()
    page.unlink()
    outcome = clew("report", "o")
    assert (outcome.code, outcome.out) == (0, "o/report.html\n")
    assert page.read_bytes() == first
    assert clew("report", "o", "--quiet").out == ""


def test_a_folder_without_results_is_refused(clew: Clew, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for command in (("report", "empty"), ("report", "nowhere"), ("explain", "empty", "p.c:1")):
        outcome = clew(*command)
        assert outcome.code == 2 and outcome.err.startswith("clew: error: ") and outcome.err.count("\n") == 1
