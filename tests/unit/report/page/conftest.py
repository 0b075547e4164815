"""Output folders of real runs, and a page taken apart."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from clew.cli.app import run

VOID = {"meta", "link", "br", "input", "img", "hr"}
PROGRAM = """/* </script><script>alert(1)</script> <img src=x onerror=alert(2)> */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static const char *text = "</script><b>&amp;";
static int lonely(int x) { return x > 3 && x < 7; }
static int pick(int x) {
  switch (x) {
  case 1: return 10;
  case 2: return 20;
  default: return text[0];
  }
}
int unused(int x) { if (lonely(x)) return 1; return 2; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int sum = 0;
  for (int i = 0; i < 3; i++)
    if (x > i) sum += i;
  if (x > 5 && x < 3)
    return 1;
  if (pick(x) == 20)
    assert(sum != 1);
  return 0;
}
"""
NAME = "a <img src=x onerror='alert(3)'>&quot;.c"


class Page(HTMLParser):
    """All elements of a page, with their attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        """Each with the names of the elements it is in."""
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self.open), data))

    def by(self, name: str, value: str | None = None) -> list[dict[str, str]]:
        """The attributes of the elements that have one called ``name``."""
        return [found for _, found in self.elements if name in found and value in (None, found[name])]

    def id(self, name: str) -> dict[str, str]:
        (found,) = self.by("id", name)
        return found

    def classes(self, *names: str) -> list[dict[str, str]]:
        return [found for _, found in self.elements if set(names) <= set(found.get("class", "").split())]

    @property
    def text(self) -> str:
        return "".join(data for inside, data in self.texts if not {"script", "style"} & set(inside))


def summary_of(folder: Path) -> dict[str, Any]:
    data = json.loads((folder / "summary.json").read_bytes())
    assert isinstance(data, dict)
    return data


def page_in(folder: Path) -> Page:
    return Page((folder / "report.html").read_text(encoding="utf-8"))


Made = Callable[..., Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Runs a command over a program, in a folder of its own."""

    def make(command: str, code: str, *options: str, name: str = "p.c", idle: str = "") -> Path:
        folder = tmp_path_factory.mktemp("run")
        (folder / name).write_text(code, encoding="utf-8")
        if idle:
            (folder / "idle.c").write_text(idle, encoding="utf-8")
        before = Path.cwd()
        os.chdir(folder)
        try:
            run([command, name, "--out", "out", "--quiet", *options])
        finally:
            os.chdir(before)
        return folder / "out"

    return make


@pytest.fixture(scope="module")
def hostile(made: Made) -> Path:
    """The results of ``clew test`` over a file with a hostile name and hostile text."""
    return made("test", PROGRAM, name=NAME)
