"""`/mcp`: the tools of assistants over HTTP, if the extra `mcp` is installed."""

from __future__ import annotations

import importlib.util

from explorer.serve.guard import own_names
from explorer.serve.host import Host, Part
from explorer.serve.settings import MOST_BYTES, Settings

PATH = "/mcp"


def part(host: Host) -> Part:
    """Make the route."""
    if importlib.util.find_spec("mcp") is None:
        return Part()
    # Imported now: the SDK takes as long to import as everything else.
    from mcp.server.transport_security import TransportSecuritySettings

    from explorer.serve.tools.assistants import make_server
    from explorer.serve.tools.corpus_tools import CorpusTools

    tools = CorpusTools({name: index.corpus for name, index in host.indexes.items()})
    server = make_server(tools, host.complain)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        # Each request is answered by itself: nothing is kept between them that could pile up.
        json_response=True,
        stateless_http=True,
        max_request_body_size=MOST_BYTES,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=_hosts(host.settings),
            allowed_origins=[f"{scheme}://{name}" for name in _hosts(host.settings) for scheme in ("http", "https")],
        ),
    )
    return Part(tuple(app.routes), ("mcp",), server.session_manager.run)


def _hosts(settings: Settings) -> list[str]:
    """The names of the server as the SDK wants them: with any port, or with none."""
    names = sorted(f"[{name}]" if ":" in name else name for name in own_names(settings))
    return [form for name in names for form in (name, f"{name}:*")]
