"""``clew lsp``: a language server for editors, over standard input and output."""

from __future__ import annotations

from pathlib import Path

from clew.base.errors import UserError
from clew.cli.exits import DONE
from clew.cli.help import Argument, Command

_EPILOG = "Needs the package pygls: pip install 'clew[lsp]'. Exit code: 0 done; 2 pygls is missing."


def _run(outdir: tuple[str, ...]) -> int:
    try:
        from clew.editor.server import make_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("clew"):
            raise
        raise UserError(f"the Python package {missing.name!r} is missing: pip install 'clew[lsp]'") from None
    make_server([Path(folder).resolve() for folder in outdir]).start_io()
    return DONE


command = Command(
    "lsp",
    callback=_run,
    params=[Argument(["outdir"], nargs=-1)],
    short_help="A language server: results in the editor.",
    help="Show bugs, coverage, and why branches are not covered in an editor: from OUTDIR..., or from the newest "
    "folders in clew-out of the workspace. Speaks the Language Server Protocol on standard input and output.",
    epilog=_EPILOG,
)
