"""The widgets of the Mix tab: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QAbstractButton

from explorer.gui.screens.model.mix.curve import MixCurve
from explorer.gui.screens.model.mix.neural_row import NeuralRow
from explorer.gui.screens.model.mix.presenter import MixPresenter, restore, session_of
from explorer.gui.screens.model.mix.state import ADDRESS, OPEN, TEXT, WORDS, MixState
from explorer.gui.screens.model.mix.tables import MixTables
from explorer.gui.screens.model.mix.text_panel import MixTextPanel
from explorer.gui.screens.model.mix.work import ScoreFile
from explorer.gui.screens.model.texts_page import TextsPage, halves
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.neural.address import ServerError, address_of
from explorer.recipes import Recipe, Source, mix_recipe

_NARROW = 58
"""Width in em below which curve and table are one below the other."""


class MixPage(TextsPage[MixPresenter]):
    """Texts and the model on top, the answer in a sentence, curve and table, and the text below them."""

    remedy_words = WORDS

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes, MixPresenter(lanes), "mix")
        # A bar each: what is scored is mixed while sizes are computed.
        for name in ("mix asking", "mix", "mix sizes"):
            self.bar_for(name, self.presenter.stop)
        self.row = NeuralRow(self.presenter.set)
        self.curve = MixCurve()
        self.curve_panel = Panel()
        self.curve_panel.hold(self.curve)
        self.tables = MixTables(self.presenter)
        self.text = MixTextPanel(self.presenter, self.tables)
        at_least(self.tables, 24, 17)
        at_least(self.text, 20, 14)
        self._connect()
        figures = self.beside((self.curve_panel, self.tables), (480, 520))
        self.begin((self.row,), halves(figures, self.text), (self.curve_panel, self.tables, self.text))

    def _connect(self) -> None:
        presenter, row = self.presenter, self.row
        row.taken_from.connect(presenter.take_from)
        row.pointed.connect(presenter.server.point_to)
        row.wanted.connect(presenter.server.ask)
        row.opened.connect(lambda name: presenter.open_file(Path(name)))
        row.method_chosen.connect(presenter.choose_method)
        row.left_out.connect(presenter.leave_one_out)
        row.sizes_wanted.connect(presenter.measure_sizes)

    def _draw(self, state: MixState, before: MixState | None) -> None:
        """Draw the model, the curve, the figures and the text."""
        # A file of log probabilities has its texts in it.
        self.sources.setVisible(not state.from_file)
        self.row.draw(state)
        if before is None or state.shown is not before.shown:
            self.curve.show_mix(None if state.shown is None else state.shown.found)
        self.text.draw(state, before)
        self.tables.draw(state, before)

    def remedy(self, name: str) -> None:
        """Do what a button of the notice offers."""
        if name == ADDRESS:
            self.row.focus_address()
        elif name == OPEN:
            self.row.ask_file()
        elif name == TEXT:
            self.sources.paste.open()
        else:
            super().remedy(name)

    # --- what the screen asks ------------------------------------------------------------------------

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.text.shade()
        self.curve.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The mixture that is shown; of texts that are scored in part, there is no program."""
        state = self.presenter.state
        found = state.answer.current
        # Nor of texts with prompts: the library has no call that leaves the tokens of prompts out.
        prompted = not state.from_file and bool(state.inputs.prompt or state.inputs.prompt_field)
        if found is None or prompted or (not state.from_file and (state.kept is None or not state.kept.whole)):
            return None
        asked = found.question
        # What was asked, not what the fields have now.
        if isinstance(asked.scored, ScoreFile):
            file = str(asked.scored.path)
            return mix_recipe(source, asked.method, asked.leave_one_out, file=file, log_base=asked.scored.log_base)
        return mix_recipe(
            source, asked.method, asked.leave_one_out, url=state.asked.url, texts=state.inputs, remote=_is_remote(state)
        )

    def asks_files(self) -> QAbstractButton | None:
        """The button that opens log probabilities, or the chip that adds texts."""
        return self.row.file if self.presenter.state.from_file else self.sources.add

    def focus_input(self) -> None:
        """The first source, or the file."""
        if self.presenter.state.from_file:
            self.row.file.setFocus()
        else:
            super().focus_input()

    def session(self) -> dict[str, Any]:
        """Texts, model and method."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore what was chosen; a server is not asked."""
        restore(self.presenter, values)


def _is_remote(state: MixState) -> bool:
    try:
        return not address_of(state.asked.url, state.allowed.__contains__).is_local
    except ServerError:
        return False
