"""What MkDocs needs to build the site from ``docs`` as it is (see ``mkdocs.yml``).

Pages outside of ``docs`` that the docs link to become pages of the site, links to other files become text, and the
reference is made from what the command line declares and from the schemas of the formats.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

FENCE = re.compile(r"^(```\w+) [^\n]*$", re.MULTILINE)
"""Words behind the language of a block are for our own tests."""
BLOCK = re.compile(r"^```.*?^```\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
REPOSITORY = "repository"
"""The folder of the site for what is outside of ``docs``."""


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made, and those from elsewhere in the repository."""
    from mkdocs.structure.files import File

    made = {"reference/options.md": options_page(), "reference/formats.md": formats_page(), **dict(outside_pages())}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Blocks as other tools know them, and links as the site has them."""
    return FENCE.sub(r"\1", with_links(markdown, page.file.src_uri))


def origin(uri: str) -> str:
    """Where a page of the site is in the repository."""
    inside = uri.removeprefix(f"{REPOSITORY}/")
    return (inside.removesuffix(".md") if inside.endswith(".c.md") else inside) if inside != uri else f"docs/{uri}"


def with_links(markdown: str, uri: str) -> str:
    """Links to files of the repository lead to pages of the site; where there is none, their text is left."""

    def replaced(link: re.Match[str]) -> str:
        target, _, anchor = link["target"].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        there = place_of(posixpath.normpath(posixpath.join(posixpath.dirname(origin(uri)), target)))
        if there is None:
            return link["text"]
        seen = posixpath.relpath(there, posixpath.dirname(uri) or ".")
        return f"{link['image']}[{link['text']}]({seen}{'#' + anchor if anchor else ''})"

    kept: list[str] = []

    def put_aside(code: re.Match[str]) -> str:
        kept.append(code[0])
        return f"\0{len(kept) - 1}\0"

    aside = BLOCK.sub(put_aside, markdown)
    return re.sub("\0(\\d+)\0", lambda mark: kept[int(mark[1])], LINK.sub(replaced, aside))


def place_of(path: str) -> str | None:
    """The page of the site for a file or folder of the repository; None if there is none."""
    if (ROOT / path).is_dir():
        path = f"{path}/README.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path in OUTSIDE:
        return f"{REPOSITORY}/{path}" + ("" if path.endswith(".md") else ".md")
    return None


OUTSIDE = (
    "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "examples/README.md", "benchmarks/README.md",
    *sorted(f"examples/{file.name}" for file in (ROOT / "examples").glob("*.c")),
)  # fmt: skip


def outside_pages() -> Iterator[tuple[str, str]]:
    """Pages of the repository, and examples as pages."""
    for path in OUTSIDE:
        if not (ROOT / path).is_file():
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        if path.endswith(".c"):
            text = f"# {Path(path).name}\n\n```c\n{text}```\n"
        place = place_of(path)
        assert place is not None
        yield place, text


# The reference


def options_page() -> str:
    """Every option of every command, as the command line declares it."""
    import click

    from clew.cli.app import TASKS, clew

    lines = ["# Options", "", "Made from what the command line declares: `clew COMMAND --help` says the same.", ""]
    for task, names in TASKS.items():
        for name in names:
            context = click.Context(clew, info_name="clew")
            command = clew.get_command(context, name)
            assert command is not None
            lines += [f"## clew {name}", "", f"*{task}.* {command.help or command.short_help or ''}", ""]
            lines += [*_option_rows(command, click.Context(command, parent=context, info_name=name)), ""]
            if command.epilog:
                lines += [" ".join(command.epilog.split()), ""]
    return "\n".join(lines) + "\n"


def _option_rows(command: Any, context: Any) -> Iterator[str]:
    rows = [record for parameter in command.params if (record := parameter.get_help_record(context)) is not None]
    if rows:
        yield from ("| option | meaning |", "|---|---|")
    for names, text in rows:
        yield f"| `{names.replace('|', chr(92) + '|')}` | {' '.join(text.split()).replace('|', chr(92) + '|')} |"


def formats_page() -> str:
    """The JSON formats, from their schemas."""
    folder = ROOT / "src" / "clew" / "report" / "schemas"
    lines = ["# JSON formats", "", "Made from the schemas, which tests hold all files against.", ""]
    lines += ["What the versions promise is said [here](../guide/formats.md).", ""]
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        lines += [f"## {path.stem}", "", str(schema.get("description") or schema.get("title") or ""), ""]
        parts = {"": schema, **schema.get("$defs", {})}
        for name, part in parts.items():
            rows = list(_field_rows(part))
            if rows and name:
                lines += [f"### {path.stem}: {name}", ""]
            if rows:
                lines += ["| field | type | meaning |", "|---|---|---|", *rows, ""]
    return "\n".join(lines) + "\n"


def _field_rows(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        mark = "" if name in required else " (may be missing)"
        yield f"| `{name}` | {_type(field)} | {field.get('description', '')}{mark} |"


def _type(field: Mapping[str, Any]) -> str:
    """A type, for people."""
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    kind = field.get("type", "anything")
    kinds = kind if isinstance(kind, list) else [kind]
    inner = f" of {_type(field['items'])}" if isinstance(field.get("items"), Mapping) else ""
    return " or ".join(kinds) + inner
