"""What is around two texts side by side: the numbers above them, their frames, and the legend below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.beside.state import SidePresenter, SideState
from explorer.gui.screens.trace.beside.text import SideText
from explorer.gui.style.theme import em, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.number_filter import NumberFilter
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.gui.widgets.texts.key_cap import KeyCap
from explorer.i18n import mark, tr

_NARROW = 22.0
"""Width of a frame in em up to which it has no room for the size of its text."""
_SAMPLES = (
    (mark("same words, 3 or more in a row"), "same"),
    (mark("same words in another place"), "moved"),
    (mark("only in your text"), "dotted"),
    (mark("only in the document"), "struck"),
)


class Sample(QWidget):
    """One entry of the legend: words in the look that they explain."""

    def __init__(self, text: str, look: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._look = text, look
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._text) + scaled(10), metrics.height() + scaled(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, filled, dotted or struck."""
        painter = QPainter(self)
        # In the colors and kinds of line of `side_text`: a sample must look like what it explains.
        area = self.rect().adjusted(scaled(3), 1, -scaled(3), -2)
        fill = {"same": "rel2", "moved": "rel1"}.get(self._look)
        if fill is not None:
            painter.fillRect(self.rect().adjusted(0, 1, 0, -1), qcolor(fill))
        painter.setPen(qcolor("text" if fill else "muted"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._text)
        if self._look == "dotted":
            painter.setPen(QPen(qcolor("muted"), scaled(2), Qt.PenStyle.DotLine))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
        elif self._look == "struck":
            painter.setPen(QPen(qcolor("muted"), 1))
            painter.drawLine(area.left(), area.center().y() + 1, area.right(), area.center().y() + 1)
        painter.end()


def side_legend() -> QWidget:
    """Make the line that explains the looks and the keys."""
    made = QWidget()
    row = FlowLayout(made, gap=scaled(12))
    for text, look in _SAMPLES:
        row.addWidget(Sample(tr(text), look))
    for keys, text in (("F7", tr("next difference")), ("Esc", tr("back to all documents"))):
        row.addWidget(_together(KeyCap(keys), label(text, "muted")))
    return made


class SideHead(QWidget):
    """Which document is compared, the numbers of the comparison, and steps through the differences.

    presenter: Steps, and closes the page.
    """

    def __init__(self, presenter: SidePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = push_button(tr("All documents"), "quiet", "chevron-left")
        self.title = ElidedLabel()
        self.level = label("", "muted")
        self.figures = tuple(_fact() for _ in range(3))
        self.place = label("", "muted")
        self.previous = icon_button("chevron-up", tr("Previous difference (Shift+F7)"))
        self.next = icon_button("chevron-down", tr("Next difference (F7)"))
        first = QHBoxLayout()
        first.setSpacing(scaled(8))
        first.addWidget(self.back)
        first.addWidget(self.title, 1)
        first.addWidget(self.level)
        numbers = QWidget()
        flow = FlowLayout(numbers, gap=scaled(12))
        for part in self.figures:
            flow.addWidget(part)
        flow.addWidget(_together(self.place, self.previous, self.next))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(8))
        column.addLayout(first)
        column.addWidget(numbers)
        self.back.clicked.connect(presenter.close)
        self.previous.clicked.connect(lambda: presenter.step(-1))
        self.next.clicked.connect(lambda: presenter.step(1))

    def draw(self, state: SideState) -> None:
        """Show the numbers of a comparison; none before it is made."""
        self.title.setText(tr("Answer against {title}", title=state.title))
        self.level.setText(state.level)
        figures = state.figures
        # The three widgets stay; they are hidden while there is no comparison.
        for number, part in enumerate(self.figures):
            part.setVisible(number < len(figures))
            if number < len(figures):
                part.show_number(figures[number].number, figures[number].words)
                part.setToolTip(tip(figures[number].hint))
                part.setAccessibleDescription(figures[number].hint)
        self.place.setText(state.place)
        for button in (self.previous, self.next):
            button.setEnabled(state.can_step)


class SideColumn(Panel):
    """One of the texts in its frame, below its name and its size.

    actions: Buttons at the end of its header.
    """

    def __init__(self, text: SideText, *actions: QWidget) -> None:
        self.heading = ElidedLabel(tr("Your text"))
        self.facts = label("", "muted")
        self.heading.setProperty("role", "heading")
        super().__init__("", (self.heading, self.facts, *actions))
        self.text = text
        # The title of its own would not give way to the facts beside it.
        self.title.hide()
        self.header_row.setStretchFactor(self.heading, 1)
        self.hold(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name comes first: the size gives way to it in a narrow frame."""
        super().resizeEvent(event)
        self.facts.setVisible(self.width() > em(_NARROW))

    def tell(self, title: str, facts: str) -> None:
        """Name the text, and its size."""
        self.heading.setText(title)
        self.facts.setText(facts)


def _together(*parts: QWidget) -> QWidget:
    """Parts that are never on two lines."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(scaled(6))
    for part in parts:
        row.addWidget(part)
    return made


def _fact() -> NumberFilter:
    """A number with its words, which is not a filter."""
    made = NumberFilter("", "")
    made.setCheckable(False)
    return made
