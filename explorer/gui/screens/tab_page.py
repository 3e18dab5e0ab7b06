"""What a tab of a screen with tabs is: a page of its own, with its own presenter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.gui.app.host import Host
from explorer.gui.charts.export.button import ExportButton
from explorer.gui.style.surfaces import split_page
from explorer.gui.threads.lanes import Lanes

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.recipes import Recipe, Source


class TabPage(QWidget):
    """One tab. The screen makes it when it is first turned to, and hands on what concerns it.

    `export` is its button of what can be saved and copied, which the screen shows beside the tabs. Names of its slots
    begin with the id of the tab: all tabs share the lanes of the screen.

    Signals: `requested(Request)`, asks another screen or the window for something.
    """

    requested = Signal(object)
    export: ExportButton

    def __init__(self, lanes: Lanes) -> None:
        super().__init__()
        self.lanes = lanes
        # A sheet on a whole page would restyle hundreds of widgets in one turn of the event loop.
        split_page(self)

    def use_host(self, host: Host) -> None:
        """Use what the window offers; called once, before anything else."""

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of another index, or of none."""

    def prepare_next(self) -> bool:
        """Make one more part that is shown later. False if none is left."""
        return False

    def warn(self, error: CorpusError) -> None:
        """Report something about the open index."""

    def theme_changed(self) -> None:
        """Apply new colors where the style sheet has no effect."""

    def recipe(self, source: Source) -> Recipe | None:
        """Write the result that is shown as code; None if there is none."""
        return None

    def asks_files(self) -> QAbstractButton | None:
        """The button that asks for files; None if it takes none."""
        return None

    def focus_input(self) -> None:
        """Put the cursor in the first field."""
        self.setFocus()

    def session(self) -> dict[str, Any]:
        """What the user typed and chose, as JSON values."""
        return {}

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore a session; missing or invalid values are left unchanged."""
