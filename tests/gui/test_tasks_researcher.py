"""Tasks of a machine-learning researcher, with keys only and with the mouse only; docs/window-tasks.md lists them."""

from __future__ import annotations

from hands import Keyboard, Mouse, Place
from letters import write_answers, write_letters
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QImage
from task_window import SLACK, answer_dialog, focused, settled

# 5. See which words follow a prompt after one word of context, and save the figure.


def export_button(screen):
    """The page has one for each of its figures."""
    button = screen.figure_button
    return lambda: Place(button, button.rect().center())


def drawn(button):
    """Whether the figure's dialog shows its picture."""
    return lambda: button.dialog is not None and not button.dialog.preview.image.isNull()


def test_next_words_with_keys(desk, tmp_path, monkeypatch):
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getSaveFileName", path := tmp_path / "next.png")
    screen = desk.next_token

    def task():
        yield keys.press("Ctrl+2")
        yield keys.type("Nobody at the")
        yield keys.until(lambda: settled(desk)() and screen.next.model.rowCount() > 0)
        yield keys.to("Endings of your text")
        yield keys.to("1", chord="Down")
        yield keys.until(lambda: settled(desk)() and screen.presenter.state.chosen_rung == 1)
        yield keys.press("Ctrl+E")
        yield keys.press("Down")
        yield keys.press("Enter")
        yield keys.until(drawn(screen.figure_button))
        yield keys.to("Save as", chord="Shift+Tab")
        yield keys.press("Space")
        yield keys.press("Down")
        yield keys.press("Enter")
        yield keys.until(path.exists)

    steps = keys.do(task())
    assert not QImage(str(path)).isNull()
    assert steps <= 17 + SLACK, " · ".join(keys.steps)


def test_next_words_with_the_mouse(desk, tmp_path, monkeypatch):
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getSaveFileName", path := tmp_path / "next.png")
    screen = desk.next_token

    def task():
        yield mouse.click("Next token")
        yield mouse.click("Prompt")
        yield mouse.type("Nobody at the")
        yield mouse.until(lambda: settled(desk)() and screen.next.model.rowCount() > 0)
        yield mouse.click("1", within="Endings of your text")
        yield mouse.until(lambda: settled(desk)() and screen.presenter.state.chosen_rung == 1)
        yield mouse.click_at(export_button(screen), "Export")
        yield mouse.click("Figure …")
        yield mouse.until(drawn(screen.figure_button))
        yield mouse.click("Save as")
        yield mouse.click("PNG")
        yield mouse.until(path.exists)

    steps = mouse.do(task())
    assert not QImage(str(path)).isNull()
    assert steps <= 9, " · ".join(mouse.steps)


# 6. Measure the agreement of answers with their prompts as context, mark the tokens of one dot, and save the plot.


def analyzed(desk, prompt_field):
    state = desk.agreement.presenter
    return lambda: (
        settled(desk)()
        and state.state.answer.current is not None
        and state.state.inputs.prompt_field == prompt_field
        and desk.agreement.halves.plots.plot.drawn
    )


def marked(desk):
    return desk.agreement.presenter.tokens.state.marked is not None


def test_agreement_with_keys(desk, tmp_path, monkeypatch):
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getOpenFileNames", [write_answers(tmp_path)])
    answer_dialog(monkeypatch, keys, "getSaveFileName", path := tmp_path / "plot.png")
    screen = desk.agreement

    def task():
        yield keys.press("Ctrl+4")
        yield keys.press("Alt+O")
        yield keys.until(analyzed(desk, ""))
        yield keys.to("Sampling: all texts, all tokens")
        yield keys.press("Space")
        yield keys.to("Prompt field")
        yield keys.type("p")
        yield keys.until(analyzed(desk, "prompt"))
        yield keys.press("Esc")
        yield keys.to("Agreement by effective n")
        yield keys.press("Right")
        yield keys.press("Enter")
        yield keys.press("Ctrl+E")
        yield keys.press("Down")
        yield keys.press("Enter")
        yield keys.until(drawn(screen.figure_button))
        yield keys.to("Save as", chord="Shift+Tab")
        yield keys.press("Space")
        yield keys.press("Down")
        yield keys.press("Enter")
        yield keys.until(path.exists)

    steps = keys.do(task())
    assert marked(desk) and not QImage(str(path)).isNull()
    assert steps <= 30 + SLACK, " · ".join(keys.steps)


def dot(plot, n):
    """The place of a dot in the plot."""

    def find():
        view = plot.panel.vb
        at = view.mapViewToScene(QPointF(n, sum(view.viewRange()[1]) / 2))
        return Place(plot.viewport(), plot.mapFromScene(at))

    return find


def test_agreement_with_the_mouse(desk, tmp_path, monkeypatch):
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getOpenFileNames", [write_answers(tmp_path)])
    answer_dialog(monkeypatch, mouse, "getSaveFileName", path := tmp_path / "plot.png")
    screen = desk.agreement

    def task():
        yield mouse.click("Agreement")
        yield mouse.click("Add a source")
        yield mouse.until(analyzed(desk, ""))
        yield mouse.click("Sampling: all texts, all tokens")
        yield mouse.click("Prompt field", kind="QComboBox")
        yield mouse.click("prompt")
        yield mouse.until(analyzed(desk, "prompt"))
        yield mouse.click_at(lambda: Place(desk, QPoint(300, desk.height() - 8)), "outside of the pop-over")
        yield mouse.click_at(dot(screen.halves.plots.plot, 2), "the dot of n = 2")
        yield mouse.click_at(export_button(screen), "Export")
        yield mouse.click("Figure …")
        yield mouse.until(drawn(screen.figure_button))
        yield mouse.click("Save as")
        yield mouse.click("PNG")
        yield mouse.until(path.exists)

    steps = mouse.do(task())
    assert marked(desk) and not QImage(str(path)).isNull()
    assert steps <= 13, " · ".join(mouse.steps)


# 7. Build an index from files of one's own, one line of which is broken.


def test_build_with_keys(window, qtbot, tmp_path, monkeypatch):
    desk = focused(window, qtbot)
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getOpenFileNames", [write_letters(tmp_path, bad_line=True)])
    build = desk.index.presenter.build

    def task():
        yield keys.to("Choose files …")
        yield keys.press("Space")
        yield keys.until(lambda: settled(desk)() and build.state.bad_place is not None)
        yield keys.to("Leave bad lines out")
        yield keys.press("Space")
        yield keys.until(lambda: settled(desk)() and build.state.estimate.current is not None)
        yield keys.to("Build index")
        yield keys.press("Space")
        yield keys.until(lambda: settled(desk)() and desk.corpus is not None)

    steps = keys.do(task())
    assert len(desk.corpus.index.documents.numbers()) == 30
    assert steps <= 14 + SLACK, " · ".join(keys.steps)


def test_build_with_the_mouse(window, qtbot, tmp_path, monkeypatch):
    desk = focused(window, qtbot)
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getOpenFileNames", [write_letters(tmp_path, bad_line=True)])
    build = desk.index.presenter.build

    def task():
        yield mouse.click("Choose files …")
        yield mouse.until(lambda: settled(desk)() and build.state.bad_place is not None)
        yield mouse.click("Leave bad lines out")
        yield mouse.until(lambda: settled(desk)() and build.state.estimate.current is not None)
        yield mouse.click("Build index")
        yield mouse.until(lambda: settled(desk)() and desk.corpus is not None)

    steps = mouse.do(task())
    assert len(desk.corpus.index.documents.numbers()) == 30
    assert steps <= 4, " · ".join(mouse.steps)
