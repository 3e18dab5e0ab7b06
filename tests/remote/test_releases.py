"""Whether there is a newer version: who is asked, what is taken of the answer, and which version is newer."""

from __future__ import annotations

import json
import sys

import pytest
from faulty_service import Answer, FaultyService

from explorer.http.errors import RemoteError
from explorer.http.releases import FILE, is_newer, newest_version, own_releases

PAGE = "https://example.org/releases"


@pytest.fixture(autouse=True)
def frozen(monkeypatch, tmp_path):
    """As in a program for people without Python, in the folder of the test."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "corpus-explorer"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)


def told(folder, **values):
    (folder / FILE).write_text(json.dumps({"page": PAGE, **values}), encoding="utf-8")
    return own_releases()


def ask(tmp_path, answer):
    with FaultyService(lambda _: answer) as service:
        found = newest_version(told(tmp_path, address=service.url + "/latest"))
        # One request, with nothing in it.
        assert len(service.asked) == 1 and not service.asked[0]
        return found


def test_a_program_knows_its_releases_from_a_file(tmp_path):
    found = told(tmp_path, address="https://api.example.org/repos/a/b/releases/latest")
    assert (found.address.host, found.address.path, found.page) == (
        "api.example.org",
        "/repos/a/b/releases/latest",
        PAGE,
    )


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"address": "http://api.example.org/latest"},
        {"address": "file:///etc/passwd"},
        {"address": 1},
        {"address": "https://example.org", "page": "file:///etc/passwd"},
        {"address": "https://example.org", "page": "javascript:alert(1)"},
    ],
)
def test_an_address_that_anybody_could_answer_for_is_none(tmp_path, values):
    assert told(tmp_path, **values) is None


@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff{", b"[" * 100_000])
def test_a_damaged_file_is_none(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    assert own_releases() is None


def test_a_program_that_was_not_told_knows_none():
    assert own_releases() is None


def test_a_copy_that_pip_installed_knows_none(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "frozen", False)
    assert told(tmp_path, address="https://example.org/latest") is None


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ({"version": "0.3.1"}, "0.3.1"),
        ({"tag_name": "v0.3", "html_url": "https://elsewhere.example", "body": "x" * 1000}, "0.3"),
        ({"version": None, "tag_name": "v10.0.0.1"}, "10.0.0.1"),
    ],
)
def test_the_version_is_taken(tmp_path, answer, version):
    assert ask(tmp_path, Answer.of(answer)) == version


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        "0.3",
        {"version": "0.3; rm -rf /"},
        {"version": "<b>9.9</b>"},
        {"version": "9" * 999},
        {"version": "9"},
        {"version": 9.9},
        {"version": "0.3rc1"},
        {"version": "٣.٤"},
    ],
)
def test_anything_else_is_an_error_that_names_the_host(tmp_path, answer):
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1") as error:
        ask(tmp_path, Answer.of(answer))
    assert error.value.reason == "no-version"


def test_an_answer_may_not_fill_the_memory(tmp_path):
    with pytest.raises(RemoteError, match="more than 1,048,576 bytes"):
        ask(tmp_path, Answer(200, b" " * (2 << 20)))


@pytest.mark.parametrize(
    ("version", "installed", "newer"),
    [
        ("0.3", "0.2.9", True),
        ("0.10", "0.9", True),
        ("0.3", "0.3", False),
        ("0.3.0", "0.3", False),
        ("0.2", "0.3", False),
        ("0.3", "0.3.0.dev0", True),
        ("0.3", "0.3rc1", True),
        ("0.2.9", "0.3.0.dev0", False),
        ("0.3", "0.3+local", False),
    ],
)
def test_which_is_newer(version, installed, newer):
    assert is_newer(version, installed) is newer
