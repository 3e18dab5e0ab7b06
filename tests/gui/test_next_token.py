"""The next-token screen: its widgets, with real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from explorer.analyses.next_tokens.next_words import next_words
from explorer.analyses.next_tokens.profile import ladder
from explorer.analyses.next_tokens.word_tree import tree_after, tree_before
from explorer.gui.screens.next_token.tree_state import Side


@pytest.fixture
def front():
    return "next_token"


def ask(window, qtbot, prompt):
    window.show_screen("next_token")
    screen = window.next_token
    screen.bar.prompt.setPlainText(prompt)
    shown = screen.presenter
    qtbot.waitUntil(lambda: shown.state.answer.current is not None and not screen.busy)
    assert shown.state.answer.current.request.prompt == prompt
    return screen


@pytest.fixture
def asked(opened, qtbot):
    opened.resize(1280, 800)
    return ask(opened, qtbot, "the dog sat on the")


def number(screen):
    [box] = screen.bar.form.widgets("n")
    return box


def column(model, number):
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_whole_words_are_listed(asked, small):
    context = small.encode("the dog sat on the")
    expected = next_words(small.index, context[len(context) - small.index.counts.longest_suffix(context) :])
    assert column(asked.next.model, 0) == [word.text or "end of document" for word in expected.words]
    assert column(asked.next.model, 3) == [f"{word.count:,}" for word in expected.words]
    assert asked.next.title.text() == "Next word" and "exact" in asked.next.subtitle.text()


def test_tokens_are_listed_at_a_switch(asked, qtbot, small):
    qtbot.mouseClick(asked.bar.words, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: asked.presenter.state.answer.current is not None)
    expected = small.infgram_next_tokens(small.encode("the dog sat on the"))
    assert column(asked.next.model, 3) == [f"{count:,}" for count in expected.counts.tolist()]
    assert asked.next.title.text() == "Next token"


def test_each_ending_shows_its_text(asked, small):
    rungs = ladder(small.index, small.encode("the dog sat on the"))
    model = asked.ladder.model
    assert column(model, 0) == [str(rung.n - 1) for rung in reversed(rungs)]
    assert column(model, 2) == [f"{rung.context_count:,}" for rung in reversed(rungs)]
    whole = [model.cell(model.index(row, 1)) for row in range(model.rowCount() - 1)]
    assert all((cell.before + cell.text).endswith("the dog sat on the") for cell in whole)
    assert asked.ladder.table.currentIndex().row() == 0


def test_the_arrow_keys_choose_how_much_counts(asked, qtbot):
    asked.ladder.table.setFocus()
    qtbot.keyClick(asked.ladder.table, Qt.Key.Key_Down)
    tokens = asked.ladder.model.cell(asked.ladder.model.index(1, 0)).text
    qtbot.waitUntil(lambda: asked.presenter.state.answer.current is not None)
    assert asked.presenter.state.answer.current.context_length == int(tokens)
    assert asked.ladder.table.currentIndex().row() == 1 and asked.ladder.longest.isVisible()
    qtbot.mouseClick(asked.ladder.longest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: asked.presenter.state.answer.current is not None)
    assert asked.presenter.state.question.n is None and asked.ladder.table.currentIndex().row() == 0


def test_a_chosen_word_is_appended_and_can_be_undone(asked, qtbot):
    word = asked.presenter.state.answer.value.rows[0]
    asked.next.table.selectRow(0)
    qtbot.mouseClick(asked.next.append, Qt.MouseButton.LeftButton)
    assert asked.bar.prompt.toPlainText() == "the dog sat on the" + word.insert
    qtbot.mouseClick(asked.bar.back, Qt.MouseButton.LeftButton)
    assert asked.bar.prompt.toPlainText() == "the dog sat on the"


def press(widget, qtbot, *modifiers):
    control = Qt.KeyboardModifier.ControlModifier
    for modifier in modifiers:
        control |= modifier
    qtbot.keyClick(widget, Qt.Key.Key_Z, control)


def test_ctrl_z_in_the_list_takes_an_appended_word_back(asked, opened, qtbot):
    opened.activateWindow()
    table, prompt = asked.next.table, asked.bar.prompt
    texts = ["the dog sat on the"]
    for _ in range(2):
        qtbot.waitUntil(lambda: not asked.busy)
        place = table.visualRect(asked.next.model.index(0, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        texts.append(prompt.toPlainText())
    assert len(set(texts)) == 3
    assert table.hasFocus()
    for text in texts[1::-1]:
        press(table, qtbot)
        qtbot.waitUntil(lambda: not asked.busy)
        assert prompt.toPlainText() == text == asked.presenter.state.answer.current.request.prompt
        assert asked.session()["prompt"] == text
    press(table, qtbot, Qt.KeyboardModifier.ShiftModifier)
    assert prompt.toPlainText() == texts[1]
    # The field has these as edits of its own.
    prompt.setFocus()
    press(prompt, qtbot)
    assert prompt.toPlainText() == texts[0]


def test_words_n_and_the_side_of_the_tree_are_undone(asked, opened, qtbot):
    opened.activateWindow()
    rows = column(asked.next.model, 0)
    qtbot.mouseClick(asked.bar.words, Qt.MouseButton.LeftButton)
    number(asked).setValue(2)
    number(asked).setValue(3)
    qtbot.mouseClick(asked.tree.sides.button(1), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not asked.busy)
    kept = [asked.session()]
    for side, n, words in (("after", 3, False), ("after", 0, False), ("after", 0, True)):
        press(asked.next.table, qtbot)
        qtbot.waitUntil(lambda: not asked.busy)
        kept.append(asked.session())
        assert kept[-1] == {"prompt": "the dog sat on the", "n": n or None, "words": words, "side": side, "beside": []}
        assert (number(asked).value(), asked.bar.words.isChecked()) == (n, words)
        assert (asked.presenter.state.answer.current.request.question.n or 0, asked.tree.sides.current) == (n, 0)
    assert column(asked.next.model, 0) == rows and asked.next.title.text() == "Next word"
    for values in kept[2::-1]:
        press(asked.ladder.table, qtbot, Qt.KeyboardModifier.ShiftModifier)
        qtbot.waitUntil(lambda: not asked.busy)
        assert asked.session() == values


def test_a_restored_prompt_is_not_undone_to_nothing(asked, opened, qtbot):
    opened.activateWindow()
    asked.restore_session({"prompt": "the cat"})
    qtbot.waitUntil(lambda: not asked.busy)
    assert not asked.bar.back.isEnabled() and not asked.presenter.choices.can_undo
    press(asked.next.table, qtbot)
    assert asked.bar.prompt.toPlainText() == "the cat"


def test_a_row_stays_chosen_while_the_next_answer_is_awaited(asked):
    asked.next.table.selectRow(0)
    asked.presenter.run()
    assert asked.presenter.state.answer.dimmed and asked.presenter.state.row == 0
    assert asked.next.table.currentIndex().row() == 0


def test_the_lines_of_the_context_and_of_a_word(asked, opened, qtbot):
    qtbot.mouseClick(asked.ladder.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.model.total > 0)
    opened.show_screen("next_token")
    asked.next.table.selectRow(0)
    text = asked.presenter.state.answer.value.rows[0].text
    qtbot.mouseClick(asked.next.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search)
    assert opened.search.query.text().endswith(f'the {text}"')


def test_there_are_as_many_lines_as_the_button_tells(asked, opened, qtbot):
    """Search counts them in the same way, and forgets it when another query is typed."""
    own = opened.search.presenter.state.query.matching
    told = asked.ladder.lines.text()
    qtbot.mouseClick(asked.ladder.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.model.total > 0)
    assert told == f"Show {opened.search.model.total} lines"
    assert opened.search.presenter.state.query.matching.match == "tokens"
    opened.search.query.selectAll()
    qtbot.keyClicks(opened.search.query, "cat")
    assert opened.search.presenter.state.query.matching == own


def test_lines_of_tokens_have_a_note_and_a_way_back_to_text(asked, opened, qtbot, small):
    qtbot.mouseClick(asked.ladder.lines, Qt.MouseButton.LeftButton)
    search, query = opened.search, opened.search.presenter.query
    qtbot.waitUntil(lambda: opened.current_screen() is search and search.model.total > 0)
    note = search.bar.lent
    assert note.isVisible() and note.text.text() == "Matches tokens, as Next token counted"
    assert not search.bar.choice.whole_words.isEnabled()
    qtbot.mouseClick(note.as_text, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: query.state.current is not None)
    assert note.isHidden() and search.bar.choice.whole_words.isEnabled()
    text = query.state.text.strip('"')
    assert query.state.found.count == small.count(text, whole_words=False)
    # Who matches tokens by choice needs no note.
    query.choose(match="tokens")
    assert note.isHidden()


def test_the_tokens_have_a_heading_and_a_tip_in_words(asked, opened, qtbot, small):
    bar = asked.bar
    number = len(small.encode("the dog sat on the"))
    assert bar.read_as.text() == f"Read as {number} tokens (␣ space)"
    assert bar.read_as.toolTip().startswith("The index counts tokens: words, parts of words and signs")
    at = QPoint(5, bar.chips.height() // 2)
    QApplication.sendEvent(bar.chips, QHelpEvent(QEvent.Type.ToolTip, at, bar.chips.mapToGlobal(at)))
    qtbot.waitUntil(lambda: "in the corpus; its id in the tokenizer is " in QToolTip.text())
    # The names of the marks are the first to give way.
    opened.resize(640, 600)
    qtbot.waitUntil(lambda: bar.read_as.text() == f"Read as {number} tokens")
    assert bar.summary.text().startswith("Longest ending: ")
    bar.prompt.clear()
    qtbot.waitUntil(bar.read_as.isHidden)


def test_another_index_beside(asked, qtbot, byte_index, tmp_path):
    asked.presenter.beside.open(str(byte_index))
    qtbot.waitUntil(lambda: asked.next.beside_model.rowCount() > 0)
    assert asked.next.beside.isVisible() and "of context" in asked.next.beside_caption.text()
    asked.bar.compare.trigger()
    assert not asked.next.beside.isVisible()
    asked.presenter.beside.open(str(tmp_path))
    qtbot.waitUntil(lambda: "is not an infini-gram index" in asked.beside_notice.text())


def test_the_list_fills_its_panel(asked, qtbot, byte_index):
    panel = asked.next
    below = panel.table.mapTo(panel, panel.table.rect().bottomLeft()).y()
    assert panel.append.mapTo(panel, panel.append.rect().topLeft()).y() - below < panel.append.height()
    assert abs(asked.ladder.width() - panel.width()) < 40
    # Both lists show their focus at the panel.
    panel.beside.show()
    for table in (panel.table, panel.beside):
        table.setFocus()
        assert panel.focused


def test_the_width_of_the_curves_is_explained(asked, qtbot):
    assert asked.tree.legend.isVisible() and asked.tree.legend.words.startswith("Line width")
    before = asked.tree.legend.sizeHint().height()
    for _ in range(5):
        qtbot.mouseClick(asked.tree.closer, Qt.MouseButton.LeftButton)
    # As wide as the curves in the picture, which are larger now.
    assert asked.tree.legend.sizeHint().height() >= before and asked.tree.view.zoom > 1


def test_a_long_line_is_cut_at_its_far_end(asked):
    for word in asked.tree.view.drawing.words:
        assert not word.rest.startswith("…")


def test_the_tree_is_drawn_with_its_counts(asked, small):
    tree = tree_after(small.index, asked.presenter.state.answer.value.used)
    expected = {node.path: node.count for node in tree.branches}
    expected |= {child.path: child.count for node in tree.branches for child in node.branches}
    view = asked.tree.view
    assert {word.spot.path: word.node.count for word in view.drawing.words} == expected
    areas = [view.place_of(word) for word in view.drawing.words]
    assert not any(a.intersects(b) for i, a in enumerate(areas) for b in areas[:i])


def test_the_other_sides_of_the_tree(asked, qtbot, small):
    before = tree_before(small.index, asked.presenter.state.answer.value.used)
    for number, side in ((1, Side.BEFORE), (2, Side.BOTH)):
        qtbot.mouseClick(asked.tree.sides.button(number), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: asked.presenter.tree.state.answer.current is not None)
        drawn = asked.tree.view.drawing.words
        assert asked.presenter.tree.state.side is side
        left = [word.node.count for word in drawn if word.spot.before and len(word.spot.path) == 1]
        assert left == [node.count for node in before.branches]
        assert any(not word.spot.before for word in drawn) == (side is Side.BOTH)


def click(qtbot, view, word, double=False):
    act = qtbot.mouseDClick if double else qtbot.mouseClick
    act(view, Qt.MouseButton.LeftButton, pos=view.place_of(word).center().toPoint())


def test_a_branch_opens_at_a_click(opened, qtbot):
    opened.resize(1280, 800)
    asked = ask(opened, qtbot, "the")
    view = asked.tree.view
    leaf = next(word for word in view.drawing.words if word.rest)
    click(qtbot, view, leaf)
    qtbot.waitUntil(lambda: asked.presenter.tree.state.answer.current is not None)
    assert leaf.spot in asked.presenter.tree.state.opened
    deeper = [word.spot.path for word in view.drawing.words if len(word.spot.path) > len(leaf.spot.path)]
    assert deeper and all(path[: len(leaf.spot.path)] == leaf.spot.path for path in deeper)


def test_a_double_click_continues_from_a_branch(asked, qtbot):
    view = asked.tree.view
    second = next(word for word in view.drawing.words if len(word.spot.path) == 2 and word.node.joined.strip())
    click(qtbot, view, second, double=True)
    assert asked.bar.prompt.toPlainText() == "the dog sat on the" + second.node.joined


def test_the_keyboard_goes_from_branch_to_branch(asked, qtbot):
    view, tree = asked.tree.view, asked.presenter.tree
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    first = tree.state.chosen
    assert len(first.path) == 1 and first.path[0] in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert tree.state.chosen.path[:1] == first.path and len(tree.state.chosen.path) == 2
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert tree.state.chosen == first
    text = view.drawing.word(first).node.joined
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert asked.bar.prompt.toPlainText() == "the dog sat on the" + text


def test_the_picture_is_zoomed_and_moved(asked, qtbot):
    view = asked.tree.view
    word, before = view.drawing.words[0], view.zoom
    at = view.place_of(word).center()
    wheel = QWheelEvent(
        at, view.mapToGlobal(at), at.toPoint(), QPointF(0, 240).toPoint(),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, wheel)
    # What is under the pointer stays there.
    assert view.zoom > before and (view.place_of(word).center() - at).manhattanLength() < 1
    assert asked.tree.whole.isEnabled()
    place = view.place_of(word).center()
    empty = QPointF(view.width() - 5, 5).toPoint()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=empty)
    qtbot.mouseMove(view, empty - QPointF(40, 0).toPoint())
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=empty - QPointF(40, 0).toPoint())
    assert view.place_of(word).center().x() == pytest.approx(place.x() - 40)
    qtbot.mouseClick(asked.tree.whole, Qt.MouseButton.LeftButton)
    assert view.zoom == before and not asked.tree.whole.isEnabled()


def test_in_a_small_window_one_panel_is_shown_at_a_time(asked, opened, qtbot):
    opened.resize(700, 500)
    qtbot.waitUntil(asked.tabs.isVisible)
    panels = (asked.next, asked.ladder, asked.tree)
    for number, panel in enumerate(panels):
        asked.tabs.setCurrentIndex(number)
        assert [each.isVisible() for each in panels] == [each is panel for each in panels]
    opened.resize(1280, 800)
    qtbot.waitUntil(lambda: not asked.tabs.isVisible())
    assert all(panel.isVisible() for panel in panels)
