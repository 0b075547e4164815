"""Lists of campaigns: what they mean, and what is said of those that make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.campaign.listing import Listing, Run, read_listing


def listing(folder: Path, text: str) -> Listing:
    for name in ("a.c", "b.c", "tasks/x.c", "tasks/y.c"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("int main(void) { return 0; }\n")
    (folder / "list.toml").write_text(text)
    return read_listing(folder / "list.toml")


def test_files_and_defaults(tmp_path: Path) -> None:
    found = listing(
        tmp_path,
        """time = 100
        defaults = {time = 20, options = ["--stdin", "4"]}
        [[run]]
        files = ["a.c", "b.c"]
        options = ["--seed", "3"]
        [[run]]
        name = "second"
        files = ["b.c"]
        time = 5
        command = "verify"
        expect = "TRUE"
        priority = 2
        retries = 0
        """,
    )
    assert found.time == 100.0
    assert found.runs == (
        Run("second", "verify", ("b.c",), ("--stdin", "4"), 5.0, 2, 0, "TRUE"),
        Run("a", "test", ("a.c", "b.c"), ("--stdin", "4", "--seed", "3"), 20.0),
    )


def test_a_run_for_each_file(tmp_path: Path) -> None:
    text = '[[run]]\neach = "tasks/*.c"\n[[run]]\neach = "tasks/*.c"\nname = "again"\n'
    names = [(run.name, run.files) for run in listing(tmp_path, text).runs]
    assert names == [
        ("tasks/x", ("tasks/x.c",)),
        ("tasks/y", ("tasks/y.c",)),
        ("again/tasks/x", ("tasks/x.c",)),
        ("again/tasks/y", ("tasks/y.c",)),
    ]


def test_command_line() -> None:
    run = Run("n", "verify", ("a.c",), ("--strategy", "plain"))
    assert run.arguments(7.5, "/o", 100.2) == [
        "verify", "a.c", "--time", "7.5", "--memory", "100", "--jobs", "1", "--out", "/o", "--quiet",
        "--strategy", "plain",
    ]  # fmt: skip
    assert "--memory" not in run.arguments(7.5, "/o")


def test_digest(tmp_path: Path) -> None:
    """What was run before is known by its command and by what its files hold."""
    (run,) = listing(tmp_path, '[[run]]\nfiles = ["a.c"]\n').runs
    (other,) = listing(tmp_path, '[[run]]\nfiles = ["a.c"]\noptions = ["-w"]\n').runs
    before = run.digest(tmp_path)
    assert before == run.digest(tmp_path) != other.digest(tmp_path)
    (tmp_path / "a.c").write_text("int main(void) { return 1; }\n")
    assert run.digest(tmp_path) != before


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "it has no runs: add a [[run]] with files"),
        ("[[run]]\n", "run 1 needs files = [...], or each = a pattern: one of them"),
        ('[[run]]\nfiles = ["a.c"]\neach = "*.c"\n', "run 1 needs files = [...], or each = a pattern: one of them"),
        ('[[run]]\nfiles = ["c.c"]\n', "run 1: there is no c.c"),
        ('[[run]]\neach = "*.cc"\n', "run 1: no file is called like *.cc"),
        ('[[run]]\nfile = ["a.c"]\n', "in run 1: no key 'file'; did you mean 'files'?"),
        ('[[run]]\nfiles = "a.c"\n', "the files of run 1 are no list of texts"),
        ('[[run]]\nfiles = ["a.c"]\ntime = 0\n', "the time of run 1 is no number above 0"),
        ('[[run]]\nfiles = ["a.c"]\ncommand = "fly"\n', "run 1 cannot run 'fly': choose one of test, verify"),
        ('[[run]]\nfiles = ["a.c"]\nexpect = "TRUE"\n', "run 1: of test one can expect nothing, not 'TRUE'"),
        ('[[run]]\nfiles = ["a.c"]\noptions = ["--out=x"]\n', "run 1: --out=x is up to the campaign"),
        ('[[run]]\nfiles = ["a.c"]\nname = "../x"\n', "run 1: '../x' cannot be the name of a folder"),
        (
            '[[run]]\nfiles = ["a.c"]\n[[run]]\nfiles = ["a.c"]\n',
            "two runs are called a: give one",
        ),
        ("[[run]\n", "is no TOML"),
    ],
)
def test_wrong_lists(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(UserError) as caught:
        listing(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "list.toml"))
    assert wrong in str(caught.value)


def test_no_list(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*none\.toml: No such file"):
        read_listing(tmp_path / "none.toml")
