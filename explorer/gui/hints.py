"""What to do about an error in the window: one row per reason, option or outcome. See `explorer.hints`.

`offers` are names of buttons that the screen with the error shows beside it.
"""

from __future__ import annotations

from explorer.errors import CorpusError
from explorer.hints import Hint, offers_for, with_hints
from explorer.i18n import mark

HINTS = (
    Hint("allow_same", mark("Choose it once.")),
    Hint("bad-record", offers=("skip_bad", "text_field")),
    Hint("empty-query", mark("Type a word or a phrase.")),
    Hint("interrupted-build", mark("To finish it, set up the same build again and resume it.")),
    Hint("kept", mark("The build can be resumed.")),
    Hint("memory", mark("Divide the index into more parts.")),
    Hint("not-moved", mark("Resume the build to move it.")),
    Hint("restart", mark("Starting over removes the finished part."), offers=("restart",)),
    Hint("skip_bad", offers=("skip_bad",)),
    Hint("text_field", offers=("text_field",)),
    Hint("tokenizer", mark("Choose another tokenizer.")),
)


def told(error: CorpusError) -> str:
    """An error as the window shows it: its sentence, and what to do."""
    return with_hints(error, HINTS)


def offers(error: CorpusError) -> tuple[str, ...]:
    """Names of the buttons that help with an error."""
    return offers_for(error, HINTS)
