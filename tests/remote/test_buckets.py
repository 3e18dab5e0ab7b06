"""Folders in buckets: which web address they have, and how those that ask for credentials are read."""

from __future__ import annotations

import builtins
import importlib

import pytest
import twin
from range_server import RangeServer, Sent

from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.http.buckets import BucketFiles
from explorer.http.errors import RemoteError
from explorer.http.parts import FilePart
from explorer.http.wire.buckets import read_bucket

VARIABLES = (
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"),
    *("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
    *("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY"),
    "AZURE_STORAGE_ACCOUNT_NAME",
)


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bucket(tmp_path):
    """The folder of a server, with an index in a bucket of it."""
    twin.write_index(tmp_path / "news" / "indexes" / "one", [[[5, 6, 7, 8] * 40, [6, 7, 9]]], 2)
    return tmp_path


@pytest.mark.parametrize(
    ("source", "variables", "expected"),
    [
        ("s3://news/a/b/", {}, "https://news.s3.us-east-1.amazonaws.com/a/b"),
        ("S3://news", {"AWS_DEFAULT_REGION": "eu-west-1"}, "https://news.s3.eu-west-1.amazonaws.com"),
        ("s3://my.news/a", {"AWS_REGION": "eu-west-1"}, "https://s3.eu-west-1.amazonaws.com/my.news/a"),
        ("s3://news/a", {"AWS_ENDPOINT_URL": "https://example.org:9000/"}, "https://example.org:9000/news/a"),
        ("gs://news/a", {}, "https://storage.googleapis.com/news/a"),
        ("az://news/a", {"AZURE_STORAGE_ACCOUNT_NAME": "me"}, "https://me.blob.core.windows.net/news/a"),
    ],
)
def test_a_public_bucket_has_a_web_address(source, variables, expected):
    assert read_bucket(source).web_address(variables) == expected


@pytest.mark.parametrize(
    "source", ["s3://", "s3://b", "s3://../x", "s3://news/a?b=c", "s3://news/a b", "s3://a@news/x"]
)
def test_what_is_no_bucket_is_an_error(source):
    with pytest.raises(RemoteError, match="not the address of a folder in a bucket"):
        open_index(source)


def test_credentials_are_used_where_the_environment_names_some():
    s3, gs = read_bucket("s3://news"), read_bucket("gs://news")
    assert not s3.has_credentials({"AWS_REGION": "x", "GOOGLE_SERVICE_ACCOUNT": "y"})
    assert s3.has_credentials({"AWS_ACCESS_KEY_ID": "x"})
    assert gs.has_credentials({"GOOGLE_SERVICE_ACCOUNT": "y"})
    with pytest.raises(RemoteError, match="needs the variable AZURE_STORAGE_ACCOUNT_NAME"):
        open_index("az://news")


def test_a_bucket_elsewhere_is_asked_about_first(monkeypatch):
    for source in ("s3://news/a", "gs://news/a"):
        with pytest.raises(RemoteError, match="Nothing was sent") as found:
            open_index(source)
        assert found.value.option == "allow_remote"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIA")
    with pytest.raises(RemoteError, match="s3://news is not this machine"):
        open_index("s3://news/a")


def test_a_public_bucket_is_read_without_credentials(bucket, monkeypatch):
    seen = []
    with RangeServer(bucket, change=lambda sent: seen.append(sent.asked.get("authorization"))) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
        found = open_index("s3://news/indexes/one/")
        assert (found.count([5, 6]), found.index.name) == (40, "one")
        assert found.index.sources == ("s3://news/indexes/one/",)
        assert set(seen) == {None}


@pytest.fixture
def signed(bucket, monkeypatch):
    """A bucket that is read with credentials only."""
    pytest.importorskip("obstore")

    def checked(sent: Sent) -> None:
        if not sent.asked.get("authorization", "").startswith("AWS4-HMAC-SHA256 Credential=AKIA/"):
            sent.status, sent.body = 403, b"<Error><Code>AccessDenied</Code></Error>"

    with RangeServer(bucket, change=checked) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIA")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        yield server


def test_a_bucket_that_asks_for_credentials_is_read_with_them(signed, monkeypatch):
    found = open_index("s3://news/indexes/one")
    assert (found.count([5, 6]), found.count([6, 7, 9]), found.token_count) == (40, 1, 165)
    assert found.index.documents.metadata(found.index.documents.numbers())[1]["linenum"] == 1
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "OTHER")
    with pytest.raises(RemoteError) as refused:
        open_index("s3://news/indexes/one")
    assert refused.value.reason == "bucket-failed" and "secret" not in str(refused.value)


def test_a_file_that_changed_in_a_bucket_is_an_error(signed, bucket):
    found = open_index("s3://news/indexes/one")
    (bucket / "news" / "indexes" / "one" / "table.0").touch()
    with pytest.raises(RemoteError, match=r"table\.0 on 127\.0\.0\.1:\d+ has changed"):
        found.count([5, 6])


def test_reading_a_bucket_can_be_cancelled(signed):
    files = BucketFiles("s3://news/indexes/one")
    assert sorted(files.find(["table.0", "table.1", "offset.0"])) == ["offset.0", "table.0"]
    assert files.read([]) == []
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        files.read([FilePart("table.0", 0, 4)], cancel)


def test_the_error_names_the_extra_where_obstore_is_not_installed(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIA")

    def absent(name, *values):
        if name.partition(".")[0] == "obstore":
            raise ImportError(name)
        return builtins.__import__(name, *values)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(RemoteError, match=r"pip install '\.\[cloud\]'"):
        BucketFiles("s3://news/a", lambda host: True)
