"""The manual page says what the commands say of themselves."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_manual", ROOT / "scripts" / "make_manual.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_up_to_date() -> None:
    script = _script()
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run: python scripts/make_manual.py"


def test_text_is_no_request_of_roff() -> None:
    escaped = _script().escaped
    assert escaped("-v,@8:\n  a\\b") == r"\-v,@8: a\eb"
    assert escaped(".ll or .bc") == r"\&.ll or .bc"


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_man_reads_it() -> None:
    shown = subprocess.run(["man", "--warnings", str(_script().PAGE)], capture_output=True, text=True, check=True)
    assert "clew test" in shown.stdout and not shown.stderr
