"""The tables of the Mix tab: halves of the text, its tokens, and sizes of the corpus."""

from __future__ import annotations

from explorer.gui.screens.model.mix.presenter import MixPresenter
from explorer.gui.screens.model.mix.state import MixState
from explorer.gui.screens.model.mix.words import (
    SIZE_HEADER,
    SIZE_TIPS,
    TOKEN_TIPS,
    part_header,
    part_rows,
    size_rows,
    token_header,
    token_rows,
)
from explorer.gui.widgets.tables.table_panel import TablePanel
from explorer.i18n import tr

MOST_TOKENS = 500
"""Tokens of a text that are listed and shown at once."""
HALVES, TOKENS, SIZES = range(3)


class MixTables(TablePanel):
    """One of three tables."""

    def __init__(self, presenter: MixPresenter) -> None:
        super().__init__(tr("Figures of the mixture"), (tr("Halves"), tr("Tokens"), tr("Sizes")), tr("Table"))
        self._presenter = presenter
        self.first = 0
        self.by.chosen.connect(self.turn_to)
        self.picked.connect(self._pick)

    def turn_to(self, number: int) -> None:
        """Show one of `HALVES`, `TOKENS` and `SIZES`."""
        self.by.choose(number)
        self._show()

    def show_part(self, first: int) -> None:
        """List the tokens of the text from this one on."""
        # Setting rows forgets what is chosen and scrolled, so only for other ones.
        if first != self.first:
            self.first = first
            if self.by.current == TOKENS:
                self._show()

    def _pick(self, row: int) -> None:
        if self.by.current == TOKENS:
            self._presenter.choose_token(self.first + row)

    def draw(self, state: MixState, before: MixState | None) -> None:
        """Show the figures of a state.

        before: The one that was drawn before; None for the first.
        """
        if before is not None and state.sizes.current is not None and state.sizes.value is not before.sizes.value:
            # They were asked for, and are what the user waits for.
            self.turn_to(SIZES)
        elif (
            before is None or state.shown is not before.shown or state.sizes is not before.sizes
            or state.text is not before.text
        ):  # fmt: skip
            self._show()
        self._mark(state)

    def _mark(self, state: MixState) -> None:
        # The table lists a part of the text only, as the text does.
        if self.by.current == TOKENS and state.token >= 0 and self.mark_row(state.token - self.first):
            self.table.scrollTo(self.table.currentIndex())

    def _show(self) -> None:
        state = self._presenter.state
        if state.shown is None:
            self.model.show((), ())
            self.explain("")
            return
        found = state.shown.found
        if self.by.current == TOKENS:
            rows = state.text.rows[self.first : self.first + MOST_TOKENS] if state.text is not None else ()
            self.model.show(token_header(found), token_rows(rows), tuple(map(tr, TOKEN_TIPS)))
            self.explain(
                tr("Click a token to see it in the text. λ of the first half was tuned on it.")
                if found.same_tokenizer
                else tr("A unit is the text between two boundaries that both tokenizers share. Click one to see it.")
            )
        elif self.by.current == SIZES:
            rows_of = size_rows(state.sizes.value or ())
            self.model.show(tuple(map(tr, SIZE_HEADER)) if rows_of else (), rows_of, tuple(map(tr, SIZE_TIPS)))
            self.explain(
                tr("Each part is counted exactly, and has its own λ.")
                if rows_of
                else tr("Press “Gain by size” to mix halves, quarters and smaller parts of the corpus.")
            )
        else:
            self.model.show(part_header(found), part_rows(found))
            how = tr("λ is tuned on the first half, which flatters; the second half is the result.")
            gain = (
                tr("The gain is (model − mixture) / (model − 1): the part of the way to a perfect prediction.")
                if found.same_tokenizer
                else tr("The gain is (model − mixture) / model: the part of the bits that the corpus saves.")
            )
            self.explain(f"{how} {gain}")
