"""corpus-explorer serve: starts, says where, answers, and ends when it is told to."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
import urllib3
from tiers import nightly

from explorer.cli.main import main


@contextmanager
def started(*arguments):
    """The process, and its address."""
    command = [sys.executable, "-P", "-m", "explorer", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def ask(address, **question):
    body = json.dumps(question).encode()
    return urllib3.request("POST", address, body=body, headers={"Content-Type": "application/json"}, timeout=20)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, *nightly(signal.SIGTERM)])
def test_it_answers_until_a_signal(small_index, byte_index, number):
    """Questions that are being answered when it comes get their answers."""
    with started(small_index, byte_index, "--name", "A b") as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
        names = json.loads(urllib3.request("GET", address, timeout=20).data)
        assert names == ["A b", "bytes"]
        found = []

        def keep_asking():
            with urllib3.PoolManager(retries=False, timeout=20) as pool:
                body = json.dumps({"index": "bytes", "query_type": "ntd", "query": ""}).encode()
                while True:
                    try:
                        response = pool.request(
                            "POST", address, body=body, headers={"Content-Type": "application/json"}
                        )
                        found.append((response.status, json.loads(response.data)["prompt_cnt"]))
                    except urllib3.exceptions.HTTPError as error:
                        found.append(error)
                        return

        threads = [threading.Thread(target=keep_asking) for _ in range(4)]
        for thread in threads:
            thread.start()
        while len(found) < 20:
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        for thread in threads:
            thread.join()
    assert process.returncode == 0 and out == ""
    assert "Traceback" not in err and "serving A b, bytes; Ctrl-C stops" in err
    answered = [each for each in found if isinstance(each, tuple)]
    assert len(answered) >= 20 and len(set(answered)) == 1 and answered[0][0] == 200
    # Only a connection that could not be made, or was idle, ends without an answer.
    for error in found:
        if not isinstance(error, tuple):
            assert not isinstance(error, urllib3.exceptions.IncompleteRead), error


def test_two_indexes_of_one_name(small_index, capsys):
    assert main(["serve", str(small_index), str(small_index)]) == 2
    assert capsys.readouterr().err == (
        'corpus-explorer: Two indexes have the name "Small". Give them names with --name.\n'
    )
    assert main(["serve", str(small_index), "--name", "a", "--name", "b"]) == 2
    assert "more --name than indexes" in capsys.readouterr().err


def test_a_port_that_is_taken(small_index, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert main(["serve", str(small_index), "--port", port]) == 2
    sentence = f"Another program listens at port {port}. Choose another one with --port, or end the other program."
    assert capsys.readouterr().err == f"corpus-explorer: {sentence}\n"


@pytest.mark.parametrize("port", ["-1", "65536", "http", "1.5", ""])
def test_a_port_that_is_none(small_index, port, capsys):
    assert main(["serve", str(small_index), f"--port={port}"]) == 2
    assert "must be a number from 0 to 65535" in capsys.readouterr().err


def test_other_machines_need_a_token(small_index, tmp_path, capsys):
    assert main(["serve", str(small_index), "--host", "0.0.0.0"]) == 2
    assert "name it with --token-file" in capsys.readouterr().err
    token = tmp_path / "token"
    token.write_text("0123456789abcdef" * 2)
    token.chmod(0o644)
    if os.name != "nt":
        assert main(["serve", str(small_index), "--host", "0.0.0.0", "--token-file", str(token)]) == 2
        assert capsys.readouterr().err.endswith(f"Run: chmod 600 {token}\n")
    assert main(["serve", str(small_index), "--host", "example.org"]) == 2
    assert '"example.org" is not an IP address.' in capsys.readouterr().err


def test_a_token_opens_the_server(small_index, tmp_path):
    token = tmp_path / "token"
    token.write_text("0123456789abcdef" * 2)
    token.chmod(0o600)
    with started(small_index, "--token-file", token) as (_, address):
        assert ask(address, index="Small", query_type="count", query="the").status == 401
        headers = {"Authorization": f"Bearer {token.read_text()}"}
        assert urllib3.request("GET", address, headers=headers, timeout=20).status == 200


def test_the_access_log_has_no_query(small_index, tmp_path):
    log = tmp_path / "access.log"
    with started(small_index, "--access-log", log) as (process, address):
        assert not log.read_text()
        assert ask(address, index="Small", query_type="count", query="zebra").status == 200
        assert urllib3.request("GET", f"{address}/?q=zebra", timeout=20).status == 200
        # A line is written after its answer was sent.
        process.terminate()
        process.wait(20)
    posted, got = log.read_text().splitlines()
    assert " POST / 200 " in posted and " GET / 200 " in got and "zebra" not in posted + got


def test_an_access_log_that_cannot_be_written(small_index, tmp_path, capsys):
    assert main(["serve", str(small_index), "--access-log", str(tmp_path / "none" / "log")]) == 2
    assert capsys.readouterr().err == (
        f"corpus-explorer: The access log {tmp_path / 'none' / 'log'} cannot be written: No such file or directory.\n"
    )


def test_the_packages_of_a_server_may_be_missing(small_index, capsys, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "uvicorn" else find(name))
    assert main(["serve", str(small_index)]) == 2
    assert capsys.readouterr().err == (
        "corpus-explorer: A server needs starlette and uvicorn, which are not installed. In the folder of the "
        "program's source, run: pip install '.[serve]'\n"
    )
