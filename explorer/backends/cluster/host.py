"""What a worker of a cluster does: it opens the index folders on its disk, and answers whole questions about them.

The functions are called on the worker by their names; what they keep lives as long as its process. A worker that was
killed and restarted reads its folders again, so nothing is lost with it.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from explorer.backends.asked.answers import Answers
from explorer.backends.asked.errors import TOLD, as_told
from explorer.backends.cluster.copies import COPIES, copies_of
from explorer.backends.cluster.left_out import LeftOut
from explorer.backends.local.open import open_folders
from explorer.backends.local.shards import ShardBackend
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError
from explorer.i18n import mark
from explorer.index.layout import looks_like_index
from explorer.version import version_of

Kept = TypeVar("Kept")
FOLDERS = "CORPUS_EXPLORER_SHARDS"
"""The variable of the environment that names a worker's folders: index folders, or folders of them."""
GONE = "gone"
"""In place of an answer: this worker does not have the folders any more."""
UNTOLD = "untold"
"""In place of an answer: this worker was not told which documents are left out, or has forgotten it."""
_MOST_TOLD = 8
"""Sets of documents to leave out that a worker remembers; and those of a group for which it has the files it needs."""


_Stamp = tuple[tuple[str, int, int], ...]
"""Name, size and time of change in nanoseconds of each file of a folder."""


@dataclass
class _Open:
    """Open folders, when their files were last seen to be there, and the same without some documents, by their keys."""

    backend: ShardBackend
    answers: Answers
    seen: float
    less: OrderedDict[str, Answers] = field(default_factory=OrderedDict)
    making: threading.Lock = field(default_factory=threading.Lock)


_LOCK = threading.Lock()
"""Of all that is kept here. It is held for look-ups only: not while folders are opened or documents are left out."""
_LOOKING, _OPENING = threading.Lock(), threading.Lock()
"""Held while the folders are looked at, and while some are opened: neither is done twice at once."""
_TOLD: OrderedDict[str, LeftOut] = OrderedDict()
_KNOWN: dict[tuple[str, ...], _Open] = {}
_PATHS: dict[str, str] = {}
"""Where the folder of each fingerprint was when the folders were last looked at."""
_DESCRIBED: dict[str, tuple[_Stamp, dict[str, Any]]] = {}
"""What each folder is, with the stamp of its files; used while `_LOOKING` is held."""
_SECONDS = 1.0
"""Between two looks at the files: a folder that was removed stays mapped, and would still answer."""


async def describe() -> dict[str, Any]:
    """List what this worker has.

    Returns: `version` of this program, and `folders`: for each index its `fingerprint`, `tokenizer` (a fingerprint, or
        "bytes", or ""), `separator` and sizes; `unreadable`: what cannot be opened, and why.
    """
    return await asyncio.get_running_loop().run_in_executor(None, _described)


def _described() -> dict[str, Any]:
    known, unreadable = _folders()
    return {"version": version_of("corpus-explorer"), "folders": known, "unreadable": unreadable}


async def leave_out(key: str, stored: bytes) -> None:
    """Take note of documents that are left out."""
    with _LOCK:
        _keep(_TOLD, key, LeftOut(key, stored))


async def answer(
    fingerprints: tuple[str, ...], left_out: str, name: str, arguments: list[Any], deadline: float
) -> dict[str, Any]:
    """Answer a question about some folders, as one index.

    fingerprints: Those of the folders, in the order of their documents.
    left_out: The key of the documents that are left out; "" for none.
    name: The question: see `explorer.backends.asked.questions`.
    deadline: Seconds after which nobody waits for the answer.
    Returns: `answer`, or `error` with the error of the question, or `gone` with the sentence of a folder that is not
        here, or `untold` if the key is not known.
    """
    cancel = CancelToken()
    loop = asyncio.get_running_loop()
    timer = loop.call_later(deadline, cancel.cancel)
    try:
        return await loop.run_in_executor(None, _answered, fingerprints, left_out, name, arguments, cancel)
    finally:
        timer.cancel()


def _answered(
    fingerprints: tuple[str, ...], left_out: str, name: str, arguments: list[Any], cancel: CancelToken
) -> dict[str, Any]:
    try:
        found = _opened(fingerprints)
        if name == COPIES:
            return {"answer": copies_of(found.backend.shards, arguments, cancel)}
        answers = found.answers if not left_out else _less(found, left_out, cancel)
        return {UNTOLD: left_out} if answers is None else {"answer": answers.answer(name, arguments, cancel)}
    except TOLD as error:
        return {"error": as_told(error)}
    except (CorpusError, OSError) as error:
        # The next question opens the folders again, if they are there.
        with _LOCK:
            _KNOWN.pop(fingerprints, None)
        return {GONE: str(error)}


def _opened(fingerprints: tuple[str, ...]) -> _Open:
    found = _known(fingerprints)
    if found is None:
        with _OPENING:
            # Another question may have opened them meanwhile.
            if (found := _known(fingerprints)) is None:
                backend = _open(fingerprints)
                found = _Open(backend, Answers(backend), time.monotonic())
                with _LOCK:
                    _KNOWN[fingerprints] = found
    elif time.monotonic() - found.seen > _SECONDS:
        found.backend.check_storage()
        found.seen = time.monotonic()
    return found


def _known(fingerprints: tuple[str, ...]) -> _Open | None:
    with _LOCK:
        return _KNOWN.get(fingerprints)


def _less(found: _Open, key: str, cancel: CancelToken) -> Answers | None:
    """Open folders without some documents; None if it is not known which."""
    if (known := _made(found, key)) is not None:
        return known
    # Two questions that need the same must not both sort it.
    with found.making:
        if (known := _made(found, key)) is not None:
            return known
        with _LOCK:
            told = _TOLD.get(key)
        if told is None:
            return None
        made = Answers(_leaving_out(found.backend, told, cancel))
        with _LOCK:
            _keep(found.less, key, made)
        return made


def _made(found: _Open, key: str) -> Answers | None:
    with _LOCK:
        if key in found.less:
            found.less.move_to_end(key)
        return found.less.get(key)


def _leaving_out(backend: ShardBackend, told: LeftOut, cancel: CancelToken) -> ShardBackend:
    kept = np.setdiff1d(backend.documents.numbers(), told.numbers)
    # Copies of a document are left out only if they are told. If nothing is kept, they all are.
    return backend.within(kept, cancel) if len(kept) else backend.without(told.numbers.tolist(), cancel)


def _keep(kept: OrderedDict[str, Kept], key: str, value: Kept) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _MOST_TOLD:
        kept.popitem(last=False)


def _open(fingerprints: tuple[str, ...]) -> ShardBackend:
    paths = _paths()
    if any(not Path(paths.get(each, "")).is_dir() for each in fingerprints):
        # They may have been moved, or this process is new.
        _folders()
        paths = _paths()
    missing = [each for each in fingerprints if each not in paths]
    if missing:
        raise CorpusError(
            mark("{missing:,} of {n:,} folders are not on this worker."),
            reason="shards-not-here",
            missing=len(missing),
            n=len(fingerprints),
        )
    return open_folders(IndexRequest(tuple(paths[each] for each in fingerprints)))


def _paths() -> dict[str, str]:
    with _LOCK:
        return dict(_PATHS)


def _folders() -> tuple[list[dict[str, Any]], list[str]]:
    """Look at the folders of this worker: the facts of each index, once per fingerprint, and what cannot be opened."""
    found: dict[str, dict[str, Any]] = {}
    paths: dict[str, str] = {}
    unreadable: list[str] = []
    with _LOOKING:
        before = dict(_DESCRIBED)
        _DESCRIBED.clear()
        for folder in _candidates(os.environ.get(FOLDERS, "").split(os.pathsep)):
            try:
                facts = _facts(folder, before)
            except (CorpusError, OSError) as error:
                unreadable.append(f"{folder.name}: {error}")
                continue
            found.setdefault(facts["fingerprint"], facts)
            paths.setdefault(facts["fingerprint"], str(folder))
        with _LOCK:
            # Only what is there now: a folder that was removed must not be asked for again.
            _PATHS.clear()
            _PATHS.update(paths)
    return [*found.values()], unreadable


def _facts(folder: Path, before: Mapping[str, tuple[_Stamp, dict[str, Any]]]) -> dict[str, Any]:
    """What a folder is: as before if its files are, and otherwise as it is opened."""
    # Before it is opened: what changes meanwhile is noticed the next time.
    stamp = _stamp(folder)
    known = before.get(str(folder))
    facts = known[1] if known is not None and known[0] == stamp else _opened_facts(folder)
    _DESCRIBED[str(folder)] = stamp, facts
    return facts


def _stamp(folder: Path) -> _Stamp:
    with os.scandir(folder) as entries:
        return tuple(sorted((each.name, (at := each.stat()).st_size, at.st_mtime_ns) for each in entries))


def _opened_facts(folder: Path) -> dict[str, Any]:
    index = open_folders(IndexRequest((str(folder),)))
    named = index.tokenizer if index.has_tokenizer else None
    return {
        "fingerprint": index.fingerprint,
        "name": folder.name,
        "tokenizer": "" if named is None else named.fingerprint or named.name,
        "separator": index.separator,
        "tokens": index.token_count,
        "documents": index.document_count,
        "shards": len(index.shards),
    }


def _candidates(named: Sequence[str]) -> list[Path]:
    """Index folders among some folders, and in them."""
    places = [Path(each) for each in named if each]
    inner = [
        child for place in places if place.is_dir() and not looks_like_index(str(place)) for child in place.iterdir()
    ]
    return sorted(path for path in (*places, *inner) if looks_like_index(str(path)))
