"""Agreement by effective n, large: the ∞-gram with intervals, the n-gram model as a ghost, other sources in gray."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QRubberBand, QWidget

from explorer.analyses.agreement.brush import Marked
from explorer.analyses.agreement.dips import TAIL
from explorer.analyses.agreement.figure import Bin
from explorer.gui.charts.plot_area import PlotArea, style_panel
from explorer.gui.screens.agreement.plots.drawing import PlotDrawing
from explorer.gui.screens.agreement.plots.hover_card import HoverCard
from explorer.gui.screens.agreement.plots.panels import TokenAxis, make_panel
from explorer.gui.screens.agreement.plots.plotted import Plotted
from explorer.gui.screens.agreement.plots.zoom import STEP, AxisZoom
from explorer.gui.screens.agreement.sentences import described
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.widgets.painting import ring
from explorer.i18n import tr

_SLICE = 0.01
"""Seconds of drawing at a time: many sources take longer than the event loop may be held."""
_DRAG = 6
"""Pixels from which a press is a drag."""
_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class AgreementPlot(PlotArea):
    """Shows one source, and others in gray.

    `n_chosen(int, int, bool)`: the bin of these effective n, first and last, was clicked; True: extend the range to it.

    Notes
    -----
    The wheel and the keys + and − zoom, a drag zooms to the bins that it covers, and 0 or a double click shows all. The
    arrow keys go from bin to bin, and Enter chooses one.
    """

    n_chosen = Signal(int, int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Agreement by effective n"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._plotted: Plotted | None = None
        self._marked: Marked | None = None
        self._pointed: Bin | None = None
        self._last = 0
        self._pressed: QPoint | None = None
        # Drawing is a list of steps: a new figure replaces the list, so that an outdated one is never finished.
        self._steps: list[Callable[[], None]] = []
        # An interval of 0: the next steps come after the events that wait, such as keys and paints.
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._draw_some)
        tokens = TokenAxis()
        self.panel = make_panel(self, tokens, tr("Effective n (tokens of context that occur, plus one)"))
        self.drawing = PlotDrawing(self.panel, tokens)
        self.zoom = AxisZoom(self.panel, self)
        # The card would stay where its bin was before the zoom.
        self.zoom.changed.connect(lambda _: self.point(None))
        self.card = HoverCard(self.viewport())
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.viewport())
        self.restyle()
        when_restyled(self, self.restyle)

    def show_plotted(self, plotted: Plotted | None) -> None:
        """Draw other figures, or none."""
        self._plotted = plotted
        if plotted is not None:
            self.setAccessibleDescription(described(plotted.figure))
            self.zoom.use(plotted.axis)
        self._draw()

    def _draw(self) -> None:
        self.point(None)
        self._steps = self.drawing.steps(self._plotted)
        # Painting a half-drawn plot would take longer than drawing it.
        self.setUpdatesEnabled(False)
        self._more.start()

    def _draw_some(self) -> None:
        """Draw for a moment, then return to the event loop."""
        until = time.perf_counter() + _SLICE
        while self._steps and time.perf_counter() < until:
            self._steps.pop(0)()
        if self._steps:
            self._more.start()
        else:
            self.show_marked(self._marked)
            self.updateGeometry()
            self.setUpdatesEnabled(True)

    @property
    def drawn(self) -> bool:
        """Whether all is drawn."""
        return not self._steps

    def show_marked(self, marked: Marked | None) -> None:
        """Highlight the selected tokens in the bars, and the bars that contain them."""
        self._marked = marked
        # While steps remain, the axes still have the old scale; `_draw_some` calls this again at the end.
        if not self._steps:
            self.drawing.mark(self._plotted, marked)

    def restyle(self) -> None:
        """Apply the theme's colors."""
        self.setBackground(qcolor("surface"))
        style_panel(self.panel)
        self._draw()

    # --- the bin under the pointer, or reached by the keys -------------------------------------------

    def point(self, found: Bin | None) -> None:
        """Show the values of a bin, and set it off; None for none."""
        self._pointed = found
        self.drawing.point(found)
        if found is None or self._plotted is None:
            self.card.hide()
            return
        # Kept while no bin is shown: the arrow keys continue from the last one.
        self._last = found.effective_n
        place = self.panel.vb.mapViewToScene(QPointF(found.effective_n, found.agreement))
        self.card.say(*self._plotted.words(found), self.mapFromScene(place))

    def step(self, by: int) -> None:
        """Point at the next bin with tokens, or back; what is shown moves along."""
        bins = self._plotted.bins if self._plotted is not None else ()
        if bins:
            # The nearest one: the last bin may be missing in the figure that is drawn now.
            here = min(range(len(bins)), key=lambda i: abs(bins[i].effective_n - self._last))
            found = bins[min(max(0, here + by), len(bins) - 1)]
            # Before `point`: a change of the zoom hides the card.
            self.zoom.show_place(found.effective_n)
            self.point(found)

    def _bin_at(self, place: QPoint) -> Bin | None:
        x = self._axis_at(place)
        return self._plotted.bin_at(x) if x is not None and self._plotted is not None else None

    def _axis_at(self, place: QPoint) -> float | None:
        """The place of the axis under a pixel; None outside the panel."""
        point = self.mapToScene(place)
        inside = self.panel.vb.sceneBoundingRect().contains(point)
        return float(self.panel.vb.mapSceneToView(point).x()) if inside else None

    def _choose(self, found: Bin | None, modifiers: Qt.KeyboardModifier) -> None:
        if found is not None and self._plotted is not None:
            extend = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            self.n_chosen.emit(*self._plotted.range_of(found), extend)

    # --- mouse and keys ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press starts a click or a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the values under the pointer, or what a drag covers."""
        here = event.position().toPoint()
        if self._pressed is not None and abs(here.x() - self._pressed.x()) > _DRAG:
            self._band.setGeometry(self._dragged(self._pressed, here))
            self._band.show()
            self.point(None)
        elif self._pressed is None:
            found = self._bin_at(here)
            if found != self._pointed:
                self.point(found)

    def _dragged(self, start: QPoint, end: QPoint) -> QRect:
        """What a drag covers of the panel, in pixels."""
        frame = self.mapFromScene(self.panel.vb.sceneBoundingRect()).boundingRect()
        left, right = sorted((start.x(), end.x()))
        return QRect(left, frame.top(), max(1, right - left), frame.height()).intersected(frame)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A drag zooms, a click chooses a bin."""
        pressed, self._pressed = self._pressed, None
        # The release that ends a double click has no press of its own.
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        here = event.position().toPoint()
        self._band.hide()
        if abs(here.x() - pressed.x()) <= _DRAG:
            self._choose(self._bin_at(here), event.modifiers())
            return
        area = self._dragged(pressed, here)
        first, last = (
            self.panel.vb.mapSceneToView(self.mapToScene(x, area.top())).x() for x in (area.left(), area.right())
        )
        # Whole bins: each takes 0.5 on both sides of its number.
        self.zoom.to(round(first) - 0.5, round(last) + 0.5)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole axis."""
        self.zoom.reset()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways, move along the axis."""
        # Qt counts eighths of a degree: 120 are one notch of most wheels.
        along, steps = event.angleDelta().x() / 120, event.angleDelta().y() / 120
        if along or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.zoom.move(-(along or steps) / 10)
        elif steps:
            self.zoom.by(STEP**steps, self._axis_at(event.position().toPoint()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Show no values."""
        super().leaveEvent(event)
        self.point(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys are."""
        super().focusInEvent(event)
        # After a click, the pointer shows which bin is meant.
        if event.reason() in _BY_TAB:
            self.step(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no values."""
        super().focusOutEvent(event)
        self.point(None)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go to a bin, Enter chooses it; + and − zoom, 0 shows all."""
        # There are at most `TAIL` bins, so that many steps reach either end.
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -TAIL, Qt.Key.Key_End: TAIL}
        zooms = {Qt.Key.Key_Plus: STEP, Qt.Key.Key_Equal: STEP, Qt.Key.Key_Minus: 1 / STEP}
        key = Qt.Key(event.key())
        if key in steps:
            self.step(steps[key])
        elif key in zooms:
            self.zoom.by(zooms[key])
        elif key == Qt.Key.Key_0:
            self.zoom.reset()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._pointed, event.modifiers())
        else:
            event.ignore()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the focus ring."""
        if self.hasFocus():
            painter.save()
            # The ring is in pixels of the viewport, not in coordinates of the scene.
            painter.resetTransform()
            ring(painter, QRectF(self.viewport().rect()), 6)
            painter.restore()

    def sizeHint(self) -> QSize:
        """Large."""
        return QSize(scaled(900), scaled(300))
