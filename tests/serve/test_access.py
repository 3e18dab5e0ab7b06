"""The access log tells who asked and how it ended, and nothing of what was asked."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from contextlib import nullcontext
from pathlib import Path

import pytest
from served import running

from explorer import open_index
from explorer.errors import CorpusError
from explorer.serve.access import AccessLog, log_to
from explorer.serve.settings import Settings

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (\S+) (\S+) (\S+) (\d+) (\d+) \d+\.\d{1,}ms")


def fields(line):
    found = LINE.fullmatch(line)
    assert found, line
    return found.groups()


def test_each_request_is_a_line(small_index):
    told = []
    with running([("", open_index(small_index))], Settings(token="0123456789abcdef" * 2), tell=told.append) as asker:
        question = {"index": "Small", "query_type": "count", "query": "secret words"}
        assert asker.post(question, Authorization="Bearer " + "0123456789abcdef" * 2)[0] == 200
        body = asker.http.request("POST", asker.address, json=question)
        assert body.status == 401
        assert asker.get("/nowhere?query=secret")[0] == 401
    lines = [access.line() for access in told]
    assert [fields(line)[1:4] for line in lines] == [
        ("POST", "/", "200"),
        ("POST", "/", "401"),
        ("GET", "/nowhere", "401"),
    ]
    assert int(fields(lines[1])[4]) == len(body.data)
    assert all(fields(line)[0] in ("127.0.0.1", "::1") for line in lines)
    assert "secret" not in "".join(lines)


def ask(app, path):
    """The requests that were told of, of one request."""
    told, sent = [], []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b""}

    scope = {"type": "http", "method": "GET", "path": path, "client": None}
    log = AccessLog(app, told.append)
    with pytest.raises(RuntimeError) if app is breaks else nullcontext():
        asyncio.run(log(scope, receive, send))
    return told


async def breaks(scope, receive, send):
    raise RuntimeError("gone")


async def answers(scope, receive, send):
    await send({"type": "http.response.start", "status": 404})
    await send({"type": "http.response.body", "body": b"abc", "more_body": True})
    await send({"type": "http.response.body", "body": b"de"})


def test_a_client_writes_no_line_of_its_own():
    [access] = ask(answers, "/a b\n2026 ü" + "x" * 100_000)
    assert (access.status, access.size, access.client) == (404, 5, "-")
    line = access.line()
    assert fields(line)[2].startswith("/a%20b%0A2026%20%C3%BCxx") and len(line) < 400


def test_a_request_without_an_answer():
    [access] = ask(breaks, "/")
    assert access.status == 0 and access.size == 0


def test_the_file_is_its_owners_and_grows(tmp_path):
    path = tmp_path / "access.log"
    for _ in range(2):
        with log_to(path, pytest.fail) as tell:
            [access] = ask(answers, "/x")
            tell(access)
    lines = path.read_text().splitlines()
    assert len(lines) == 2 and all(fields(line)[2] == "/x" for line in lines)
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_opened(tmp_path):
    with (
        pytest.raises(CorpusError, match=r"The access log .*no.log cannot be written: "),
        log_to(tmp_path / "a" / "no.log", print),
    ):
        pass


def test_a_full_disk_ends_the_log_and_not_the_server():
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has a disk that is always full")
    said = []
    with log_to(Path("/dev/full"), said.append) as tell:
        [access] = ask(answers, "/x")
        tell(access)
        tell(access)
    assert said == ["The access log /dev/full cannot be written any more: No space left on device."]
