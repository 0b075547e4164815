"""Tool-info module of Clew for BenchExec (3.3 and later), for SV-COMP and Test-Comp.

``clew verify`` answers property files with ``CHECK``, ``clew test`` makes suites for those with ``COVER``. The result
is read from the summary, which ``--json`` prints.
"""

from __future__ import annotations

import json
from pathlib import Path

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

RESERVE_SECONDS, RESERVE_SHARE = 5, 0.05
"""Of the time limit: what is left for the end of the run, and for native code that does not listen at once."""
MEMORY_SHARE = 0.85

FALSE_BY_KIND = {
    "error-call": result.RESULT_FALSE_REACH,
    "signed-overflow": result.RESULT_FALSE_OVERFLOW,
    "out-of-bounds": result.RESULT_FALSE_DEREF,
    "null-dereference": result.RESULT_FALSE_DEREF,
    "use-after-free": result.RESULT_FALSE_DEREF,
    "double-free": result.RESULT_FALSE_FREE,
    "invalid-free": result.RESULT_FALSE_FREE,
    "memory-leak": result.RESULT_FALSE_MEMTRACK,
}


class Tool(benchexec.tools.template.BaseTool2):
    """Clew."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("clew", subdir="bin")

    def name(self):
        return "Clew"

    def project_url(self):
        return "https://example.org/clew"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="clew")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, _command(task.property_file), "--json", *options]
        if task.property_file:
            words += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if data_model and "--data-model" not in options:
            words += ["--data-model", data_model]
        limit = min((limit for limit in (rlimits.cputime, rlimits.walltime) if limit), default=None)
        if limit and "--time" not in options:
            words += ["--time", str(max(1, int(limit - RESERVE_SECONDS - RESERVE_SHARE * limit)))]
        if rlimits.cputime and "--jobs" not in options:  # that of several processes is spent sooner than wall time
            words += ["--jobs", "1"]
        if rlimits.memory and "--memory" not in options:
            words += ["--memory", str(int(rlimits.memory * MEMORY_SHARE / 1_000_000))]
        return [*words, *task.input_files_or_identifier]

    def determine_result(self, run):
        if run.was_timeout:
            return "TIMEOUT"
        summary = _summary(run.output)
        if summary is None:
            return result.RESULT_ERROR if run.exit_code.value == 2 or run.exit_code.signal else result.RESULT_UNKNOWN
        if summary["command"] == "test":
            return result.RESULT_DONE
        if summary["verdict"] == "TRUE":
            return result.RESULT_TRUE_PROP
        if summary["verdict"] != "FALSE":
            return result.RESULT_UNKNOWN
        kinds = [bug["kind"] for bug in summary["bugs"] if bug["class"] == "bug" and bug["kind"] in FALSE_BY_KIND]
        found = FALSE_BY_KIND[kinds[0]] if kinds else result.RESULT_UNKNOWN
        if found == result.RESULT_FALSE_MEMTRACK and "memcleanup" in _property(run.cmdline):
            return result.RESULT_FALSE_MEMCLEANUP
        return found

    def get_value_from_output(self, output, identifier):
        """A number of ``stats``, or ``tests``."""
        summary = _summary(output) or {}
        value = {**summary.get("stats", {}), "tests": summary.get("tests")}.get(identifier)
        return None if value is None else str(value)


def _command(property_file):
    """What answers a property file: tests are for those that say COVER."""
    try:
        asked = Path(property_file).read_text(encoding="utf-8") if property_file else ""
    except OSError:
        asked = ""
    return "test" if "COVER" in asked else "verify"


def _property(words):
    return words[words.index("--property") + 1] if "--property" in words else ""


def _summary(output):
    """The last line of the output that is a summary; None if there is none."""
    for line in reversed(list(output)):
        if line.startswith("{"):
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if "command" in found:
                return found
    return None
