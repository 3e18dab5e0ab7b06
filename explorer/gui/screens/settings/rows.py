"""A page of settings: its title, a frame with a row for each setting, and a preview of the looks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.settings.fields import make_field
from explorer.gui.screens.settings.presenter import SettingsPresenter
from explorer.gui.screens.settings.state import SettingsState
from explorer.gui.settings.schema import Setting
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.theme import chrome, em, font_of, qcolor
from explorer.gui.widgets.painting import rounded
from explorer.i18n import tr

_BESIDE_EMS = 36
"""The least width of a row with its control beside the sentence."""


class SettingRow(QWidget):
    """A title, a sentence and the control at the right; a tag where the value is not the default."""

    def __init__(self, setting: Setting, presenter: SettingsPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting = setting
        self.field, self._show = make_field(setting, lambda value: presenter.set(setting.key, value))
        self.title = label(tr(setting.title), "row")
        self.tag = label(tr("changed"), "tag")
        self.about = label(tr(setting.help), "small")
        self.about.setWordWrap(True)
        # A screen reader reads the sentence with the control, as a person sees both in one row.
        self.field.setAccessibleDescription(tr(setting.help))
        self._grid = layout = QGridLayout(self)
        self._narrow = False
        layout.setContentsMargins(em(1.2), em(0.7), em(1.2), em(0.7))
        layout.setHorizontalSpacing(em(0.6))
        layout.setVerticalSpacing(em(0.15))
        layout.setColumnStretch(2, 1)
        layout.addWidget(self.title, 0, 0)
        layout.addWidget(self.tag, 0, 1)
        layout.addWidget(self.about, 1, 0, 1, 3)
        layout.addWidget(self.field, 0, 3, 2, 1, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the control below the sentence where there is no room beside it."""
        super().resizeEvent(event)
        # Only when it changes: a layout that is changed at each step of a drag would measure all rows each time.
        narrow = self.width() < em(_BESIDE_EMS)
        if narrow != self._narrow:
            self._narrow = narrow
            self._grid.removeWidget(self.field)
            if narrow:
                self._grid.addWidget(self.field, 2, 0, 1, 3, Qt.AlignmentFlag.AlignLeading)
            else:
                self._grid.addWidget(self.field, 0, 3, 2, 1, Qt.AlignmentFlag.AlignVCenter)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the control to go below the sentence."""
        return QSize(self.field.minimumSizeHint().width() + 2 * em(1.2), super().minimumSizeHint().height())

    def draw(self, state: SettingsState) -> None:
        """Show the value, and whether it was changed."""
        # The same value again does nothing in any control, so all rows are drawn at every change.
        self._show(state.values.get(self.setting.key, self.setting.default))
        self.tag.setVisible(state.changed(self.setting))


class Preview(QWidget):
    """Two lines as Search shows them, in the theme, the fonts and the size that are chosen."""

    _LINES = (
        ("the potential impacts of", "climate change", "on agriculture and food security"),
        ("international cooperation to address", "climate change", "on a global scale"),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Preview"))

    def sizeHint(self) -> QSize:
        """Two rows."""
        return QSize(em(30), 2 * chrome(26) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame and the lines; a corpus is read from left to right here, whatever the window does."""
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        rounded(painter, self.rect().toRectF(), 8, "surface", "line")
        height = chrome(26)
        # Fonts are asked for at each painting, so the preview needs no word of a change.
        bold, plain = font_of(1.0, 600), font_of(1.0)
        width = QFontMetrics(bold).horizontalAdvance(self._LINES[0][1]) + em(1.2)
        middle = (self.width() - width) // 2
        for number, (left, match, right) in enumerate(self._LINES):
            top = 1 + number * height
            if number:
                painter.fillRect(1, top, self.width() - 2, height, qcolor("select"))
            painter.setPen(qcolor("text"))
            painter.setFont(plain)
            room = middle - em(0.6)
            painter.drawText(QRect(0, top, middle, height), int(_RIGHT), _fitted(left, room, at_end=True))
            painter.drawText(QRect(middle + width, top, middle, height), int(_LEFT), _fitted(right, room, at_end=False))
            painter.setPen(qcolor("accent"))
            painter.setFont(bold)
            painter.drawText(QRect(middle, top, width, height), int(Qt.AlignmentFlag.AlignCenter), match)
        painter.end()


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _fitted(text: str, room: int, at_end: bool) -> str:
    """As many whole words of a context as fit, from its end or from its beginning, with a mark of what is left out."""
    metrics, words, shown = QFontMetrics(font_of(1.0)), text.split(), text
    while words and metrics.horizontalAdvance(shown) > room:
        del words[0 if at_end else -1]
        shown = f"… {' '.join(words)}" if at_end else f"{' '.join(words)} …"
    return shown


class SettingsPage(QWidget):
    """The settings of one page."""

    def __init__(
        self, page: str, settings: Sequence[Setting], presenter: SettingsPresenter, preview: bool = False
    ) -> None:
        super().__init__()
        self.page = page
        self.rows = [SettingRow(setting, presenter) for setting in settings]
        self._dividers: list[QFrame] = []
        self.reset = named(QPushButton(tr("Reset this page")), tr("Reset this page: {page}", page=tr(page)))
        self.reset.setProperty("role", "quiet")
        self.reset.setIcon(icon("reset"))
        keep_icon_size(self.reset, 16, gap=4)
        self.reset.clicked.connect(lambda _=False: presenter.reset(page))
        head = QHBoxLayout()
        head.addWidget(label(tr(page), "title"), 1)
        head.addWidget(self.reset)
        head.addWidget(help_button("settings", tr(page)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, em(1.2))
        layout.setSpacing(em(0.6))
        layout.addLayout(head)
        layout.addWidget(self._card(preview))

    def _card(self, preview: bool) -> QFrame:
        card = QFrame()
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        for row in self.rows:
            line = QFrame()
            line.setProperty("role", "divider")
            line.setFixedHeight(1)
            self._dividers.append(line)
            inner.addWidget(line)
            inner.addWidget(row)
        self.preview = QWidget()
        if preview:
            shown = QVBoxLayout(self.preview)
            shown.setContentsMargins(em(1.2), em(0.6), em(1.2), em(1.2))
            shown.addWidget(label(tr("Preview"), "small"))
            shown.addWidget(Preview())
            inner.addWidget(self.preview)
        self._has_preview = preview
        return card

    def draw(self, state: SettingsState) -> None:
        """Show the rows that are in view."""
        self.setVisible(self.page in state.pages)
        # Rows are hidden and not removed: a control that has the focus keeps it while the search changes.
        found, first = set(state.found), True
        for row, line in zip(self.rows, self._dividers, strict=True):
            shown = row.setting in found
            row.setVisible(shown)
            # Above the first row is the edge of the frame.
            line.setVisible(shown and not first)
            first = first and not shown
            row.draw(state)
        self.preview.setVisible(self._has_preview and not state.typed.split())
        self.reset.setEnabled(state.page_changed(self.page))
