"""`GET /openapi.json` and `GET /docs`: what the server answers, made of its routes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from inspect import getdoc
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from explorer.serve.host import Part, QueryField
from explorer.serve.http import as_json, reply
from explorer.version import VERSION

Operations = dict[str, dict[str, Any]]


def described(parts: Sequence[Part]) -> Part:
    """Make the routes that describe those of all parts."""

    async def specified(request: Request) -> Response:
        """This description, as OpenAPI has it."""
        return reply(written)

    async def shown(request: Request) -> Response:
        """This description, as a page."""
        return page

    own = Part((Route("/openapi.json", specified, methods=["GET"]), Route("/docs", shown, methods=["GET"])))
    paths = _paths((*parts, own))
    # Once: routes do not change while a server runs.
    info = {"title": "Corpus Explorer", "version": VERSION}
    written, page = as_json({"openapi": "3.1.0", "info": info, "paths": paths}), HTMLResponse(_page(paths))
    return own


def _paths(parts: Sequence[Part]) -> dict[str, Operations]:
    found: dict[str, Operations] = {}
    for part in parts:
        for route in part.routes:
            if not isinstance(route, Route):
                continue
            # Starlette answers HEAD wherever it answers GET.
            methods = (route.methods or set()) - {"HEAD"}
            operations = {method.lower(): _operation(route, method, part.fields) for method in sorted(methods)}
            found.setdefault(route.path_format, {}).update(operations)
    return found


def _operation(route: Route, method: str, fields: Mapping[str, Sequence[QueryField]]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": (getdoc(route.endpoint) or "").partition("\n")[0],
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
              for name in route.param_convertors),
            *map(_parameter, fields.get(route.path, ())),
        ],
        "responses": {"default": {"description": "An object of JSON, also for an error"}},
    }  # fmt: skip
    if method == "POST":
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    return made


def _parameter(field: QueryField) -> dict[str, Any]:
    number = {"type": "integer", "minimum": field.least, "maximum": field.most}
    schema: dict[str, Any] = {"type": "string"} if field.is_text else number
    if field.is_list:
        schema = {"type": "array", "items": schema}
    if field.default is not None:
        schema["default"] = field.default
    required = field.default is None
    return {
        "name": field.name, "in": "query", "required": required, "description": field.meaning, "schema": schema
    }  # fmt: skip


def _page(paths: Mapping[str, Operations]) -> str:
    rows = "".join(_rows(paths))
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Corpus Explorer</title>"
        f"<h1>Corpus Explorer {VERSION}</h1>"
        "<p>The same as <a href=/openapi.json>OpenAPI</a>.</p>"
        f"<table><tr><th>Method<th>Path<th>Answer<th>Parameters</tr>{rows}</table></html>"
    )


def _rows(paths: Mapping[str, Operations]) -> Iterator[str]:
    for path, operations in paths.items():
        for method, operation in operations.items():
            names = ", ".join(each["name"] for each in operation["parameters"])
            cells = method.upper(), path, operation["summary"], names
            yield "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells) + "</tr>"
