"""``report.html``: one self-contained page, made from an output folder alone.

The run and ``clew report`` call the same function, so that a page that is made again is the same. The engine of the
templates is imported here, and this module when a page is to be made: see decision 39.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

from minijinja import Environment

from clew.report.folder import write_or_refuse
from clew.report.kinds import BUG_KINDS
from clew.report.page.project import ProjectView, is_project
from clew.report.page.results import read_results, read_shown
from clew.report.page.view import RunView
from clew.report.unexplored import LOSS_MEANINGS

NAME = "report.html"
_TEMPLATES = Path(__file__).with_name("templates")


def page_of(folder: Path) -> str:
    """The whole page; UserError for a folder that holds no results."""
    summary = read_shown(folder)
    if is_project(summary):
        return _render("project.html", ProjectView(folder, summary))
    return _render("run.html", RunView(read_results(folder, read=summary)))


def write_page(folder: Path) -> Path:
    """Make the page, and put it into the folder; UserError where that is not possible."""
    return write_or_refuse(folder / NAME, page_of(folder))


def _render(template: str, view: Any) -> str:
    environment = Environment(
        loader=lambda name: (_TEMPLATES / name).read_text(encoding="utf-8"),
        auto_escape_callback=lambda name: "html",
        undefined_behavior="strict",
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.add_filter("short", lambda file: PurePath(file).name if file else "?")
    environment.add_filter("title_of", lambda kind: BUG_KINDS[kind].title if kind in BUG_KINDS else kind)
    environment.add_filter("loss_meaning", lambda kind: LOSS_MEANINGS.get(kind, "not followed"))
    environment.add_filter("share", _share)
    environment.add_filter("number", lambda value: f"{value:,}")
    environment.add_filter("fixed", lambda value, places: f"{value:.{places}f}")
    environment.add_filter("plain", lambda value: f"{value:g}")
    return environment.render_template(template, view=view)


def _share(part: float, whole: float) -> str:
    """A part in per cent, rounded down, so that 100 means all."""
    return f"{int(100 * part / whole)}" if whole else "100"
