"""The pieces for pipelines and build systems: they parse, name options that there are, and do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from clew import __version__
from clew.cli.app import COMMANDS, clew

ROOT = Path(__file__).resolve().parents[2]
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(example C)
enable_testing()
list(APPEND CMAKE_MODULE_PATH "${MODULES}")
include(Clew)
add_library(parser STATIC parser.c)
target_include_directories(parser PRIVATE "in clude")
target_compile_definitions(parser PRIVATE LIMIT=4 "NAME=\\"a b\\"")
clew_add_test(NAME good TARGET parser FUNCTION first TIME 20)
clew_add_test(NAME bad TARGET parser FUNCTION "at(i: 0..4)" TIME 20)
"""
PARSER = """#include "table.h"
static const int table[LIMIT] = TABLE;
int first(void) { return NAME[0]; }
int at(int i) { return table[i]; }
"""


EXTENSION = """
const Module = require("module");
const [main, named, folder] = process.argv.slice(1);
const load = Module._load;
class LanguageClient {
  constructor(id, name, server) { console.log("starts", server.command, ...server.args); }
  async start() {}
}
const vscode = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: folder } }],
    getConfiguration: () => ({ get: () => named }),
    onDidChangeConfiguration: () => ({}),
  },
  window: { showErrorMessage: async (message) => console.log("says", message) },
};
const replaced = { vscode, "vscode-languageclient/node": { LanguageClient } };
Module._load = (name, ...more) => replaced[name] ?? load(name, ...more);
require(main).activate({ subscriptions: [] });
"""


def document(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def flags() -> set[str]:
    found = (clew.get_command(None, name) for name in COMMANDS)  # type: ignore[arg-type]
    return {flag for command in found if command is not None for parameter in command.params for flag in parameter.opts}


@pytest.fixture
def words(tmp_path: Path) -> dict[str, str]:
    """An environment whose ``clew`` is the one under test."""
    shim = tmp_path / "bin" / "clew"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m clew "$@"\n')
    shim.chmod(0o755)
    known = os.environ.get("PYTHONPATH", "")
    return os.environ | {"PATH": f"{shim.parent}:{os.environ['PATH']}", "PYTHONPATH": f"{ROOT / 'src'}:{known}"}


@pytest.mark.parametrize(
    "name",
    [
        "action.yml",
        ".pre-commit-hooks.yaml",
        "integrations/gitlab/clew.gitlab-ci.yml",
        "integrations/cmake/Clew.cmake",
        "integrations/meson/meson.build",
    ],
)
def test_options_that_are_named_are_there(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if "pip install" not in line and "meson test" not in line]
    named = {flag for line in lines for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)}
    assert named and named <= flags()


def test_the_action_is_one() -> None:
    action = document("action.yml")
    assert {"name", "description", "runs", "inputs"} <= action.keys()
    assert action["runs"]["using"] == "composite"
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == action["inputs"].keys()


def test_the_hooks_are_hooks() -> None:
    hooks = document(".pre-commit-hooks.yaml")
    assert {hook["id"] for hook in hooks} == {"clew", "clew-all"}
    for hook in hooks:
        assert hook.keys() >= {"name", "entry", "language", "files"}
        assert shlex.split(hook["entry"])[:2] == ["clew", "project"]


def test_the_extension_for_vs_code() -> None:
    """It starts what there is, and asks for the settings that it declares; its version is that of Clew."""
    folder = ROOT / "integrations" / "vscode"
    manifest = json.loads((folder / "package.json").read_text())
    code = (folder / manifest["main"]).read_text()
    assert manifest["version"] == __version__ and "lsp" in COMMANDS and 'args: ["lsp"]' in code
    assert set(re.findall(r"""getConfiguration\("clew"\)\.get\("(\w+)\"""", code)) == {
        name.removeprefix("clew.") for name in manifest["contributes"]["configuration"]["properties"]
    }


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_which_clew_the_extension_starts(tmp_path: Path) -> None:
    """That on the PATH, else that of the workspace's own environment; where there is none, it says so."""
    main = ROOT / "integrations" / "vscode" / "extension.js"
    node = str(shutil.which("node"))

    def told(named: str) -> str:
        command = [node, "-e", EXTENSION, str(main), named, str(tmp_path)]
        environment = os.environ | {"PATH": str(tmp_path / "bin")}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    assert told("clew").startswith("says 'clew' is neither on the PATH nor")
    own = tmp_path / ".venv" / "bin" / "clew"
    own.parent.mkdir(parents=True)
    own.touch()
    assert told("clew") == f"starts {own} lsp"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "clew").touch()
    assert told("clew") == f"starts {tmp_path / 'bin' / 'clew'} lsp"
    assert told("/opt/clew/bin/clew") == "starts /opt/clew/bin/clew lsp"


@pytest.mark.slow
def test_the_step_of_the_action(tmp_path: Path, words: dict[str, str]) -> None:
    """What GitHub would run, with what it would put in for the inputs."""
    (step,) = (step for step in document("action.yml")["runs"]["steps"] if step.get("name") == "Run Clew")
    (tmp_path / "a b.c").write_text("int half(int n) { return 9 / n; }\n")
    arguments = "'a b.c' --function half --time 20"
    given = {"COMMAND": "test", "ARGUMENTS": arguments, "FAIL_ON": "div", "BASELINE": "", "OUT": "o"}
    assert step["env"].keys() == given.keys()
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    ran = subprocess.run(command, cwd=tmp_path, env=words | given, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stderr
    assert (tmp_path / "o" / "results.sarif").is_file()


@pytest.mark.slow
def test_the_job_for_gitlab(tmp_path: Path, words: dict[str, str]) -> None:
    job = document("integrations/gitlab/clew.gitlab-ci.yml")[".clew"]
    (tmp_path / "p.c").write_text("int half(int n) { return 9 / n; }\n")
    given = job["variables"] | {"CLEW_COMMAND": "test", "CLEW_ARGUMENTS": "p.c --function half --time 20"}
    assert all(isinstance(line, str) for line in (*job["before_script"], *job["script"]))
    script = "set -e\n" + "\n".join(job["script"])
    ran = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=words | given, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stderr
    (finding,) = json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_text())
    assert finding["location"] == {"path": "p.c", "lines": {"begin": 1}}
    assert (finding["check_name"], finding["severity"]) == ("division-by-zero", "critical")
    assert finding["fingerprint"]


@pytest.mark.thorough
@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("cc")), reason="needs CMake and a C compiler")
def test_cmake(tmp_path: Path, words: dict[str, str]) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "parser.c").write_text(PARSER)
    (tmp_path / "in clude").mkdir()
    (tmp_path / "in clude" / "table.h").write_text("#define TABLE {1, 2, 3, 4}\n")
    modules = f"-DMODULES={ROOT / 'integrations' / 'cmake'}"
    subprocess.run(["cmake", "-S", ".", "-B", "b", modules], cwd=tmp_path, env=words, check=True, capture_output=True)
    ran = subprocess.run(["ctest"], cwd=tmp_path / "b", env=words, capture_output=True, text=True)
    assert re.search(r"good \.+ +Passed", ran.stdout), ran.stdout
    assert re.search(r"bad \.+\*+Failed", ran.stdout), ran.stdout
