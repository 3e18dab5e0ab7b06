"""An index of the hub in a window: downloaded after a question, and then opened as a folder."""

from __future__ import annotations

import pytest
from hub_server import own_hub
from PySide6.QtCore import Qt

from explorer.gui.presenting.requests import ChooseRemote


@pytest.fixture
def hub(tmp_path, monkeypatch, small_index):
    with own_hub(tmp_path, monkeypatch) as made:
        made.add("owner/cats", {path.name: path.read_bytes() for path in small_index.iterdir()}, "models")
        yield made


def test_a_published_index_is_opened_by_the_dialog(window, qtbot, hub):
    window.ask(ChooseRemote())
    dialog = window.indexes.dialog
    qtbot.keyClicks(dialog.address, "hf://owner/cats")
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    notice = window.index.notice
    qtbot.waitUntil(lambda: notice.isVisible())
    assert notice.title.text() == "Download the index from hf://owner?" and hub.asked == []
    agree = next(button for button in notice.buttons() if button.text() != "Not now")
    qtbot.mouseClick(agree, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None, timeout=30_000)
    assert window.corpus.count("the cat") > 0
    assert window.settings.hosts.all() == ("hf://owner",)
    (source,) = window.corpus.index.sources
    # It is opened next time from the folder, without a connection.
    assert source.startswith(str(hub.cache)) and window.indexes.state.recent[0].path == source
