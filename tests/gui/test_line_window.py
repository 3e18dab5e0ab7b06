"""The window of rows of a long list: each line can be brought into it."""

from __future__ import annotations

import pytest

from explorer.gui.screens.search.lines.model import WINDOW, KwicModel
from explorer.gui.screens.search.work import PAGE, Layout


class Many:
    """So many lines, of which none is read."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __len__(self) -> int:
        return self.number


@pytest.mark.parametrize("total", [1, WINDOW, WINDOW + 1, WINDOW + PAGE, 200_001, 3_000_000_019])
def test_each_line_has_a_row(qapp, total):
    model = KwicModel()
    model.show(Many(total), Layout())
    for line in sorted({0, total // 2, max(0, total - WINDOW - 1), max(0, total - PAGE), total - 1}):
        model.move_window(line)
        assert model.index(line - model.base, 0).isValid()
        assert model.base % PAGE == 0 and model.base + model.rowCount() <= total
    assert model.base + model.rowCount() == total
