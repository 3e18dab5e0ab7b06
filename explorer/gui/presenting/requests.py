"""What one part of the window asks of another, as values.

A part emits a request and does not know who takes it: a row of the registry of screens, or a part of the window, names
the types that it takes. `explorer.gui.presenting.router` delivers each request to the one that takes its type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from explorer.analyses.search.needle import Needle
    from explorer.backends.ranges import Ranges
    from explorer.errors import CorpusError
    from explorer.recipes import Recipe, Source


@dataclass(frozen=True)
class Request:
    """The base of all requests. to_front: whether the screen that takes it is brought to the front."""

    to_front: ClassVar[bool] = True


@dataclass(frozen=True)
class ShowScreen(Request):
    """Bring a screen to the front; id: that of its row in the registry."""

    id: str


# Parts that ask for it need not know the id of that screen: the row in the registry has it.
class ShowStart(Request):
    """Bring the screen to the front with which a window begins."""


@dataclass(frozen=True)
class Saved(Request):
    """Report a file or folder that was just written, so that it can be opened or shown in its folder.

    path: where it is. sentence: what was saved, in words, such as "Saved 2,868 lines".
    """

    # Only what this program wrote itself: the links open it with the system, without a question.
    path: Path
    sentence: str


@dataclass(frozen=True)
class Told(Request):
    """Report in a sentence what is done and needs no answer, such as "Copied 12 rows".

    link: words of a link below it, and what it asks for; None for no link.
    """

    sentence: str
    link: tuple[str, Request] | None = None


@dataclass(frozen=True)
class SearchText(Request):
    """List the lines with this text: as a phrase, whatever words it contains, also within words.

    tokens: only where it is cut into the same tokens, as other screens count it.
    """

    text: str
    tokens: bool = False


@dataclass(frozen=True)
class ContinueText(Request):
    """Show which tokens follow a text."""

    text: str


@dataclass(frozen=True)
class TraceText(Request):
    """Trace a text, with the prompt that it answers."""

    text: str
    prompt: str = ""


@dataclass(frozen=True)
class ScoreText(Request):
    """Show how probable a text is by the methods of a language model of the corpus."""

    text: str


@dataclass(frozen=True, eq=False)
class ExportCuts(Request):
    """Look at what is to be cut, and write the texts without it.

    title: what is cut, in a few words. ranges: the tokens. asked: how it was found, as names and values. length: of
    copies, the tokens of the shortest one, by which the first copy is found; 0 for what is not copies.
    """

    title: str
    ranges: Ranges
    asked: tuple[tuple[str, str], ...] = ()
    length: int = 0


@dataclass(frozen=True)
class ProfileToken(Request):
    """Show the n-gram profile of the token at a character of a text, which is traced."""

    text: str
    character: int


def _nothing_marked() -> Needle:
    # A request is made when an index is open; the window is shown without what searches in it.
    from explorer.analyses.search.needle import Needle

    return Needle()


@dataclass(frozen=True)
class DocumentRequest(Request):
    """Show a document at a match; every occurrence of the needle is marked in it.

    begin: bytes of the match's first token before it.
    """

    number: int
    offset: int = 0
    length: int = 0
    needle: Needle = field(default_factory=_nothing_marked)
    begin: int = 0


@dataclass(frozen=True)
class DocumentListed(Request):
    """Whether any of the listed lines is in the document that was opened last."""

    number: int
    listed: bool


@dataclass(frozen=True)
class OpenRequest(Request):
    """Index folders or addresses to open; `sample` builds the sample index first where it is missing.

    check_fit: whether a tokenizer with which the index decodes to noise is refused. allow_remote: whether the user just
    agreed to send queries to the hosts of the addresses. token: what their server asks for, which is never stored;
    token_file: the file that holds it, of which only the path is stored.
    """

    paths: tuple[str, ...]
    minus: tuple[str, ...] = ()
    tokenizer: str | None = None
    sample: bool = False
    check_fit: bool = True
    allow_remote: bool = False
    token: str = field(default="", repr=False)
    token_file: str = ""

    def as_session(self, opened: bool) -> dict[str, Any]:
        """The request for the settings, as `request_of` reads it; without folders if they did not open."""
        paths = list(self.paths) if opened else []
        kept = {"paths": paths, "minus": list(self.minus), "tokenizer": self.tokenizer, "check_fit": self.check_fit}
        return kept | ({"token_file": self.token_file} if self.token_file else {})


@dataclass(frozen=True)
class OpenSample(Request):
    """Open the sample index, which is built first if it is missing.

    then: what is asked once it is open; None: an opened index is shown as usual.
    """

    then: Request | None = None


@dataclass(frozen=True)
class OpenBuilt(Request):
    """Open an index that was just built, or offer to, if another one is being read.

    name, tokens: its own name, and how many tokens it has. wanted: whether the user waits for it, or asked for it.
    """

    path: str
    name: str
    tokens: int
    wanted: bool


# The dialog is the window's: a command in a menu asks for it as well as a button of a screen.
class ChooseIndex(Request):
    """Let the user choose an index folder."""


@dataclass(frozen=True)
class ChooseRemote(Request):
    """Let the user name an index on another machine. refused: what did not open, whose address is to be changed."""

    refused: OpenRequest | None = None


class OpenAgain(Request):
    """Open what is open once more, as after a time without a connection."""


class ChooseTokenizer(Request):
    """Let the user choose another tokenizer for the open index."""


@dataclass(frozen=True)
class PinIndex(Request):
    """Pin a recent index to the top of the list, or unpin it."""

    path: str


@dataclass(frozen=True)
class ForgetIndex(Request):
    """Remove a recent index from the list."""

    path: str


@dataclass(frozen=True)
class RenameIndex(Request):
    """Show a recent index under another name; "" for its own."""

    path: str
    name: str


@dataclass(frozen=True)
class LocateIndex(Request):
    """Let the user choose where a recent index is now, and open it there."""

    path: str


@dataclass(frozen=True)
class CheckIndex(Request):
    """Open an index and check it."""

    path: str


@dataclass(frozen=True)
class StopSample(Request):
    """Stop building the sample. keep: whether what is done is kept, to be resumed."""

    keep: bool


@dataclass(frozen=True)
class ShowIndexPage(Request):
    """Show a part of the Index screen: 0 opens and builds, 1 is the open index, 2 its check, which begins."""

    number: int


@dataclass(frozen=True)
class BuildFrom(Request):
    """Add files and folders to the sources of a build."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class IndexProblem(Request):
    """State why an index did not open, and offer to open it in spite of that. refused: what was to be opened."""

    error: CorpusError
    refused: OpenRequest | None = None


@dataclass(frozen=True)
class IndexNotice(Request):
    """Show a sentence about the program on the Index screen, without bringing it to the front."""

    # It may come at any moment, and must not take the user away from another screen.
    to_front: ClassVar[bool] = False
    text: str


@dataclass(frozen=True)
class ShowOpened(Request):
    """Show an index that was just opened. readable: whether it has a tokenizer; without one it cannot be searched."""

    readable: bool


class NoTokenizer(Request):
    """State that the open index lacks a tokenizer, and where to choose one."""


@dataclass(frozen=True)
class Warn(Request):
    """State something about the open index on the visible screen."""

    error: CorpusError


@dataclass(frozen=True)
class ChangeSetting(Request):
    """Store a setting, by its name in `schema`, and let it take effect."""

    key: str
    value: object


@dataclass(frozen=True)
class ChangeTextSize(Request):
    """Make the text larger by some points; negative: smaller."""

    step: int


# The document is beside every screen, so the window takes this, whatever screen is shown.
class TogglePanel(Request):
    """Show or hide the document."""


class FindInDocument(Request):
    """Look for a text in the document."""


@dataclass(frozen=True)
class ShowSettings(Request):
    """Show the settings: a page by its title, or one setting by its key; "" for the first page."""

    page: str = ""
    key: str = ""


# A toast goes after six seconds unless it has the focus: without this, it could not be reached by keyboard in time.
class ShowMessage(Request):
    """Move the keyboard to the newest message at the lower edge of the window."""


@dataclass(frozen=True)
class ShowPalette(Request):
    """Show the command palette, with something typed already."""

    typed: str = ""


@dataclass(frozen=True)
class ShowHelp(Request):
    """Show a page of the guide, or "page#section"; "" for that of what has the focus, or of what is pointed at."""

    page: str = ""
    pointed: bool = False


class ShowLog(Request):
    """Show the log of unexpected errors."""


class ShowUpdates(Request):
    """Show whether there is a newer version; nothing is asked yet."""


class ShowLicenses(Request):
    """Show what the program is made of, with the licenses."""


class Edit(Enum):
    """What can be done with the part that has the focus."""

    UNDO = "undo"
    REDO = "redo"
    CUT = "cut"
    COPY = "copy"
    PASTE = "paste"
    SELECT_ALL = "select_all"


@dataclass(frozen=True)
class EditFocus(Request):
    """Undo, copy and so on, in the part that has the focus."""

    edit: Edit


@dataclass(frozen=True)
class CopyRecipe(Request):
    """Copy the result of the visible screen as code that computes it again: as Python, or as a command.

    recipe: makes the code from what the index was opened from; None for the screen's own result.
    """

    as_python: bool = True
    recipe: Callable[[Source], Recipe | None] | None = None


class NewProject(Request):
    """Begin a new project."""


@dataclass(frozen=True)
class OpenProject(Request):
    """Open a project file; "": one that the user chooses."""

    path: str = ""


class SaveProject(Request):
    """Save the project to its file; without one, to a file that the user chooses."""


class SaveProjectAs(Request):
    """Save the project to a file that the user chooses."""


# The program keeps the windows: a window cannot make another one that outlives it.
class NewWindow(Request):
    """Open a second window."""


# As by the system's button: running work is asked about first.
class CloseWindow(Request):
    """Close this window."""
