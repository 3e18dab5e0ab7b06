"""Sentences for people are never values for the program: a translated window would compute something else."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from pseudo import OPEN, Pseudo
from PySide6.QtWidgets import QComboBox

import explorer
from explorer import i18n
from explorer.gui.screens.next_token.tree_state import Side
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.i18n import NumberFormat, Words, tr

SENTENCES = {"tr", "trn", "counted"}
VALUES = {"setData": 1, "findData": 0, "setObjectName": 0, "setProperty": 1, "getattr": 1, "setattr": 1, "get": 0}
"""Which argument of these calls is a value, or begins the values."""


def sentences_in(node: ast.AST) -> list[int]:
    return [
        part.lineno
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in SENTENCES
    ]


def values_of(node: ast.AST) -> list[ast.AST]:
    """Parts of a node whose value decides something: compared, looked up, a key, or kept as an item's data."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    if isinstance(node, ast.DictComp):
        return [node.key]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        # An item's text comes first; what follows it is its value.
        return node.args[VALUES[name] :] if name in VALUES else node.args[1:] if name == "addItem" else []
    return []


def found_in(text: str) -> list[int]:
    return sorted(
        {line for node in ast.walk(ast.parse(text)) for part in values_of(node) for line in sentences_in(part)}
    )


def test_no_sentence_is_a_value():
    folder = Path(explorer.__file__).parent
    paths = [*folder.glob("*.py")]
    paths += [path for part in folder.iterdir() if part.is_dir() for path in part.resolve().rglob("*.py")]
    assert len(paths) > 100
    found = [f"{path.name}:{line}" for path in paths for line in found_in(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'excluded = word == tr("AND NOT")',
        'key.addItem(field, tr("field:{field}", field=field))',
        'box.findData(tr("all"))',
        'names[tr("all")]',
        '{tr("all"): 1}',
        'if text in (tr("a"), tr("b")): pass',
    ],
)
def test_the_lint_finds_what_was_wrong(code):
    assert found_in(code) == [1]


@pytest.mark.parametrize("code", ['box.addItem(tr("all"), "all")', 'label(tr("all"))', '{"all": tr("all")}'])
def test_the_lint_leaves_texts_alone(code):
    assert found_in(code) == []


TEXTS = ["the cat sat on the mat.", "zebras and 😀 the dog saw the cat", "the dog sat on the rug", "mat rug"]


def agreement(window, qtbot, folder):
    """All that the agreement screen computes of a file with two sources."""
    path = folder / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"text": t, "model": "ab"[i % 2]}) for i, t in enumerate(TEXTS)))
    screen = window.agreement
    window.show_screen("agreement")
    screen.presenter.enter(files=(path,), group="model", max_tokens=7)
    qtbot.waitUntil(
        lambda: (
            screen.presenter.state.answer.value is not None and len(screen.presenter.state.answer.value.sources) == 2
        )
    )
    found = {}
    for key, _ in screen.presenter.state.choices:
        screen.presenter.choose_source(key)
        charts = screen.presenter.charts()()
        found[key] = [(chart.name, chart.header, chart.data) for chart in charts]
    for kind in "npa":
        screen.presenter.tokens.shade_by(kind)
        found[kind] = screen.halves.text.text.toPlainText()
    analysis = screen.presenter.state.answer.value
    return found, analysis.figure, analysis.groups, analysis.by_count, analysis.counts, screen.session()


def next_token(window, qtbot, folder):
    """All that the next-token screen computes of a prompt, with its ladder and its tree to both sides."""
    screen = window.next_token
    window.show_screen("next_token")
    shown = screen.presenter
    screen.bar.prompt.setPlainText("the dog sat on the")
    qtbot.waitUntil(lambda: not screen.busy and shown.state.answer.current is not None)
    found = [shown.state.answer.value.rows, shown.state.answer.value.ids]
    qtbot.waitUntil(lambda: shown.state.ladder.current is not None)
    found += [shown.state.ladder.value.rungs, [(c.name, c.header, c.data) for c in shown.charts()()]]
    for side in Side:
        shown.tree.turn(side)
        qtbot.waitUntil(lambda: shown.tree.state.answer.current is not None and not screen.busy)
        answer = shown.tree.state.answer.value
        found += [answer.after, answer.before, [(c.name, c.data) for c in shown.charts()()]]
    return *found, screen.session()


def settings(window, qtbot, folder):
    """What the Settings screen stores when every choice is made once."""
    screen, stored = window.open_settings(), []
    for row in (row for page in screen.pages for row in page.rows):
        key, field = row.setting.key, row.field
        if isinstance(field, Segments):
            for number in range(field.count):
                field.button(number).click()
                stored.append((key, window.settings.get(key)))
        elif isinstance(field, QComboBox):
            for number in range(field.count()):
                field.setCurrentIndex(number)
                field.activated.emit(number)
                stored.append((key, window.settings.get(key)))
        elif isinstance(field, Toggle):
            field.click()
            stored.append((key, window.settings.get(key)))
    for page in screen.pages:
        page.reset.click()
    return stored


@pytest.mark.parametrize("compute", [agreement, next_token, settings], ids=lambda f: f.__name__)
def test_a_translated_window_computes_what_an_english_one_does(compute, opened, qtbot, tmp_path, speak):
    from explorer.gui.app.app import show_window
    from explorer.gui.app.startup import Startup
    from explorer.gui.presenting.requests import OpenRequest

    english = compute(opened, qtbot, tmp_path)
    opened.settings.set("session", {})
    speak(i18n.Speech(Words(("xx",), NumberFormat("'", "•")), Pseudo()))
    assert tr("AND NOT").startswith(OPEN)
    other = show_window(Startup(), type(opened.settings)(tmp_path / "other.json"))
    qtbot.addWidget(other)
    other.open(OpenRequest((str(opened.corpus.folders[0]),)))
    qtbot.waitUntil(lambda: other.corpus is not None)
    translated = compute(other, qtbot, tmp_path)
    other.close()
    assert translated == english
