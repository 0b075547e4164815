"""What all tables share: aligned text, Markdown, JSON, and lines about what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.run import Run
from benchmarks.subject import Subject
from benchmarks.table import Columns, Row, Table, aligned, failures, piped, wrong_verdicts


class Doors(Table):
    name = "doors"

    def columns(self) -> Iterator[Columns]:
        yield Columns("", ("door",), [[row.name] for row in self.rows])
        cells = [[f"{row.runs['plain'].seconds:.1f}", "", row.runs["plain"].verdict] for row in self.rows]
        yield Columns("plain", ("s", "empty", "verdict"), cells)

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)
        yield from wrong_verdicts(row)

    def row_json(self, row: Row) -> dict[str, object]:
        return {"name": row.name}


def row(name: str, run: Run) -> Row:
    return Row(Subject(name, (), "front", expected="TRUE"), {"plain": run})


TABLE = Doors((row("a", Run(1.0, verdict="TRUE")), row("b", Run(22.5, verdict="FALSE"))), ("a note",), "here")


def test_text() -> None:
    assert TABLE.lines() == [
        "doors on here",
        "      plain",
        "door     s  verdict",
        "a      1.0     TRUE",
        "b     22.5    FALSE",
        "a note",
        "WRONG VERDICT: b, front, plain: FALSE, expected TRUE",
    ]


def test_markdown() -> None:
    assert TABLE.markdown() == [
        "## doors on here",
        "",
        "| door | plain s | plain verdict |",
        "| --- | --: | --: |",
        "| a | 1.0 | TRUE |",
        "| b | 22.5 | FALSE |",
        "",
        "- a note",
        "- WRONG VERDICT: b, front, plain: FALSE, expected TRUE",
    ]


def test_json() -> None:
    data = TABLE.to_json()
    assert data["table"] == "doors" and data["rows"] == [{"name": "a"}, {"name": "b"}]
    assert data["machine"] == "here" and data["notes"] == ["a note"] and data["complaints"] == TABLE.complaints()


def test_what_failed_is_said() -> None:
    assert Doors((row("a", Run(failed="it broke")),)).complaints() == ["FAILED: a, front, plain: it broke"]


def test_without_rows() -> None:
    assert Doors().lines() == ["doors"] and piped(Doors().columns()) == []


def test_long_titles_widen_their_columns() -> None:
    doors, long, short = (Columns(title, ("s",), [["2"]]) for title in ("", "a long name", "b"))
    assert aligned([doors, long, short]) == ["   a long name  b", "s            s  s", "2            2  2"]
