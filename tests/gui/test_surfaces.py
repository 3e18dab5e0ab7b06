"""The theme reaches every part of every window, one part in a turn of the event loop."""

from __future__ import annotations

import ast
import weakref
from dataclasses import replace
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer import gui
from explorer.gui.app.app import show_window
from explorer.gui.app.startup import Startup
from explorer.gui.style import surfaces
from explorer.gui.style.sheet import style_sheet
from explorer.gui.style.surfaces import all_restyled, parts_below
from explorer.gui.style.theme import DARK, LIGHT
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.scroll_areas import TallArea


def worn(widget, window) -> str:
    """The sheet that a widget wears, or what it lies in."""
    while widget is not window and not widget.styleSheet():
        widget = widget.parentWidget()
    return widget.styleSheet() if widget is not window else ""


def rules(sheet) -> set[str]:
    """The rules of a sheet, each with its selectors."""
    return {" ".join(rule.split()) for rule in sheet.split("}") if rule.strip()}


def controls(window):
    """The controls of a window on which rules of the sheet show."""
    found = [w for w in window.findChildren(QWidget) if isinstance(w, CONTROLS) and w.window() is window]
    return [w for w in found if not isinstance(w, QScrollArea)]


def classes(widget) -> frozenset[str]:
    return frozenset(kind.__name__ for kind in type(widget).__mro__)


LARGEST = 100
"""Widgets of a part at most: Qt restyles a tenth of a millisecond each. The card of all settings has 73."""
CONTROLS = QAbstractButton | QAbstractScrollArea | QAbstractSlider | QAbstractSpinBox | QComboBox | QLabel | QLineEdit


def draws_nothing(widget):
    """A container, or a view of a screen that only holds others: no rule of the sheet would show on it."""
    kind = type(widget)
    # One that paints itself asks for the theme each time it does. Views of several tabs have a base of ours.
    qt = next(each for each in kind.__mro__ if not each.__module__.startswith("explorer."))
    view = qt is QWidget and kind is not QWidget
    return kind is QWidget or view or isinstance(widget, QSplitter | QStackedWidget | QScrollArea)


def test_parts_are_small_and_leave_nothing_out(opened, qtbot):
    for screen in (*opened.screens.values(), opened.panel):
        parts = parts_below(screen)
        assert max(len(part.findChildren(QWidget)) for part in parts) < LARGEST
        covered = {id(w) for part in parts for w in (part, *part.findChildren(QWidget))}
        plain = [w for w in screen.findChildren(QWidget) if id(w) not in covered]
        assert [w for w in plain if not draws_nothing(w)] == []


def watched(monkeypatch, look):
    """The parts, with a look at each when it changes."""
    parts = list(surfaces.styled_parts)

    def both(part):
        look(part)
        part.change()

    monkeypatch.setattr(surfaces, "styled_parts", [replace(part, change=partial(both, part)) for part in parts])
    return parts


def make_everything(window):
    """Have a window make now what it makes bit by bit: a page that is made ahead lies hidden, half dressed."""
    kinds = (window.screens.make_next, window.stage.prepare_next, window.screens.prepare_next)
    while any(make() for make in kinds):
        pass


def test_every_part_of_every_window_follows(opened, qtbot, scale):
    first = opened
    second = show_window(Startup(), first.settings)
    qtbot.addWidget(second)
    for window in scale((second,), (first, second)):
        make_everything(window)
    for scheme, theme in (("dark", DARK), ("light", LIGHT)):
        first.set_scheme(scheme)
        qtbot.waitUntil(all_restyled, timeout=60_000)
        whole = rules(style_sheet())
        assert theme.surface in style_sheet()
        for window in (first, second):
            for control in controls(window):
                # All that can apply to it, and nothing of another theme.
                assert rules(style_sheet(classes(control))) <= rules(worn(control, window)) <= whole
    second.close()


def test_one_part_in_a_turn(opened, qtbot, monkeypatch):
    changes, turns = [], []
    parts = [part for part in surfaces.styled_parts if shiboken6.isValid(part.widget)]
    monkeypatch.setattr(
        surfaces,
        "styled_parts",
        [surfaces.Part(p.widget, lambda p=p: (changes.append(len(turns)), p.change())) for p in parts],
    )
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: turns.append(1))
    beat.start()
    opened.set_scheme("dark")
    assert not all_restyled()
    qtbot.waitUntil(all_restyled, timeout=60_000)
    assert len(changes) == len(parts)
    # The loop had its turn between them.
    assert len(set(changes)) > len(parts) // 2


def test_what_is_seen_comes_first(opened, qtbot, monkeypatch):
    seen = []
    parts = surfaces.styled_parts
    monkeypatch.setattr(
        surfaces,
        "styled_parts",
        [surfaces.Part(p.widget, lambda p=p: seen.append(p.widget.isVisible())) for p in parts],
    )
    opened.set_scheme("dark")
    qtbot.waitUntil(all_restyled, timeout=60_000)
    assert seen == sorted(seen, reverse=True) and True in seen and False in seen


def test_the_same_theme_again_restyles_nothing(opened, qtbot):
    opened.set_scheme("dark")
    qtbot.waitUntil(all_restyled, timeout=60_000)
    opened.set_scheme("dark")
    assert all_restyled()


def test_deleted_parts_are_forgotten(qtbot):
    class Change:
        def __call__(self):
            """Nothing: only its life is watched."""

    lives = []
    for _ in range(5_000):
        part, change = QWidget(), Change()
        lives.append(weakref.ref(change))
        surfaces.when_restyled(part, change)
        shiboken6.delete(part)
    del change
    # Dropped each time that the list has doubled, so a few are left.
    assert sum(life() is not None for life in lives) < 2_000


def test_a_control_alone_has_the_rules_that_apply_to_it(qtbot):
    button, card = QPushButton(), QWidget()
    QVBoxLayout(card).addWidget(QLabel("text"))
    for widget in (button, card):
        qtbot.addWidget(widget)
        surfaces.apply_stylesheet(widget)
    assert rules(style_sheet(classes(button))) <= rules(button.styleSheet()) < rules(style_sheet())
    assert not any("QLineEdit" in rule for rule in rules(button.styleSheet()))
    # What has parts may get others later.
    assert card.styleSheet() == style_sheet()


def test_no_sheet_lies_above_the_parts(opened):
    """Qt hands a palette down only where there is none: below one, a container keeps the theme that it was made in."""
    for screen in (*opened.screens.values(), opened.panel):
        above = parts_below(screen)[0].parentWidget()
        while above is not None:
            assert not above.styleSheet(), above
            above = above.parentWidget()


def test_what_comes_later_is_dressed_too(opened, qtbot):
    containers: list[QWidget] = []
    parts_below(opened.agreement, split=containers)
    assert len(containers) > 2
    late = [QPushButton("late", container) for container in containers]
    for button in late:
        # As Qt does when it shows a widget for the first time.
        button.ensurePolished()
    opened.set_scheme("dark")
    qtbot.waitUntil(all_restyled, timeout=60_000)
    assert [DARK.surface in button.styleSheet() for button in late] == [True] * len(late)


def test_every_dialog_is_made_of_the_base_that_dresses_it():
    """No class of its own derives from QDialog, and boxes with a message come from one function."""
    folder = Path(gui.__file__).parent
    found = [
        f"{path.relative_to(folder)}:{node.lineno}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "dialog.py" or path.parent != folder / "chrome"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ClassDef) and {ast.unparse(base) for base in node.bases} & {"QDialog", "QMessageBox"})
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("QDialog", "QMessageBox"))
    ]
    assert found == []


def test_menus_of_the_screens_wear_it(opened):
    def dressed(widget):
        while widget is not None and not widget.styleSheet():
            widget = widget.parentWidget()
        return widget is not None

    menus = [menu for screen in opened.screens.values() for menu in screen.findChildren(QMenu)]
    assert menus and all(dressed(menu) for menu in menus)


def test_text_of_fixed_width_grows_too(opened, qtbot):
    texts = (opened.search.table, opened.panel.text, opened.agreement.halves.text.text, opened.next_token.bar.prompt)
    tables = (opened.search.table, opened.agreement.halves.plots.sources_view.table)
    sizes = [table.verticalHeader().defaultSectionSize() for table in tables]
    opened.change_setting("text_size", 20)
    qtbot.waitUntil(all_restyled, timeout=60_000)
    # The field of a page is larger than ordinary text.
    assert all(text.font().pointSizeF() >= 20 for text in texts)
    assert all(t.verticalHeader().defaultSectionSize() > s for t, s in zip(tables, sizes, strict=True))
    opened.change_setting("text_size", 0)
    qtbot.waitUntil(all_restyled, timeout=60_000)
    assert [table.verticalHeader().defaultSectionSize() for table in tables] == sizes


def test_a_row_that_wraps_centres_its_widgets_and_cuts_none(qtbot):
    small, large, wide = (QPushButton(text) for text in ("a", "b", "c" * 60))
    large.setMinimumHeight(80)
    row = flowing(small, large, wide, gap=4)
    qtbot.addWidget(row)
    row.resize(200, 200)
    row.show()
    assert small.geometry().center().y() == large.geometry().center().y()
    assert wide.y() > large.geometry().bottom() and wide.width() >= wide.minimumSizeHint().width()
    assert row.heightForWidth(200) == wide.geometry().bottom() + 1
    assert row.heightForWidth(2_000) == 80


def test_a_container_stays_without_a_sheet_when_it_is_shown(opened, qtbot):
    """Qt polishes a container only then: a sheet on it would restyle all that is in it in one turn."""
    for name in opened.screens:
        opened.show_screen(name)
        qtbot.waitUntil(lambda name=name: opened.screens[name].isVisible())
    dressed = [widget for widget in opened.findChildren(QWidget) if widget.styleSheet()]
    sizes = {f"{widget} in {widget.parentWidget()}": len(widget.findChildren(QWidget)) for widget in dressed}
    assert {name: size for name, size in sizes.items() if size >= LARGEST} == {}


def test_what_grows_in_a_scroll_area_is_dressed_in_pieces(qtbot):
    page, content = QWidget(), QWidget()
    qtbot.addWidget(page)
    layout, area = QVBoxLayout(content), TallArea(content)
    QVBoxLayout(page).addWidget(area)
    surfaces.apply_stylesheet_to_parts(page)
    with qtbot.waitExposed(page):
        page.show()
    cards = [QPushButton(f"card {number}") for number in range(30)]
    for card in cards:
        layout.addWidget(card)
    qtbot.waitUntil(lambda: all(card.styleSheet() for card in cards))
    assert not content.styleSheet() and not area.styleSheet()


def test_a_part_that_fails_does_not_keep_the_others_in_the_old_theme(opened, qtbot, monkeypatch):
    changed = []

    def fail():
        changed.append("failed")
        raise RuntimeError("a part that cannot be restyled")

    def change():
        changed.append("restyled")

    parts = [surfaces.Part(opened, each) for each in (change, fail, change)]
    monkeypatch.setattr(surfaces, "styled_parts", parts)
    with qtbot.captureExceptions() as caught:
        opened.set_scheme("dark")
        qtbot.waitUntil(all_restyled, timeout=60_000)
    assert changed == ["restyled", "failed", "restyled"] and len(caught) == 1
