"""A form of a question: a control for each setting, made from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QVBoxLayout, QWidget

from explorer.derive.kinds import Choice, Flag, Kind, Maybe, Phrase, Real, Sides, Span, Text, Whole, WordFile, Words
from explorer.derive.question import Question, Setting, settings_of
from explorer.gui.screen import label, named
from explorer.gui.stop_list import StopList
from explorer.gui.surfaces import keep_least
from explorer.gui.untrusted import tip
from explorer.gui.widgets.flow_layout import flowing, side_by_side
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr
from explorer.search.conditions import Conditions
from explorer.search.values import FieldFilter


class QuestionForm(QWidget):
    """The settings of a question, in rows that wrap.

    parts: The settings that have a control, and other widgets between them, in order.
    change: Called with the name and the value of a setting that the user changed.
    after: What follows the controls.
    """

    def __init__(
        self, question: type[Question], parts: Sequence[str | QWidget], change: Callable[..., None], *after: QWidget
    ) -> None:
        super().__init__()
        self._change, self._drawing = change, False
        settings = settings_of(question)
        self._controls = {name: self._control(settings[name]) for name in parts if isinstance(name, str)}
        rows = (self.row(each) if isinstance(each, str) else each for each in parts)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flowing(*rows, *after))

    def row(self, name: str) -> QWidget:
        """The widgets of a setting."""
        return self._controls[name].row

    def focus(self, name: str) -> None:
        """Put the keyboard into the first control of a setting."""
        widgets = (self.row(name), *self.row(name).findChildren(QWidget))
        next(each for each in widgets if each.focusPolicy() & Qt.FocusPolicy.TabFocus).setFocus()

    def _control(self, setting: Setting) -> _Control:
        make = next(make for kind, make in _MAKERS.items() if isinstance(setting.kind, kind))
        return make(setting, lambda value: self._chosen(setting.name, value))

    def _chosen(self, name: str, value: Any) -> None:
        # A control that is set reports its value, while others still show what was before.
        if not self._drawing:
            self._change(**{name: value})

    def focus_first(self) -> None:
        """Put the cursor in the first control."""
        next(each for each in self.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus).setFocus()

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
    box = _box(setting.kind)
    box.valueChanged.connect(report)
    return _Control(_labeled(setting, box), box.setValue)


def _box(kind: Kind, below: bool = False) -> NumberBox | DecimalBox:
    """A field for numbers of a kind.

    below: Whether the field has one step below the smallest number, too.
    """
    if isinstance(kind, Whole):
        return NumberBox(minimum=kind.least - below, maximum=min(kind.most, kind.offered))
    assert isinstance(kind, Real)
    step = 10.0**-kind.decimals
    box = DecimalBox(decimals=kind.decimals, singleStep=max(step, 0.1) if kind.most > 1 else step)
    box.setRange(kind.least + step * (kind.above - below), min(kind.most, kind.offered))
    return box


def _maybe(setting: Setting, report: _Report) -> _Control:
    """A field whose lowest step is None, shown as a word."""
    assert isinstance(setting.kind, Maybe)
    box = _box(setting.kind.kind, below=True)
    box.setSpecialValueText(tr(setting.kind.label or setting.kind.word))
    box.valueChanged.connect(lambda value: report(None if value == box.minimum() else value))
    put: Callable[[Any], None] = box.setValue
    return _Control(_labeled(setting, box), lambda value: put(box.minimum() if value is None else value))


def _span(setting: Setting, report: _Report) -> _Control:
    """Two numbers: one that passes the other takes it along."""
    kind = setting.kind
    assert isinstance(kind, Span)
    most = min(kind.most, kind.offered)
    first, last = (NumberBox(minimum=kind.least, maximum=most) for _ in range(2))
    row = _labeled(setting, first, last)
    named(first, tr("{name}, minimum", name=tr(setting.label)))
    named(last, tr("{name}, maximum", name=tr(setting.label)))
    first.valueChanged.connect(lambda value: report((value, max(value, last.value()))))
    last.valueChanged.connect(lambda value: report((min(value, first.value()), value)))

    def show(value: tuple[int, int]) -> None:
        first.setValue(value[0])
        last.setValue(value[1])

    return _Control(row, show)


def _flag(setting: Setting, report: _Report) -> _Control:
    box = QCheckBox(tr(setting.label))
    box.setToolTip(_hint(setting))
    box.toggled.connect(report)
    return _Control(box, box.setChecked)


def _text(setting: Setting, report: _Report) -> _Control:
    field, empty = QLineEdit(), None if isinstance(setting.kind, Phrase) else ""
    field.textEdited.connect(lambda text: report(text or empty))

    def show(value: str | None) -> None:
        # Setting a text moves the cursor, also while the user types it.
        if (value or "") != field.text():
            field.setText(value or "")

    return _Control(_labeled(setting, field), show)


def _conditions(setting: Setting, report: _Report) -> _Control:
    """A field for one condition, which counts when the user leaves it: a part of it cannot be read."""
    field, shown = QLineEdit(), [""]
    field.setPlaceholderText(tr("field=value"))
    keep_least(field, wide=10)
    field.editingFinished.connect(lambda: report(field.text().strip()))

    def show(value: tuple[FieldFilter, ...]) -> None:
        # What is typed stays until it counts.
        if (text := setting.kind.text(value)) != shown[0]:
            shown[0] = text
            field.setText(text)

    return _Control(_labeled(setting, field), show)


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
    if len(names) == 2 or setting.kind.tips:
        segments = Segments(labels, tr(setting.label))
        for place, name in enumerate(names):
            segments.button(place).setToolTip(tip(tr(setting.kind.tips.get(name, ""))))
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
    Real: _number,
    Maybe: _maybe,
    Sides: _sides,
    Span: _span,
    Choice: _choice,
    Flag: _flag,
    Text: _text,
    Phrase: _text,
    Conditions: _conditions,
    Words: _words,
}


def _hint(setting: Setting) -> str:
    text = tr(setting.help)
    return tip(f"{text[:1].upper()}{text[1:]}")


def _labeled(setting: Setting, *widgets: QWidget) -> QWidget:
    """Controls after the label of their setting, with its help as a tip."""
    for widget in widgets:
        named(widget, tr(setting.label)).setToolTip(_hint(setting))
    return side_by_side(label(tr(setting.label), "muted"), *widgets)
