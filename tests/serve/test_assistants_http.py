"""The tools of assistants at `/mcp` of the server: both generations of the client, strangers and large bodies."""

from __future__ import annotations

import json

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")
pytest.importorskip("starlette", reason="the extra serve is not installed")

from mcp import Client
from served import running

from explorer import open_index
from explorer.serve.settings import Settings

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = "application/json, text/event-stream"


@pytest.fixture(scope="module")
def asker(small_index):
    with running([("", open_index(small_index))], Settings(hosts=("books.example",))) as asker:
        yield asker
        assert asker.complaints == []


@pytest.mark.parametrize("generation", ["legacy", "auto"])
def test_both_generations(asker, generation):
    async def asked():
        async with Client(f"{asker.address}/mcp", mode=generation) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            found = await client.call_tool("count", {"text": "the cat"})
            return tools, found

    tools, found = anyio.run(asked)
    corpus = asker.server.host.indexes["Small"].corpus
    assert "novelty" in tools and found.structured_content["count"] == corpus.count("the cat")


def test_health_announces_them(asker):
    assert "mcp" in asker.get("/healthz")[1]["capabilities"]


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Host": "books.example"}, True),
        ({"Host": "evil.example"}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, False),
    ],
)
def test_strangers(asker, headers, allowed):
    found = asker.http.request(
        "POST",
        f"{asker.address}/mcp",
        body=json.dumps(LIST).encode(),
        headers={"Content-Type": "application/json", "Accept": ACCEPT, **headers},
    )
    assert (found.status == 200) == allowed, found.data
    assert not found.data or b"Traceback" not in found.data


def test_the_sdks_own_protection_is_on(small_index):
    """Without the guard before it, the SDK refuses strangers and large bodies itself."""
    from starlette.applications import Starlette
    from starlette.testclient import TestClient

    from explorer.serve.host import Host
    from explorer.serve.indexes import served
    from explorer.serve.tools.assistant_routes import part
    from explorer.serve.work import Pool

    with open_index(small_index) as corpus:
        settings, complaints = Settings(), list[str]()
        made = part(Host(served([("", corpus)]), settings, Pool(settings, complaints.append), complaints.append))
        app = Starlette(routes=made.routes, lifespan=lambda app: made.lifespan())
        with TestClient(app, base_url="http://localhost:9") as client:
            sent = {"headers": {"Accept": ACCEPT}, "json": LIST}
            assert client.post("/mcp", **sent).status_code == 200
            for name, value, status in (("Host", "evil.example", 421), ("Origin", "http://evil.example", 403)):
                strange = {**sent, "headers": {"Accept": ACCEPT, name: value}}
                assert client.post("/mcp", **strange).status_code == status
            big = {**LIST, "params": {"x": "y" * (1 << 20)}}
            assert client.post("/mcp", headers={"Accept": ACCEPT}, json=big).status_code == 413
