"""The examples of docs/serve.md run, and so does the one of infini-gram's own documentation."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
import urllib3
from served import running

from explorer import build_index, open_index

DOCS = Path(__file__).resolve().parents[2] / "docs"
ADDRESS = "http://127.0.0.1:8765"

# https://infini-gram.readthedocs.io/en/latest/api.html, "From Python".
THEIRS = """\
import requests

payload = {
    'index': 'v4_rpj_llama_s4',
    'query_type': 'count',
    'query': 'University of Washington',
}
result = requests.post('https://api.infini-gram.io/', json=payload).json()
print(result)
"""


@pytest.fixture(scope="module")
def asker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    texts = [{"text": "the cat sat on the mat"}, {"text": "the University of Washington saw the cat on a mat"}]
    build_index(texts, folder / "index", tokenizer="train:400")
    corpus = open_index(folder / "index")
    with running([("news", corpus), ("v4_rpj_llama_s4", corpus)]) as asker:
        yield asker
        assert asker.complaints == []


def lines():
    page = (DOCS / "serve.md").read_text(encoding="utf-8")
    return [line for block in re.findall("```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("line", [line for line in lines() if line.startswith("curl ")])
def test_curl(line, asker):
    command = [word.replace(ADDRESS, asker.address) for word in shlex.split(line)]
    done = subprocess.run([*command, "-s", "-f", "--noproxy", "*"], capture_output=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert "error" not in found
    if "count" in found:
        assert found["count"] == 1


def fake_requests():
    """What the example uses of the package requests, where that is not installed."""

    class Reply:
        def __init__(self, data):
            self._data = data

        def json(self):
            return json.loads(self._data)

    def post(url, json):
        return Reply(urllib3.request("POST", url, json=json, timeout=20, retries=False).data)

    return types.SimpleNamespace(post=post)


@pytest.mark.parametrize("name", ["theirs", "ours"])
def test_python(name, asker, monkeypatch):
    page = (DOCS / "serve.md").read_text(encoding="utf-8")
    (ours,) = re.findall("```python\n(.*?)```", page, re.DOTALL)
    example = THEIRS if name == "theirs" else ours
    program = example.replace("https://api.infini-gram.io", asker.address).replace(ADDRESS, asker.address)
    assert program.count(asker.address) == 1
    if "requests" not in sys.modules and importlib.util.find_spec("requests") is None:
        monkeypatch.setitem(sys.modules, "requests", fake_requests())
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, name, "exec"), {})
    result = eval(printed.getvalue())
    assert (result["count"], result["approx"]) == (1, False)
    assert list(result)[-2:] == ["token_ids", "tokens"] and "".join(result["tokens"]) == "ĠUniversityĠofĠWashington"
