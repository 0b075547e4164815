"""Dependencies between the folders of ``src/clew`` point one way: this file holds the table of allowed edges.

A new edge is a decision: add it here, in the same change, where a reviewer sees it.
``report.records`` (plain records, with ``report.values`` and ``report.kinds``) counts as a layer of its own, near the
bottom; the writers in ``report`` are near the top.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "clew"


def _layers(names: str) -> frozenset[str]:
    return frozenset(names.split())


ALLOWED: dict[str, frozenset[str]] = {
    "base": _layers(""),
    "program": _layers("base"),
    "report.records": _layers("base"),
    "expr": _layers("base"),
    "analysis": _layers("base program"),
    "frontend": _layers("base program analysis"),
    "runtime": _layers("base program frontend"),
    "solver": _layers("base expr"),
    "memory": _layers("base program expr"),
    "native": _layers("base program analysis frontend memory"),
    "checks": _layers("base program report.records expr memory"),
    "execute": _layers("base program report.records expr analysis solver memory checks"),
    "models": _layers("base program expr analysis solver memory execute"),
    "search": _layers("base program expr analysis execute"),
    "parallel": _layers("base report.records expr solver execute"),
    "explain": _layers("base program expr analysis solver execute"),
    "techniques": _layers(
        "base program report.records expr analysis solver memory checks execute models search explain"
    ),
    "report": _layers("base report.records"),
    "describe": _layers("base program expr analysis solver execute techniques report"),
    "jobs": _layers(
        "base program report.records expr analysis frontend runtime native solver checks execute models search"
        " parallel techniques report describe"
    ),
    "api": _layers("base report.records expr techniques report jobs"),
    "campaign": _layers("base report.records report"),
    "editor": _layers("base report report.records"),
    "cli": _layers("base report.records analysis frontend checks parallel techniques report jobs campaign editor"),
}
"""For each folder, from the bottom to the top, those that it uses: exactly these."""

BESIDE = "benchmarks"
"""A package beside the sources, which only ``clew bench`` looks for, when it is run and without an import statement."""

BENCHMARKS = frozenset(
    {
        BESIDE,
        "analysis",
        "base",
        "execute",
        "expr",
        "frontend",
        "jobs",
        "parallel",
        "program",
        "report",
        "report.records",
        "search",
        "solver",
        "techniques",
    }
)
"""What it may use itself."""

RECORDS = frozenset({"formats", "kinds", "lines", "path", "reasons", "records", "statistics", "values"})

FREE = frozenset({"", "__main__"})
"""The package root: the public API and ``python -m clew`` may use anything."""


def module_name(path: Path) -> str:
    root = PACKAGE.parent if path.is_relative_to(PACKAGE) else ROOT
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str:
    """``clew.solver.chain`` -> ``solver``; ``clew.report.records`` -> ``report.records``; ``clew`` -> ````."""
    parts = module.split(".")[1:]
    if len(parts) > 1 and parts[0] == "report" and parts[1] in RECORDS:
        return "report.records"
    return parts[0] if parts else ""


@cache
def imports_of(path: Path) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """Every import of ours in a file, also inside functions and under TYPE_CHECKING: line, module, names."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield node.lineno, module, tuple(alias.name for alias in node.names)


def targets(module: str, names: tuple[str, ...]) -> Iterator[str]:
    """The layers one import statement reaches; ``benchmarks`` is none that anything in the package may use."""
    if module == "clew":
        for name in names:
            if name != "__version__":
                yield name
    elif module == "clew.report":
        for name in names:
            yield layer_of(f"clew.report.{name}")
    elif module.startswith("clew."):
        yield layer_of(module)
    elif module.split(".")[0] == BESIDE:
        yield BESIDE


def python_files(folder: Path = PACKAGE) -> list[Path]:
    return sorted(p for p in folder.rglob("*.py") if "__pycache__" not in p.parts)


def test_every_folder_is_in_the_table() -> None:
    folders = {p.name for p in PACKAGE.iterdir() if p.is_dir() and any(p.rglob("*.py"))}
    assert folders <= ALLOWED.keys(), f"not in the table of layers: {sorted(folders - ALLOWED.keys())}"


def test_nothing_loose_at_the_package_root() -> None:
    assert {p.name for p in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_the_table_has_no_cycle() -> None:
    below_first = list(TopologicalSorter(ALLOWED).static_order())  # CycleError if there is one
    assert set(below_first) >= ALLOWED.keys()


def test_the_layers_of_the_architecture_point_downwards() -> None:
    """The list in docs/architecture.md has every folder above all that it uses."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = page.split("## Layers", 1)[1].split("```")[1].splitlines()
    names = [name for line in lines if line[:1].strip() for name in line.split("  ")[0].split(", ")]
    assert sorted(names) == sorted(ALLOWED.keys() - {"report.records"})
    order = {name: place for place, name in enumerate([*names, "report.records"])}
    upwards = [(a, b) for a, used in ALLOWED.items() for b in used if order[b] <= order[a] and a != "report.records"]
    assert upwards == []


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_imports_follow_the_table(layer: str) -> None:
    wrong = [
        f"{module_name(path)}, line {line}: {target}"
        for path in python_files()
        if layer_of(module_name(path)) == layer
        for line, module, names in imports_of(path)
        for target in targets(module, names)
        if target != layer and target not in ALLOWED[layer]
    ]
    assert not wrong, f"imports of a layer that {layer} may not know: {wrong}"


def test_every_edge_of_the_table_is_in_use() -> None:
    used: dict[str, set[str]] = {layer: {layer} for layer in ALLOWED}
    for path in python_files():
        layer = layer_of(module_name(path))
        if layer not in FREE:
            used[layer].update(target for _, module, names in imports_of(path) for target in targets(module, names))
    unused = {layer: sorted(ALLOWED[layer] - used[layer]) for layer in ALLOWED if ALLOWED[layer] - used[layer]}
    assert unused == {}, "allowed and not used: take these edges out of the table"


def test_no_technique_knows_another() -> None:
    """What two of them need is in a layer below, or beside them in ``techniques`` itself."""
    folder = PACKAGE / "techniques"
    techniques = {f"clew.techniques.{p.name}" for p in folder.iterdir() if (p / "__init__.py").exists()}
    for path in python_files(folder):
        own = ".".join(module_name(path).split(".")[:3])
        used = {".".join(module.split(".")[:3]) for _, module, _ in imports_of(path)}
        assert own not in techniques or not (used & techniques) - {own}, f"{module_name(path)} uses another technique"


def test_the_benchmarks_use_what_they_may() -> None:
    used = {
        target: path.name
        for path in python_files(ROOT / BESIDE)
        for _, module, names in imports_of(path)
        for target in targets(module, names)
    }
    assert used.keys() == BENCHMARKS, "used and not allowed, or allowed and not used"
