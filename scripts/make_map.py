"""Writes the list of files in docs/map.md: each with the first sentence of its docstring.

    python scripts/make_map.py

Run it when files come, go or move, or say something else of themselves: ``tests/repo/test_docs.py`` looks whether every
file is on the list.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "clew"
PAGE = ROOT / "docs" / "map.md"
BEGIN = "## Files of src/clew\n"
SHORT = 40
"""A sentence with fewer characters says too little to stand alone."""
_SENTENCE = re.compile(r"(.+?[.?!])(?: (?=[A-Z`])|$)", re.DOTALL)


def with_files(page: str) -> str:
    """The page with a list of the files as they are now, between its heading and the next one."""
    before, _, after = page.partition(BEGIN)
    rest = after.partition("\n## ")[2]
    return f"{before}{BEGIN}{_list()}" + (f"\n## {rest}" if rest else "")


def _list() -> str:
    folders: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name != "__init__.py":
            folder = path.parent.relative_to(PACKAGE).as_posix()
            folders.setdefault(folder, []).append(f"| `{path.name}` | {first_sentence(path)} |\n")
    return "".join(
        f"\n### {'clew' if folder == '.' else folder}\n\n| file | what it is |\n|---|---|\n{''.join(lines)}"
        for folder, lines in sorted(folders.items())
    )


def first_sentence(path: Path) -> str:
    """What a module says of itself, as text of Markdown: one sentence, or two short ones."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(said.split("\n\n")[0].split())
    sentences = _SENTENCE.findall(paragraph) or [paragraph]
    shown = " ".join(sentences[: 2 if len(sentences[0]) < SHORT else 1])
    return shown.replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(with_files(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
