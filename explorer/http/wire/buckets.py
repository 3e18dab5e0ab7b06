"""Addresses of folders in buckets, such as s3://BUCKET/FOLDER, and their web addresses. Nothing is sent."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

SCHEMES = ("s3", "gs", "az")
"""Amazon's, Google's and Microsoft's."""
ACCOUNT = "AZURE_STORAGE_ACCOUNT_NAME"
_CREDENTIALS = {
    "s3": ("AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
    "gs": ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY"),
    "az": ("AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS_KEY", "AZURE_STORAGE_CLIENT_SECRET"),
}
"""Variables, one of which is set where a bucket is asked with credentials."""
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*[a-z0-9]")
_FOLDER = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/-]*")


@dataclass(frozen=True)
class Bucket:
    """A folder in a bucket.

    folder: The folder, without slashes at its ends; "" for the bucket itself.
    """

    scheme: str
    name: str
    folder: str

    def has_credentials(self, variables: Mapping[str, str] | None = None) -> bool:
        """Whether the environment names credentials for it.

        variables: The environment; None for that of this process.
        """
        found = os.environ if variables is None else variables
        return any(found.get(name) for name in _CREDENTIALS[self.scheme])

    def endpoint(self, variables: Mapping[str, str] | None = None) -> str:
        """The address of another service with Amazon's interface, that the environment names; "" for none."""
        found = os.environ if variables is None else variables
        named = (found.get(name, "").rstrip("/") for name in _ENDPOINTS if self.scheme == "s3")
        return next(filter(None, named), "")

    def web_address(self, variables: Mapping[str, str] | None = None) -> str:
        """Give the web address at which anybody reads what is public.

        variables: The environment, which may name the region and the endpoint of Amazon's buckets, and names the
            account of Microsoft's; None for that of this process.
        Returns: The address, without a slash at the end; "" if the account is not named.
        """
        found = os.environ if variables is None else variables
        tail = f"/{self.folder}" if self.folder else ""
        if self.scheme == "gs":
            return f"https://storage.googleapis.com/{self.name}{tail}"
        if self.scheme == "az":
            account = found.get(ACCOUNT, "")
            return f"https://{account}.blob.core.windows.net/{self.name}{tail}" if account else ""
        if endpoint := self.endpoint(found):
            return f"{endpoint}/{self.name}{tail}"
        region = found.get("AWS_REGION") or found.get("AWS_DEFAULT_REGION") or "us-east-1"
        # A certificate is for one level of names, so a name with dots comes after the host.
        if "." in self.name:
            return f"https://s3.{region}.amazonaws.com/{self.name}{tail}"
        return f"https://{self.name}.s3.{region}.amazonaws.com{tail}"


def is_bucket(source: str) -> bool:
    """Whether an address is that of a bucket.

    Examples
    --------
    >>> is_bucket("s3://bucket/folder"), is_bucket("https://example.org/")
    (True, False)
    """
    return source.lower().startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def read_bucket(source: str) -> Bucket | None:
    """Read the address of a folder in a bucket.

    Returns: The folder; None if it is not one.

    Examples
    --------
    >>> read_bucket("s3://news/indexes/2024/").web_address({"AWS_REGION": "eu-west-1"})
    'https://news.s3.eu-west-1.amazonaws.com/indexes/2024'
    >>> read_bucket("https://example.org/") is None
    True
    """
    if not is_bucket(source):
        return None
    parts = urlsplit(source)
    folder = parts.path.strip("/")
    if not _NAME.fullmatch(parts.netloc) or not _FOLDER.fullmatch(folder) or parts.query or parts.fragment:
        return None
    return Bucket(parts.scheme.lower(), parts.netloc, folder)
