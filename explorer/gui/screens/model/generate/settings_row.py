"""The input of the Generate tab: the prompt, the slider from copies to invents, and the settings of chance."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.model.generate.presenter import GeneratePresenter
from explorer.gui.screens.model.generate.state import METHODS, MOST_LEVELS, MOST_TOKENS, GenerateState
from explorer.gui.screens.model.generate.work import ALL
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.query_field import QueryField
from explorer.gui.widgets.fields.slider import Slider
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.layouts.flow_layout import FlowLayout, together
from explorer.i18n import tr

_SLIDER = 14
"""Em of the slider at least."""


class PromptField(QLineEdit):
    """A beginning of one line. A pasted line break is kept as a space, as in every line of input."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is taken here, so that it presses no other button of the window."""
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class PromptRow(QWidget):
    """The prompt, and the button that continues it."""

    def __init__(self, presenter: GeneratePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = named(PromptField(), tr("Prompt"))
        self.prompt.setPlaceholderText(tr("Type the beginning of a text …"))
        self.field = QueryField(self.prompt, (label(tr("prompt"), "muted"),), icon_name="")
        self.button = push_button(tr("Generate"), "primary", "play")
        # As high as the field beside it.
        self.button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Expanding)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        self.prompt.textChanged.connect(presenter.typed)
        self.prompt.returnPressed.connect(presenter.run)
        self.button.clicked.connect(lambda _: presenter.run())

    def draw(self, state: GenerateState) -> None:
        """Show the prompt of a state."""
        # Setting an equal text would move the cursor.
        if self.prompt.text() != state.prompt:
            self.prompt.setText(state.prompt)
        offer(self.prompt, state.why_not)
        offer(self.button, state.why_not or ("" if state.corpus is not None else tr("No index is open.")))


class SettingsRow(QWidget):
    """The settings that matter most; the others are in a pop-over."""

    def __init__(self, presenter: GeneratePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._make_slider()
        self._make_boxes()
        self.more = icon_button("more", tr("More options"))
        self.options = OptionsPopover(self.more, presenter)
        self.more.clicked.connect(self.options.toggle)
        # A setting wraps with its name, never without it.
        row = FlowLayout(self, gap=16)
        row.addWidget(together(label(tr("copies"), "muted"), self.slider, label(tr("invents"), "muted"), self.levels))
        for words, box in (
            (tr("Temperature"), self.temperature),
            (tr("Length"), self.length),
            (tr("Seed"), self.seed),
            (tr("Top p"), self.top_p),
        ):
            row.addWidget(together(label(words, "muted"), box))
        row.addWidget(self.more)

    def _make_slider(self) -> None:
        # One step after the last number: all levels.
        self.slider = named(Slider(), tr("Context lengths that are blended"))
        self.slider.setRange(1, MOST_LEVELS + 1)
        # The usual ten would go over the whole range at once.
        self.slider.setPageStep(2)
        self.slider.setToolTip(
            tr(
                "How many context lengths are blended, k. With 1, only the longest context counts, and the text is "
                "copied; shorter contexts lead away from the source."
            )
        )
        self._size_slider()
        when_restyled(self.slider, self._size_slider)
        self.levels = label("", "heading")
        self.slider.valueChanged.connect(
            lambda value: self._presenter.choose(levels=value if value <= MOST_LEVELS else ALL)
        )

    def _size_slider(self) -> None:
        # As high as its handle, which reaches beyond the groove.
        self.slider.setMinimumSize(em(_SLIDER), em(1.6))

    def _make_boxes(self) -> None:
        choose = self._presenter.choose
        self.temperature = named(DecimalBox(minimum=0, maximum=100, singleStep=0.1, decimals=2), tr("Temperature"))
        self.temperature.setToolTip(tr("0 takes the most probable token, 1 draws by probability; more is more random"))
        self.temperature.valueChanged.connect(lambda value: choose(temperature=value))
        self.length = named(NumberBox(minimum=1, maximum=MOST_TOKENS), tr("Length"))
        self.length.setToolTip(tr("The most tokens to write"))
        self.length.valueChanged.connect(lambda value: choose(length=value))
        self.seed = named(NumberBox(minimum=0, maximum=999_999), tr("Seed"))
        self.seed.setToolTip(tr("The same seed gives the same text"))
        self.seed.valueChanged.connect(lambda value: choose(seed=value))
        self.top_p = named(DecimalBox(minimum=0.01, maximum=1, singleStep=0.05, decimals=2), tr("Top p"))
        self.top_p.setToolTip(tr("Draw only from the most probable tokens that together have this much of it"))
        self.top_p.valueChanged.connect(lambda value: choose(top_p=value))

    def draw(self, state: GenerateState) -> None:
        """Show the settings of a state."""
        how = state.how
        self.slider.setValue(how.levels or MOST_LEVELS + 1)
        self.levels.setText(state.levels_caption)
        # A slider without an effect would be taken for broken.
        offer(self.slider, state.why_no_levels)
        self.levels.setEnabled(not state.why_no_levels)
        for box, value in ((self.temperature, how.temperature), (self.top_p, how.top_p)):
            box.setValue(value)
        for whole, number in ((self.length, how.length), (self.seed, how.seed)):
            whole.setValue(number)
        self.options.draw(state)


class OptionsPopover(Popover):
    """Settings that are seldom changed."""

    def __init__(self, anchor: QWidget, presenter: GeneratePresenter) -> None:
        super().__init__(anchor, tr("More options"))
        about(self, "model#generated-text")
        choose = presenter.choose
        self.method = named(QComboBox(), tr("Method"))
        self.method.setToolTip(tr("How contexts of different lengths are weighed"))
        for words, name in METHODS:
            # In its order: a sign before letters would be after them in a window from right to left.
            self.method.addItem(in_its_order(tr(words)), name)
        self.method.activated.connect(lambda _: choose(method=self.method.currentData()))
        self.top_k = named(NumberBox(minimum=0, maximum=100_000), tr("Top k"))
        self.top_k.setSpecialValueText(tr("all"))
        self.top_k.setToolTip(tr("Draw only from this many of the most probable tokens"))
        self.top_k.valueChanged.connect(lambda value: choose(top_k=value))
        self.verbatim = named(NumberBox(minimum=0, maximum=MOST_TOKENS), tr("Tokens verbatim at most"))
        self.verbatim.setSpecialValueText(tr("any number"))
        self.verbatim.setToolTip(tr("The most tokens in a row that may occur in the corpus as they are"))
        self.verbatim.valueChanged.connect(lambda value: choose(most_verbatim=value))
        self.stop = Toggle(tr("Stop at document ends"))
        self.stop.setToolTip(tr("End the text where a document of the corpus ends, or where nothing can follow"))
        self.stop.toggled.connect(lambda on: choose(stop_at_ends=on))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(label(tr("Method"), "muted"), self.method)
        form.addRow(label(tr("Top k"), "muted"), self.top_k)
        form.addRow(label(tr("Verbatim at most"), "muted"), self.verbatim)
        self.body.addLayout(form)
        self.body.addWidget(self.stop)

    def draw(self, state: GenerateState) -> None:
        """Show the settings of a state."""
        how = state.how
        # Setting the box is not a choice of the user.
        with QSignalBlocker(self.method):
            self.method.setCurrentIndex(self.method.findData(how.method))
        self.top_k.setValue(how.top_k)
        self.verbatim.setValue(how.most_verbatim)
        self.stop.setChecked(how.stop_at_ends)
