"""The dialog that exports a figure: its texts, its size, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.chart import Chart, chart_size, reworded, words_of
from explorer.core.jobs import CancelToken, Kind
from explorer.errors import CorpusError
from explorer.export.figure import MM_PER_POINT, Paper
from explorer.export.registry import FIGURES, Exporter, WriteFigure
from explorer.export.tables import table_text
from explorer.gui.charts.export.save import chart_image, save_chart
from explorer.gui.chrome.dialog import Dialog
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.screens.screen import Notice, label, named, text_order
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.i18n import tr, trn

_PREVIEW_DPI = 110
_PAUSE_MS = 120


class Preview(QWidget):
    """A preview of the figure, as large as the room allows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self.setAccessibleName(tr("Preview of the figure"))
        self.setMinimumSize(300, 240)

    def show_image(self, image: QImage) -> None:
        """Show another picture."""
        self.image = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, scaled down to fit, on a contrasting background."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor("hover"))
        if not self.image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            room = self.rect().adjusted(10, 10, -10, -10)
            size = self.image.size()
            # A small figure keeps its size: enlarged, it would show pixels that the file does not have.
            if size.width() > room.width() or size.height() > room.height():
                size.scale(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = room.adjusted(0, 0, 0, 0)
            target.setSize(size)
            target.moveCenter(room.center())
            painter.drawImage(target, self.image)
        painter.end()


def _shown_name(chart: Chart) -> str:
    """A chart's name; in English it is that of its file, without hyphens."""
    shown = tr(chart.name)
    return (shown.replace("-", " ") if shown == chart.name else shown).capitalize()


class FigureDialog(Dialog):
    """Edits and exports one of several charts.

    `bug(str)`: a report of an unexpected error; `saved(Path)`: a file was written.
    """

    bug = Signal(str)
    saved = Signal(object)

    def __init__(self, charts: Sequence[Chart], parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Figure"))
        self.charts = tuple(charts)
        # Two lanes: a new preview must not replace a file that waits to be written.
        self._painter = Runner("preview", self)
        self._writer = Runner("figure", self, Kind.APART)
        for runner in (self._painter, self._writer):
            runner.bug.connect(self.bug)
        # Otherwise every key in a field would ask for a preview.
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._preview)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_chart()

    @property
    def writing(self) -> bool:
        """Whether a file or a copy is being made."""
        return self._writer.busy

    def _make_widgets(self) -> None:
        self.which = named(QComboBox(), tr("Figure"))
        self.which.addItems([_shown_name(chart) for chart in self.charts])
        self.which.setVisible(len(self.charts) > 1)
        self.preview = Preview()
        self.texts = text_order(named(QTableWidget(0, 1), tr("Labels in the figure")))
        self.texts.setHorizontalHeaderLabels([tr("Labels (double-click to edit)")])
        self.texts.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.texts.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        self.texts.verticalHeader().hide()
        self.texts.setTabKeyNavigation(False)
        self.width_mm = named(DecimalBox(minimum=40, maximum=1000, decimals=0, suffix=" mm"), tr("Width"))
        self.height_mm = named(DecimalBox(minimum=30, maximum=3000, decimals=0, suffix=" mm"), tr("Height"))
        self.text_size = named(NumberBox(minimum=6, maximum=16, value=8, suffix=" pt"), tr("Text size"))
        self.dpi = named(NumberBox(minimum=72, maximum=1200, value=300, singleStep=50, suffix=" dpi"), tr("Resolution"))
        self.dpi.setToolTip(tr("Resolution of PNG files and copied images, in pixels per inch"))
        self.save = push_button(tr("Save as"), "primary")
        menu = QMenu(self.save)
        for form in FIGURES:
            menu.addAction(tr(form.label), partial(self._ask_save, form))
        self.save.setMenu(menu)
        self.copy_image = QPushButton(tr("Copy image"))
        self.copy_data = QPushButton(tr("Copy data"))
        self.copy_data.setToolTip(tr("Copy the plotted values as a table for a spreadsheet"))
        self.notice = Notice()
        self.message = label("", "muted")
        self.message.setWordWrap(True)

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.addWidget(self.which)
        side.addWidget(self.texts, 1)
        form = QFormLayout()
        for text, box in (
            (tr("Width"), self.width_mm),
            (tr("Height"), self.height_mm),
            (tr("Text size"), self.text_size),
            (tr("Resolution (PNG)"), self.dpi),
        ):
            form.addRow(label(text, "muted"), box)
        side.addLayout(form)
        for part in (self.notice, self.message):
            side.addWidget(part)
        row = QHBoxLayout()
        for button in (self.copy_image, self.copy_data, self.save):
            row.addWidget(button)
        side.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(self.preview, 2)
        layout.addLayout(side, 1)

    def _connect(self) -> None:
        self.which.currentIndexChanged.connect(lambda _: self._show_chart())
        self.texts.itemChanged.connect(lambda _: self._pause.start())
        # Not the resolution, which the preview does not use.
        for box in (self.width_mm, self.height_mm, self.text_size):
            box.valueChanged.connect(lambda _: self._pause.start())
        self.copy_image.clicked.connect(self._copy_image)
        self.copy_data.clicked.connect(self._copy_data)
        # One file at a time: a second request would replace the first one in the lane.
        self._writer.busy_changed.connect(lambda busy: self.save.setEnabled(not busy))

    def sizeHint(self) -> QSize:
        """Room for a figure over three panels."""
        return QSize(scaled(1240), scaled(680))

    def _show_chart(self) -> None:
        chart = self.charts[max(0, self.which.currentIndex())]
        words = words_of(chart)
        # Filling the table is not an edit by the user, and must not start a preview for every label.
        self.texts.blockSignals(True)
        self.texts.setRowCount(len(words))
        for row, word in enumerate(words):
            item = QTableWidgetItem(word)
            # The original stays with the row: `chart` finds by it what an edited label replaces.
            item.setData(Qt.ItemDataRole.UserRole, word)
            item.setToolTip(tip(tr("Original: {word}", word=word)))
            self.texts.setItem(row, 0, item)
        self.texts.blockSignals(False)
        width, height = chart_size(chart)
        for box, points in ((self.width_mm, width), (self.height_mm, height)):
            box.blockSignals(True)
            box.setValue(points * MM_PER_POINT)
            box.blockSignals(False)
        self._preview()

    def chart(self) -> Chart:
        """The chosen chart with the user's texts."""
        items = [self.texts.item(row, 0) for row in range(self.texts.rowCount())]
        words = {item.data(Qt.ItemDataRole.UserRole): item.text() for item in items if item is not None}
        return reworded(self.charts[max(0, self.which.currentIndex())], words)

    def paper(self) -> Paper:
        """Size, text and resolution as chosen."""
        return Paper(
            self.width_mm.value() / MM_PER_POINT,
            self.height_mm.value() / MM_PER_POINT,
            self.text_size.value(),
            self.dpi.value(),
        )

    def _preview(self) -> None:
        chart, paper = self.chart(), self.paper()
        # The chosen resolution is for the file; the preview is drawn for the screen, at once.
        dots = Paper(paper.width, paper.height, paper.text_size, _PREVIEW_DPI)
        self._painter.run(lambda cancel: chart_image(chart, dots), self.preview.show_image, self._fail)

    def _fail(self, error: CorpusError) -> None:
        self.message.setText("")
        self.notice.show_error(error)

    def _say(self, text: str) -> None:
        self.notice.show_text("")
        self.message.setText(text)

    def _ask_save(self, form: Exporter[WriteFigure]) -> None:
        path = ask_where(self, tr("Save as {kind}", kind=tr(form.label)), self.chart().name, (form,))
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the figure in the format of the path's ending."""
        # Read from the widgets here, on the interface thread; the work below runs on another.
        chart, paper = self.chart(), self.paper()

        def write(cancel: CancelToken) -> Path:
            save_chart(chart, path, paper)
            return path

        def done(written: Path) -> None:
            self._say(tr("Saved {done}", done=written))
            self.saved.emit(written)

        self._writer.run(write, done, self._fail)

    def _copy_image(self) -> None:
        chart, paper = self.chart(), self.paper()

        def done(image: QImage) -> None:
            QGuiApplication.clipboard().setImage(image)
            self._say(
                tr("Copied an image of {width:,} × {height:,} pixels", width=image.width(), height=image.height())
            )

        self._writer.run(lambda cancel: chart_image(chart, paper), done, self._fail)

    def _copy_data(self) -> None:
        chart = self.chart()

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._say(trn("Copied {n:,} row", "Copied {n:,} rows", len(chart.data)))

        self._writer.run(lambda cancel: table_text(chart.header, chart.data, "tsv"), done, self._fail)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the background work."""
        self._end()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """End the background work, however the dialog was closed."""
        self._end()
        super().done(result)

    def _end(self) -> None:
        for runner in (self._painter, self._writer):
            runner.stop()


def open_figure(charts: Sequence[Chart], parent: QWidget) -> FigureDialog:
    """Show the dialog of figures beside the window, not over it.

    Returns: The dialog, which deletes itself when it is closed.
    """
    dialog = FigureDialog(charts, parent)
    # No larger than the window: by itself, Qt gives a dialog two thirds of the screen at most.
    dialog.resize(dialog.sizeHint().boundedTo(parent.window().size()))
    dialog.show()
    return dialog
