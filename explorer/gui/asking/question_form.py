"""A form of a question: a control for each setting, made from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.analyses.metadata.conditions import Conditions
from explorer.analyses.metadata.values import FieldFilter
from explorer.derive.kinds import (
    Choice,
    Delimiters,
    Flag,
    Kind,
    Maybe,
    Phrase,
    Real,
    Separator,
    Several,
    Sides,
    Span,
    Text,
    Whole,
    WordFile,
    Words,
)
from explorer.derive.question import Question, Setting, settings_of
from explorer.gui.asking.stop_list import StopList
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.text_positions import cell_text
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.flow_layout import flowing, side_by_side
from explorer.i18n import tr

_LARGE = 10_000_000
"""The largest number of a field that has steps of one and no separators."""


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
        self._lay_out(parts, after)

    def _lay_out(self, parts: Sequence[str | QWidget], after: Sequence[QWidget]) -> None:
        self._rows = {name: self._row(control) for name, control in self._controls.items()}
        rows = (row for each in parts for row in (self._wrapping(each) if isinstance(each, str) else (each,)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flowing(*rows, *after))

    def row(self, name: str) -> QWidget:
        """The widgets of a setting, after its label."""
        return self._rows[name]

    def _row(self, control: _Control) -> QWidget:
        if not control.caption:
            return control.widgets[0]
        return side_by_side(label(control.caption, "muted"), *control.widgets)

    def offer(self, name: str, why_not: str) -> None:
        """Let a setting be changed, or gray it out for a reason."""
        for widget in self.widgets(name):
            offer(widget, why_not)

    def widgets(self, name: str) -> tuple[QWidget, ...]:
        """The fields and buttons of a setting."""
        return self._controls[name].widgets

    def _wrapping(self, name: str) -> tuple[QWidget, ...]:
        """The widgets of a setting that wrap one by one: several have no label before them."""
        return (self.row(name),) if self._controls[name].caption else self.widgets(name)

    def focus(self, name: str) -> None:
        """Put the keyboard into the first control of a setting."""
        widgets = (each for part in self.widgets(name) for each in (part, *part.findChildren(QWidget)))
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


class QuestionRows(QuestionForm):
    """The settings of a question, one below the other. The label of another widget is its accessible name."""

    def _lay_out(self, parts: Sequence[str | QWidget], after: Sequence[QWidget]) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for part in parts:
            control = self._controls[part] if isinstance(part, str) else _Control(part.accessibleName(), (part,))
            if not control.caption:
                for each in control.widgets:
                    form.addRow(each)
                continue
            widget = control.widgets[0] if len(control.widgets) == 1 else side_by_side(*control.widgets)
            form.addRow(label(control.caption, "muted"), widget)
        for each in after:
            form.addRow(each)


class QuestionColumn(QuestionForm):
    """The settings of a question, each below its label."""

    def _lay_out(self, parts: Sequence[str | QWidget], after: Sequence[QWidget]) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for part in parts:
            widgets = self._controls[part].widgets if isinstance(part, str) else (part,)
            # A check box has its label in it.
            name = "" if isinstance(widgets[0], QCheckBox) else widgets[0].accessibleName()
            row = QVBoxLayout()
            row.setSpacing(3)
            if name:
                caption = label(name)
                caption.setBuddy(widgets[0])
                row.addWidget(caption)
            for widget in widgets:
                row.addWidget(widget)
            column.addLayout(row)
        for each in after:
            column.addWidget(each)
        column.addStretch(1)


def _shows_nothing(value: Any) -> None:
    """For a widget that is not of a setting."""


@dataclass(frozen=True)
class _Control:
    """The label of a setting, unless its widget has it; its widgets; and the function that shows a value."""

    caption: str
    widgets: tuple[QWidget, ...]
    show: Callable[[Any], None] = _shows_nothing


_Report = Callable[[Any], None]


def _number(setting: Setting, report: _Report) -> _Control:
    if isinstance(setting.kind, Real) and setting.kind.percent:
        return _percent(setting, setting.kind, report)
    box = _box(setting.kind)
    box.valueChanged.connect(report)
    return _labeled(setting, box.setValue, box)


def _percent(setting: Setting, kind: Real, report: _Report) -> _Control:
    """A field in percent for a share."""
    box = DecimalBox(decimals=kind.decimals - 2, singleStep=1, suffix="%")
    box.setRange(100 * (kind.least + kind.above * 10.0**-kind.decimals), 100 * kind.most)
    box.valueChanged.connect(lambda value: report(round(value / 100, kind.decimals)))
    return _labeled(setting, lambda value: box.setValue(100 * value), box)


def _box(kind: Kind, below: bool = False) -> NumberBox | DecimalBox:
    """A field for numbers of a kind.

    below: Whether the field has one step below the smallest number, too.
    """
    if isinstance(kind, Whole):
        box = NumberBox(minimum=kind.least - below, maximum=min(kind.most, kind.offered))
        box.setSpecialValueText(tr(kind.zero) if kind.zero else "")
        if box.maximum() > _LARGE:
            box.setGroupSeparatorShown(True)
            box.setStepType(NumberBox.StepType.AdaptiveDecimalStepType)
        return box
    assert isinstance(kind, Real)
    step = 10.0**-kind.decimals
    real = DecimalBox(decimals=kind.decimals, singleStep=max(step, 0.1 if kind.most > 1 else 0.05))
    real.setRange(kind.least + step * (kind.above - below), min(kind.most, kind.offered))
    return real


def _maybe(setting: Setting, report: _Report) -> _Control:
    """A field whose lowest step is None, shown as a word."""
    assert isinstance(setting.kind, Maybe)
    box = _box(setting.kind.kind, below=True)
    box.setSpecialValueText(tr(setting.kind.label or setting.kind.word))
    box.valueChanged.connect(lambda value: report(None if value == box.minimum() else value))
    put: Callable[[Any], None] = box.setValue
    return _labeled(setting, lambda value: put(box.minimum() if value is None else value), box)


def _span(setting: Setting, report: _Report) -> _Control:
    """Two numbers: one that passes the other takes it along."""
    kind = setting.kind
    assert isinstance(kind, Span)
    most = min(kind.most, kind.offered)
    first, last = (NumberBox(minimum=kind.least, maximum=most) for _ in range(2))
    first.valueChanged.connect(lambda value: report((value, max(value, last.value()))))
    last.valueChanged.connect(lambda value: report((min(value, first.value()), value)))

    def show(value: tuple[int, int]) -> None:
        first.setValue(value[0])
        last.setValue(value[1])

    control = _labeled(setting, show, first, last)
    named(first, tr("{name}, minimum", name=tr(setting.label)))
    named(last, tr("{name}, maximum", name=tr(setting.label)))
    return control


def _flag(setting: Setting, report: _Report) -> _Control:
    box = QCheckBox(tr(setting.label))
    box.setToolTip(tip(hint(setting)))
    box.toggled.connect(report)
    return _Control("", (box,), box.setChecked)


def _several(setting: Setting, report: _Report) -> _Control:
    """A box for each name, of which one stays checked."""
    assert isinstance(setting.kind, Several)
    boxes = {name: QCheckBox(tr(words)) for name, words in setting.kind.labels.items()}

    def chosen(box: QCheckBox) -> None:
        if names := tuple(name for name, each in boxes.items() if each.isChecked()):
            report(names)
        else:
            box.setChecked(True)

    def show(value: tuple[str, ...]) -> None:
        # Those to check first: one always stays checked.
        for name in sorted(boxes, key=lambda name: name not in value):
            boxes[name].setChecked(name in value)

    for name, box in boxes.items():
        box.setToolTip(tip(tr(setting.kind.tips.get(name, ""))))
        box.toggled.connect(lambda _, box=box: chosen(box))
    return _Control("", tuple(boxes.values()), show)


def _text(setting: Setting, report: _Report) -> _Control:
    field = QLineEdit()
    field.textEdited.connect(lambda _: report(typed()))

    def typed() -> str | None:
        # A phrase may begin with a blank; names are typed with one before their next word.
        return field.text() or None if isinstance(setting.kind, Phrase) else field.text().strip()

    def show(value: str | None) -> None:
        # Setting a text moves the cursor, also while the user types it.
        if value != typed():
            field.setText(value or "")

    if isinstance(setting.kind, Text) and setting.kind.word:
        field.setPlaceholderText(tr(setting.kind.word))
        keep_least(field, wide=8)
    return _labeled(setting, show, field)


def _delimiters(setting: Setting, report: _Report) -> _Control:
    """Strings with spaces between them."""
    field, kind = QLineEdit(), setting.kind
    field.textEdited.connect(lambda text: report(kind.read(text)))

    def show(value: tuple[str, ...]) -> None:
        # Spaces mean nothing: to write the text again would move the cursor of a user who types it.
        if kind.read(field.text()) != value:
            field.setText(kind.text(value))

    return _labeled(setting, show, field)


def _separator(setting: Setting, report: _Report) -> _Control:
    combo = QComboBox()
    for value, text in Separator.labels.items():
        combo.addItem(tr(text), value)
    combo.activated.connect(lambda _: report(combo.currentData()))

    def show(value: str) -> None:
        # A session may hold another text.
        if combo.findData(value) < 0:
            combo.addItem(cell_text(value), value)
        combo.setCurrentIndex(combo.findData(value))

    return _labeled(setting, show, combo)


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

    return _labeled(setting, show, field)


def _sides(setting: Setting, report: _Report) -> _Control:
    assert isinstance(setting.kind, Sides)
    most = min(setting.kind.most, setting.kind.offered)
    left, right = NumberBox(maximum=most, suffix=tr(" left")), NumberBox(maximum=most, suffix=tr(" right"))
    for box in (left, right):
        box.valueChanged.connect(lambda _: report((left.value(), right.value())))

    def show(value: tuple[int, int]) -> None:
        left.setValue(value[0])
        right.setValue(value[1])

    control = _labeled(setting, show, left, right)
    for box in (left, right):
        named(box, f"{tr(setting.label)}{box.suffix()}")
    return control


def _choice(setting: Setting, report: _Report) -> _Control:
    assert isinstance(setting.kind, Choice)
    names = list(setting.kind.labels)
    labels = [tr(each) for each in setting.kind.labels.values()]
    if len(names) == 2 or setting.kind.tips:
        segments = Segments(labels, tr(setting.label))
        for place, name in enumerate(names):
            segments.button(place).setToolTip(tip(tr(setting.kind.tips.get(name, ""))))
        segments.chosen.connect(lambda place: report(names[place]))
        return _Control("", (segments,), lambda value: segments.choose(names.index(value)))
    combo = QComboBox()
    combo.addItems(labels)
    combo.activated.connect(lambda place: report(names[place]))
    return _labeled(setting, lambda value: combo.setCurrentIndex(names.index(value)), combo)


def _words(setting: Setting, report: _Report) -> _Control:
    stop = StopList()
    stop.chosen.connect(lambda path: report(WordFile(path) if path else ()))
    return _Control("", (stop,), lambda value: stop.show_path(value.path if isinstance(value, WordFile) else ""))


_MAKERS: dict[type, Callable[[Setting, _Report], _Control]] = {
    Whole: _number,
    Real: _number,
    Maybe: _maybe,
    Sides: _sides,
    Span: _span,
    Choice: _choice,
    Flag: _flag,
    Several: _several,
    Separator: _separator,
    Delimiters: _delimiters,
    Text: _text,
    Phrase: _text,
    Conditions: _conditions,
    Words: _words,
}


def hint(setting: Setting) -> str:
    """The help of a setting as a sentence."""
    text = tr(setting.help)
    return f"{text[:1].upper()}{text[1:]}"


def _labeled(setting: Setting, show: Callable[[Any], None], *widgets: QWidget) -> _Control:
    """Widgets with the label of their setting, and its help as a tip."""
    for widget in widgets:
        named(widget, tr(setting.label)).setToolTip(tip(hint(setting)))
    return _Control(tr(setting.label), widgets, show)
