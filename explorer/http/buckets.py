"""Folders in buckets that ask for credentials, read by obstore; the others are read by their web addresses."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from explorer.core.jobs import CancelToken
from explorer.http.client import MOST_SECONDS
from explorer.http.consent import Confirm, check_reading
from explorer.http.errors import RemoteError
from explorer.http.failures import TRIES
from explorer.http.pace import PARTS_AT_ONCE
from explorer.http.parts import FileFacts, FilePart, changed, damaged_part
from explorer.http.wire.address import Address, read_address
from explorer.http.wire.buckets import ACCOUNT, Bucket, read_bucket
from explorer.i18n import mark
from explorer.version import install_command

_LOOK = 0.02
_MOST_TIME = timedelta(seconds=MOST_SECONDS)
_MOST_QUOTED = 200

T = TypeVar("T")


def bucket_of(source: str, confirm: Confirm | None = None) -> tuple[Bucket, Address]:
    """Read the address of a folder in a bucket. Nothing is sent, and no name is looked up.

    confirm: Asked about the bucket, unless this machine holds it.
    Raises `RemoteError` if it is not an address, its account is not named, or this was not confirmed.
    """
    found = read_bucket(source)
    if found is not None and not found.web_address():
        raise RemoteError(mark("{url} needs the variable {name}."), reason="no-account", url=source, name=ACCOUNT)
    place = None if found is None else read_address(found.web_address())
    if found is None or place is None:
        raise RemoteError(
            mark('"{url}" is not the address of a folder in a bucket, such as s3://BUCKET/FOLDER.'),
            reason="bad-index-address",
            url=source,
        )
    if not place.is_local:
        check_reading(f"{found.scheme}://{found.name}", confirm)
    return found, place


class BucketFiles:
    """Files in a bucket that asks for credentials, by obstore; the methods are those of `explorer.http.parts.Files`.

    source: The address. Keys, region and endpoint come from the usual variables of the environment.
    confirm: Asked about a host that is not this machine.
    Raises `RemoteError` if this was not confirmed, it is not an address, or obstore is not installed.
    """

    def __init__(self, source: str, confirm: Confirm | None = None) -> None:
        bucket, place = bucket_of(source, confirm)
        self.address = source.rstrip("/")
        self.host = place.short
        self._obstore = _obstore()
        kinds = {"s3": "S3Store", "gs": "GCSStore", "az": "AzureStore"}
        made = getattr(importlib.import_module("obstore.store"), kinds[bucket.scheme])
        options: dict[str, Any] = {"retry_config": {"max_retries": TRIES - 1, "retry_timeout": _MOST_TIME}}
        # Unencrypted connections stay on this machine.
        options |= {"client_options": {"allow_http": True}} if place.is_local else {}
        if endpoint := bucket.endpoint():
            options["endpoint"] = endpoint
        self._store = self._told(lambda: made(bucket.name, prefix=bucket.folder or None, **options))
        self._found: dict[str, FileFacts] = {}

    def find(self, names: Sequence[str], cancel: CancelToken | None = None) -> dict[str, FileFacts]:
        """Which files exist."""
        facts = self._all([partial(self._facts, name) for name in names], cancel)
        found = {name: each for name, each in zip(names, facts, strict=True) if each is not None}
        self._found |= found
        return found

    def _facts(self, name: str) -> FileFacts | None:
        try:
            meta = self._obstore.head(self._store, name)
        # obstore's NotFoundError is one.
        except FileNotFoundError:
            return None
        return _facts_of(meta)

    def read(self, parts: Sequence[FilePart], cancel: CancelToken | None = None) -> list[bytes]:
        """Parts of files, one request each."""
        return self._all([partial(self._read, part) for part in parts], cancel)

    def _read(self, part: FilePart) -> bytes:
        found = self._obstore.get(self._store, part.name, options={"range": (part.first, part.first + part.size)})
        if _facts_of(found.meta) != self._found[part.name]:
            raise changed(self.host, part.name)
        data = bytes(found.bytes())
        if tuple(found.range) != (part.first, part.first + part.size) or len(data) != part.size:
            raise damaged_part(self.host, part.name)
        return data

    def _all(self, questions: Sequence[Callable[[], T]], cancel: CancelToken | None) -> list[T]:
        """All answers, some at once; whoever cancels does not wait for those under way."""
        if not questions:
            return []
        pool = ThreadPoolExecutor(min(PARTS_AT_ONCE, len(questions)))
        try:
            waiting: set[Future[T]] = set()
            futures = [pool.submit(self._told, question) for question in questions]
            waiting.update(futures)
            while waiting:
                done, waiting = wait(waiting, _LOOK, "FIRST_COMPLETED")
                if cancel is not None:
                    cancel.check()
                for future in done:
                    future.result()
            return [future.result() for future in futures]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _told(self, question: Callable[[], T]) -> T:
        """An answer, with obstore's errors as the program's."""
        try:
            return question()
        except (RemoteError, FileNotFoundError):
            raise
        # Its errors are classes of the extension, and some are Python's own.
        except Exception as error:
            raise RemoteError(
                mark("{host} does not give the files of {address}: {cause}"),
                reason="bucket-failed",
                host=self.host,
                address=self.address,
                cause=_line(error),
            ) from error


def _facts_of(meta: Mapping[str, Any]) -> FileFacts:
    return FileFacts(int(meta["size"]), str(meta.get("e_tag") or meta.get("last_modified") or ""))


def _line(error: Exception) -> str:
    """The beginning of an error, on one line."""
    text = " ".join("".join(char if char.isprintable() else " " for char in str(error)).split())
    return text[:_MOST_QUOTED] or type(error).__name__


def _obstore() -> Any:
    try:
        # Here: it is an extra that few need.
        return importlib.import_module("obstore")
    except ImportError as error:
        raise RemoteError(
            mark("Buckets that require credentials need the package obstore, which is not installed: {command}"),
            reason="no-obstore",
            command=install_command("cloud"),
        ) from error
