"""Downloads an index that is published on the Hugging Face hub: its folder, into the hub's cache, once.

Opened in place, as a folder on a web server is, it would answer neither lists nor text patterns, and the hub would see
which parts are read. Downloaded, it is a folder like any other, and the hub sees that it was downloaded.
"""

from __future__ import annotations

import hashlib
import importlib
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.backends.hub.failures import told
from explorer.backends.request import IndexRequest
from explorer.core.files.paths import exists, write_whole
from explorer.core.files.sizes import size_text
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import CorpusError, NotAnIndexError
from explorer.http.errors import RemoteError
from explorer.http.hub import HubFile, endpoint, hub_address, list_repository, own_token
from explorer.http.wire.hub import HubAddress, is_hub
from explorer.i18n import mark, tr
from explorer.index.fm.layout import looks_compressed
from explorer.index.layout import looks_like_index
from explorer.index.manifest import check_sizes, read_manifest
from explorer.version import VERSION

_STARTS = ("tokenized", "fm.0")
_PAGES = ("README.md",)
_PIECE = 1 << 20


def downloaded(request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> IndexRequest:
    """Download the indexes of a request that are on the hub, unless they are in the cache.

    cancel: Stops it; what was downloaded is kept for the next time.
    Returns: The request with folders of this machine in their place.
    Raises `CorpusError` if one is not an index, or damaged.
    """
    local = [
        tuple(str(Download.of(each, cancel).run(report, cancel)) if is_hub(each) else each for each in given)
        for given in (request.sources, request.minus)
    ]
    return replace(request, sources=local[0], minus=local[1])


@dataclass(frozen=True)
class Download:
    """The download of an index, before it runs.

    address: The repository, with its commit.
    missing: Those that are not in the cache.
    name: The branch or tag that led to the commit; "" if a commit was named.
    """

    address: HubAddress
    files: tuple[HubFile, ...]
    missing: tuple[HubFile, ...]
    cache: Path
    folder: Path
    name: str = ""

    @classmethod
    def of(cls, source: str, cancel: CancelToken | None = None) -> Download:
        """Find out what has to be downloaded.

        Returns: The download. Nothing is asked if a commit is named that is in the cache as a whole, or if
            HF_HUB_OFFLINE is set.
        Raises `RemoteError` if the repository cannot be read.
        """
        from huggingface_hub import constants

        address, cache = hub_address(source), Path(constants.HF_HUB_CACHE)
        if (constants.HF_HUB_OFFLINE or address.is_pinned) and (kept := _kept(address, cache)) is not None:
            return cls(address, (), (), cache, kept)
        found = list_repository(address.repository, cancel)
        files = tuple(file for file in found.files if "/" not in file.name and not file.name.startswith("."))
        files = tuple(file for file in files if file.name not in _PAGES)
        if not any(file.name.startswith(_STARTS) for file in files):
            raise NotAnIndexError(
                mark("{path} has no index: there is no file tokenized.0 or fm.0 in it."),
                reason="not-an-index",
                path=str(address),
            )
        folder = _snapshot(found.address, cache)
        missing = tuple(file for file in files if not exists(folder / file.name))
        name = "" if address.is_pinned else address.revision or "main"
        return cls(found.address, files, missing, cache, folder, name)

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(file.size for file in self.missing)

    def run(self, report: Report = no_report, cancel: CancelToken | None = None) -> Path:
        """Download what is missing, and check it.

        cancel: Stops it; what was downloaded is kept for the next time.
        Raises `RemoteError` if a file cannot be downloaded, or is not the one that the hub lists.
        """
        if self.missing:
            self._check_room()
            _fetch(self, report, cancel)
            for file in self.missing:
                self._check(file, cancel)
        self._note_name()
        if not (looks_like_index(self.folder) or looks_compressed(self.folder)):
            raise NotAnIndexError(
                mark("{path} has no index: there is no file tokenized.0 or fm.0 in it."),
                reason="not-an-index",
                path=str(self.address),
            )
        return self.folder

    def _note_name(self) -> None:
        """Note in the cache where a branch led to, for whoever has no connection."""
        if self.name:
            ref = _kept_in(self.address, self.cache) / "refs" / self.name
            ref.parent.mkdir(parents=True, exist_ok=True)
            write_whole(ref, self.address.revision)

    def _check_room(self) -> None:
        place = self.cache
        while not exists(place) and place != place.parent:
            place = place.parent
        free = shutil.disk_usage(place).free
        if self.size > free:
            raise RemoteError(
                mark(
                    "{address} needs {size} in {path}, and {free} are free. The variable HF_HUB_CACHE names another "
                    "folder."
                ),
                reason="disk-full",
                address=str(self.address),
                size=size_text(self.size),
                free=size_text(free),
                path=self.cache,
            )

    def _check(self, file: HubFile, cancel: CancelToken | None) -> None:
        """Compare a downloaded file with the checksum that was listed; a wrong one is removed."""
        path = self.folder / file.name
        large = bool(file.sha256)
        found = hashlib.sha256() if large else hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
        with open(path, "rb") as opened:
            while data := opened.read(_PIECE):
                if cancel is not None:
                    cancel.check()
                found.update(data)
        expected = file.sha256 or file.oid
        if path.stat().st_size == file.size and found.hexdigest() == (expected or found.hexdigest()):
            return
        path.resolve().unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        raise RemoteError(
            mark("{name} of {address} arrived damaged and was removed. Nothing of it is used."),
            reason="damaged-download",
            name=file.name,
            address=str(self.address),
        )


def _kept_in(address: HubAddress, cache: Path) -> Path:
    """The folder of a repository in the cache."""
    # The layout of the cache is documented, and stays for the sake of all programs that share it.
    return cache / "--".join([address.kind, *address.name.split("/")])


def _snapshot(address: HubAddress, cache: Path) -> Path:
    """The folder of a commit in the cache."""
    return _kept_in(address, cache) / "snapshots" / address.revision


def _kept(address: HubAddress, cache: Path) -> Path | None:
    """The folder of an index that is in the cache as a whole; None if it is not."""
    if not address.is_pinned:
        ref = _kept_in(address, cache) / "refs" / (address.revision or "main")
        try:
            address = replace(address, revision=ref.read_text("utf-8").strip())
        except (OSError, ValueError):
            return None
    folder = _snapshot(address, cache)
    try:
        manifest = read_manifest(folder) if address.is_pinned and exists(folder) else None
        if manifest is None:
            return None
        check_sizes(folder, manifest)
    except CorpusError:
        return None
    return folder


def _fetch(download: Download, report: Report, cancel: CancelToken | None) -> None:
    from huggingface_hub import snapshot_download

    address = download.address
    with told(address):
        snapshot_download(
            address.name,
            repo_type=address.kind.removesuffix("s"),
            revision=address.revision,
            cache_dir=download.cache,
            endpoint=endpoint(),
            token=own_token() or False,
            allow_patterns=[file.name for file in download.missing],
            library_name="corpus-explorer",
            library_version=VERSION,
            tqdm_class=_bar(download, report, cancel),
        )


def _bar(download: Download, report: Report, cancel: CancelToken | None) -> type[Any]:
    """A progress bar of the package huggingface_hub that shows nothing, reports bytes, and stops on request."""
    # By its name: the package does not declare that this class is exported.
    utils: Any = importlib.import_module("huggingface_hub.utils")
    lock = threading.Lock()
    done = [0]
    stage = tr("Downloading {address}", address=download.address.name)

    class Bar(utils.tqdm):  # type: ignore[misc]
        def __init__(self, *values: Any, **named: Any) -> None:
            self._counts = named.get("unit") == "B" and not str(named.get("name", "")).endswith("transfer")
            super().__init__(*values, **{**named, "disable": True})

        def update(self, n: float | None = 1) -> bool | None:
            if cancel is not None:
                cancel.check()
            if self._counts:
                with lock:
                    done[0] += int(n or 0)
                    report(Progress(stage, min(done[0], download.size), download.size, "bytes"))
            return None

    return Bar


Tell = Callable[[str], None]
"""Receives a sentence for the user."""


def fetched(source: str, tell: Tell, report: Report = no_report, cancel: CancelToken | None = None) -> str:
    """Download an index after its size was told.

    tell: Receives the number of files, their size and the folder, unless there is nothing to download.
    """
    download = Download.of(source, cancel)
    if download.missing:
        tell(
            tr(
                "{address}: {size} to download, into {path}",
                address=download.address,
                size=size_text(download.size),
                path=download.cache,
            )
        )
    return str(download.run(report, cancel))
