"""How many counts a server answers per second, how long each takes, and what a hundred thousand leave in memory.

usage: python tests/benchmarks/serve.py INDEX [--tokenizer FILE] [--requests N] [--idle N]

It needs wrk. The server runs in this process and wrk in another, on one machine. Times of a busy machine are upper
bounds; the processor time per question depends on it less.
"""

from __future__ import annotations

import argparse
import re
import resource
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import urllib3

from explorer import open_index
from explorer.serve.indexes import served
from explorer.serve.running import Server
from explorer.serve.settings import Settings

POST = """\
wrk.method = "POST"
wrk.body = '{"index": "measured", "query_type": "count", "query_ids": [%s]}'
wrk.headers["Content-Type"] = "application/json"
"""


def resident() -> int:
    """Resident memory of this process in KiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text()).group(1))


def wrk(script: Path, address: str, connections: int, seconds: int) -> tuple[int, str]:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "-s", str(script), "--latency", address + "/"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        raise SystemExit(out)
    shown = re.findall(r"Requests/sec: +(\S+)|(50|99)% +(\S+)", out)
    return int(re.search(r"(\d+) requests in", out).group(1)), "  ".join(" ".join(filter(None, row)) for row in shown)


def measure(server: Server, script: Path, requests: int, idle: int) -> None:
    wrk(script, server.address, 8, 3)
    before = resident()
    for connections in (1, 8):
        began = time.process_time()
        count, shown = wrk(script, server.address, connections, 10)
        spent = (time.process_time() - began) / count * 1e6
        print(f"{connections} connections: {shown} per second; {spent:.0f} µs of processor per question")
    done = 0
    while done < requests:
        done += wrk(script, server.address, 8, 10)[0]
    print(f"{done:,} questions: {resident() - before:+,} KiB, of {before:,} KiB")
    if idle:
        hold(server, idle)


def hold(server: Server, number: int) -> None:
    """Open many connections without a question, and ask beside them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, number + 1_000), hard))
    parts = urlsplit(server.address)
    opened, refused = [], 0
    for _ in range(number):
        try:
            opened.append(socket.create_connection((parts.hostname, parts.port), timeout=5))
        except OSError:
            refused += 1
    time.sleep(1)
    print(
        f"{len(opened):,} connections were opened, {refused} refused; "
        f"{len(server._server.server_state.connections)} are kept, {resident():,} KiB"
    )
    for each in opened:
        each.close()
    began = time.monotonic()
    while server._server.server_state.connections:
        time.sleep(0.01)
    answered = urllib3.request("GET", server.address + "/healthz", timeout=20).status
    print(f"after they were closed: answered with {answered} in {time.monotonic() - began:.2f} s")
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("--tokenizer")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--idle", type=int, default=0)
    args = parser.parse_args()
    corpus = open_index(args.index, args.tokenizer)
    ids = corpus.document(0).tokens[:3].tolist()
    server = Server(served([("measured", corpus)]), Settings(port=0))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        script.write_text(POST % ", ".join(map(str, ids)))

        def work() -> None:
            try:
                measure(server, script, args.requests, args.idle)
            finally:
                server.stop()

        server.run(threading.Thread(target=work).start)


if __name__ == "__main__":
    main()
