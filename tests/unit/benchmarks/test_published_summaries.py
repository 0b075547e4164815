"""What the paper reports, as it is kept: complete, and for programs that there are."""

from __future__ import annotations

from benchmarks.material import folder
from benchmarks.published_summaries import REGULAR, SUMMARIES, icon_files, published


def test_programs() -> None:
    assert all((folder("summaries") / f"{name}.c").is_file() for name in published())


def test_the_parser() -> None:
    found = published()["parser"]
    assert found[SUMMARIES].to_json() == {
        "tests": 383, "loops": 6, "summaries": 25, "constraints_removed": 78, "symbolic_updates": 56,
        "solver_queries": 9163, "seconds": 2600, "memory_mb": 512,
    }  # fmt: skip
    assert found[REGULAR].to_json() == {"tests": 384, "solver_queries": 9155, "seconds": 1658, "memory_mb": 366}


def test_other_files() -> None:
    files = icon_files()
    assert len(files) == 12
    assert (files[0].input_bytes, files[0].seconds, files[0].summaries) == (2504, 391, 22)
    assert (files[-1].input_bytes, files[-1].symbolic_loops, files[-1].loops_summarized) == (818, 17, 2)
    assert all(one.loops_summarized <= one.symbolic_loops <= one.loops for one in files)
