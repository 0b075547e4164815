"""Help by task, completion, the manual page's source."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from clew.cli.app import COMMANDS, TASKS
from support.command_line import Clew


def test_every_command_stands_under_one_task(clew: Clew) -> None:
    assert len(COMMANDS) == len(set(COMMANDS)) == sum(map(len, TASKS.values()))
    out = clew("--help").out
    places = [out.index(f"\n{title}:\n") for title in TASKS]
    assert places == sorted(places)
    for name in COMMANDS:
        assert f"\n  {name} " in out
    assert "..." not in out.replace("FILE...", "").replace("[ARGS]...", ""), "no help is cut off"


def test_options_stand_under_what_they_are_about(clew: Clew) -> None:
    out = clew("test", "--help").out
    titles = ["Inputs", "How it is done", "Errors to look for", "Budgets", "Compiler", "Results", "Other"]
    places = [out.index(f"\n{title}:\n") for title in titles]
    assert places == sorted(places)
    for title, flag in (("Inputs", "--stdin"), ("Budgets", "--time"), ("Budgets", "--jobs"), ("Results", "--json")):
        inside = out.partition(f"\n{title}:\n")[2].partition(":\n")[0]
        assert f"\n  {flag}" in f"\n{inside}", f"{flag} under {title}"


def _complete(*words: str) -> list[str]:
    """What a shell is told for the last of the words."""
    told = {"_CLEW_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    command = [sys.executable, "-m", "clew"]
    done = subprocess.run(command, env=os.environ | told, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.slow
def test_what_a_shell_is_told() -> None:
    assert _complete("clew", "re") == ["plain,reach", "plain,replay", "plain,report", "plain,resume"]
    assert "plain,--max-instructions" in _complete("clew", "test", "--ma")
    assert _complete("clew", "test", "--goal", "c") == ["plain,context"]
    assert _complete("clew", "verify", "pro") == ["file,pro"]
    assert _complete("clew", "report", "o") == ["dir,o"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(clew: Clew, shell: str) -> None:
    outcome = clew("completion", shell)
    assert outcome.code == 0 and f"_CLEW_COMPLETE={shell}_complete" in outcome.out


@pytest.mark.slow
def test_bash_takes_the_script(clew: Clew) -> None:
    script = clew("completion", "bash").out
    script += f'clew() {{ "{sys.executable}" -m clew "$@"; }}; export -f clew\n'
    # The script starts its argument through env, which knows no functions of the shell.
    script = script.replace("$1)", f'"{sys.executable}" -m clew)')
    script += 'COMP_WORDS=(clew verify --uni); COMP_WORDS[2]="--unr"; COMP_CWORD=2\n'
    script += '_clew_completion clew; echo "${COMPREPLY[@]}"\n'
    done = subprocess.run(["bash", "-ec", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "--unroll"
