"""The texts of an analysis: a strip of tokens, the text itself, and the alternatives to a token."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.agreement.analysis import TextAgreement
from explorer.agreement.brush import Brush, marked_tokens
from explorer.gui.screen import label, named
from explorer.gui.screens.agreement.ribbon import TokenRibbon
from explorer.gui.screens.agreement.shaded_text import ShadedText
from explorer.gui.screens.agreement.shading import KINDS, LEGENDS, describe_token
from explorer.gui.text_positions import cell_text
from explorer.i18n import mark, tr

MOST_TOKENS = 1_000
"""Tokens of the text that are shown and shaded at once; the strip has them all and leads to the others."""
_HINT = mark("Click a token to see what else could follow its context. Right-click it to search for the context.")


class TextView(QWidget):
    """`alternatives_wanted(TextAgreement, int)`: what else follows the context of this token.

    `brushed(Brush)`: tokens of the text were selected.
    """

    alternatives_wanted = Signal(object, int)
    brushed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._numbered: tuple[tuple[int, TextAgreement], ...] = ()
        self._brush = Brush()
        self._token = -1
        self._first = 0
        self.which = named(QComboBox(), tr("Text"))
        self.which.setMinimumWidth(160)
        self.kind = named(QComboBox(), tr("Shade by"))
        for text, name in KINDS:
            self.kind.addItem(tr(text), name)
        self.before = _arrow("◂", tr("Earlier tokens of the text"))
        self.after = _arrow("▸", tr("Later tokens of the text"))
        self.part = label("", "muted")
        self.ribbon = TokenRibbon()
        self.text = ShadedText()
        self.chosen = label(tr(_HINT), "muted")
        self.chosen.setWordWrap(True)
        # Room for three lines, so that the text above keeps its height whatever it reports about a token.
        self.chosen.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.legend = label("", "muted")
        self.legend.setWordWrap(True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.which)
        top.addWidget(label(tr("Shade by"), "muted"))
        top.addWidget(self.kind)
        top.addWidget(self.legend, 1)
        top.addWidget(self.before)
        top.addWidget(self.part)
        top.addWidget(self.after)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self.ribbon)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.chosen)

    def _connect(self) -> None:
        self.which.currentIndexChanged.connect(lambda _: self._show_other())
        self.kind.currentIndexChanged.connect(lambda _: self.show_current())
        self.before.clicked.connect(lambda: self._move_to(self._first - MOST_TOKENS))
        self.after.clicked.connect(lambda: self._move_to(self._first + MOST_TOKENS))
        self.text.token_chosen.connect(self._choose)
        self.ribbon.token_chosen.connect(self._choose_in_ribbon)
        for part in (self.text, self.ribbon):
            part.brushed.connect(self._brush_tokens)

    def show_texts(self, numbered: tuple[tuple[int, TextAgreement], ...]) -> None:
        """Offer texts, each with its number in the analysis; the current text stays if it is among them."""
        # Asked first: both depend on the box, which is filled again below.
        before, shown = self.number(), self.current()
        self._numbered = numbered
        with QSignalBlocker(self.which):
            self.which.clear()
            self.which.addItems([f"{number + 1}: {cell_text(found.group) or tr('text')}" for number, found in numbered])
            places = [place for place, (number, _) in enumerate(numbered) if number == before]
            # The same text if it is still offered, otherwise the first; -1 for none.
            self.which.setCurrentIndex(places[0] if places else 0 if numbered else -1)
        self.which.setVisible(len(numbered) > 1)
        # The same text keeps its part and the token that was clicked.
        if self.current() is not shown or shown is None:
            self._show_other()

    def current(self) -> TextAgreement | None:
        """The text that is shown."""
        place = self.which.currentIndex()
        return self._numbered[place][1] if 0 <= place < len(self._numbered) else None

    def number(self) -> int:
        """Its number in the analysis, -1 for none."""
        place = self.which.currentIndex()
        return self._numbered[place][0] if 0 <= place < len(self._numbered) else -1

    def _show_other(self) -> None:
        self._first, self._token = 0, -1
        self.chosen.setText(tr(_HINT))
        self.show_current()

    def show_current(self) -> None:
        """Show and shade the chosen text."""
        found, kind = self.current(), self.kind.currentData()
        count = len(found.infgram) if found is not None else 0
        end = min(count, self._first + MOST_TOKENS)
        self.ribbon.show_text(found, kind)
        self.ribbon.show_window(self._first, end)
        self.text.show_part(found, self._first, end)
        for widget in (self.before, self.part, self.after):
            widget.setVisible(count > MOST_TOKENS)
        self.before.setEnabled(self._first > 0)
        self.after.setEnabled(end < count)
        self.part.setText(tr("tokens {first:,} to {end:,} of {count:,}", first=self._first + 1, end=end, count=count))
        self.legend.setText(tr(LEGENDS[kind]))
        self._show_brush()

    def show_brush(self, brush: Brush) -> None:
        """Highlight the tokens of a brush, and scroll to the first of them in the current text."""
        if brush == self._brush:
            return
        self._brush = brush
        marked = self._marked()
        places = np.flatnonzero(marked)
        window = range(self._first, self._first + MOST_TOKENS)
        # The part stays if the first of the tokens is in it.
        if len(places) and not any(int(place) in window for place in places[:1]):
            self._move_to(int(places[0]) // MOST_TOKENS * MOST_TOKENS)
        else:
            self._show_brush()
        # A range of effective n is chosen elsewhere, so its first token may be out of view.
        if len(places) and brush.text < 0:
            self.text.show_token(int(places[0]))

    def _marked(self) -> NDArray[np.bool_]:
        found = self.current()
        if found is None or self._brush.empty:
            return np.zeros(len(found.infgram) if found is not None else 0, dtype=np.bool_)
        return marked_tokens(self._brush, self.number(), found)

    def _show_brush(self) -> None:
        marked = self._marked()
        self.ribbon.show_marked(marked)
        self.text.shade_by(self.kind.currentData(), marked)

    def _brush_tokens(self, first: int, end: int) -> None:
        self.brushed.emit(Brush(text=self.number(), first=first, end=end))

    def _move_to(self, first: int) -> None:
        found = self.current()
        count = len(found.infgram) if found is not None else 0
        # Parts begin at multiples of MOST_TOKENS; the last one may be shorter.
        self._first = min(max(0, first), max(0, count - 1) // MOST_TOKENS * MOST_TOKENS)
        self.show_current()

    def _choose_in_ribbon(self, token: int) -> None:
        if not self._first <= token < self._first + MOST_TOKENS:
            self._move_to(token // MOST_TOKENS * MOST_TOKENS)
        self.text.show_token(token)
        self._choose(token)

    def _choose(self, token: int) -> None:
        found = self.current()
        if found is not None:
            self._token = token
            self.chosen.setText(describe_token(found, token))
            self.alternatives_wanted.emit(found, token)

    def show_alternatives(self, found: TextAgreement, token: int, alternatives: str) -> None:
        """Show the likeliest tokens after the same context.

        Parameters
        ----------
        found
            The text that was asked about; an answer about another one than the shown is dropped.
        token
            The token that was asked about; likewise.
        alternatives
            The tokens in words.
        """
        # Another token may have been clicked before the answer came.
        if found is self.current() and token == self._token:
            self.chosen.setText(
                tr(
                    "{found}\nmost likely: {alternatives}",
                    found=describe_token(found, token),
                    alternatives=alternatives,
                )
            )


def _arrow(text: str, name: str) -> QToolButton:
    button = named(QToolButton(), name)
    button.setText(text)
    button.setToolTip(name)
    return button
