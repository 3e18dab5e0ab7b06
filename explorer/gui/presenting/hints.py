"""What to do about an error in the window: one row per reason, option or outcome. See `explorer.core.hints`.

`offers` are names of buttons that the screen with the error shows beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.core.hints import Hint, offers_for, with_hints, with_remedies
from explorer.errors import CapabilityError, CorpusError
from explorer.i18n import mark, tr

if TYPE_CHECKING:
    from explorer.corpus import Corpus

HINTS = with_remedies(
    (
        Hint("ServerError", mark("Try again, or open a file of log probabilities.")),
        Hint("allow_remote", mark("Send them only to a machine that you trust.")),
        Hint("allow_same", mark("Choose it once.")),
        Hint("bad-record", offers=("skip_bad", "exclude", "text_field")),
        Hint("ChatError", mark("What came before it is kept. Ask again, or ask another model.")),
        Hint("check_fit", mark("Choose the tokenizer that the index was built with."), offers=("check_fit",)),
        Hint("empty-query", mark("Type a word or a phrase.")),
        Hint("field", mark("Choose files that have this field, or group by file."), offers=("field",)),
        Hint("format", mark("Fix the file."), offers=("format",)),
        Hint("index-is-no-source", mark("Open the indexes together, or merge them on the command line.")),
        Hint("interrupted-build", mark("To finish it, set up the same build again and resume it.")),
        Hint("kept", mark("The build can be resumed.")),
        Hint("memory", mark("Divide the index into more parts.")),
        Hint("no-tokenizer", mark("Download the file first, or choose another tokenizer.")),
        Hint("needs-serve-packages", mark("In the folder of the program’s source, run: {command}")),
        Hint("no-server", mark("Start the server, or change the address.")),
        Hint("no-model", mark("Load a model in the server first.")),
        Hint("not-moved", mark("Fix the cause and resume the build to move it, or open it where it is.")),
        Hint("nothing-to-mix", mark("Take a longer text.")),
        Hint("on_bad", mark("Fix the line, or skip such lines."), offers=("on_bad",)),
        Hint("remembered-tokenizer", mark("Choose the tokenizer that the index was built with.")),
        Hint("restart", mark("Starting over removes the finished part."), offers=("restart",)),
        Hint("skip_bad", mark("Repair or replace the file."), offers=("skip_bad", "exclude")),
        Hint("text_field", offers=("metadata", "exclude", "text_field")),
        Hint("tokenizer", mark("Choose another tokenizer.")),
        Hint(
            "unfit-encoding",
            mark("Leave such files out, or correct their declaration."),
            offers=("exclude", "skip_bad"),
        ),
        Hint("wrong-log-base", mark("Read the file with the base that it has.")),
    )
)


def told(error: CorpusError) -> str:
    """An error as the window shows it: its sentence, and what to do."""
    return with_hints(error, HINTS)


def offers(error: CorpusError) -> tuple[str, ...]:
    """Names of the buttons that help with an error."""
    return offers_for(error, HINTS)


def why_unable(error: CorpusError | None) -> str:
    """Why the open index can never answer a question, so that nobody is to ask again; "" for other errors and none."""
    return told(error) if isinstance(error, CapabilityError) else ""


def unable(why_not: str) -> tuple[str, str]:
    """What takes the place of an answer that the open index cannot give: a line, and why."""
    return tr("This index cannot answer that"), why_not


def why_no_fields(corpus: Corpus, otherwise: str) -> str:
    """Why no metadata field can be chosen; "" if some can.

    otherwise: The sentence for an index that is known to have none.
    """
    if corpus.metadata_fields:
        return ""
    # An index that gives documents only around hits has shown none when it was opened: that is not to have no fields.
    unknown = not corpus.metadata_fields_complete and not corpus.index.capabilities.documents
    return tr("The service tells the metadata of a document only with a hit in it.") if unknown else otherwise


def no_index() -> tuple[str, str]:
    """What takes the place of an answer while no index is open: a line, and what to do."""
    return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
