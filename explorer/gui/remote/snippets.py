"""Lines with which other programs ask a shared index, ready to be pasted. Code, in no language of people."""

from __future__ import annotations

import json
import shlex


def curl_line(address: str, name: str, token: str) -> str:
    """A command that counts a word.

    address, name, token: Where the index is, what it is called there, and what each request carries.
    """
    question = json.dumps({"index": name, "query_type": "count", "query": "the"}, ensure_ascii=False)
    headers = (f"Authorization: Bearer {token}", "Content-Type: application/json")
    said = " ".join(f"-H {shlex.quote(header)}" for header in headers)
    return f"curl -X POST {said} -d {shlex.quote(question)} {address}/"


def openai_lines(address: str, name: str, token: str) -> str:
    """A program that has the corpus complete a text, with the client of OpenAI."""
    return "\n".join(
        (
            "from openai import OpenAI",
            "",
            f"client = OpenAI(base_url={address + '/v1'!r}, api_key={token!r})",
            f"answer = client.completions.create(model={name!r}, prompt='Once upon a time', max_tokens=20)",
            "print(answer.choices[0].text)",
            "",
        )
    )


def assistant_lines(address: str, name: str, token: str) -> str:
    """What an assistant's file of servers needs to ask the index by the Model Context Protocol."""
    server = {"type": "http", "url": f"{address}/mcp", "headers": {"Authorization": f"Bearer {token}"}}
    return json.dumps({"mcpServers": {name: server}}, indent=2, ensure_ascii=False) + "\n"
