"""A text in parts, token by token, with the ways to its other parts and to the other texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screens.model.presenter import ModelPresenter
from explorer.gui.screens.model.state import TextsState
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.gui.widgets.texts.token_text import Form, TokenText
from explorer.i18n import mark, tr

S = TypeVar("S", bound=TextsState[Any, Any])
RANGES = {
    "tokens": mark("tokens {first:,} to {last:,} of {tokens:,}"),
    "bytes": mark("bytes {first:,} to {last:,} of {tokens:,}"),
    "units": mark("units {first:,} to {last:,} of {tokens:,}"),
}
"""Which tokens are shown, from 1, by what they are; not yet translated."""
LEAD = 40
"""Characters before the first token of a text that are shown, such as those of a token that is not scored."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """A text as it is shown.

    starts, ends: The first character of each token, and one past its last: int64, ascending.
    """

    text: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class TextInParts(QWidget, Generic[S]):
    """One text at a time; the subclass tells its tokens and how they look.

    name: What is shown, for assistive technology.
    most: Tokens that are shown and shaded at once.
    legend: What the looks mean, beside the title; None for none.
    """

    def __init__(self, presenter: ModelPresenter[S], name: str, most: int, legend: QWidget | None = None) -> None:
        super().__init__()
        self._presenter = presenter
        self.most = most
        """Tokens that are shown at once."""
        self._text: Any = None
        self._tokens: Tokens | None = None
        self.first = 0
        """The first token that is shown."""
        self.panel = Panel(footer=())
        self.title = ElidedLabel()
        self.title.setProperty("role", "heading")
        self.part = label("", "small")
        self.before = icon_button("chevron-left", tr("Earlier part"))
        self.after = icon_button("chevron-right", tr("Later part"))
        self.view = TokenText()
        self.view.setAccessibleName(name)
        self.view.describe_by(self.described)
        self.told = label("", "small")
        self.told.setWordWrap(True)
        self.panel.footer_row.addWidget(self.told)
        self._lay_out(legend)
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))
        self.view.token_chosen.connect(presenter.choose_token)

    def _lay_out(self, legend: QWidget | None) -> None:
        steps = QWidget()
        row = QHBoxLayout(steps)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.part, self.before, self.after):
            row.addWidget(widget)
        top = QWidget()
        flow = FlowLayout(top, gap=12)
        for part in (self.title, legend, steps):
            if part is not None:
                flow.addWidget(part)
        column = QVBoxLayout()
        column.setContentsMargins(scaled(16), scaled(8), scaled(16), 0)
        column.addWidget(top)
        self.panel.body.addLayout(column)
        self.panel.hold(self.view)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)

    # --- what the subclass tells -----------------------------------------------------------------------

    @abstractmethod
    def tokens_of(self, text: Any) -> Tokens:
        """The tokens of a text of the state."""

    @abstractmethod
    def looks(self, text: Any) -> Sequence[Form]:
        """How each token of a text looks, in the colors of the theme."""

    @abstractmethod
    def heading(self, state: S) -> str:
        """What is above the text."""

    def units(self, state: S) -> str:
        """What the tokens are: a key of `RANGES`."""
        return "tokens"

    @abstractmethod
    def told_of(self, token: int) -> str:
        """A token of the text that is shown, in words."""

    def hint(self) -> str:
        """What is below the text while no token is chosen; "" for nothing."""
        return ""

    # --- drawing ---------------------------------------------------------------------------------------

    def draw(self, state: S, before: S | None) -> None:
        """Show the text of a state; what is shown already keeps its place.

        before: The one that was drawn before; None for the first.
        """
        # By identity: two texts may read alike, and differ in their figures.
        if before is None or state.text is not self._text:
            self._take(state.text)
        if before is not None and state.token != before.token:
            if state.token >= 0 and not self.first <= state.token < self.first + self.most:
                self.go_to(state.token // self.most * self.most)
            self.view.set_off(state.token)
            # A token that was clicked is in view; one of a table may not be.
            if not self.view.hasFocus():
                self.view.show_token(state.token)
        self._say(state)

    def _take(self, text: Any) -> None:
        tokens, old = None if text is None else self.tokens_of(text), self._tokens
        self._text, self._tokens = text, tokens
        same = old is not None and tokens is not None and old.text == tokens.text
        if same and old is not None and tokens is not None and np.array_equal(old.starts, tokens.starts):
            # Other figures of what is there: it keeps its place.
            self.shade()
        else:
            self.go_to(self.first if same else 0)

    def go_to(self, first: int) -> None:
        """Show the tokens of the text from this one on."""
        tokens = self._tokens
        # Of another answer about the same text, there may be fewer tokens.
        self.first = first if tokens is not None and first < len(tokens.starts) else 0
        if tokens is None or not len(tokens.starts):
            self.view.clear()
            return
        here = slice(self.first, self.first + self.most)
        starts, ends = tokens.starts[here], tokens.ends[here]
        # Only the part is put into the widget: Qt lays out paragraphs as a whole, and a text can be a book in one.
        begin, end = int(starts[0]), int(ends[-1])
        lead = tokens.text[:begin][-LEAD:] if not self.first else ""
        self.view.show_tokens(tokens.text[begin:end], starts - begin, ends - begin, self.first, lead)
        self.view.set_off(self._presenter.state.token)
        self.shade()

    def shade(self) -> None:
        """Shade the tokens in the colors of the theme."""
        first, end = self.view.shown
        if self._text is not None and end > first:
            self.view.shade(self.looks(self._text)[first:end])

    def _say(self, state: S) -> None:
        tokens = 0 if self._tokens is None else len(self._tokens.starts)
        last = min(tokens, self.first + self.most)
        self.title.setText(self.heading(state))
        shown = tr(RANGES[self.units(state)])
        self.part.setText(shown.format(first=self.first + 1, last=last, tokens=tokens))
        # The whole of a short text needs no line that counts it.
        self.part.setVisible(tokens > self.most)
        # A short text alone has no other parts to go to.
        for widget in (self.before, self.after):
            widget.setVisible(tokens > self.most or len(state.texts) > 1)
        self.before.setEnabled(self.first > 0 or state.number > 0)
        self.after.setEnabled(last < tokens or state.number < len(state.texts) - 1)
        self.told.setText(self.footer(state))
        self.panel.show_footer(bool(self.told.text()))

    def footer(self, state: S) -> str:
        """What is below the text: the token that was clicked, or what a click does; "" for nothing."""
        return self.described(state.token) if state.token >= 0 else self.hint()

    def _step(self, by: int) -> None:
        """The next part of the text, or the next text."""
        state = self._presenter.state
        first = self.first + by * self.most
        # Beyond the ends of a text are its neighbors.
        if self._tokens is not None and 0 <= first < len(self._tokens.starts):
            self.go_to(first)
            self._say(state)
        else:
            self._presenter.go(state.number + by)

    def described(self, token: int) -> str:
        """A token of the text in words; "" where there is none."""
        if self._text is None or self._tokens is None or not 0 <= token < len(self._tokens.starts):
            return ""
        return self.told_of(token)
