"""A stand-in for the Hugging Face hub in this process: repositories in memory, on a free port of 127.0.0.1.

It serves what the program and the package huggingface_hub ask of the hub: facts about a repository, its files in pages,
parts of files, which large ones are redirected to, and uploads (new repositories, large files by Git LFS, commits).
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

LARGE = 1_000
"""Files of more bytes are large ones: they are kept in the storage, at another port."""


@dataclass
class Repo:
    """A repository: the files of each of its commits, and the names of commits."""

    kind: str
    name: str
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    card: dict[str, Any] = field(default_factory=dict)
    private: bool = False
    gated: bool = False

    def commit(self, files: dict[str, bytes], ref: str = "main") -> str:
        """Add a commit with these files and no others."""
        listing = "".join(f"{name} {hashlib.sha1(data).hexdigest()}\n" for name, data in sorted(files.items()))
        sha = hashlib.sha1(f"{self.name} {ref} {len(self.commits)} {listing}".encode()).hexdigest()
        self.commits[sha] = dict(files)
        self.refs[ref] = sha
        return sha


@dataclass
class Asked:
    """A request, before it is answered."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes = b""
    is_storage: bool = False


@dataclass
class Sent:
    """An answer; `cut`: bytes that are promised and not sent."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0

    @classmethod
    def of(cls, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Sent:
        """A JSON value."""
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json"} | (headers or {}))


class HubServer:
    """Serves repositories.

    Attributes
    ----------
    repos
        By kind ("models", "datasets") and name.
    token
        What opens private and gated repositories, and what uploads need.
    page
        Entries of a page of a listing.
    faults
        Called with each request; what it returns is sent in place of the answer, unless it is None.
    asked
        All requests in the order of arrival.
    """

    def __init__(self, token: str = "hf_secret", page: int = 1_000) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.token, self.page = token, page
        self.faults: list[Callable[[Asked], Sent | None]] = []
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.blobs: dict[str, bytes] = {}
        self.cache: Path | None = None
        self._hub, self._storage = (self._serving(is_storage) for is_storage in (False, True))
        self.url = f"http://127.0.0.1:{self._hub.server_address[1]}"
        self.storage = f"http://127.0.0.1:{self._storage.server_address[1]}"

    def _serving(self, is_storage: bool) -> ThreadingHTTPServer:
        made = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"of": self, "is_storage": is_storage})
        )
        made.daemon_threads = True
        return made

    def __enter__(self) -> Self:
        for server in (self._hub, self._storage):
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in (self._hub, self._storage):
            server.shutdown()
            server.server_close()

    def add(self, name: str, files: dict[str, bytes], kind: str = "datasets", **options: Any) -> Repo:
        """Add a repository with one commit."""
        made = self.repos[kind, name] = Repo(kind, name, **options)
        made.commit(files)
        return made

    def fail(self, part: str, *answers: Sent) -> None:
        """Answer the next requests whose path contains `part` in these ways."""
        left = list(answers)

        def fault(asked: Asked) -> Sent | None:
            return left.pop(0) if left and part in asked.path else None

        self.faults.append(fault)

    def answer(self, asked: Asked) -> Sent:
        """What a request gets."""
        with self.lock:
            self.asked.append(asked)
            for fault in self.faults:
                if (sent := fault(asked)) is not None:
                    return sent
            return self._from_storage(asked) if asked.is_storage else self._from_hub(asked)

    # --- the storage -----------------------------------------------------------------------------

    def _from_storage(self, asked: Asked) -> Sent:
        oid = asked.path.rpartition("/")[2]
        if asked.method == "PUT":
            if hashlib.sha256(asked.body).hexdigest() != oid:
                return Sent(400)
            self.blobs[oid] = asked.body
            return Sent(200)
        if asked.query.get("signature") != ["valid"]:
            return Sent(403)
        return _part_of(self.blobs[oid], asked)

    # --- the hub ---------------------------------------------------------------------------------

    def _from_hub(self, asked: Asked) -> Sent:
        if asked.path == "/api/repos/create":
            return self._create(asked)
        if asked.path == "/api/validate-yaml":
            return Sent.of({"errors": [], "warnings": []})
        if match := re.fullmatch(r"/(?:(datasets)/)?([^/]+/[^/]+?)\.git/info/lfs/objects/batch", asked.path):
            return self._batch(asked)
        if match := re.fullmatch(r"/api/(models|datasets)/([^/]+/[^/]+)(?:/(\w+)/([^/]+))?(/.*)?", asked.path):
            kind, name, topic, revision, _ = match.groups()
            return self._about(asked, kind, name, topic or "revision", revision or "main")
        if match := re.fullmatch(r"/(?:(datasets)/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)", asked.path):
            kind, name, revision, file = match.groups()
            return self._resolve(asked, kind or "models", name, revision, unquote(file))
        return _error(404, "EntryNotFound")

    def _found(self, asked: Asked, kind: str, name: str, revision: str) -> tuple[Repo, str] | Sent:
        repo = self.repos.get((kind, name))
        is_known = asked.headers.get("authorization") == f"Bearer {self.token}"
        if repo is None or (repo.private and not is_known):
            return _error(401, "RepoNotFound")
        revision = unquote(revision)
        sha = repo.refs.get(revision, revision)
        return (repo, sha) if sha in repo.commits else _error(404, "RevisionNotFound")

    def _about(self, asked: Asked, kind: str, name: str, topic: str, revision: str) -> Sent:
        if topic in ("preupload", "commit") and asked.headers.get("authorization") != f"Bearer {self.token}":
            return _error(401, "RepoNotFound")
        found = self._found(asked, kind, name, revision)
        if isinstance(found, Sent):
            return found
        repo, sha = found
        if topic == "revision":
            return Sent.of(
                {"id": name, "sha": sha, "cardData": repo.card, "private": repo.private, "gated": repo.gated}
                | {"siblings": [{"rfilename": each} for each in repo.commits[sha]], "tags": [], "likes": 0}
                | {"downloads": 0}
            )
        if topic == "tree":
            return self._tree(asked, repo, sha)
        if topic == "preupload":
            asks = json.loads(asked.body)["files"]
            modes = [
                {
                    "path": each["path"],
                    "uploadMode": "lfs" if each["size"] > LARGE else "regular",
                    "shouldIgnore": False,
                }
                for each in asks
            ]
            return Sent.of({"files": modes})
        return self._commit(asked, repo, sha)

    def _tree(self, asked: Asked, repo: Repo, sha: str) -> Sent:
        entries = [_entry(name, data) for name, data in repo.commits[sha].items()]
        first = int(asked.query.get("cursor", ["0"])[0])
        headers = {}
        if first + self.page < len(entries):
            more = f"{self.url}{asked.path}?recursive=true&expand=false&cursor={first + self.page}"
            headers["Link"] = f'<{more}>; rel="next"'
        return Sent.of(entries[first : first + self.page], headers=headers)

    def _resolve(self, asked: Asked, kind: str, name: str, revision: str, file: str) -> Sent:
        found = self._found(asked, kind, name, revision)
        if isinstance(found, Sent):
            return found
        repo, sha = found
        if repo.gated and asked.headers.get("authorization") != f"Bearer {self.token}":
            return _error(401, "GatedRepo")
        if file not in repo.commits[sha]:
            return _error(404, "EntryNotFound")
        data = repo.commits[sha][file]
        entry = _entry(file, data)
        headers = {"X-Repo-Commit": sha, "ETag": f'"{entry["oid"]}"'}
        if "lfs" not in entry:
            sent = _part_of(data, asked)
            sent.headers |= headers
            return sent
        oid = entry["lfs"]["oid"]
        self.blobs[oid] = data
        headers |= {"X-Linked-Size": str(len(data)), "X-Linked-Etag": f'"{oid}"'}
        return Sent(302, b"", headers | {"Location": f"{self.storage}/{oid}?signature=valid"})

    # --- uploads ---------------------------------------------------------------------------------

    def _create(self, asked: Asked) -> Sent:
        if asked.headers.get("authorization") != f"Bearer {self.token}":
            return Sent.of({"error": "Unauthorized"}, 401)
        wanted = json.loads(asked.body)
        name = "/".join(filter(None, (wanted.get("organization"), wanted["name"])))
        kind = "datasets" if wanted.get("type") == "dataset" else "models"
        page = f"{self.url}/{'datasets/' if kind == 'datasets' else ''}{name}"
        if (kind, name) in self.repos:
            return Sent.of({"error": "You already created this repo", "url": page}, 409)
        private = bool(wanted.get("private")) or wanted.get("visibility") == "private"
        self.add(name, {".gitattributes": b""}, kind, private=private)
        return Sent.of({"url": page, "name": name, "id": name})

    def _batch(self, asked: Asked) -> Sent:
        wanted = json.loads(asked.body)
        objects = []
        for each in wanted["objects"]:
            place = {"upload": {"href": f"{self.storage}/{each['oid']}", "header": {}}}
            known = each["oid"] in self.blobs
            objects.append({"oid": each["oid"], "size": each["size"], **({} if known else {"actions": place})})
        return Sent.of({"transfer": "basic", "objects": objects})

    def _commit(self, asked: Asked, repo: Repo, sha: str) -> Sent:
        files = dict(repo.commits[sha])
        for line in asked.body.splitlines():
            entry = json.loads(line)
            value = entry["value"]
            if entry["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif entry["key"] == "lfsFile":
                files[value["path"]] = self.blobs[value["oid"]]
            elif entry["key"] == "deletedFile":
                files.pop(value["path"])
        made = repo.commit(files)
        page = f"{self.url}/{'datasets/' if repo.kind == 'datasets' else ''}{repo.name}"
        return Sent.of({"success": True, "commitOid": made, "commitUrl": f"{page}/commit/{made}", "hookOutput": ""})


def _entry(name: str, data: bytes) -> dict[str, Any]:
    oid = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    large = {"lfs": {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}}
    return {"type": "file", "path": name, "size": len(data), "oid": oid} | (large if len(data) > LARGE else {})


def _error(status: int, code: str) -> Sent:
    return Sent.of({"error": code}, status, {"X-Error-Code": code, "X-Error-Message": code})


def _part_of(data: bytes, asked: Asked) -> Sent:
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("range", ""))
    if match is None:
        return Sent(200, data, {"Accept-Ranges": "bytes"})
    first = int(match[1])
    last = min(int(match[2] or len(data)), len(data) - 1)
    if first > last:
        return Sent(416, b"", {"Content-Range": f"bytes */{len(data)}"})
    return Sent(206, data[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(data)}"})


class _Handler(BaseHTTPRequestHandler):
    of: HubServer
    is_storage: bool
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _handle(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        is_chunked = self.headers.get("Transfer-Encoding") == "chunked"
        body = self._chunks() if is_chunked else self.rfile.read(size)
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, parts.path, parse_qs(parts.query), headers, body, self.is_storage)
        sent = self.of.answer(asked)
        with contextlib.suppress(OSError):
            self.send_response(sent.status)
            for name, value in ({"Content-Length": str(len(sent.body) + sent.cut)} | sent.headers).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent.body)
        if sent.cut:
            self.close_connection = True

    def do_GET(self) -> None:
        self._handle()

    def do_HEAD(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def do_PUT(self) -> None:
        self._handle()

    def _chunks(self) -> bytes:
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextlib.contextmanager
def own_hub(folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[HubServer]:
    """A hub for a test, with a cache and a place for tokens of its own, and no token."""
    from huggingface_hub import constants

    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(folder / "token"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder / "hub-cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with HubServer(**options) as hub:
        hub.cache = folder / "hub-cache"
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub
