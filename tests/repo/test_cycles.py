"""No file of a package imports itself through others: not by lazy imports, and not by those for types only.

``test_layers`` holds the same between packages. What is listed here is what there is, and may only become less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from clew.analysis.graph import strong_components
from repo.test_layers import FREE, imports_of, layer_of, module_name, python_files

KNOWN = {"clew.expr.node clew.expr.printer": "a node shows itself in messages"}
"""Cycles there are, with the reason."""


def import_graph() -> dict[str, set[str]]:
    """The modules below the package root, and which of them each imports."""
    files = {module_name(path): path for path in python_files() if layer_of(module_name(path)) not in FREE}
    return {module: set(_imported(path, files)) for module, path in files.items()}


def _imported(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for _, module, names in imports_of(path):
        for name in names or ("",):
            found = f"{module}.{name}" if f"{module}.{name}" in files else module  # else it is a name in the module
            if found in files:
                yield found


def test_there_are_no_other_cycles() -> None:
    graph = import_graph()
    cycles = {
        " ".join(sorted(part)) for part in strong_components(graph, graph) if len(part) > 1 or part[0] in graph[part[0]]
    }
    assert cycles == KNOWN.keys(), f"new: {cycles - KNOWN.keys()}; gone, to be removed here: {KNOWN.keys() - cycles}"
