"""Where the results of a campaign are kept: a folder, or an address that fsspec understands (``s3://bucket/name``)."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from clew.base.errors import UserError
from clew.report.folder import readable_json, write_whole

SUMMARY = "campaign.json"
_RUNS = "runs"


class Store(Protocol):
    """Results by the names of runs, and one record of all of them."""

    name: str
    """For people."""

    def begin(self, run: str) -> Path:
        """A place on this machine for a run's folder of results, which is not there yet."""

    def keep(self, run: str) -> None:
        """The folder of a run is complete."""

    def record(self, data: Mapping[str, object]) -> None:
        """Write the record of all runs, in place of the one before."""

    def recorded(self) -> Mapping[str, Any]:
        """The record that is there; empty if there is none."""


def open_store(out: str, resume: bool) -> Store:
    """The store at a path or an address; one that holds something is refused, unless it is to be gone on with."""
    store = RemoteStore(out) if "://" in out else FolderStore(Path(out).absolute())
    if resume and not store.recorded():
        raise UserError(f"there is no campaign in {out} to go on with: leave out --resume")
    if not resume and not store.is_free():
        raise UserError(f"{out} is not empty: choose a new --out, or go on there with --resume")
    return store


class FolderStore:
    """A folder on this machine."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path

    def is_free(self) -> bool:
        if self._path.exists() and not self._path.is_dir():
            raise UserError(f"{self._path} is not a folder: choose another --out")
        return not self._path.exists() or not any(self._path.iterdir())

    def begin(self, run: str) -> Path:
        at = self._path / _RUNS / run
        shutil.rmtree(at, ignore_errors=True)
        at.parent.mkdir(parents=True, exist_ok=True)
        return at

    def keep(self, run: str) -> None:
        pass  # it is where it belongs

    def record(self, data: Mapping[str, object]) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        write_whole(self._path / SUMMARY, readable_json(data).encode())

    def recorded(self) -> Mapping[str, Any]:
        try:
            return _read(self.name, (self._path / SUMMARY).read_bytes())
        except FileNotFoundError:
            return {}


class RemoteStore:
    """A place behind fsspec: runs leave their results in a folder of this machine, from where they are copied."""

    def __init__(self, address: str) -> None:
        try:
            import fsspec
        except ModuleNotFoundError:
            raise UserError(f"{address} needs the package fsspec: pip install 'clew[cluster]'") from None
        self.name = address
        try:
            self._files, self._root = fsspec.core.url_to_fs(address)
        except (ImportError, ValueError) as problem:
            raise UserError(f"{address}: {problem}") from None
        self._here = tempfile.TemporaryDirectory(prefix="clew-campaign-")

    def is_free(self) -> bool:
        return not self._files.exists(self._root) or not self._files.ls(self._root)

    def begin(self, run: str) -> Path:
        at = Path(self._here.name) / run
        shutil.rmtree(at, ignore_errors=True)
        at.parent.mkdir(parents=True, exist_ok=True)
        return at

    def keep(self, run: str) -> None:
        at, to = Path(self._here.name) / run, f"{self._root}/{_RUNS}/{run}"
        if self._files.exists(to):
            self._files.rm(to, recursive=True)
        if at.is_dir():
            self._files.put(f"{at}/", f"{to}/", recursive=True)
            shutil.rmtree(at)

    def record(self, data: Mapping[str, object]) -> None:
        """In two steps where the place has no whole files at once: what is read is never a part."""
        self._files.makedirs(self._root, exist_ok=True)
        part = f"{self._root}/.{SUMMARY}.part"
        self._files.pipe_file(part, readable_json(data).encode())
        self._files.mv(part, f"{self._root}/{SUMMARY}")

    def recorded(self) -> Mapping[str, Any]:
        try:
            return _read(self.name, self._files.cat_file(f"{self._root}/{SUMMARY}"))
        except FileNotFoundError:
            return {}


def _read(name: str, text: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
        if data["command"] != "campaign":
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{name}/{SUMMARY} is broken: begin anew, with another --out") from None
    assert isinstance(data, dict)
    return data
