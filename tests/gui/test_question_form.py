"""Forms of questions: a control for each setting, with its label, limits, choices and help."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit

from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.personal_data.question import KINDS, PersonalDataQuestion
from explorer.derive.kinds import Flag, Maybe, Real, Span, Text, Whole, WordFile
from explorer.derive.question import Question, setting, settings_of
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.asking.stop_list import StopList
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.fields.segments import Segments

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


@dataclass(frozen=True)
class _Every(Question):
    """A question with a setting of each kind that Collocates does not have."""

    share: float = setting(0.5, Real(0, 1, above=True), "Share", "share of the words")
    size: tuple[int, int] = setting((2, 4), Span(2, 8), "Size", "words of each")
    limit: int | None = setting(None, Maybe(Whole(1, 99), "all", "All"), "Limit", "words read")
    field: str = setting("", Text(), "Field", "metadata field")
    folded: bool = setting(False, Flag(), "Fold", "ignore case")


def test_each_kind_has_a_control(qtbot):
    reported = []
    made = QuestionForm(_Every, list(settings_of(_Every)), lambda **values: reported.append(values))
    qtbot.addWidget(made)
    made.draw(_Every())
    share, (first, last, limit) = made.findChild(DecimalBox), made.findChildren(NumberBox)
    assert (share.minimum(), share.maximum(), share.value()) == (0.01, 1, 0.5)
    assert (first.value(), last.value(), limit.text()) == (2, 4, "All")
    assert [first.accessibleName(), last.accessibleName()] == ["Size, minimum", "Size, maximum"]
    share.setValue(0.25)
    first.setValue(6)
    last.setValue(3)
    limit.setValue(7)
    limit.setValue(0)
    text = next(each for each in made.findChildren(QLineEdit) if each.accessibleName() == "Field")
    qtbot.keyClicks(text, "g")
    made.findChild(QCheckBox).click()
    assert reported == [
        {"share": 0.25},
        {"size": (6, 6)},
        {"size": (3, 3)},
        {"limit": 7},
        {"limit": None},
        {"field": "g"},
        {"folded": True},
    ]
    made.draw(_Every(0.75, (3, 5), 9, "year", True))
    assert (share.value(), first.value(), last.value(), limit.value(), text.text()) == (0.75, 3, 5, 9, "year")
    assert made.findChild(QCheckBox).isChecked() and len(reported) == 7


def test_one_of_several_stays_checked(qtbot):
    reported = []
    form = QuestionForm(PersonalDataQuestion, ("kinds",), lambda **values: reported.append(values["kinds"]))
    qtbot.addWidget(form)
    boxes = {each.text(): each for each in form.findChildren(QCheckBox)}
    assert list(boxes) == list(KINDS.values())
    for kinds in (["key"], ["email"]):
        form.draw(PersonalDataQuestion.of(kinds=kinds))
        assert [text for text, each in boxes.items() if each.isChecked()] == [KINDS[kinds[0]]]
    assert reported == []
    boxes["E-mail addresses"].click()
    assert boxes["E-mail addresses"].isChecked() and set(reported) <= {("email",)}
    boxes["IP addresses"].click()
    boxes["E-mail addresses"].click()
    assert reported[-2:] == [("email", "ip"), ("ip",)]
