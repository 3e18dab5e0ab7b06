"""Nothing opens a socket unless a remote index, a model server or `serve` was asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

FORBID = """
import sys

FORBIDDEN = {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname",
             "socket.gethostbyaddr", "http.client.connect", "urllib.Request"}
def forbid(event, arguments):
    # Pairs of sockets that wake an event loop have no address, and are none of the network's families.
    if event in FORBIDDEN or event == "socket.__new__" and str(arguments[1]) not in ("1", "AddressFamily.AF_UNIX"):
        raise RuntimeError(f"a socket: {event} {arguments[1:]}")
sys.addaudithook(forbid)

def opened():
    '''Sockets of this process that can reach a network, made by whatever language.'''
    import os
    from pathlib import Path
    own = {os.readlink(each) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()}
    rows = [row.split() for kind in ("tcp", "tcp6", "udp", "udp6", "raw") if Path("/proc/net", kind).exists()
            for row in Path("/proc/net", kind).read_text().splitlines()[1:]]
    return [row for row in rows if f"socket:[{row[9]}]" in own]
"""
FORBIDDEN_HERE = """
import socket
for family in (socket.AF_INET, socket.AF_INET6):
    try:
        socket.socket(family, socket.SOCK_STREAM)
    except RuntimeError:
        continue
    raise SystemExit("a socket could be opened")
"""
LIBRARY = """
import explorer
texts, index = sys.argv[1:3]
explorer.build_index(texts, index, tokenizer="train:300")
corpus = explorer.open_index(index)
assert corpus.count("the cat") and corpus.concordance("cat").lines(0, 2) and corpus.trace("the cat sat on").spans
import pkgutil
for found in pkgutil.walk_packages(explorer.__path__, "explorer."):
    if found.name.startswith(("explorer.gui", "explorer.__main__")):
        continue
    try:
        __import__(found.name)
    except ModuleNotFoundError as error:
        # An extra that is not installed.
        assert not error.name.startswith("explorer"), error
"""
COMMANDS = """
from explorer.cli.main import main
index, text = sys.argv[2], sys.argv[1] + "/one.txt"
for line in (["count", index, "cat"], ["kwic", index, "cat"], ["trace", index, text], ["info", index],
             ["next", index, "the"], ["agree", index, text], ["perplexity", index, text, "--method", "infgram"],
             ["wordlist", index]):
    assert main(line) == 0, line
"""
WINDOW = """
from pathlib import Path
from explorer.cli.commands import read_command_line
from explorer.gui.app.launch import prepare_imports
read_command_line([])
prepare_imports()
from PySide6.QtCore import QTimer
from explorer.gui.app.app import begin_window, begin_work, make_application
from explorer.gui.app.startup import Startup
from explorer.gui.settings.store import Settings
settings = Settings(Path(sys.argv[3]) / "settings.json")
application = make_application(settings)
window = begin_window(Startup((sys.argv[2],)), settings)
begin_work()
def look():
    if window.corpus is not None:
        application.quit()
timer = QTimer(interval=50)
timer.timeout.connect(look)
timer.start()
QTimer.singleShot(60_000, lambda: application.exit(3))
assert application.exec() == 0, "the index was not opened"
"""
END = """
if sys.platform == "linux":
    assert opened() == [], opened()
print("done")
"""


def run(program, *arguments):
    command = [sys.executable, "-P", "-c", FORBID + FORBIDDEN_HERE + program + END, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr[-2000:]


def test_the_library_and_the_commands_open_none(text_folder, tmp_path):
    run(LIBRARY + COMMANDS, text_folder, tmp_path / "index")


@pytest.mark.qt
def test_the_window_opens_none(text_folder, small_index, tmp_path):
    run(WINDOW, text_folder, small_index, tmp_path)
