"""The commands of the Index screen."""

from __future__ import annotations

from explorer.gui.chrome.actions import FILE, CommandSpec
from explorer.gui.presenting.requests import ShowIndexPage

# The numbers of `ShowIndexPage`, which the window sends, too. Not those of `Page`: the check is a part of a page.
OPEN_PAGE, ABOUT_PAGE, CHECK_PAGE = range(3)

COMMANDS = (
    CommandSpec(
        "build",
        FILE,
        "&Build an index …",
        "Build an index from your own texts",
        ShowIndexPage(OPEN_PAGE),
        "Ctrl+Shift+N",
        group=1,
    ),
    CommandSpec(
        "verify", FILE, "&Check this index …", "Check the open index for damage", ShowIndexPage(CHECK_PAGE), group=1
    ),
)
