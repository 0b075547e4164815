"""``clew lsp``: a language server that shows the newest results as diagnostics, code lenses and hovers.

It reads output folders and runs nothing. What it shows moves along with the source: lines that were edited since the
run have no notes any more, the others have theirs where they are now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import Workspace

from clew import __version__
from clew.base.dataclass import dataclass
from clew.editor.moved_lines import MovedLines
from clew.editor.newest import Stamp, folders_of, newest
from clew.editor.notes import Lens, Note, Severity, lenses_of, notes_of
from clew.report.explanation import place_lines
from clew.report.kinds import BUG_KINDS
from clew.report.page.results import Results

LOOK = 1.0
"""Seconds between two looks for new results."""
OPEN_REPORT = "clew.openReport"
_CWE = "https://cwe.mitre.org/data/definitions/{}.html"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What is known about one file of the workspace, and its text."""

    results: Results
    name: str
    lines: list[str]
    moved: MovedLines

    @property
    def directory(self) -> Path:
        return Path((self.results.summary.get("build") or {}).get("directory") or Path.cwd())

    def notes(self) -> Iterator[tuple[int, int, Note]]:
        """Notes with their first and last lines as they are now."""
        for note in notes_of(self.results, self.name, self.directory):
            lines = [at for line in range(note.line, note.last + 1) if (at := self.moved.now(line)) is not None]
            if lines:
                yield lines[0], lines[-1], note

    def lenses(self) -> Iterator[tuple[int, Lens]]:
        for lens in lenses_of(self.results, self.name):
            if (line := self.moved.now(lens.line)) is not None:
                yield line, lens


class Presenter:
    """Shows results to the client of a server; ``named`` are the output folders, none: the newest of the workspace."""

    def __init__(self, server: LanguageServer, named: Sequence[Path] = ()) -> None:
        self.server = server
        self._named = tuple(named)
        self._stamp: Stamp = ()
        self._found: dict[Path, tuple[Results, str]] = {}
        self._published: set[str] = set()

    @property
    def workspace(self) -> Workspace:
        return self.server.workspace

    def shown(self, uri: str) -> Shown | None:
        """What is known about a file; None where nothing is."""
        path = to_fs_path(uri)
        known = None if path is None else self._found.get(Path(path).resolve())
        if known is None:
            return None
        results, name = known
        lines = [line.rstrip("\r\n") for line in self.workspace.get_text_document(uri).lines]
        return Shown(results, name, lines, MovedLines(results.sources.get(name, lines), lines))

    def look(self) -> bool:
        """Read results that are new, and publish them; whether there were any."""
        roots = [Path(path) for folder in self.workspace.folders.values() if (path := to_fs_path(folder.uri))]
        if not roots and self.workspace.root_path:
            roots = [Path(self.workspace.root_path)]
        stamp = folders_of(roots, self._named)
        if stamp == self._stamp:
            return False
        self._stamp, self._found = stamp, newest(stamp)
        uris = {uri for path in self._found if path.is_file() and (uri := from_fs_path(str(path)))}
        for uri in sorted(uris | self._published):
            self.publish(uri)
        return True

    def publish(self, uri: str) -> None:
        """Tell the client the diagnostics of one file."""
        shown = self.shown(uri)
        found = [] if shown is None else [self._diagnostic(shown, *note) for note in shown.notes()]
        if found or uri in self._published:
            self._published.add(uri)
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    def _diagnostic(self, shown: Shown, first: int, last: int, note: Note) -> lsp.Diagnostic:
        kind = BUG_KINDS.get(note.code)
        steps = [
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, _line_range(step.line)), step.text)
            for step in note.steps
            if (uri := from_fs_path(str(step.file)))
        ]
        return lsp.Diagnostic(
            range=self._range(shown.lines, first, last, note.column),
            severity=_SEVERITIES[note.severity],
            source="clew",
            code=note.code,
            code_description=lsp.CodeDescription(_CWE.format(kind.cwe[0])) if kind is not None else None,
            message=note.text,
            tags=[lsp.DiagnosticTag.Unnecessary] if note.fades else None,
            related_information=steps or None,
        )

    def _range(self, lines: list[str], first: int, last: int, column: int) -> lsp.Range:
        """From a column, or from the first character of a line, to the end of a line, in the client's units."""
        text = lines[first - 1] if first <= len(lines) else ""
        begin = min(column - 1, len(text)) if column else len(text) - len(text.lstrip())
        end = len(lines[last - 1].rstrip()) if last <= len(lines) else 0
        whole = lsp.Range(lsp.Position(first - 1, begin), lsp.Position(last - 1, max(end, begin)))
        return self.workspace.position_codec.range_to_client_units(lines, whole)


def _line_range(line: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line, 0))


def make_server(named: Sequence[Path] = ()) -> LanguageServer:
    """A server with all that it offers; ``start_io`` runs it."""
    server = LanguageServer("clew", __version__)
    presenter = Presenter(server, named)
    for method, answer in (
        (lsp.INITIALIZED, _initialized),
        (lsp.TEXT_DOCUMENT_DID_OPEN, _changed),
        (lsp.TEXT_DOCUMENT_DID_SAVE, _changed),
        (lsp.TEXT_DOCUMENT_CODE_LENS, _lenses),
        (lsp.TEXT_DOCUMENT_HOVER, _hover),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, _actions),
    ):
        server.feature(method)(partial(answer, presenter))
    server.command(OPEN_REPORT)(_open_report)
    return server


async def _initialized(presenter: Presenter, _: Any) -> None:
    """Look for results now, and again and again."""
    asyncio.get_running_loop().create_task(_watch(presenter))


async def _watch(presenter: Presenter) -> None:
    while True:
        told = presenter.server.client_capabilities.workspace
        if presenter.look() and told and told.code_lens and told.code_lens.refresh_support:
            presenter.server.workspace_code_lens_refresh(None)
        await asyncio.sleep(LOOK)


def _changed(presenter: Presenter, params: Any) -> None:
    presenter.publish(params.text_document.uri)


def _lenses(presenter: Presenter, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    shown = presenter.shown(params.text_document.uri)
    if shown is None:
        return []
    report = [str(shown.results.folder)]
    return [
        lsp.CodeLens(_line_range(line), lsp.Command(f"clew: {lens.title}", OPEN_REPORT, arguments=report))
        for line, lens in shown.lenses()
    ]


def _hover(presenter: Presenter, params: lsp.HoverParams) -> lsp.Hover | None:
    """What ``clew explain`` says about the line."""
    shown = presenter.shown(params.text_document.uri)
    line = None if shown is None else shown.moved.before(params.position.line + 1)
    if shown is None or line is None:
        return None
    told = [text for text, _ in place_lines(shown.results, shown.name, line)][1:]
    text = "\n".join(line.strip() for line in told)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, f"clew: {text}")) if text else None


def _actions(presenter: Presenter, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Comments that suppress bugs."""
    uri, found = params.text_document.uri, []
    lines = presenter.workspace.get_text_document(uri).lines
    for diagnostic in params.context.diagnostics:
        at = diagnostic.range.start.line
        if diagnostic.source != "clew" or diagnostic.code not in BUG_KINDS or at >= len(lines):
            continue
        end = lsp.Position(at, presenter.workspace.position_codec.client_num_units(lines[at].rstrip("\r\n")))
        edit = lsp.TextEdit(lsp.Range(end, end), f" // clew: ignore {diagnostic.code}")
        found.append(
            lsp.CodeAction(
                f"Suppress {diagnostic.code} here",
                lsp.CodeActionKind.QuickFix,
                [diagnostic],
                edit=lsp.WorkspaceEdit({uri: [edit]}),
            )
        )
    return found


def _open_report(server: LanguageServer, folder: str) -> None:
    """Show the page of the results in a browser."""
    uri = from_fs_path(str(Path(folder, "report.html").resolve()))
    if uri is not None:
        server.window_show_document(lsp.ShowDocumentParams(uri, external=True))
