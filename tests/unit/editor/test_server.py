"""``clew lsp`` as an editor sees it: a real client, over standard input and output."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from .conftest import CODE

pytest.importorskip("pygls")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

PATIENCE = 60


class Editor(LanguageClient):
    """A client that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.told: dict[str, list[lsp.Diagnostic]] = {}
        self.pages: list[str] = []
        self.news = asyncio.Event()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = list(params.diagnostics)
            self.news.set()

        @self.feature(lsp.WINDOW_SHOW_DOCUMENT)
        def show(params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
            self.pages.append(params.uri)
            self.news.set()
            return lsp.ShowDocumentResult(True)

    async def diagnostics(self, uri: str, enough: Callable[[list[lsp.Diagnostic]], bool]) -> list[lsp.Diagnostic]:
        """Those of a file, as soon as they are as expected."""
        while not enough(self.told.get(uri, [])):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)
        return self.told[uri]


def talk(workspace: Path, conversation: Callable[[Editor, str], Coroutine[Any, Any, None]], *words: str) -> None:
    """Start a server for a workspace, and talk to it about its file ``p.c``."""

    async def main() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "clew", "lsp", *words)
        root = workspace.as_uri()
        asked = lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(), workspace_folders=[lsp.WorkspaceFolder(root, "w")], root_uri=root
        )
        await asyncio.wait_for(editor.initialize_async(asked), PATIENCE)
        editor.initialized(lsp.InitializedParams())
        await conversation(editor, (workspace / "p.c").as_uri())
        await asyncio.wait_for(editor.shutdown_async(None), PATIENCE)
        editor.exit(None)
        await editor.stop()

    asyncio.run(main())


@pytest.mark.slow
def test_an_editor_sees_what_was_found(workspace: Path, tmp_path: Path) -> None:
    text = "// one line more\n" + CODE.replace("return 7", "return 8")
    (tmp_path / "p.c").write_text(text, encoding="utf-8")
    shutil.copytree(workspace / "clew-out", tmp_path / "clew-out", symlinks=True)
    for path in tmp_path.glob("clew-out/1/*.json"):
        path.write_text(path.read_text().replace(str(workspace), str(tmp_path)))

    async def conversation(editor: Editor, uri: str) -> None:
        found = await editor.diagnostics(uri, bool)
        places = {(one.code, one.range.start.line + 1) for one in found}
        assert {("out-of-bounds", 5), ("uncovered", 12)} <= places, "a line further down than in the run"
        assert ("not-run", 13) not in places, "that line was changed"
        (bug,) = (one for one in found if one.code == "out-of-bounds")
        assert bug.severity == lsp.DiagnosticSeverity.Error
        assert bug.range.start.character == 19
        assert bug.related_information is not None
        document = lsp.TextDocumentIdentifier(uri)
        editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "c", 1, text)))
        lenses = await editor.text_document_code_lens_async(lsp.CodeLensParams(document)) or []
        titles = {lens.range.start.line + 1: lens.command.title for lens in lenses if lens.command}
        assert titles[5] == "clew: out-of-bounds with int n = 8;"
        (click,) = {lens.command.command: lens.command for lens in lenses if lens.command}.values()
        editor.news.clear()
        asked = lsp.ExecuteCommandParams(click.command, click.arguments)
        await asyncio.wait_for(editor.workspace_execute_command_async(asked), PATIENCE)
        await asyncio.wait_for(editor.news.wait(), PATIENCE)
        assert editor.pages == [(tmp_path / "clew-out" / "1" / "report.html").resolve().as_uri()]
        hover = await editor.text_document_hover_async(lsp.HoverParams(document, lsp.Position(11, 3)))
        assert hover is not None and "not taken" in str(hover.contents)
        context = lsp.CodeActionContext([bug])
        (action,) = (
            await editor.text_document_code_action_async(lsp.CodeActionParams(document, bug.range, context)) or []
        )
        assert isinstance(action, lsp.CodeAction) and action.edit is not None and action.edit.changes is not None
        assert action.edit.changes[uri][0].new_text == " // clew: ignore out-of-bounds"
        shutil.rmtree(tmp_path / "clew-out")
        assert await editor.diagnostics(uri, lambda told: not told) == [], "results that are gone are not shown"

    talk(tmp_path, conversation)
