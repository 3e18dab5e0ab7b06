"""The window opens whatever a row of the registry claims, and shows what its capabilities are."""

from __future__ import annotations

import json
from dataclasses import replace

import json_documents
import pytest
from failing_backend import WHY_NOT, FailingBackend

from explorer.backends.registry import BACKENDS
from explorer.gui.index.opening import OpenRequest, request_of

TEXTS = ["the cat sat on the mat. ", "a dog saw the cat on the rug. ", "the cat sat on the rug. "]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "pets.documents.json"
    path.write_text(json.dumps(TEXTS), encoding="utf-8")
    return path


def opened_by(monkeypatch, window, qtbot, row, source):
    """Open a source with one row more."""
    monkeypatch.setattr(BACKENDS, "rows", (*BACKENDS.rows, row))
    window.open(OpenRequest((str(source),)))
    qtbot.waitUntil(lambda: window.corpus is not None)


def test_a_new_kind_is_searched_and_traced(window, qtbot, monkeypatch, source):
    opened_by(monkeypatch, window, qtbot, json_documents.ROW, source)
    # The page about an index is drawn when it is seen.
    window.show_screen("index")
    about = window.index.pages.about
    qtbot.waitUntil(lambda: about.title.text() == source.name and about.subtitle.text() == str(source))
    window.search.search_for("the cat")
    qtbot.waitUntil(lambda: window.search.model.rowCount() == 3)
    window.trace.presenter.trace_text("a dog saw the cat on the rug.")
    qtbot.waitUntil(lambda: window.trace.presenter.state.trace is not None)
    assert window.trace.presenter.state.trace.documents[0].number == 1
    assert window.search.tools.sort_form.merged.isEnabled()


def test_a_new_kind_is_listed_and_opened_at_the_next_start(window, qtbot, monkeypatch, source):
    opened_by(monkeypatch, window, qtbot, json_documents.ROW, source)
    assert window.settings.recents.paths() == [str(source)]
    session = window.indexes.state.request.as_session(opened=True)
    assert request_of(session) == window.indexes.state.request
    monkeypatch.setattr(BACKENDS, "rows", BACKENDS.rows[:1])
    assert request_of(session) is None, "no row claims it any more"


def test_what_a_new_kind_cannot_do_is_gray_and_says_why(window, qtbot, monkeypatch, source):
    row = json_documents.ROW

    def open_less(*asked):
        return FailingBackend(row.open(*asked), ("sorting",))

    opened_by(monkeypatch, window, qtbot, replace(row, open=open_less), source)
    assert not window.search.tools.sort_form.merged.isEnabled()
    assert window.search.tools.sort_form.merged.toolTip() == WHY_NOT


def test_what_a_new_kind_does_not_take_is_said_on_the_index_screen(window, qtbot, monkeypatch, source):
    monkeypatch.setattr(BACKENDS, "rows", (*BACKENDS.rows, json_documents.ROW))
    window.open(OpenRequest((str(source),), minus=(str(source),)))
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert "Documents cannot be subtracted from" in window.index.notice.text() and window.corpus is None


def test_opening_can_be_cancelled(window, qtbot, monkeypatch, source):
    def wait_for_cancel(request, report, cancel):
        while True:
            cancel.check()

    opened = []
    row = replace(json_documents.ROW, open=wait_for_cancel)
    monkeypatch.setattr(BACKENDS, "rows", (*BACKENDS.rows, row))
    window.indexes.opener.busy_changed.connect(opened.append)
    window.open(OpenRequest((str(source),)))
    qtbot.waitUntil(lambda: opened == [True])
    window.indexes.presenter.cancel()
    qtbot.waitUntil(lambda: opened == [True, False])
    assert window.corpus is None
