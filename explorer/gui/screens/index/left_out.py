"""What a build leaves out or changes: names, places and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QVBoxLayout, QWidget

from explorer.building.source import Problem
from explorer.gui.cells import Cell
from explorer.gui.dialog import Dialog, without_icons
from explorer.gui.screen import label
from explorer.gui.text_positions import cell_text
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import numeral, tr


class LeftOutDialog(Dialog):
    """A table of problems; `counts`: the number of cases per reason, which may exceed the listed ones."""

    def __init__(self, parent: QWidget, counts: Mapping[str, int], problems: Sequence[Problem]) -> None:
        super().__init__(parent, tr("Left out or changed"))
        total = sum(counts.values())
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Left out or changed"), wide=(0, 2))
        reasons = " · ".join(f"{tr(reason)}: {numeral(number)}" for reason, number in counts.items())
        self.message = label(reasons, "muted")
        self.message.setWordWrap(True)
        self.model.show((tr("File"), tr("Line"), tr("Reason")), [_row(problem) for problem in problems])
        layout = QVBoxLayout(self)
        layout.addWidget(label(left_out_title(total), "heading"))
        layout.addWidget(self.message)
        layout.addWidget(self.table, 1)
        if total > len(problems):
            layout.addWidget(label(tr("Only the first {count:,} are listed.", count=len(problems)), "muted"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(buttons)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.resize(860, 460)


def left_out_title(total: int) -> str:
    """The title of the list."""
    return tr("Left out or changed ({count:,})", count=total)


def _row(problem: Problem) -> tuple[Cell, ...]:
    path = Path(problem.path)
    name = str(Path(path.parent.name) / path.name)
    return (
        Cell(cell_text(name), tip=problem.path),
        Cell(numeral(problem.place) if problem.place else "–", muted=not problem.place),
        Cell(cell_text(tr(problem.reason)), tip=problem.reason),
    )
