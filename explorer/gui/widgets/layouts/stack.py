"""Pages of which one is shown at a time, each drawn once when it comes to the front."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from explorer.gui.threads.paint_turns import paint_in_turns


class Stack(QStackedWidget):
    """A stack that draws a page once when it turns to it, where Qt's draws it twice.

    Qt marks every widget that is shown as changed, on its own. It then draws widgets that hide what is below them, such
    as the contents of an area that scrolls, and afterwards draws the whole window again wherever something within them
    changed too, which is everywhere. If the area of the page is marked as a whole, there is nothing to mark within it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _: self._mark())

    def _mark(self) -> None:
        page = self.currentWidget()
        if page is not None:
            # Qt has just raised the page above the hidden ones, and without that would do nothing here. A change of
            # the order is what marks a whole area; nobody sees the order itself.
            page.lower()
            paint_in_turns(page)


class LowStack(Stack):
    """As high as its page must be: what scrolls gives it all the rest, and scrolls only where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._policies: dict[QWidget, QSizePolicy.Policy] = {}
        self.currentChanged.connect(lambda _: self._make_room())

    def addWidget(self, widget: QWidget) -> int:
        """Add a page, which takes room only while it is in front."""
        self._policies[widget] = widget.sizePolicy().verticalPolicy()
        number = super().addWidget(widget)
        self._make_room()
        return number

    def _make_room(self) -> None:
        """Let the hidden pages want no height: Qt's layout has room for the highest, whichever page is in front."""
        for page, policy in self._policies.items():
            wanted = page.sizePolicy()
            wanted.setVerticalPolicy(policy if page is self.currentWidget() else QSizePolicy.Policy.Ignored)
            page.setSizePolicy(wanted)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """That of the page in front: an invitation needs less room than the answer in its place."""
        page = self.currentWidget()
        return QSize() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())

    def hasHeightForWidth(self) -> bool:
        """Whether the page in front wraps."""
        page = self.currentWidget()
        return page is not None and page.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """That of the page in front: Qt's would be that of the highest page, also where that is hidden."""
        page = self.currentWidget()
        return -1 if page is None else max(page.heightForWidth(width), self.minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Its least size."""
        return self.minimumSizeHint()
