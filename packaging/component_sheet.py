"""A picture of every component of the window in every state, like a sheet of samples.

usage: python packaging/component_sheet.py FOLDER
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QProgressBar,
    QRadioButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.app.app import make_application
from explorer.gui.screens.screen import label
from explorer.gui.settings.store import Settings
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import all_restyled, apply_stylesheet, keep_icon_size
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.menu import Menu
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.number_filter import NumberFilter
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.query_field import QueryField
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.side_sheet import SideSheet
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.notices.empty_state import DropZone, EmptyState
from explorer.gui.widgets.notices.notice import Notice
from explorer.gui.widgets.notices.skeleton import Skeleton
from explorer.gui.widgets.notices.toasts import Toasts
from explorer.gui.widgets.texts.key_cap import KeyCap

SIZES = (10, 14, 20)


def row(*widgets: QWidget) -> QWidget:
    """Widgets next to each other, at the start; without room for all of them, on several lines."""
    return flowing(*widgets)


def off(widget: QWidget) -> QWidget:
    """The widget, disabled."""
    widget.setEnabled(False)
    return widget


def on(button: QToolButton | NumberFilter | Chip) -> QWidget:
    """The button, checked."""
    button.setCheckable(True)
    button.setChecked(True)
    return button


def buttons() -> QWidget:
    """Primary, ordinary, quiet and dangerous ones."""
    checked = push_button("Checked")
    checked.setCheckable(True)
    checked.setChecked(True)
    menu = QToolButton()
    menu.setText("Menu")
    menu.setProperty("role", "menu")
    return row(
        push_button("Primary", "primary"),
        off(push_button("Primary", "primary")),
        push_button("Default"),
        push_button("With icon", icon_name="side-by-side"),
        checked,
        off(push_button("Disabled")),
        push_button("Quiet", "quiet", "undo"),
        push_button("Discard", "danger"),
        menu,
        icon_button("more", "More"),
        off(icon_button("close", "Close")),
    )


def fields() -> QWidget:
    """Fields with and without choices."""
    wrong = QLineEdit("Invalid")
    wrong.setProperty("invalid", "true")
    box = QComboBox()
    box.addItems(["Right context", "Left context"])
    parts = (QLineEdit("Default"), wrong, off(QLineEdit("Disabled")), box, NumberBox(value=12), off(QComboBox()))
    return row(*parts)


def switches() -> QWidget:
    """What is on or off."""
    switch = QToolButton()
    switch.setText("Whole words")
    switch.setProperty("role", "switch")
    switch.setIcon(icon("check", "accent"))
    keep_icon_size(switch, 14)
    switch.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    checked, radio = QCheckBox("Check box"), QRadioButton("Radio button")
    checked.setChecked(True)
    radio.setChecked(True)
    return row(
        on(switch),
        QCheckBox("Off"),
        checked,
        off(QCheckBox("Disabled")),
        radio,
        QRadioButton("Other"),
        Toggle("Toggle"),
        Toggle("On", on=True),
        off(Toggle("Disabled", on=True)),
        Segments(("Words", "Characters", "Tokens"), "Unit"),
    )


def chips() -> QWidget:
    """A chip of each role."""
    return row(
        Chip("Plain"),
        Chip("dataset is koala", "filter", removable=True),
        Chip("Chosen", "chosen"),
        Chip("Filter", "add"),
        Chip("Seldom", "warn"),
        Chip("␣climate·␣change", "token"),
        off(Chip("Disabled")),
        Chip("A chip with so many words that no row has room for all of them"),
        KeyCap("Ctrl+Shift+P"),
    )


def tabs() -> QWidget:
    """The tabs of a page."""
    made = PageTabs("Documents", "Novelty", "Sources", "Disabled", name="Pages")
    made.set_count(0, "31")
    made.setTabEnabled(3, False)
    return made


def numbers() -> QWidget:
    """Numbers that are filters, and one that is a fact."""
    fact = NumberFilter("31", "documents")
    fact.setCheckable(False)
    return row(on(NumberFilter("14", "passages")), NumberFilter("≈ 91 %", "in matches of 5+ tokens"), fact)


def progress() -> QWidget:
    """A bar."""
    return QProgressBar(value=62)


def notices() -> QWidget:
    """One of each kind."""
    made = [Notice() for _ in range(4)]
    action = ("Exclude it", lambda: None)
    remedies = [(words, lambda: None) for words in ("Leave bad lines out", "Choose another field", "Show line")]
    made[0].show_notice("Counted as text: 43,292. As tokens: 1,948.", kind="info", remedies=[("Why?", lambda: None)])
    text = "76 % of it matches one document word for word."
    made[1].show_notice(text, "This text is already in the corpus", "warn", [action])
    text = "Unexpected end after 118 characters. The other 2,017 lines are fine."
    made[2].show_notice(text, "Line 2 of broken.jsonl is not JSON", "error", remedies)
    made[3].show_text("Without a title, the sentence has the color of the notice.")
    return column(*made)


def column(*widgets: QWidget) -> QWidget:
    """Widgets below each other."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    return holder


def query_fields() -> QWidget:
    """As it is, and with a text that cannot be used."""
    made = []
    for text in ("climate change", '"climate'):
        switch = QToolButton()
        switch.setProperty("role", "switch")
        switch.setText("Whole words")
        field = QueryField(
            QLineEdit(text), [on(switch), icon_button("history", "History"), icon_button("more", "More")]
        )
        made.append(field)
    made[1].set_invalid(True)
    made.append(QueryField(QLineEdit("Disabled")))
    made[2].setEnabled(False)
    return column(*made)


def panels() -> QWidget:
    """A table in a panel, next to an empty page and a drop zone."""
    table = QTableWidget(5, 3)
    table.setHorizontalHeaderLabels(["Header", "Hits", "logDice"])
    table.verticalHeader().hide()
    table.setShowGrid(False)
    for line in range(5):
        for place, text in enumerate(("Default", f"{580 - 99 * line}", "11.22")):
            table.setItem(line, place, QTableWidgetItem(text))
    table.selectRow(2)
    panel = Panel(
        "Documents", [icon_button("more", "More")], [label("2 marked", "small"), push_button("Save", "quiet")]
    )
    panel.hold(table)
    empty = EmptyState("search")
    empty.say(
        "Search counts and lists while you type", "Whole words or parts of words.", ("climate change", "the * of the")
    )
    zone = DropZone("Drop files or folders here", "Plain text, JSONL, Parquet")
    zone.row.addWidget(push_button("Add files"))
    skeleton = Panel("3,308 hits")
    skeleton.body.addWidget(Skeleton("concordance"), 1)
    splitter = Splitter()
    for part in (panel, empty, zone, skeleton):
        splitter.addWidget(part)
    splitter.setMinimumHeight(scaled(220))
    return splitter


ROWS: Sequence[tuple[str, Callable[[], QWidget]]] = (
    ("Buttons", buttons),
    ("Fields", fields),
    ("Switches", switches),
    ("Chips", chips),
    ("Tabs", tabs),
    ("Numbers", numbers),
    ("Progress", progress),
    ("Query", query_fields),
    ("Notices", notices),
    ("Panels", panels),
)


class ComponentSheet(QWidget):
    """Every component in its states."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheet")
        apply_stylesheet(self)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QGridLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.setVerticalSpacing(16)
        layout.setHorizontalSpacing(24)
        layout.setColumnStretch(1, 1)
        for number, (name, make) in enumerate(ROWS):
            layout.addWidget(label(name, "small"), number, 0, Qt.AlignmentFlag.AlignTop)
            layout.addWidget(make(), number, 1)
        layout.setRowStretch(len(ROWS), 1)


class OpenParts(QWidget):
    """What opens over a page: a pop-over, a menu, a side sheet, a toast and a tool tip."""

    def __init__(self) -> None:
        super().__init__()
        apply_stylesheet(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        self.anchor = push_button("Columns", icon_name="columns")
        layout.addWidget(self.anchor, 0, Qt.AlignmentFlag.AlignLeading)
        layout.addStretch(1)
        self.popover = Popover(self.anchor, "Columns")
        for name in ("generator", "dataset", "instruction"):
            self.popover.body.addWidget(QCheckBox(name))
        self.popover.body.addWidget(push_button("Reset", "quiet", "reset"))
        self.sheet = SideSheet(self, "Settings")
        self.sheet.body.addWidget(label("Least length of a match, in tokens", "small"))
        self.sheet.body.addWidget(NumberBox(value=5))
        self.sheet.body.addWidget(Toggle("Merge duplicates", on=True))
        self.sheet.body.addWidget(Segments(("Words", "Characters"), "Unit"))
        self.menu = Menu("Edit", self)
        for text, keys in (("Copy", "Ctrl+C"), ("Mark", "M"), ("Add a note", "N")):
            self.menu.addAction(icon(text.split()[0].lower() if text == "Copy" else "pencil"), text).setShortcut(keys)
        self.menu.addSeparator()
        self.menu.addAction("Sort by header").setEnabled(False)

    def open_all(self) -> None:
        """Open everything that is a part of the window."""
        self.sheet.open()
        self.popover.open()
        Toasts(self).saved(Path("lines.csv"), "Saved 2,868 lines")


def pause(milliseconds: int) -> None:
    """Let the event loop run."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def main(folder: Path) -> None:
    """Take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for scheme in ("light", "dark"):
            for size in SIZES:
                for direction in ("ltr", "rtl"):
                    settings = Settings(Path(place) / f"{scheme}-{size}-{direction}.json")
                    settings.set("scheme", scheme)
                    settings.set("text_size", size)
                    application = make_application(settings)
                    right = direction == "rtl"
                    application.setLayoutDirection(
                        Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
                    )
                    sheet = ComponentSheet()
                    sheet.resize(scaled(1200), scaled(1100))
                    sheet.show()
                    Toasts(sheet).saved(Path("lines.csv"), "Saved 2,868 lines")
                    while not all_restyled():
                        pause(10)
                    pause(100)
                    path = folder / f"components-{scheme}-{size}-{direction}.png"
                    sheet.grab().save(str(path))
                    print(path)
                    sheet.close()
                    page = OpenParts()
                    page.resize(scaled(900), scaled(420))
                    page.show()
                    page.open_all()
                    page.menu.ensurePolished()
                    page.menu.resize(page.menu.sizeHint())
                    pause(100)
                    picture = page.grab()
                    painter = QPainter(picture)
                    painter.drawPixmap(scaled(300), scaled(60), page.menu.grab())
                    painter.end()
                    path = folder / f"open-{scheme}-{size}-{direction}.png"
                    picture.save(str(path))
                    print(path)
                    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
