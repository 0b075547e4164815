"""``clew campaign`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.app import run
from support.schemas import check_folder

LIST = """
[[run]]
name = "safe"
command = "verify"
files = ["p.c"]
expect = "TRUE"
[[run]]
name = "broken"
files = ["q.c"]
"""


def test_campaign(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "q.c").write_text("int main(void) { return }\n")
    (tmp_path / "list.toml").write_text(LIST)
    out = tmp_path / "out"
    code = run(["campaign", str(tmp_path / "list.toml"), "--out", str(out), "--json"])
    captured = capfd.readouterr()
    assert (code, captured.err) == (2, "")
    broken, safe = json.loads(captured.out)["runs"]
    assert (safe["verdict"], safe["state"], safe["unexpected"]) == ("TRUE", "done", False)
    assert (broken["state"], broken["verdict"]) == ("failed", None)
    assert "q.c" in broken["reason"] or "compile" in broken["reason"]
    assert (out / "runs" / "safe" / "summary.json").is_file()
    assert json.loads(captured.out) == json.loads((out / "campaign.json").read_text())
    assert {"campaign", "summary"} <= set(check_folder(out))


def test_nothing_to_resume(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "list.toml").write_text('[[run]]\nfiles = ["p.c"]\n')
    assert run(["campaign", str(tmp_path / "list.toml"), "--out", str(tmp_path / "none"), "--resume"]) == 2
    assert "there is no campaign in" in capfd.readouterr().err
