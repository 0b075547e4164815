"""Published figures were copied correctly: they are complete, add up to the published totals, and name their source."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from benchmarks import invariants, navigation
from benchmarks.conflicts import SHOWN, thesis_instances
from benchmarks.papers import FOLDER, paper
from benchmarks.subject import PROGRAMS


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_every_paper_has_a_source_and_a_table(path: Any) -> None:
    assert paper(path.stem)["source"] and (PROGRAMS / path.stem).is_dir()


def total(tool: str, verdict: str) -> float:
    tasks = paper("conflicts")["tasks"]
    return sum(tasks[name][tool]["seconds"] or 0.0 for name in thesis_instances() if name.endswith(verdict))


def test_there_are_35_instances_of_the_thesis() -> None:
    names = thesis_instances()
    assert sum(name.endswith("_safe") for name in names) == 19
    assert sum(name.endswith("_unsafe") for name in names) == 16


@pytest.mark.parametrize(
    ("tool", "safe", "unsafe"),
    [
        ("CBMC 4.7", 1410.99, 1602.30),
        ("KLEE 2012", 315.60, 4.23),
        ("Kite blackbox", 393.56, 4.59),  # the unsafe totals of these two are without one timeout of 200 s
        ("Kite guide", 160.10, 3.87),
        ("Kite learn:5", 214.53, 12.42),
        ("Kite learn:10", 203.55, 5.50),
        ("Kite learn:15", 192.98, 31.53),
        ("KLEE 3.2", 236.37, 3.90),
    ],
)
def test_totals_of_the_thesis(tool: str, safe: float, unsafe: float) -> None:
    assert total(tool, "_safe") == pytest.approx(safe)
    assert total(tool, "_unsafe") == pytest.approx(unsafe)


def test_what_did_not_end_has_no_figures() -> None:
    figures = paper("conflicts")["tasks"]["s3_srvr_12_unsafe"]
    assert figures["Kite guide"] == {"seconds": None, "paths": None, "instructions": None}
    assert figures["Kite learn:10"] == {"seconds": 1.62, "paths": None, "instructions": 5034}


def test_instructions_of_the_thesis() -> None:
    figures = paper("conflicts")["tasks"]["s3_srvr_1_safe"]
    assert set(SHOWN) <= figures.keys() and figures["KLEE 2012"]["instructions"] == 549_056
    kite = [figures[f"Kite {decide}"]["instructions"] for decide in ("blackbox", "guide", "learn:5", "learn:10")]
    assert kite == [277_252, 50_935, 46_063, 50_935]
    assert figures["KLEE 3.2"] == {"seconds": 147.08, "paths": 123_522, "instructions": 11_908_159}


def test_the_programs_of_invariants() -> None:
    assert tuple(paper("invariants")["programs"]) == invariants.ORDER


def test_the_averages_of_the_paper_on_invariants() -> None:
    found = paper("invariants")["programs"].values()
    plain, with_invariants = [one["plain"] for one in found], [one["invariants"] for one in found]
    assert round(fmean(one["coverage"] for one in plain)) == 65
    assert {one["coverage"] for one in with_invariants} == {100}
    assert int(fmean(one["runs"] for one in plain)) == 58 and round(fmean(one["runs"] for one in with_invariants)) == 45
    assert fmean(one["seconds"] for one in plain) == pytest.approx(2.5, abs=0.005)
    assert fmean(one["seconds"] for one in with_invariants) == pytest.approx(1.13, abs=0.005)
    assert max(one["runs"] for one in [*plain, *with_invariants]) == invariants.MOST_RUNS == 100


def test_the_programs_of_navigation() -> None:
    found = paper("navigation")
    assert set(found["programs"]) == set(navigation.ORDER) - {"hwm5"}
    assert all(one.keys() <= {*found["tools"], "chains"} for one in found["programs"].values())
    assert found["programs"]["fig1_17"] == {"Pex": {"seconds": 18000.0, "ended": False}, "chains": "1/5"}


def test_chains_grow_by_the_number_of_words() -> None:
    """Three ways out of each loop, two around it: 3 ** n root chains, and 2 around each loop that a way meets."""
    for name, words in (("hw", 2), ("hwm", 4)):
        around = sum(2 * 3**n for n in range(words))
        assert paper("navigation")["programs"][name]["chains"] == f"{3**words}/{3**words + around}"


def test_the_programs_of_summaries() -> None:
    assert all((PROGRAMS / "summaries" / f"{name}.c").is_file() for name in paper("summaries")["programs"])


def test_the_parser() -> None:
    assert paper("summaries")["programs"]["parser"] == {
        "paper, plain": {"tests": 384, "solver_queries": 9155, "seconds": 1658, "memory_mb": 366},
        "paper, summaries": {
            "tests": 383, "loops": 6, "summaries": 25, "constraints_removed": 78, "symbolic_updates": 56,
            "solver_queries": 9163, "seconds": 2600, "memory_mb": 512,
        },
    }  # fmt: skip


def test_other_files_of_the_parser() -> None:
    files = paper("summaries")["icon_files"]
    assert len(files) == 12
    assert (files[0]["input_bytes"], files[0]["seconds"], files[0]["summaries"]) == (2504, 391, 22)
    assert (files[-1]["input_bytes"], files[-1]["symbolic_loops"], files[-1]["loops_summarized"]) == (818, 17, 2)
    assert all(one["loops_summarized"] <= one["symbolic_loops"] <= one["loops"] for one in files)
