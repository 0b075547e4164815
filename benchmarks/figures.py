"""Benchmark results: what ``clew bench`` measured, beside what was aimed at and what a peer reaches."""

from __future__ import annotations

from dataclasses import dataclass

from clew import __version__


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, the median of several runs."""

    name: str
    value: float
    unit: str
    target: float | None = None
    higher_is_better: bool = True
    peer: str = ""
    """Name of the tool compared with, when one was found."""
    peer_value: float | None = None
    runs: tuple[float, ...] = ()

    @property
    def met(self) -> bool | None:
        """Was the target reached? None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.higher_is_better else self.value <= self.target

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer (below 1: worse)."""
        if not self.peer_value or not self.value:
            return None
        return self.value / self.peer_value if self.higher_is_better else self.peer_value / self.value

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "target": self.target,
            "met": self.met,
            "peer": self.peer or None,
            "peer_value": self.peer_value,
            "ratio": self.ratio,
            "runs": list(self.runs),
        }


@dataclass(frozen=True, slots=True)
class FigureTable:
    """One table of ``clew bench``."""

    name: str
    figures: tuple[Figure, ...]
    machine: str = ""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "figures": [figure.to_json() for figure in self.figures],
            "notes": list(self.notes),
        }

    def complaints(self) -> list[str]:
        """A missed target is no failure: speed depends on the machine."""
        return []

    def lines(self) -> list[str]:
        """The table as aligned text."""
        rows = [("figure", "value", "target", "", "peer")] + [_row(figure) for figure in self.figures]
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        head = [f"{self.name}" + (f" on {self.machine}" if self.machine else "")]
        body = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return [*head, *body, *self.notes]


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    sign = ">=" if figure.higher_is_better else "<="
    target = "" if figure.target is None else f"{sign} {_number(figure.target)}"
    mark = {None: "", True: "ok", False: "missed"}[figure.met]
    ratio = (
        "" if figure.ratio is None else f"{figure.peer} {_number(figure.peer_value or 0.0)} (ratio {figure.ratio:.2f})"
    )
    return figure.name, f"{_number(figure.value)} {figure.unit}", target, mark, ratio


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
