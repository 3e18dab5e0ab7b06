"""Forms of questions: a control for each setting, with its label, limits, choices and help."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox, QLabel

from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.derive.kinds import WordFile
from explorer.gui.question_form import QuestionForm
from explorer.gui.stop_list import StopList
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments

NAMES = ("window", "within", "unit", "min_count", "stop")


@pytest.fixture
def form(qtbot):
    made = QuestionForm(CollocatesQuestion, NAMES, lambda **values: made.reported.append(values))
    made.reported = []
    qtbot.addWidget(made)
    made.draw(CollocatesQuestion())
    return made


def test_controls_are_those_of_the_declarations(form):
    assert [each.text() for each in form.findChildren(QLabel) if each.text()] == ["Window", "Within", "Min. hits"]
    boxes = [(each.accessibleName(), each.minimum(), each.maximum()) for each in form.findChildren(NumberBox)]
    assert boxes == [("Window left", 0, 100), ("Window right", 0, 100), ("Min. hits", 1, 999_999)]
    assert form.findChildren(NumberBox)[2].toolTip() == "Minimum number of occurrences in the windows"
    combo = form.findChild(QComboBox)
    assert [combo.itemText(at) for at in range(combo.count())] == ["Document", "Sentence", "Line"]


def test_what_a_user_changes_is_reported_by_name(form):
    left, right, least = form.findChildren(NumberBox)
    left.setValue(2)
    right.setValue(7)
    least.setValue(9)
    form.findChild(QComboBox).activated.emit(2)
    form.findChild(Segments).chosen.emit(1)
    form.findChild(StopList).chosen.emit("/a/stop.txt")
    form.findChild(StopList).chosen.emit("")
    assert form.reported == [
        {"window": (2, 5)},
        {"window": (2, 7)},
        {"min_count": 9},
        {"within": "line"},
        {"unit": "tokens"},
        {"stop": WordFile("/a/stop.txt")},
        {"stop": ()},
    ]


def test_what_is_drawn_is_shown_and_not_reported(form):
    form.draw(
        CollocatesQuestion(window=(3, 0), within="sentence", unit="tokens", min_count=2, stop=WordFile("/a/stop.txt"))
    )
    assert [each.value() for each in form.findChildren(NumberBox)] == [3, 0, 2]
    assert form.findChild(QComboBox).currentText() == "Sentence"
    assert "stop.txt" in form.findChild(StopList).chip.accessibleName() + form.findChild(StopList).chip.words
    assert form.reported == []
