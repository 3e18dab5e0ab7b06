"""Colors by name for light and dark, lengths that grow with the text, and the palette made from them.

No other module defines a color. Widgets that paint themselves ask `colors()` each time they paint.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True)
class Colors:
    """One theme: every color of the window by its use.

    `window` is the page, `surface` cards and tables, `raised` headers and footers, `sunken` a quoted text.
    `text`, `muted` and `faint` are ink: `faint` only for what cannot be used and for outlines that carry no meaning.
    `line` divides, `line_strong` outlines controls. `accent` is the only accent: chosen, match, focus, main data line;
    `accent_soft` and `accent_mid` are the fill and the outline of a filter's chip. `select` and `hover` are rows.
    `mark` is this evidence, `mark_soft` other hits and marked rows. `rel3` to `rel1` are fills by relevance, from
    high to low. `warn`, `error` and `ok` are always shown with an icon and a sentence. `bar` and `bar2` are bars
    next to numbers and under lines, `ghost` lines to compare with, `grid` the grid of a plot.
    """

    window: str
    surface: str
    raised: str
    sunken: str
    text: str
    muted: str
    faint: str
    line: str
    line_strong: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    accent_mid: str
    select: str
    hover: str
    mark: str
    mark_soft: str
    on_mark: str
    rel3: str
    rel2: str
    rel1: str
    warn: str
    warn_soft: str
    warn_line: str
    error: str
    error_soft: str
    error_line: str
    ok: str
    ok_soft: str
    ok_line: str
    bar: str
    bar2: str
    ghost: str
    grid: str
    skeleton: str


LIGHT = Colors(
    window="#f4f5f8",
    surface="#ffffff",
    raised="#fafbfc",
    sunken="#eef0f4",
    text="#1a1f2b",
    muted="#586174",
    faint="#7f8898",
    line="#e3e7ee",
    line_strong="#c6cdd9",
    accent="#2a5bd0",
    accent_hover="#2149ad",
    on_accent="#ffffff",
    accent_soft="#e9effc",
    accent_mid="#c8d8f9",
    select="#e3ebfc",
    hover="#f0f2f6",
    mark="#ffd85a",
    mark_soft="#fff2c4",
    on_mark="#1a1f2b",
    rel3="#a8c5f6",
    rel2="#cddefa",
    rel1="#e8effc",
    warn="#855000",
    warn_soft="#fff4e0",
    warn_line="#efd9ae",
    error="#b3261e",
    error_soft="#fdeeec",
    error_line="#f2c9c5",
    ok="#1c6e41",
    ok_soft="#e7f5ec",
    ok_line="#b7dfc7",
    bar="#bccae4",
    bar2="#cfd8e9",
    ghost="#8a94a5",
    grid="#eceff4",
    skeleton="#eceef3",
)

DARK = Colors(
    window="#14171d",
    surface="#1a1e26",
    raised="#20252e",
    sunken="#101318",
    text="#e6e9ef",
    muted="#a1aaba",
    faint="#697486",
    line="#2a303b",
    line_strong="#434b5b",
    accent="#8db2ff",
    accent_hover="#a9c5ff",
    on_accent="#0b1426",
    accent_soft="#212c45",
    accent_mid="#314874",
    select="#28375a",
    hover="#242a35",
    mark="#e5bd43",
    mark_soft="#463c1d",
    on_mark="#14171d",
    rel3="#32528d",
    rel2="#29406d",
    rel1="#222d47",
    warn="#f3bd72",
    warn_soft="#33291a",
    warn_line="#57462a",
    error="#ff9a91",
    error_soft="#3a2020",
    error_line="#653433",
    ok="#7fd3a2",
    ok_soft="#1b3226",
    ok_line="#2f5a43",
    bar="#4b6291",
    bar2="#34425f",
    ghost="#6f7a8d",
    grid="#262c36",
    skeleton="#262c37",
)

RELEVANCE = {"high": "rel3", "medium": "rel2", "low": "rel1"}
"""The fill of each level of relevance, by the field's name."""

_DESIGNED = 10.0
"""The text size for which sizes in pixels were chosen."""
_EM = 13
"""Pixels of one em at that size."""
_CHROME = 0.8
"""The growth of bars and controls, as a part of the text's."""

SCHEMES = {"system": Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
# Lists, since functions change their items: there is one theme and one text size in the process.
_chosen = ["system"]
_size = [0, 0.0]
"""The chosen size of text in points (0: the system's), and the system's own."""
_families = ["", ""]
"""The chosen families of the text font and the code font; "" for the system's."""
_usual: list[str] = []
"""The system's family of the text font, once it is known."""
_flash: list[int] = []
"""The system's time of a blink, once it is known."""
_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)


def choose_scheme(name: str) -> None:
    """Follow the system, or always be light or dark; `apply_theme` makes it visible."""
    _chosen[0] = name
    # The platform's title bars and dialogs follow this where the platform supports it.
    QGuiApplication.styleHints().setColorScheme(SCHEMES[name])


def choose_text_size(points: int) -> None:
    """Set the text size in points, or 0 for the system's size; `apply_theme` makes it visible."""
    _size[0] = points


def choose_fonts(text: str, code: str) -> None:
    """Set the families of the fonts; `apply_theme` makes them visible.

    text: Of prose, lines and menus; "" for the system's.
    code: Of tokens, queries and code; "" for the system's.
    """
    _families[:] = [text, code]


def choose_motion(reduced: bool) -> None:
    """Let menus open at once and the cursor not blink, or leave that to the system."""
    # Asked once, before it is changed for the first time: later, the answer would be 0.
    if not _flash:
        _flash.append(QGuiApplication.styleHints().cursorFlashTime())
    QApplication.setCursorFlashTime(0 if reduced else _flash[0])
    for effect in _EFFECTS:
        QApplication.setEffectEnabled(effect, not reduced)


def looks() -> tuple[object, ...]:
    """All that a change of must be drawn: theme, text size and fonts."""
    # Not the motion, which Qt applies by itself: a change of it must not restyle a thousand widgets.
    return (is_dark(), text_size(), *_families)


def text_size() -> float:
    """The size of ordinary text in points."""
    return float(_size[0] or _size[1] or QApplication.font().pointSizeF())


def em(times: float) -> int:
    """A length in pixels that grows with the text.

    times: Multiples of the size of ordinary text, which is 13 pixels high at 10 points.
    """
    return scaled(_EM * times)


def scaled(pixels: float) -> int:
    """A length in pixels that grows with the text, given its pixels for text of 10 points."""
    return scaled_to(text_size(), pixels)


def scaled_to(points: float, pixels: float) -> int:
    """A length in pixels for text of that many points, given its pixels for text of 10 points.

    pixels: The length for text of 10 points.
    """
    return max(1, round(pixels * points / _DESIGNED))


def chrome(pixels: float) -> int:
    """The height of a bar or a control, which grows more slowly than the text: its padding need not grow as much."""
    return chrome_to(text_size(), pixels)


def chrome_to(points: float, pixels: float) -> int:
    """The height of a bar or a control for text of that many points, given its pixels for text of 10 points.

    pixels: The height for text of 10 points.
    """
    # Only growth is dampened: smaller text makes bars smaller by the same share.
    growth = points / _DESIGNED - 1
    return max(1, round(pixels * (1 + (_CHROME * growth if growth > 0 else growth))))


def font_of(times: float = 1.0, weight: int = QFont.Weight.Normal) -> QFont:
    """The text font, for widgets that paint themselves.

    times: Multiples of the size of ordinary text.
    weight: 400 for text, 500 for controls, 600 for headings and what is chosen.
    """
    # A copy, which may be changed, and which shares what Qt has already looked up for the font.
    return QFont(_font(QApplication.font().family(), text_size() * times, int(weight)))


@lru_cache(maxsize=64)
def _font(family: str, points: float, weight: int) -> QFont:
    """One font of the interface: a new one each time would have Qt look for its glyphs each time."""
    font = QApplication.font()
    font.setFamily(family)
    font.setPointSizeF(points)
    font.setWeight(QFont.Weight(weight))
    return font


def width_of(words: str, times: float = 1.0, weight: int = QFont.Weight.Normal) -> int:
    """How wide words are in the text font, for widgets that measure the same few words at each layout.

    words: The words of a control; not what a document holds, since widths are kept.
    times: Multiples of the size of ordinary text.
    Returns: Pixels, as `QFontMetrics.horizontalAdvance` reports them.
    """
    return _width(words, QApplication.font().family(), text_size() * times, int(weight))


# Layouts ask each widget for its size several times per change; to shape the words each time took half of that.
@lru_cache(maxsize=2048)
def _width(words: str, family: str, points: float, weight: int) -> int:
    return QFontMetrics(_font(family, points, weight)).horizontalAdvance(words)


def is_dark() -> bool:
    """Whether the window is dark: the user's choice, or else the system's."""
    if _chosen[0] != "system":
        return _chosen[0] == "dark"
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def colors() -> Colors:
    """The current theme."""
    return DARK if is_dark() else LIGHT


def inverse() -> Colors:
    """The other theme, for what is drawn on the ink of this one: toasts."""
    return LIGHT if is_dark() else DARK


def qcolor(name: str) -> QColor:
    """A color of the current theme, by its field's name."""
    return QColor(getattr(colors(), name))


def monospace() -> QFont:
    """The system's fixed-width font, in the size of the interface."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    # Only the family: Qt knows that the system's font is of fixed width, and keeps that hint for what replaces it.
    if _families[1]:
        font.setFamily(_families[1])
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
    if not _usual:
        _usual.append(font.family())
    # The first family that the application had is the system's; it is needed again when a choice is taken back.
    family = _families[0] or _usual[0]
    if font.pointSizeF() != text_size() or font.family() != family:
        font.setPointSizeF(text_size())
        font.setFamily(family)
        app.setFont(font)
    app.setPalette(_palette(theme))


def prepare_fonts(app: QApplication) -> None:
    """If the platform has no interface font (offscreen), use a good one that is installed."""
    if app.platformName() != "offscreen":
        return
    families = set(QFontDatabase.families())
    for name in ("Inter", "Noto Sans", "DejaVu Sans"):
        if name in families:
            # Asked for again with a window that is open, it must not undo the chosen size.
            if app.font().family() != name:
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
        role.ToolTipBase: theme.text,
        role.ToolTipText: theme.window,
        role.PlaceholderText: theme.muted,
        role.Link: theme.accent,
        role.Mid: theme.line_strong,
    }
    for key, value in pairs.items():
        palette.setColor(key, QColor(value))
    # The colors above are those of all states, also of what cannot be used, which has to look different.
    for key in (role.Text, role.ButtonText, role.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.faint))
    return palette
