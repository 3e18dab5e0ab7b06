"""Addresses of buckets, such as s3://BUCKET/FOLDER: as web addresses where anybody may read, and else by obstore."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from explorer.i18n import mark
from explorer.jobs import CancelToken
from explorer.remote.client import MOST_SECONDS
from explorer.remote.consent import Confirm, check_reading
from explorer.remote.errors import RemoteError
from explorer.remote.failures import TRIES
from explorer.remote.pace import PARTS_AT_ONCE
from explorer.remote.parts import FileFacts, FilePart, changed, damaged_part
from explorer.wire.address import read_address

SCHEMES = ("s3", "gs", "az")
"""Amazon's, Google's and Microsoft's."""
_CREDENTIALS = {
    "s3": ("AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
    "gs": ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY"),
    "az": ("AZURE_STORAGE_ACCOUNT_NAME",),
}
"""Variables, one of which is set where a bucket is asked with credentials."""
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_HOSTS = {"gs": "storage.googleapis.com", "az": "blob.core.windows.net"}
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*[a-z0-9]")
_PREFIX = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/-]*")
_LOOK = 0.02
_MOST_TIME = timedelta(seconds=MOST_SECONDS)
_MOST_QUOTED = 200

T = TypeVar("T")


def is_bucket(source: str) -> bool:
    """Whether an address is that of a bucket.

    Parameters
    ----------
    source
        The address.

    Returns
    -------
    bool
        Whether it begins with the scheme of one.

    Examples
    --------
    >>> is_bucket("s3://bucket/folder"), is_bucket("https://example.org/")
    (True, False)
    """
    return source.lower().startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def has_credentials(source: str, variables: Mapping[str, str] | None = None) -> bool:
    """Whether the environment names credentials for a bucket.

    Parameters
    ----------
    source
        The address.
    variables
        The environment; None for that of this process.

    Returns
    -------
    bool
        Whether a variable is set.
    """
    found = os.environ if variables is None else variables
    return any(found.get(name) for name in _CREDENTIALS[source.lower().partition(":")[0]])


def web_address(source: str, variables: Mapping[str, str] | None = None) -> str:
    """Give the web address of a folder in a bucket, at which anybody reads what is public.

    Parameters
    ----------
    source
        The address.
    variables
        The environment, which may name the region and the endpoint of Amazon's buckets; None for that of this process.

    Returns
    -------
    str
        The address, without a slash at the end.

    Raises
    ------
    RemoteError
        If it is not an address, or of a kind that is not read without credentials.

    Examples
    --------
    >>> web_address("s3://news/indexes/2024/", {"AWS_REGION": "eu-west-1"})
    'https://news.s3.eu-west-1.amazonaws.com/indexes/2024'
    >>> web_address("gs://news/2024", {})
    'https://storage.googleapis.com/news/2024'
    """
    found = os.environ if variables is None else variables
    scheme, bucket, prefix = _parts(source)
    tail = f"/{prefix}" if prefix else ""
    if scheme == "gs":
        return f"https://{_HOSTS['gs']}/{bucket}{tail}"
    if scheme == "az":
        raise RemoteError(mark("{url} needs the variable AZURE_STORAGE_ACCOUNT_NAME."), reason="no-account", url=source)
    if endpoint := _endpoint(found):
        return f"{endpoint}/{bucket}{tail}"
    region = found.get("AWS_REGION") or found.get("AWS_DEFAULT_REGION") or "us-east-1"
    # A certificate is for one level of names, so a name with dots comes after the host.
    if "." in bucket:
        return f"https://s3.{region}.amazonaws.com/{bucket}{tail}"
    return f"https://{bucket}.s3.{region}.amazonaws.com{tail}"


def _endpoint(variables: Mapping[str, str]) -> str:
    return next((variables[name].rstrip("/") for name in _ENDPOINTS if variables.get(name)), "")


def _parts(source: str) -> tuple[str, str, str]:
    """The scheme, the bucket, and what comes after it without slashes at both ends."""
    parts = urlsplit(source)
    prefix = parts.path.strip("/")
    if not _NAME.fullmatch(parts.netloc) or not _PREFIX.fullmatch(prefix) or parts.query or parts.fragment:
        raise RemoteError(
            mark('"{url}" is not the address of a folder in a bucket, such as s3://BUCKET/FOLDER.'),
            reason="bad-index-address",
            url=source,
        )
    return parts.scheme.lower(), parts.netloc, prefix


class BucketFiles:
    """Files in a bucket that asks for credentials, by obstore; the methods are those of `explorer.remote.parts.Files`.

    Parameters
    ----------
    source
        The address. Keys, region and endpoint come from the usual variables of the environment.
    confirm
        Asked about a host that is not this machine.

    Raises
    ------
    RemoteError
        If this was not confirmed, it is not an address, or obstore is not installed.
    """

    def __init__(self, source: str, confirm: Confirm | None = None) -> None:
        scheme, bucket, prefix = _parts(source)
        self.address = source.rstrip("/")
        endpoint = _endpoint(os.environ) if scheme == "s3" else ""
        place = read_address(endpoint) if endpoint else None
        self.host = place.short if place is not None else _HOSTS.get(scheme, "amazonaws.com")
        is_local = place is not None and place.is_local
        if not is_local:
            check_reading(self.host, confirm)
        self._obstore = _obstore()
        kinds = {"s3": "S3Store", "gs": "GCSStore", "az": "AzureStore"}
        made = getattr(importlib.import_module("obstore.store"), kinds[scheme])
        options: dict[str, Any] = {"retry_config": {"max_retries": TRIES - 1, "retry_timeout": _MOST_TIME}}
        # Unencrypted connections stay on this machine.
        options |= {"client_options": {"allow_http": True}} if is_local else {}
        options |= {"endpoint": endpoint} if endpoint else {}
        self._store = self._told(lambda: made(bucket, prefix=prefix or None, **options))
        self._found: dict[str, FileFacts] = {}

    def find(self, names: Sequence[str], cancel: CancelToken | None = None) -> dict[str, FileFacts]:
        """Which files exist.

        Parameters
        ----------
        names, cancel
            As in `Files`.
        """
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
        """Parts of files, one request each.

        Parameters
        ----------
        parts, cancel
            As in `Files`.
        """
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
            mark(
                "Buckets that ask for credentials need the package obstore, which is not installed: "
                "pip install corpus-explorer[cloud]."
            ),
            reason="no-obstore",
        ) from error
