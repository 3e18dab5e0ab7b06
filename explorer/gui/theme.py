"""Colors by name for light and dark, and the palette and style sheet made from them.

No other module defines a color. Widgets that paint themselves ask `colors()` each time they paint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from explorer.resources import resource_path


@dataclass(frozen=True)
class Colors:
    """One theme.

    `high`, `medium`, `low` are fills of spans by relevance; `strong` marks a chosen one; `level1` to `level3`
    are words that lines are sorted by. `joined` is the rest of a word beside a match.
    """

    window: str
    surface: str
    raised: str
    text: str
    muted: str
    border: str
    accent: str
    joined: str
    on_accent: str
    hover: str
    selection: str
    high: str
    medium: str
    low: str
    strong: str
    on_strong: str
    pale: str
    warning: str
    warning_fill: str
    bar: str
    dot: str
    level1: str
    level2: str
    level3: str


LIGHT = Colors(
    window="#f4f5f8",
    surface="#ffffff",
    raised="#fafbfd",
    text="#1a2030",
    muted="#566074",
    border="#d3d8e2",
    accent="#2256c5",
    joined="#5675ab",
    on_accent="#ffffff",
    hover="#e9edf6",
    selection="#dbe6fb",
    high="#9dc0f7",
    medium="#c5daf9",
    low="#e3edfc",
    strong="#ffd24d",
    on_strong="#1a2030",
    pale="#fff1c2",
    warning="#8f4a00",
    warning_fill="#fff3e0",
    bar="#9fb4d9",
    dot="#b3400c",
    level1="#0b57a8",
    level2="#964700",
    level3="#6a2c9c",
)

DARK = Colors(
    window="#14171e",
    surface="#1b1f28",
    raised="#212632",
    text="#e7eaf1",
    muted="#a2abbc",
    border="#363d4c",
    accent="#82adff",
    joined="#7d93bf",
    on_accent="#0b1220",
    hover="#272d3b",
    selection="#2c3f66",
    high="#2f5aa8",
    medium="#284578",
    low="#233350",
    strong="#e0b43a",
    on_strong="#14171e",
    pale="#4a4122",
    warning="#ffbe78",
    warning_fill="#3a2c1a",
    bar="#4d6390",
    dot="#ffa26b",
    level1="#8fc1ff",
    level2="#ffba75",
    level3="#dab0ff",
)


_DESIGNED = 10.0
"""The text size for which sizes in pixels were chosen."""

SCHEMES = {"system": Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
# Lists, since functions change their items: there is one theme and one text size in the process.
_chosen = ["system"]
_size = [0, 0.0]
"""The chosen size of text in points (0: the system's), and the system's own."""


def choose_scheme(name: str) -> None:
    """Follow the system, or always be light or dark; `apply_theme` makes it visible."""
    _chosen[0] = name
    # The platform's title bars and dialogs follow this where the platform supports it.
    QGuiApplication.styleHints().setColorScheme(SCHEMES[name])


def choose_text_size(points: int) -> None:
    """Set the text size in points, or 0 for the system's size; `apply_theme` makes it visible."""
    _size[0] = points


def text_size() -> float:
    """The size of ordinary text in points."""
    return float(_size[0] or _size[1] or QApplication.font().pointSizeF())


def scaled(pixels: float) -> int:
    """The size in pixels of something that grows with the text, given its size for text of 10 points."""
    return _scaled_to(text_size(), pixels)


def _scaled_to(points: float, pixels: float) -> int:
    return max(1, round(pixels * points / _DESIGNED))


def is_dark() -> bool:
    """Whether the window is dark: the user's choice, or else the system's."""
    if _chosen[0] != "system":
        return _chosen[0] == "dark"
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def colors() -> Colors:
    """The current theme."""
    return DARK if is_dark() else LIGHT


def qcolor(name: str) -> QColor:
    """A color of the current theme, by its field's name."""
    return QColor(getattr(colors(), name))


def monospace() -> QFont:
    """The system's fixed-width font, in the size of the interface."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    # The system's fixed-width font has a size of its own, which does not follow the chosen one.
    font.setPointSizeF(QApplication.font().pointSizeF())
    return font


def apply_theme(app: QApplication) -> None:
    """Set style, palette and text size for the current color scheme; `surfaces.restyle` then applies the sheets."""
    theme = colors()
    # Each of these steps restyles every widget, so none is done without need.
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    # Asked before the font is changed for the first time: later, the answer would be the chosen size.
    if not _size[1]:
        _size[1] = app.font().pointSizeF()
    font = app.font()
    if font.pointSizeF() != text_size():
        font.setPointSizeF(text_size())
        app.setFont(font)
    app.setPalette(_palette(theme))


def prepare_fonts(app: QApplication) -> None:
    """If the platform has no interface font (offscreen), use a good one that is installed."""
    if app.platformName() != "offscreen":
        return
    families = set(QFontDatabase.families())
    for name in ("Inter", "Noto Sans", "DejaVu Sans"):
        if name in families:
            app.setFont(QFont(name, 10))
            return


def _palette(theme: Colors) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.Button: theme.surface,
        role.ButtonText: theme.text,
        role.BrightText: theme.on_accent,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Link: theme.accent,
        role.Mid: theme.border,
    }
    for key, value in pairs.items():
        palette.setColor(key, QColor(value))
    # The colors above are those of all states, also of what cannot be used, which has to look different.
    for key in (role.Text, role.ButtonText, role.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.muted))
    return palette


def style_sheet() -> str:
    """The sheet of the current theme."""
    return _sheet(colors(), text_size())


# A window puts the same sheet on many parts, one after another.
@lru_cache(maxsize=4)
def _sheet(theme: Colors, points: float) -> str:
    sheet = _SHEET
    # With the semicolon, since the name of one color may be the beginning of another: warning, warning_fill.
    for field in fields(theme):
        sheet = sheet.replace(f"@{field.name};", f"{getattr(theme, field.name)};")
    # Headings are some points larger than the text, whatever its size is.
    for larger in ("larger9", "larger5", "larger2"):
        sheet = sheet.replace(f"@{larger};", f"{points + int(larger[-1]):g}pt;")
    sheet = re.sub(r"@(\d+)px", lambda found: f"{_scaled_to(points, int(found[1]))}px", sheet)
    # A sheet cannot color a picture, so there is one for each theme.
    shade = "dark" if theme is DARK else "light"
    for picture in ("check", "down", "up"):
        sheet = sheet.replace(f"@{picture}_icon", resource_path(f"icons/{picture}-{shade}.svg").as_posix())
    return sheet


# @NUMBERpx grows with the text.
_SHEET = """
QWidget { color: @text; }
QMainWindow, QDialog { background: @window; }
QDialog#palette { border: 1px solid @accent; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px; }
QLabel[role="title"] { font-size: @larger5; font-weight: 600; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="figure"] { font-size: @larger9; font-weight: 600; }
QLabel[role="notice"] { background: @warning_fill; color: @warning; border-radius: 6px; padding: 8px 10px; }
QFrame[role="card"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QLineEdit, QPlainTextEdit {
    background: @surface; border: 1px solid @border; border-radius: 6px; padding: 5px 7px;
    selection-background-color: @accent; selection-color: @on_accent; }
QLineEdit:focus, QPlainTextEdit:focus { border: 1px solid @accent; }
QLineEdit[role="query"], QLineEdit[role="query"]:focus { font-size: @larger2; padding: 5px 2px; border: 0;
    background: transparent; }
QAbstractSpinBox, QComboBox { min-height: @26px; background: @surface; border: 1px solid @border; border-radius: 6px;
    padding: 1px 4px 1px 8px; selection-background-color: @accent; selection-color: @on_accent; }
QAbstractSpinBox:focus, QComboBox:focus { border: 1px solid @accent; }
QAbstractSpinBox:disabled, QComboBox:disabled { color: @muted; background: @window; }
QComboBox::drop-down { border: 0; width: @22px; }
QComboBox::down-arrow { image: url("@down_icon"); width: @12px; height: @12px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: @18px; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover; }
QAbstractSpinBox::up-arrow { image: url("@up_icon"); width: @9px; height: @9px; }
QAbstractSpinBox::down-arrow { image: url("@down_icon"); width: @9px; height: @9px; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @border; outline: 0;
    selection-background-color: @selection; selection-color: @text; }
QPushButton { background: @surface; border: 1px solid @border; border-radius: 6px; padding: 6px 14px; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:pressed, QPushButton:checked { background: @selection; }
QPushButton:disabled { color: @muted; background: @window; }
QPushButton[role="primary"] { background: @accent; color: @on_accent; border: 1px solid @accent; font-weight: 600; }
QPushButton[role="primary"]:disabled { background: @border; color: @muted; border: 1px solid @border; }
QPushButton[role="primary"]:focus { border: 2px solid @text; padding: 5px 13px; }
QPushButton[role="chip"] { background: @selection; border: 1px solid @border; border-radius: 11px; padding: 3px 10px; }
QPushButton[role="chip"]:hover { border: 1px solid @accent; }
QPushButton[role="chip"]:checked { border: 2px solid @accent; color: @accent; padding: 2px 9px; }
QPushButton[role="tab"] { background: transparent; border: 0; border-bottom: 2px solid transparent; border-radius: 0;
    padding: 5px 10px; color: @muted; }
QPushButton[role="tab"]:hover { color: @text; }
QPushButton[role="tab"]:checked { color: @accent; background: transparent; border-bottom: 2px solid @accent; }
QPushButton[role="tab"]:focus { background: @hover; }
QFrame[role="chip"] { background: @raised; border: 1px solid @border; border-radius: 6px; }
QLabel[level="1"] { color: @level1; font-weight: 700; }
QLabel[level="2"] { color: @level2; text-decoration: underline; }
QLabel[level="3"] { color: @level3; font-style: italic; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: right center; right: 5px; }
QToolButton[role="icon"]::menu-indicator { image: none; width: 0; }
QFrame[role="chip"] QLineEdit { border: 0; background: transparent; }
QToolButton[role="menu"] { background: @surface; border: 1px solid @border; padding: 6px @22px 6px 12px; }
QToolButton:hover { background: @hover; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton:checked { background: @selection; }
QToolButton:disabled { color: @muted; }
QToolButton[role="switch"] { color: @muted; padding: 5px 9px; }
QToolButton[role="switch"]:checked { color: @accent; font-weight: 600; }
QToolButton[role="switch"]:disabled { color: @muted; background: transparent; font-weight: 400; }
QToolBar#rail { background: @window; border: 0; border-right: 1px solid @border; spacing: 4px; padding: 8px 6px; }
QToolBar#rail QToolButton { padding: 8px 6px 6px 6px; min-width: @64px; color: @muted; }
QToolBar#rail QToolButton:checked { color: @accent; background: @selection; }
QMenuBar { background: @window; }
QMenuBar::item { padding: 5px 10px; background: transparent; }
QMenuBar::item:selected { background: @hover; border-radius: 4px; }
QMenu { background: @surface; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 14px; border-radius: 4px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QStatusBar { background: @window; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @muted; padding: 2px 6px; }
QProgressBar { border: 1px solid @border; border-radius: 4px; background: @surface; text-align: center;
    min-height: @16px; }
QProgressBar::chunk { background: @bar; border-radius: 3px; }
QTableView, QTreeView, QListView { background: @surface; border: 1px solid @border; border-radius: 8px; outline: 0;
    gridline-color: @border; alternate-background-color: @raised;
    selection-background-color: @selection; selection-color: @text; }
QTableView:focus, QTreeView:focus, QListView:focus { border: 1px solid @accent; }
QTableView::item:selected, QTreeView::item:selected { background: @selection; color: @text; }
QHeaderView { background: @surface; border: 0; }
QHeaderView::section { background: @surface; color: @muted; border: 0; border-bottom: 1px solid @border;
    padding: 6px 8px; }
QTableCornerButton::section { background: @surface; border: 0; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 2px; }
QScrollBar::handle { background: @border; border-radius: 4px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator { width: @15px; height: @15px; border: 1px solid @muted; border-radius: 4px;
    background: @surface; }
QCheckBox::indicator:focus { border: 2px solid @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url("@check_icon"); }
QRadioButton::indicator { width: @13px; height: @13px; border: 1px solid @muted; border-radius: @7px;
    background: @surface; }
QRadioButton::indicator:checked { border: @4px solid @accent; width: @7px; height: @7px; }
QRadioButton::indicator:focus { border-color: @accent; }
QTableView::item { padding: 0 6px; }
QTreeView::item { padding: 3px 0; }
QListWidget::item { padding: 4px 8px; border-radius: 4px; }
QGroupBox { border: 1px solid @border; border-radius: 8px; margin-top: 10px; padding: 10px; background: @surface; }
QGroupBox::title { subcontrol-origin: margin; left: 12px; padding: 0 4px; color: @muted; }
"""
