"""The export button of a list: besides the figure and the code, a file with all rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from explorer.errors import CorpusError
from explorer.export.registry import RECORDS
from explorer.gui.charts.export.button import ExportButton, Make
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.threads.runner import Runner
from explorer.i18n import tr

FORMS = tuple(RECORDS.named(id) for id in ("csv", "xlsx", "parquet", "tsv", "jsonl"))


class TableExport(ExportButton):
    """Also offers a file with all rows of the list, those beyond the table included.

    save: Called with the file that all rows are to be written to.
    name: The name that the dialog proposes for the file.
    """

    def __init__(
        self,
        runner: Runner,
        prepare: Callable[[], Make | None],
        failed: Callable[[CorpusError], None],
        save: Callable[[Path], None],
        name: str,
    ) -> None:
        super().__init__(runner, prepare, failed)
        self._save, self._name = save, name
        first = self.menu_of_exports.actions()[1]
        action = self.menu_of_exports.addAction(tr("Save all rows …"), self.ask_table)
        self.menu_of_exports.insertAction(first, action)

    def ask_table(self) -> None:
        """Ask for the file, then have it written."""
        path = ask_where(self, tr("Save all rows"), self._name, FORMS)
        if path is not None:
            self._save(path)
