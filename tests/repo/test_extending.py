"""The technique that docs/extending.md shows keeps to what every technique promises.

In a process of its own: what an example registers is there for everybody. That all examples run is in ``test_docs``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from pathlib import Path

import patience
from clew.techniques.registry import SWITCHES
from unit.techniques import conformance

SWITCHES["patience"] = ("verbose", True)
conformance.OFF["verbose"] = False
folder = Path.cwd()
for program in sys.argv[1:]:
    plain = conformance.run(program, folder, None)
    conformance.loses_nothing(program, folder, "patience", plain)
    conformance.claims_are_true(program, folder, "patience", plain)
conformance.follows_its_seed("search", folder, "patience")
conformance.can_be_left_and_taken_up("diamonds", "patience")
conformance.costs_nothing_when_off("count")
"""


@pytest.mark.slow
def test_the_example_of_a_technique_conforms(repository: Path, tmp_path: Path) -> None:
    page = (repository / "docs" / "extending.md").read_text(encoding="utf-8")
    shown = re.search(r"^```python file=patience.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    (tmp_path / "patience.py").write_text(shown[1], encoding="utf-8")
    path = os.pathsep.join(str(folder) for folder in (tmp_path, repository / "src", repository / "tests"))
    run = subprocess.run(
        [sys.executable, "-c", CODE, "count", "search", "nested"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
