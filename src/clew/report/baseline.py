"""What is known about bugs from before: the results of an earlier run (``--baseline``), and comments in the source.

A baseline is an output folder, a ``summary.json`` or a ``results.sarif``. A bug is known if the baseline has its
fingerprint. One that was a possible bug then, and is certain now, is new.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.report.excerpt import Sources
from clew.report.fingerprints import fingerprint_of
from clew.report.places import source_root
from clew.report.records import CERTAIN, KNOWN, NEW, POSSIBLE, Bug
from clew.report.suppressions import suppression_at

FINGERPRINT = "clewBug/v3"
"""The name of our fingerprints in SARIF."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The fingerprints of the bugs that were there before."""

    certain: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()

    def state_of(self, fingerprint: str, is_possible: bool) -> str:
        """``KNOWN`` or ``NEW``."""
        return KNOWN if fingerprint in self.certain or (is_possible and fingerprint in self.possible) else NEW


def marked(bugs: Iterable[Bug], sources: Sources, baseline: Baseline | None) -> tuple[Bug, ...]:
    """The bugs with their fingerprints, and with what is known about them."""
    root, found = source_root(), []
    for bug in bugs:
        said = suppression_at(bug.location, sources)
        suppressed = said.reason if said is not None and said.covers(bug.kind) else ""
        one = replace(bug, fingerprint=fingerprint_of(bug, sources, root), suppressed=suppressed)
        state = "" if baseline is None else baseline.state_of(one.fingerprint, one.is_possible)
        found.append(replace(one, baseline=state))
    return tuple(found)


def restated(bug: Mapping[str, Any], baseline: Baseline | None) -> dict[str, Any]:
    """A bug of a summary that may be older than the baseline."""
    plain = {name: value for name, value in bug.items() if name != "baseline"}
    if baseline is None:
        return plain
    return {**plain, "baseline": baseline.state_of(str(bug.get("fingerprint")), bool(bug.get("rests_on")))}


def read_baseline(path: Path | None) -> Baseline | None:
    """The baseline in a file or an output folder; UserError where there is none."""
    if path is None:
        return None
    file = path / "summary.json" if path.is_dir() else path
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise UserError(f"cannot read the baseline {file}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise UserError(f"the baseline {file} is no JSON: name a summary.json, a results.sarif or a folder") from None
    try:
        pairs = list(_bugs(data))
        certain, possible = (frozenset(name for name, said in pairs if said == word) for word in (CERTAIN, POSSIBLE))
        return Baseline(certain, possible)
    except (KeyError, TypeError, AttributeError):
        raise UserError(
            f"the baseline {file} has no fingerprints of Clew's: name a summary.json, a results.sarif or a folder "
            "of this version"
        ) from None


def _bugs(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Fingerprints and classes; KeyError where a bug has none."""
    if "runs" in data and "version" in data:
        for run in data["runs"]:
            for result in run.get("results") or ():
                if result.get("baselineState") != "absent":
                    yield result["partialFingerprints"][FINGERPRINT], result["properties"]["class"]
        return
    for bug in data["bugs"]:
        yield bug["fingerprint"], bug["class"]
