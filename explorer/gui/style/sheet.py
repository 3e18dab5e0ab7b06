"""The style sheet of all windows, made from the theme's colors and the text size."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from explorer.gui.style.theme import DARK, Colors, chrome_to, colors, scaled_to, text_size
from explorer.resources import resource_path

PICTURES = ("check_menu", "down_on", "check", "dash", "down", "up", "left", "right")
"""Pictures that the sheet names; a sheet cannot color a picture, so there is one for each theme."""
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_FOUR_SIDES = re.compile(r"padding: ([^\s;]+) ([^\s;]+) ([^\s;]+) ([^\s;]+);")
_CLASS = re.compile(r"\bQ[A-Z]\w+")


def style_sheet(kinds: frozenset[str] | None = None) -> str:
    """The sheet of the current theme.

    kinds: Only the rules that can apply to widgets of these classes; None: all rules.
    """
    mirrored = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    sheet = _sheet(colors(), text_size(), mirrored)
    return sheet if kinds is None else _rules_for(sheet, kinds)


# Many labels and buttons want the same few rules.
@lru_cache(maxsize=64)
def _rules_for(sheet: str, kinds: frozenset[str]) -> str:
    rules = [f"{selectors}{{{body}}}" for selectors, body in _RULE.findall(sheet) if _applies(selectors, kinds)]
    return "\n".join(rules)


def _applies(selectors: str, kinds: frozenset[str]) -> bool:
    """Whether a rule is for some of the classes: all that one of its selectors names are among them."""
    return any(kinds.issuperset(_CLASS.findall(selector)) for selector in selectors.split(","))


# A window puts the same sheet on many parts, one after another.
@lru_cache(maxsize=4)
def _sheet(theme: Colors, points: float, mirrored: bool) -> str:
    sheet = _SHEET
    if mirrored:
        # Qt moves arrows and indicators to the other side, but not the padding that leaves room for them.
        sheet = _FOUR_SIDES.sub(r"padding: \1 \4 \3 \2;", sheet)
    # With what follows, since the name of one color may be the beginning of another: warn, warn_soft.
    for field in fields(theme):
        sheet = re.sub(rf"@{field.name}(?=[; ])", getattr(theme, field.name), sheet)
    # Qt's own unit `em` is of the font of each widget: a heading would get more padding than the button next to it.
    sheet = re.sub(r"@([\d.]+)f", lambda found: f"{points * float(found[1]):.4g}pt", sheet)
    sheet = re.sub(r"@([\d.]+)px", lambda found: f"{scaled_to(points, float(found[1]))}px", sheet)
    sheet = re.sub(r"@([\d.]+)c", lambda found: f"{chrome_to(points, float(found[1]))}px", sheet)
    shade = "dark" if theme is DARK else "light"
    for picture in PICTURES:
        # With slashes on every platform: a backslash is an escape in a sheet.
        sheet = sheet.replace(f"@{picture}_icon", resource_path(f"icons/{picture}-{shade}.svg").as_posix())
    return sheet


# @NUMBERpx grows with the text, @NUMBERc with bars and controls, @NUMBERf is a multiple of the size of ordinary text.
# Qt ignores a radius of more than half the height, so that of the round ones is a little smaller.
# The focus ring is 2 px of the accent everywhere: the padding gives way by what the border grows, so nothing moves.
# `combobox-popup: 0` opens the choices as a list below the box, not as a menu over it. The 5 of QMessageBox lets its
# text be selected and its links be followed, both with the mouse.
_SHEET = """
QWidget { color: @text; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QMessageBox { messagebox-text-interaction-flags: 5; }
QMessageBox QLabel#qt_msgbox_label { font-weight: 600; }
QMainWindow, QDialog { background: @window; }
QDialog#palette { background: @surface; border: 1px solid @line_strong; }
QToolTip { background: @text; color: @window; border: 1px solid @text; padding: 6px 8px; }

QLabel[role="title"] { font-size: @1.23f; font-weight: 600; }
QLabel[role="heading"] { font-size: @1.08f; font-weight: 600; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="small"] { color: @muted; font-size: @0.92f; }
QLabel[role="figure"] { font-size: @1.54f; font-weight: 600; }
QLabel[role="row"] { font-weight: 500; }
QLabel[role="tag"] { background: @surface; border: 1px solid @line_strong; border-radius: 4px; padding: 0 6px;
    font-size: @0.85f; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="lead"] { color: @muted; font-size: @1.23f; }
QLabel[role="display"] { font-size: @2.15f; font-weight: 600; }
QLabel[role="key"] { color: @muted; background: @surface; border: 1px solid @line_strong;
    border-bottom: 2px solid @line_strong; border-radius: 4px; padding: 1px 4px; font-size: @0.85f; }
QLabel[role="warn"] { color: @warn; }
QLabel[role="error"] { color: @error; }
QLabel[role="info-title"] { font-weight: 600; }
QLabel[role="warn-title"] { color: @warn; font-weight: 600; }
QLabel[role="error-title"] { color: @error; font-weight: 600; }
QLabel[level="1"] { font-weight: 700; text-decoration: underline; }
QLabel[level="2"] { text-decoration: underline; }
QLabel[level="3"] { font-style: italic; }
QFrame[role="card"], QFrame[role="panel"] { background: @surface; border: 1px solid @line; border-radius: 8px; }
QFrame[role="chip"] { background: @surface; border: 1px solid @line; border-radius: 4px; }
QFrame[role="chip"] QLineEdit { border: 0; background: transparent; padding: 0; }
QFrame[role="divider"], QLabel[role="divider"] { background: @line; border: 0; }

QLineEdit, QPlainTextEdit, QTextEdit, QTextBrowser {
    background: @surface; border: 1px solid @line_strong; border-radius: 6px; padding: 1px 8px;
    selection-background-color: @accent; selection-color: @on_accent; }
QPlainTextEdit, QTextEdit, QTextBrowser { padding: 8px 12px; }
QLineEdit { min-height: @24c; }
QLineEdit:focus { border: 2px solid @accent; padding: 0 7px; }
QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus { border: 2px solid @accent; padding: 7px 11px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled { color: @faint; background: @window;
    border: 1px solid @line; }
QLineEdit[invalid="true"] { border: 1px solid @error; }
QLineEdit[invalid="true"]:focus { border: 2px solid @error; }
QLineEdit[role="query"], QLineEdit[role="query"]:focus, QPlainTextEdit[role="query"],
QPlainTextEdit[role="query"]:focus { font-size: @1.23f; padding: 0 2px; border: 0;
    background: transparent; }
QLineEdit[role="inner"], QLineEdit[role="inner"]:focus, QPlainTextEdit[role="inner"],
QPlainTextEdit[role="inner"]:focus, QTextEdit[role="inner"], QTextEdit[role="inner"]:focus,
QTextBrowser[role="inner"], QTextBrowser[role="inner"]:focus {
    border: 0; background: transparent; }

QAbstractSpinBox, QComboBox { min-height: @24c; background: @surface; border: 1px solid @line_strong;
    border-radius: 6px; padding: 1px 4px 1px 8px; selection-background-color: @accent; selection-color: @on_accent; }
QAbstractSpinBox { max-height: @24c; }
QAbstractSpinBox:focus, QComboBox:focus { border: 2px solid @accent; padding: 0 3px 0 7px; }
QComboBox { combobox-popup: 0; }
QComboBox:hover { background: @hover; }
QAbstractSpinBox:disabled, QComboBox:disabled { color: @faint; background: @window; border: 1px solid @line; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: 0; padding: 0; min-height: 0; background: transparent; }
QComboBox::drop-down { border: 0; width: @22px; }
QComboBox::down-arrow { image: url("@down_icon"); width: @12px; height: @12px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: @18px; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover; }
QAbstractSpinBox::up-arrow { image: url("@up_icon"); width: @10px; height: @10px; }
QAbstractSpinBox::down-arrow { image: url("@down_icon"); width: @10px; height: @10px; }
QComboBoxPrivateContainer { background: @surface; border: 0; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @line_strong; border-radius: 0; outline: 0;
    padding: 4px; selection-background-color: @select; selection-color: @text; }
QComboBox QAbstractItemView:focus { border: 1px solid @line_strong; padding: 4px; }
QComboBox QAbstractItemView::item:selected { background: @select; color: @text; }
QComboBox QAbstractItemView::item { min-height: @24c; padding: 0 8px; border-radius: 4px; }

QPushButton { background: @surface; border: 1px solid @line_strong; border-radius: 6px; padding: 0 12px;
    min-height: @26c; font-weight: 500; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border: 2px solid @accent; padding: 0 11px; min-height: @24c; }
QPushButton:pressed { background: @select; }
QPushButton:checked { background: @select; color: @accent; border: 1px solid @accent_mid; }
QPushButton:checked:focus { border: 2px solid @accent; }
QPushButton:disabled { color: @faint; background: transparent; border: 1px solid @line; }
QPushButton::menu-indicator { image: url("@down_icon"); width: @12px; height: @12px; subcontrol-origin: padding;
    subcontrol-position: right center; right: 8px; }
QPushButton[role="primary"] { background: @accent; color: @on_accent; border: 1px solid @accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accent_hover; border: 1px solid @accent_hover; }
QPushButton[role="primary"]:disabled { background: transparent; color: @faint; border: 1px solid @line; }
QPushButton[role="primary"]::menu-indicator { image: url("@down_on_icon"); }
QPushButton[role="danger"] { color: @error; }
QPushButton[role="danger"]:hover { background: @error_soft; }
QPushButton[role="danger"]:disabled { color: @faint; }
QPushButton[role="quiet"] { background: transparent; border: 1px solid transparent; color: @muted; padding: 0 8px; }
QPushButton[role="quiet"]:hover { background: @hover; color: @text; }
QPushButton[role="quiet"]:focus { border: 2px solid @accent; padding: 0 7px; }
QPushButton[role="quiet"]:checked { background: @select; color: @accent; }
QPushButton[role="quiet"]:disabled { color: @faint; }
QPushButton[role="link"] { background: transparent; border: 2px solid transparent; color: @accent; padding: 0 8px; }
QPushButton[role="link"]:hover { background: @hover; }
QPushButton[role="link"]:focus { border: 2px solid @accent; }
QPushButton[role="chip"] { background: @surface; border: 1px solid @line; border-radius: 4px; padding: 0 8px;
    min-height: @22c; font-size: @0.92f; font-weight: 400; }
QPushButton[role="chip"]:hover { background: @hover; border: 1px solid @line_strong; }
QPushButton[role="chip"]:checked { background: @select; border: 1px solid @accent; color: @accent; font-weight: 600; }
QPushButton[role="chip"]:focus { border: 2px solid @accent; padding: 0 7px; min-height: @20c; }
QPushButton[role="tab"] { background: transparent; border: 0; border-bottom: 2px solid transparent; border-radius: 0;
    padding: 2px 10px 0 10px; min-height: @32c; color: @muted; font-weight: 500; }
QPushButton[role="tab"]:hover { color: @text; }
QPushButton[role="tab"]:checked { color: @text; background: transparent; border: 0;
    border-bottom: 2px solid @accent; }
QPushButton[role="tab"]:focus { border: 2px solid @accent; border-radius: 6px; padding: 0 8px; }
QPushButton[role="tab"]:disabled { color: @faint; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: @hover; }
QToolButton:checked { background: @select; color: @accent; }
QToolButton:focus { border: 2px solid @accent; padding: 3px; }
QToolButton:disabled { color: @faint; }
QToolButton::menu-indicator { image: url("@down_icon"); width: @12px; height: @12px; subcontrol-origin: padding;
    subcontrol-position: right center; right: 6px; }
QToolButton[role="inside"] { padding: 2px; border-radius: 4px; }
QToolButton[role="icon"]::menu-indicator { image: none; width: 0; }
QToolButton[role="quiet"] { color: @muted; padding: 0 8px; min-height: @26c; font-weight: 500; }
QToolButton[role="quiet"]:hover { color: @text; }
QToolButton[role="quiet"]:checked { color: @accent; }
QToolButton[role="quiet"]:disabled { color: @faint; }
QToolButton[role="quiet"]:focus { padding: 0 7px; min-height: @24c; }
QStatusBar QToolButton[role="quiet"] { font-size: @0.92f; font-weight: 400; min-height: @20c; }
QToolButton[role="menu"] { background: @surface; border: 1px solid @line_strong; padding: 0 @24px 0 12px;
    min-height: @26c; font-weight: 500; }
QToolButton[role="menu"]:hover { background: @hover; }
QToolButton[role="menu"]:focus { border: 2px solid @accent; padding: 0 @23px 0 11px; min-height: @24c; }
QToolButton[role="menu"]:disabled { color: @faint; background: transparent; border: 1px solid @line; }
QToolButton[role="switcher"] { padding: 0 @20px 0 8px; min-height: @24c; font-weight: 600; }
QToolButton[role="switcher"]:focus { padding: 0 @20px 0 7px; min-height: @22c; }
QToolButton[role="switch"] { color: @muted; padding: 0 9px; min-height: @22c; font-size: @0.92f; font-weight: 500; }
QToolButton[role="switch"]:checked { color: @accent; background: @select; }
QToolButton[role="switch"]:focus { padding: 0 8px; min-height: @20c; }
QToolButton[role="switch"]:disabled { color: @faint; background: transparent; }

QToolBar#rail { background: @window; border: 0; spacing: 2px; padding: 8px 4px; }
QWidget#top { background: @window; border-bottom: 1px solid @line; }
QMenuBar { background: transparent; border: 0; }
QMenuBar::item { padding: 4px 8px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @surface; border: 1px solid @line_strong; padding: 4px; }
QMenu::item { padding: @5c @24px @5c 8px; border-radius: 4px; border: 1px solid transparent; }
QMenu::item:selected { background: @select; color: @text; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::icon { padding-left: 8px; width: @16px; height: @16px; }
QMenu::separator { height: 1px; background: @line; margin: 4px 0; }
QMenu::right-arrow { image: url("@right_icon"); width: @12px; height: @12px; right: 6px; }
QMenu::indicator { width: @14px; height: @14px; left: 6px; image: none; }
QMenu::indicator:non-exclusive:checked, QMenu::indicator:exclusive:checked { image: url("@check_menu_icon"); }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @muted; padding: 2px 6px; font-size: @0.92f; }

QProgressBar { border: 0; border-radius: 2px; background: @line; min-height: 4px; max-height: 4px; color: transparent;
    text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QSlider:horizontal { min-height: @18px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @line_strong; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider[mirrored="true"]::sub-page:horizontal { background: @line_strong; }
QSlider[mirrored="true"]::add-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { width: @12px; height: @12px; margin: -@6px 0; border: 2px solid @accent;
    border-radius: @7px; background: @surface; }
QSlider::handle:horizontal:focus { background: @accent; }

QTableView, QTreeView, QListView { background: @surface; border: 1px solid @line; border-radius: 8px; outline: 0;
    padding: 1px; gridline-color: @line; alternate-background-color: @raised;
    selection-background-color: @select; selection-color: @text; }
QTableView:focus, QTreeView:focus, QListView:focus { border: 2px solid @accent; padding: 0; }
QTableView[role="inner"], QTreeView[role="inner"], QListView[role="inner"], QTableView[role="inner"]:focus,
QTreeView[role="inner"]:focus, QListView[role="inner"]:focus { border: 0; border-radius: 0; padding: 0; }
QTableView::item { padding: 0 5px; }
QTableView::item:hover, QTreeView::item:hover, QListWidget::item:hover { background: @hover; }
QTableView::item:selected, QTreeView::item:selected, QListWidget::item:selected { background: @select; color: @text; }
QTreeView::item { padding: 3px 0; }
QListWidget::item { padding: 4px 8px; border-radius: 4px; }
QListView[role="pages"] { background: transparent; border: 2px solid transparent; padding: 0; }
QListView[role="pages"]:focus { border: 2px solid @accent; padding: 0; }
QListView[role="pages"]::item { min-height: @30c; padding: 0 10px; border-radius: 6px; }
QListView[role="pages"]::item:selected { background: @select; color: @accent; font-weight: 600; }
QTreeView::branch { background: transparent; }
QTreeView::branch:has-children:closed { image: url("@right_icon"); padding: 4px; }
QTreeView::branch:has-children:open { image: url("@down_icon"); padding: 4px; }
QHeaderView { background: @raised; border: 0; border-top-left-radius: 7px; border-top-right-radius: 7px; }
QHeaderView::section { background: transparent; color: @muted; border: 0; border-bottom: 1px solid @line;
    padding: 0 8px; min-height: @27c; font-size: @0.92f; font-weight: 500; }
QHeaderView::section:checked, QHeaderView::section:hover { color: @text; }
QHeaderView::down-arrow { image: url("@down_icon"); width: @12px; height: @12px; right: 4px;
    subcontrol-position: right center; }
QHeaderView::up-arrow { image: url("@up_icon"); width: @12px; height: @12px; right: 4px;
    subcontrol-position: right center; }
QTableCornerButton::section { background: @raised; border: 0; border-bottom: 1px solid @line; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 3px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 3px; }
QScrollBar::handle { background: @line_strong; border-radius: 3px; min-height: @28px; min-width: @28px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }

QCheckBox, QRadioButton { spacing: 8px; background: transparent; border: 2px solid transparent; border-radius: 6px;
    padding: 1px 2px; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid @accent; }
QCheckBox:disabled, QRadioButton:disabled { color: @faint; }
QCheckBox::indicator, QGroupBox::indicator, QTreeView::indicator, QListView::indicator, QTableView::indicator {
    width: @14px; height: @14px; border: 1px solid @faint; border-radius: 4px; background: @surface; }
QCheckBox::indicator:hover { border-color: @accent; }
QCheckBox::indicator:checked, QGroupBox::indicator:checked, QTreeView::indicator:checked,
QListView::indicator:checked, QTableView::indicator:checked {
    background: @accent; border-color: @accent; image: url("@check_icon"); }
QCheckBox::indicator:indeterminate { background: @accent; border-color: @accent; image: url("@dash_icon"); }
QCheckBox::indicator:disabled { background: @window; border-color: @line_strong; }
QCheckBox::indicator:checked:disabled { background: @faint; border-color: @faint; }
QRadioButton::indicator { width: @14px; height: @14px; border: 1px solid @faint; border-radius: @7.3px;
    background: @surface; }
QRadioButton::indicator:hover { border-color: @accent; }
QRadioButton::indicator:checked { border: @5px solid @accent; width: @6px; height: @6px; }

QGroupBox { background: @surface; border: 1px solid @line; border-radius: 8px; margin-top: @24px; padding: 12px; }
QGroupBox::title { subcontrol-origin: margin; left: 2px; padding: 0 4px 4px 4px; color: @text; font-weight: 600; }
QTabWidget::pane { border: 0; border-top: 1px solid @line; background: transparent; }
QTabBar { qproperty-drawBase: 0; background: transparent; border: 0; }
QTabBar::tab { background: transparent; border: 0; border-bottom: 2px solid transparent; color: @muted;
    padding: 2px 10px 0 10px; min-height: @32c; font-weight: 500; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:disabled { color: @faint; }
QTabBar::tab:focus { border: 2px solid @accent; border-radius: 6px; padding: 0 8px; }
QTabBar::scroller { width: @26px; }
QTabBar QToolButton { padding: 0; }
QTabBar QToolButton::left-arrow { image: url("@left_icon"); width: @12px; height: @12px; }
QTabBar QToolButton::right-arrow { image: url("@right_icon"); width: @12px; height: @12px; }
QSplitter::handle { background: transparent; }
QSplitter::handle:horizontal { width: 9px; }
QSplitter::handle:vertical { height: 9px; }
"""
