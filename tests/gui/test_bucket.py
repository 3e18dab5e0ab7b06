"""An index folder on a web server in a window: opened by its address, searched and traced."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication
from range_server import RangeServer
from views import TEXT, busy

from explorer.gui.presenting.requests import ChooseRemote, OpenRequest


@pytest.fixture
def folder(window, qtbot, small_index):
    """The window with the small index, opened from a slow server by the dialog."""
    with RangeServer(small_index.parent, delay=0.02) as server:
        window.ask(ChooseRemote())
        dialog = window.indexes.dialog
        qtbot.keyClicks(dialog.address, f"{server.url}/{small_index.name}/")
        # Its indexes are asked for first, if it is a server that has some.
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "index folder" in dialog.said.text())
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.corpus is not None)
        yield server


def test_it_is_opened_searched_and_traced(window, qtbot, folder, small):
    assert window.corpus.index.sources == (f"{folder.url}/small/",)
    window.search.search_for("the cat")
    window.trace.presenter.trace_text(TEXT, "")
    window.agreement.analyze_text(TEXT)
    qtbot.waitUntil(lambda: not busy(window) and window.search.model.rowCount() > 0, timeout=60_000)
    expected = small.search("the cat", match="tokens", variants=["space"]).count
    assert window.search.presenter.state.query.answer.value.result.count == expected > 3
    spans = window.trace.presenter.state.answer.value.trace.spans
    assert [(span.start, span.end, span.count) for span in spans] == [
        (span.start, span.end, span.count) for span in small.trace(TEXT).spans
    ]
    switcher = window.top.switcher
    QApplication.sendEvent(switcher, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), switcher.mapToGlobal(QPoint(2, 2))))
    assert "last answered at " in switcher.toolTip()


def test_a_bucket_is_asked_about_by_its_host(window, qtbot, monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID"):
        monkeypatch.delenv(name, raising=False)
    asked = []
    monkeypatch.setattr("urllib3.connectionpool.HTTPConnectionPool.urlopen", lambda *a, **k: asked.append(a) or 1 / 0)
    window.open(OpenRequest(("s3://news/2024",)))
    notice = window.index.notice
    qtbot.waitUntil(lambda: notice.isVisible())
    assert notice.title.text() == "Read the index at s3://news?" and asked == []
    send = next(button for button in notice.buttons() if button.text() != "Not now")
    qtbot.mouseClick(send, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(asked))
    qtbot.waitUntil(lambda: not window.indexes.state.opening)
    assert window.settings.hosts.all() == ("s3://news",)
