"""The interface of a screen to the main window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QPushButton, QWidget

from explorer.gui.style.untrusted import Label, tip
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.notices.notice import Notice as Notice
from explorer.i18n import tr

# Only the names of types: a screen is given these objects, and need not load their modules.
if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.presenting.requests import Request
    from explorer.recipes import Recipe, Source

W = TypeVar("W", bound=QWidget)
_USUAL_TIP = "usual_tip"
"""The property with the tool tip of what can be used."""


@dataclass(frozen=True)
class KeyButtons:
    """Buttons of a screen that keys press.

    files: Asks for files to work on; None for a screen that takes none.
    exports: Save what the screen shows; the visible one is for what is in front.
    """

    files: QAbstractButton | None = None
    exports: tuple[QAbstractButton, ...] = ()


class Screen(QWidget):
    """A page of the main window.

    `lanes` holds its lanes and delays, and is what its presenters ask through.

    Signals: `requested(Request)`, asks another screen or the window for something; `answered(float)`, seconds of the
    last answer; `bug(str)`, the report of an unexpected error.
    """

    requested = Signal(object)
    answered = Signal(float)
    bug = Signal(str)
    reads_text = True
    """Whether it needs the tokenizer of the index; without one, the window shows the reason in its place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The window sets it with `set_corpus`: for a screen that is made later, after `HostedScreen.use_host`.
        self.corpus: Corpus | None = None
        self.lanes = Lanes(self)
        self.lanes.answered.connect(self.answered)
        self.lanes.bug.connect(self.bug)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Use another index, or none."""
        # Without its tokenizer, each question to it would fail.
        self.corpus = None if self.reads_text and not has_text(corpus) else corpus
        # First, so that no answer about the index before arrives after the screen has changed.
        self.lanes.cancel()
        self.corpus_changed()

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show shortcuts in tool tips; called again when the user has changed some.

        key: The shortcut of a command, by its id, as the platform writes it; "" for none.
        """

    def take(self, request: Request) -> None:
        """Do what another screen or the window asks for.

        request: Of one of the types that the screen's row in the registry names.
        Raises `LookupError` if the screen does not know requests of this type.
        """
        raise LookupError(f"{type(self).__name__} does not take {type(request).__name__}")

    def corpus_changed(self) -> None:
        """Update the screen for the new index."""

    def prepare_next(self) -> bool:
        """Make one more part that is shown later, so that the user does not wait for it. False if none is left."""
        return False

    def theme_changed(self) -> None:
        """Apply new colors where the style sheet has no effect."""

    def session(self) -> dict[str, Any]:
        """What the user typed and chose here, as JSON values."""
        return {}

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore a session; missing or invalid values are left unchanged."""

    def recipe(self, source: Source) -> Recipe | None:
        """Write the result that is shown as code.

        Returns: The code; None if there is no result.
        Raises `CorpusError` if what was asked cannot be answered; what is still shown, dimmed, is another result.
        """
        return None

    def pressed_by_keys(self) -> KeyButtons:
        """The buttons that keys press on every screen alike."""
        return KeyButtons()

    def focus_input(self) -> None:
        """Put the cursor in the first field."""
        # For screens without a field; the others override it.
        self.setFocus()

    def warn(self, error: CorpusError) -> None:
        """Report something about the open index; screens with a notice show it there."""
        # By its name, since screens make their notice themselves, and some have none.
        notice = getattr(self, "notice", None)
        if isinstance(notice, Notice):
            notice.show_error(error)

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited, or a question is about to be asked."""
        return self.lanes.busy


def has_text(corpus: Corpus | None) -> bool:
    """Whether texts of an index can be searched and shown; for no index, too, nothing is missing."""
    return corpus is None or corpus.index.has_tokenizer


def with_key(text: str, key: str) -> str:
    """Add the shortcut to a tool tip.

    key: The shortcut in words; "" for none.
    Returns: The tip, with the shortcut in parentheses if there is one.
    """
    return tr("{name} ({key})", name=text, key=key) if key else text


def offer(part: QWidget | QAction, why_not: str) -> None:
    """Enable a part of a screen, or gray it out and give the reason as its tool tip; "" for no reason.

    part: The button, field or action.
    why_not: Why it cannot be used now, in a sentence; "" if it can.
    """
    usual = part.property(_USUAL_TIP)
    # Asked once: at a later call, the tip may be the reason of an earlier one.
    if usual is None:
        usual = part.toolTip()
        part.setProperty(_USUAL_TIP, usual)
    # A tool tip is shown for what is disabled as well, so it can give the reason.
    part.setEnabled(not why_not)
    # Screens offer all their parts whenever something changes, and Qt reports even the same tip to whoever watches.
    shown = part.toolTip()
    if why_not and shown != tip(why_not):
        part.setToolTip(tip(why_not))
    elif not why_not and shown != usual:
        part.setToolTip(usual)


def text_order(widget: W) -> W:
    """The widget, kept left to right: in a right-to-left window, the order of a corpus's texts must not change."""
    widget.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    return widget


def named(widget: W, name: str) -> W:
    """Give a widget a name for assistive technology."""
    widget.setAccessibleName(name)
    return widget


def tab_group(parent: QWidget, names: Sequence[str]) -> QButtonGroup:
    """Make buttons that look like tabs, the first one chosen.

    Returns: The group; the id of a button is its place in `names`, from 0.
    """
    group = QButtonGroup(parent)
    for number, name in enumerate(names):
        tab = QPushButton(name)
        tab.setCheckable(True)
        tab.setProperty("role", "tab")
        group.addButton(tab, number)
    # Qt leaves an exclusive group without a choice until one is made.
    group.button(0).setChecked(True)
    return group


def label(text: str = "", role: str = "") -> Label:
    """Make a label that takes nothing for markup.

    role: Its role in the style sheet; "" for none.
    """
    made = Label(text)
    if role:
        made.setProperty("role", role)
    return made
