"""The client of OpenAI asks a real server: models, texts, log probabilities, streams and refusals."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("openai", reason="openai is not installed")

import openai
from served import running

from explorer import open_index
from explorer.serve.settings import Settings

TEXT = "the dog sat on the rug, and the cat saw the dog on the mat."


@pytest.fixture(scope="module")
def asker(byte_index, small_index):
    with running([("raw", open_index(byte_index)), ("a/small", open_index(small_index))]) as asker:
        yield asker
        assert asker.complaints == []


@pytest.fixture(scope="module")
def client(asker):
    with openai.OpenAI(base_url=f"{asker.address}/v1", api_key="none", max_retries=0) as client:
        yield client


def test_models(client):
    names = [each.id for each in client.models.list()]
    assert names[:2] == ["raw", "a/small"] and "a/small:witten-bell" in names
    assert client.models.retrieve("a/small:infgram").owned_by == "corpus-explorer"
    with pytest.raises(openai.NotFoundError) as found:
        client.models.retrieve("other")
    assert found.value.code == "model_not_found" and found.value.type == "not_found_error"


def test_a_text(client, asker):
    found = client.completions.create(model="raw", prompt="the cat sat", max_tokens=8, temperature=0, stop=["mat"])
    choice = found.choices[0]
    assert (choice.text, choice.finish_reason) == (" on the ", "length")
    assert found.usage.completion_tokens == 8 and found.system_fingerprint.startswith("corpus-explorer")
    source = choice.explorer["written"][0]
    with open_index(asker.server.host.indexes["raw"].corpus.folders[0]) as corpus:
        assert corpus.document(source["document"]).tokens[source["offset"]] == source["token"]


def test_perplexity_equals_the_programs(client, asker):
    for name in ("raw", "a/small"):
        corpus = asker.server.host.indexes[name].corpus
        for method in ("learned", "witten-bell"):
            found = client.completions.create(
                model=f"{name}:{method}", prompt=TEXT, max_tokens=0, echo=True, logprobs=1, temperature=0
            )
            logs = found.choices[0].logprobs.token_logprobs
            own = corpus.model(method).perplexity([TEXT]).perplexity
            assert logs[0] is None and math.exp(-sum(logs[1:]) / len(logs[1:])) == pytest.approx(own, rel=1e-6)


def test_a_stream(client):
    asked = {"model": "raw", "prompt": "the dog", "max_tokens": 60, "seed": 3, "n": 2}
    whole = client.completions.create(**asked)
    texts = ["", ""]
    for part in client.completions.create(**asked, stream=True):
        for choice in part.choices:
            texts[choice.index] += choice.text
    assert texts == [each.text for each in whole.choices]


def test_refusals(client, asker):
    with pytest.raises(openai.BadRequestError) as found:
        client.completions.create(model="raw", prompt="x", suffix="y")
    assert (found.value.code, found.value.param) == ("unsupported_parameter", "suffix")
    with pytest.raises(openai.BadRequestError, match="not a token"):
        client.completions.create(model="raw", prompt=[300])
    with pytest.raises(openai.NotFoundError):
        client.completions.create(model="raw", prompt=["x"], stream=True, extra_body={"model": "none"})
    for body, status in ((b"{", 400), (b"[]", 400), (b"[" * 40 + b"]" * 40, 400)):
        code, value = asker.post(body, "/v1/completions")
        assert (code, value["error"]["type"]) == (status, "invalid_request_error")
    code, value = asker.post(b"{}", "/v1/completions", Content_Type="text/plain")
    assert code == 415 and "Flask" not in json.dumps(value)


def test_a_token_and_strangers(byte_index):
    settings = Settings(token="t" * 40)
    with running([("raw", open_index(byte_index))], settings) as asker:
        address = f"{asker.address}/v1"
        with openai.OpenAI(base_url=address, api_key="t" * 40, max_retries=0) as client:
            assert client.completions.create(model="raw:infgram", prompt="the", max_tokens=1).choices
        with openai.OpenAI(base_url=address, api_key="wrong", max_retries=0) as client:
            with pytest.raises(openai.AuthenticationError) as found:
                client.models.list()
            assert found.value.type == "authentication_error"
        code, _ = asker.get("/v1/models", Authorization="Bearer " + "t" * 40, Origin="http://evil.example")
        assert code == 403


def test_a_client_that_goes(client):
    """A stream that is left does not hold the server up."""
    for _ in range(3):
        parts = client.completions.create(model="raw:levels", prompt="the ", max_tokens=4_000, n=8, stream=True)
        next(iter(parts))
        parts.close()
    assert client.completions.create(model="raw", prompt="the", max_tokens=1).choices


def test_the_commands_of_the_page(asker, tmp_path):
    """Each `curl` of docs/completions.md gets an answer."""
    curl = shutil.which("curl")
    if not curl:
        pytest.skip("curl is not installed")
    page = (Path(__file__).parents[2] / "docs" / "completions.md").read_text(encoding="utf-8")
    commands = [each.replace("\\\n", " ") for each in re.findall(r"^curl (?:.*\\\n)*.*$", page, re.MULTILINE)]
    assert len(commands) == 4
    for command in commands:
        # The same commands, but for the address and the name of the index.
        command = command.replace("http://127.0.0.1:8765", asker.address).replace('"books', '"raw')
        done = subprocess.run([curl, "-sS", *shlex.split(command)[1:]], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        if "-N" in command:
            assert done.stdout.endswith("data: [DONE]\n\n")
        else:
            assert json.loads(done.stdout)["object"] in ("list", "text_completion")
