"""The next-token screen."""

from __future__ import annotations

from PySide6.QtCore import Qt

from explorer.gui.screens.next_token.model import COUNT, PROBABILITY, TOKEN


def ask(window, qtbot, prompt):
    window.show_screen("next_token")
    window.next_token.prompt.setPlainText(prompt)
    qtbot.waitUntil(lambda: window.next_token.presenter.state.answer.current is not None)


def test_the_distribution(opened, qtbot, small):
    ask(opened, qtbot, "the cat")
    expected = small.infgram_next_tokens(small.encode("the cat"))
    model = opened.next_token.model
    assert model.rowCount() == len(expected.tokens)
    assert model.index(0, COUNT).data() == f"{expected.counts[0]:,}"
    assert model.index(0, PROBABILITY).data(Qt.ItemDataRole.UserRole) == expected.counts[0] / expected.counts.sum()
    assert "exact count" in opened.next_token.summary.text()


def test_a_chosen_token_is_appended_and_can_be_undone(opened, qtbot):
    ask(opened, qtbot, "the cat")
    token = opened.next_token.model.index(0, TOKEN).data().replace("␣", " ")
    opened.next_token.table.selectRow(0)
    qtbot.mouseClick(opened.next_token.append, Qt.MouseButton.LeftButton)
    assert opened.next_token.prompt.toPlainText() == "the cat" + token
    opened.next_token.prompt.undo()
    assert opened.next_token.prompt.toPlainText() == "the cat"


def test_a_token_stays_selected_while_the_next_answer_is_awaited(opened, qtbot):
    ask(opened, qtbot, "the cat")
    screen = opened.next_token
    screen.table.selectRow(0)
    screen.presenter.run()
    assert screen.presenter.state.answer.dimmed
    assert screen.table.currentIndex().row() == 0


def test_n_limits_the_context(opened, qtbot, small):
    ask(opened, qtbot, "on the mat. the cat")
    opened.next_token.n.setValue(2)
    qtbot.waitUntil(lambda: "The last 1 of" in opened.next_token.summary.text())
    expected = small.next_tokens(small.encode("the cat")[-1:])
    assert opened.next_token.model.rowCount() == len(expected.tokens)


def test_an_unseen_context(opened, qtbot):
    opened.next_token.n.setValue(9)
    opened.show_screen("next_token")
    opened.next_token.prompt.setPlainText("mat rug cat dog mat rug cat dog")
    qtbot.waitUntil(lambda: opened.next_token.presenter.state.invitation[0] == "Unseen context")
    assert opened.next_token.model.rowCount() == 0
