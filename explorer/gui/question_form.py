"""A form of a question: a control for each setting, made from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from explorer.derive.kinds import Choice, Sides, Whole, WordFile, Words
from explorer.derive.question import Question, Setting, settings_of
from explorer.gui.screen import label, named
from explorer.gui.stop_list import StopList
from explorer.gui.untrusted import tip
from explorer.gui.widgets.flow_layout import flowing, side_by_side
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class QuestionForm(QWidget):
    """The settings of a question, in rows that wrap.

    names: The settings that have a control, in order.
    change: Called with the name and the value of a setting that the user changed.
    after: What follows the controls.
    """

    def __init__(
        self, question: type[Question], names: Sequence[str], change: Callable[..., None], *after: QWidget
    ) -> None:
        super().__init__()
        self._change, self._drawing = change, False
        settings = settings_of(question)
        self._controls = {name: self._control(settings[name]) for name in names}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flowing(*(control.row for control in self._controls.values()), *after))

    def _control(self, setting: Setting) -> _Control:
        make = next(make for kind, make in _MAKERS.items() if isinstance(setting.kind, kind))
        return make(setting, lambda value: self._chosen(setting.name, value))

    def _chosen(self, name: str, value: Any) -> None:
        # A control that is set reports its value, while others still show what was before.
        if not self._drawing:
            self._change(**{name: value})

    def draw(self, question: Question) -> None:
        """Show the settings of a question."""
        self._drawing = True
        for name, control in self._controls.items():
            control.show(getattr(question, name))
        self._drawing = False


@dataclass(frozen=True)
class _Control:
    """The widgets of a setting, and the function that shows a value."""

    row: QWidget
    show: Callable[[Any], None]


_Report = Callable[[Any], None]


def _number(setting: Setting, report: _Report) -> _Control:
    assert isinstance(setting.kind, Whole)
    box = NumberBox(minimum=setting.kind.least, maximum=min(setting.kind.most, setting.kind.offered))
    box.valueChanged.connect(report)
    return _Control(_labeled(setting, box), box.setValue)


def _sides(setting: Setting, report: _Report) -> _Control:
    assert isinstance(setting.kind, Sides)
    most = min(setting.kind.most, setting.kind.offered)
    left, right = NumberBox(maximum=most, suffix=tr(" left")), NumberBox(maximum=most, suffix=tr(" right"))
    row = _labeled(setting, left, right)
    for box in (left, right):
        named(box, f"{tr(setting.label)}{box.suffix()}")
        box.valueChanged.connect(lambda _: report((left.value(), right.value())))

    def show(value: tuple[int, int]) -> None:
        left.setValue(value[0])
        right.setValue(value[1])

    return _Control(row, show)


def _choice(setting: Setting, report: _Report) -> _Control:
    assert isinstance(setting.kind, Choice)
    names = list(setting.kind.labels)
    labels = [tr(each) for each in setting.kind.labels.values()]
    if len(names) == 2:
        segments = Segments(labels, tr(setting.label))
        segments.chosen.connect(lambda place: report(names[place]))
        return _Control(segments, lambda value: segments.choose(names.index(value)))
    combo = QComboBox()
    combo.addItems(labels)
    combo.activated.connect(lambda place: report(names[place]))
    return _Control(_labeled(setting, combo), lambda value: combo.setCurrentIndex(names.index(value)))


def _words(setting: Setting, report: _Report) -> _Control:
    stop = StopList()
    stop.chosen.connect(lambda path: report(WordFile(path) if path else ()))
    return _Control(stop, lambda value: stop.show_path(value.path if isinstance(value, WordFile) else ""))


_MAKERS: dict[type, Callable[[Setting, _Report], _Control]] = {
    Whole: _number,
    Sides: _sides,
    Choice: _choice,
    Words: _words,
}


def _labeled(setting: Setting, *widgets: QWidget) -> QWidget:
    """Controls after the label of their setting, with its help as a tip."""
    text = tr(setting.help)
    hint = tip(f"{text[:1].upper()}{text[1:]}")
    for widget in widgets:
        named(widget, tr(setting.label)).setToolTip(hint)
    return side_by_side(label(tr(setting.label), "muted"), *widgets)
