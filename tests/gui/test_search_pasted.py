"""A text that is pasted into Search is offered to Trace."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from explorer.gui.presenting.requests import TraceText
from explorer.gui.screens.search.query.pasted_text import words_of_text

LONG = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness"
SENTENCES = "The cat sat on the mat. The dog saw the cat. Nobody moved."


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (LONG, 24),
        (SENTENCES, 13),
        ("the cat sat on the mat", 0),
        ("The cat sat on the mat.", 0),
        ("U.S. vs. U.K.", 0),
        (" OR ".join(f'"phrase number {n}"' for n in range(8)), 0),
        (f"{LONG.upper()} AND SO ON, {LONG}, {LONG}", 75),
        ("", 0),
    ],
)
def test_more_than_a_sentence_or_two_is_a_text(query, words):
    assert words_of_text(query) == words


def test_a_pasted_text_is_offered_to_trace(qtbot, small):
    from explorer.gui.screens.search.screen import SearchScreen

    screen = SearchScreen()
    qtbot.addWidget(screen)
    screen.set_corpus(small)
    asked = []
    screen.requested.connect(asked.append)
    screen.search_for("the cat")
    qtbot.waitUntil(lambda: not screen.busy)
    assert screen.text.isHidden()
    screen.search_for(LONG)
    qtbot.waitUntil(lambda: screen.count.text() == "0" and not screen.busy)
    assert not screen.text.isHidden()
    assert screen.presenter.state.invitation[0] == "Not found in one piece"
    (button,) = screen.text.remedies.findChildren(QPushButton)
    button.click()
    assert [request for request in asked if isinstance(request, TraceText)] == [TraceText(LONG)]
    screen.presenter.query.choose(match="regex")
    assert screen.text.isHidden()
