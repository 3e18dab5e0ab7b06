"""The window says what it could not subtract, and refuses an index that is given twice."""

from __future__ import annotations

import json

import pytest

from explorer import build_index
from explorer.gui.presenting.requests import OpenRequest


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("subtracted")
    for name, texts in (("base", ["the cat", "the cat", "a dog"]), ("less", ["the cat", "a cow"])):
        (place / f"{name}.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        build_index(place / f"{name}.jsonl", place / name, tokenizer="bytes")
    return str(place / "base"), str(place / "less")


def test_a_notice_at_opening(all_screens, window, folders, qtbot):
    window.open(OpenRequest(folders[:1], folders[1:]))
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert "1 of 2 documents to subtract are not in this index" in window.current_screen().notice.text()
    assert not window.current_screen().notice.isHidden()


def test_the_same_index_twice(window, folders, qtbot):
    window.open(OpenRequest((folders[0], folders[0] + "/")))
    qtbot.waitUntil(lambda: "is given twice" in window.index.notice.text())
    assert window.corpus is None
