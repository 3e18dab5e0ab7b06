"""What the Mix tab shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.model.method import Formula
from explorer.errors import CorpusError
from explorer.export.records.mix import MixSizeRecord
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import offers, told
from explorer.gui.screens.model.methods import usual
from explorer.gui.screens.model.mix.asking import Asked, ServerScores
from explorer.gui.screens.model.mix.words import facts, headline
from explorer.gui.screens.model.mix.work import METHODS, MixAnswer, MixQuestion, MixText, ScoreFile
from explorer.gui.screens.model.state import AGAIN, LEAVE, REMEDY_WORDS, TextsState
from explorer.gui.sources.inputs import REMEDIES, SourceRow, pasted_name, source_key, source_rows
from explorer.i18n import mark, tr

USUAL_URL = "http://localhost:8080"
"""The address that llama.cpp's server has unless it is told another one."""
RESUME, OVER, SEND, ADDRESS, OPEN, TEXT = "resume", "over", "send", "address", "open", "text"
BASES = {"base e": "e", "base 2": "2", "base 10": "10"}
"""Remedies that read a file with another base, and that base."""
WORDS = REMEDY_WORDS | {
    RESUME: mark("Resume"),
    OVER: mark("Start over"),
    SEND: mark("Send the texts there"),
    ADDRESS: mark("Change the address"),
    OPEN: mark("Open log probabilities …"),
    TEXT: mark("Change the text"),
    "base e": mark("Read with base e"),
    "base 2": mark("Read with base 2"),
    "base 10": mark("Read with base 10"),
}
"""The words of the remedies, not yet translated."""
_OF_ADDRESS = ("bad-address", "no-server", "no-model", "redirected", "refused", "not-json")
_OF_OTHERS = ("other-model", "other-texts", "other-tokens")
_OF_TEXT = ("nothing-to-mix", "no-text-given")


@dataclass(frozen=True, eq=False)
class MixState(TextsState[MixAnswer, MixText]):
    """Inputs, what the model gave, and the mixture.

    from_file: Whether the neural model's side is a file, not a server.
    url: The address of the server.
    file: The file; None for none.
    allowed: Hosts that are not this machine and to which the user agreed, as long as the window is open.
    method, leave_one_out: How the corpus predicts.
    counts: The sources and the number of their texts.
    scores: What the server's model gave.
    sizes: The gain by the size of the corpus.
    """

    from_file: bool = False
    url: str = USUAL_URL
    file: ScoreFile | None = None
    allowed: frozenset[str] = frozenset()
    method: Formula = field(default_factory=lambda: usual(METHODS[0]))
    leave_one_out: bool = False
    counts: Answer[tuple[tuple[str, int], ...]] = field(default_factory=Answer)
    scores: Answer[ServerScores] = field(default_factory=Answer)
    sizes: Answer[tuple[MixSizeRecord, ...]] = field(default_factory=Answer)

    # --- the chips of the texts ----------------------------------------------------------------------

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources as chips."""
        return source_rows(self.inputs, self.counts.value or ())

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Texts are not chosen by source here."""
        return ()

    @property
    def chosen(self) -> str:
        """The pasted text, if there is one: a click on a chip that is chosen opens it."""
        return source_key(pasted_name()) if self.inputs.has_text else self.rows[0].key

    # --- the neural model's side ---------------------------------------------------------------------

    @property
    def asked(self) -> Asked:
        """What to ask of a server."""
        return Asked(self.url.strip(), self.inputs)

    @property
    def kept(self) -> ServerScores | None:
        """What a server gave for these very texts."""
        found = self.scores.value
        return found if found is not None and found.asked == self.asked else None

    @property
    def can_resume(self) -> bool:
        """Whether a part of these texts is scored, and the rest is not."""
        return self.kept is not None and not self.kept.whole and any(text.tokens for text in self.kept.texts)

    @property
    def question(self) -> MixQuestion | None:
        """What can be mixed now."""
        if self.corpus is None:
            return None
        scored = self.file if self.from_file else self.kept and self.kept.scored
        return None if not scored else MixQuestion(self.corpus, scored, self.method, self.leave_one_out)

    # --- what is shown -------------------------------------------------------------------------------

    @property
    def shown(self) -> MixAnswer | None:
        """The mixture that is shown."""
        return self.answer.value

    @property
    def texts(self) -> tuple[MixText, ...]:
        """The texts of which both models scored something."""
        return self.shown.texts if self.shown is not None else ()

    @property
    def begins(self) -> bool:
        """Whether texts can be given to begin with: a file of log probabilities has its texts in it."""
        return super().begins and not self.from_file

    @property
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence; see `Headline`."""
        return ("", "", "") if self.shown is None else headline(self.shown.found)

    @property
    def told_facts(self) -> str:
        """What the number is made of, in one line."""
        return "" if self.shown is None else facts(self.shown.found)

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        kept = None if self.from_file or self.scores.awaited else self.kept
        scores = None if self.from_file else self.scores.error or self.counts.error
        part = kept.error if kept is not None else None
        return scores or part or self.answer.error or self.sizes.error or self.error

    @property
    def kind(self) -> str:
        """The kind of the notice: a question is not an error, nor is an interruption."""
        return "warn" if self.failed is None or self.failed.reason == "not-this-machine" else "error"

    @property
    def notice(self) -> str:
        """What went wrong last, how far a server came, or what is to be known of the figures; "" for nothing."""
        # What was scored is told beside the error, also where it is too little to be mixed.
        error = "" if self.failed is None else told(self.failed)
        # A doubt about the figures can wait until nothing is wrong.
        parts = [error, self._interrupted]
        if not any(parts):
            parts.append(self._doubt)
        return " ".join(filter(None, parts))

    @property
    def _interrupted(self) -> str:
        found = self.kept
        if found is None or not self._unfinished:
            return ""
        amount = tr("{done:,} of {total:,}", done=found.done, total=found.total) if found.total else f"{found.done:,}"
        words = (
            tr("{amount} tokens are scored.", amount=amount)
            if found.unit == "tokens"
            else tr("{amount} texts are scored.", amount=amount)
        )
        return words if self.shown is None else tr("{words} The figures are of these alone.", words=words)

    @property
    def _doubt(self) -> str:
        copied = self._copied
        return (
            tr(
                "The text is itself in the corpus ({share:.0%} of it in a row), which copies it: the mixture looks "
                "better than it is.",
                share=copied,
            )
            if copied
            else ""
        )

    @property
    def _copied(self) -> float:
        """The largest share of a text that is in the corpus in a row, where a text is itself in it; 0 for none."""
        found = self.answer.current
        return max((copy.share for copy in found.found.copies), default=0.0) if found is not None else 0.0

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about the notice: keys of `WORDS`, three at most."""
        error = self.failed
        if error is None:
            return self._unfinished or ((LEAVE,) if self._copied else ())
        if error.reason == "not-this-machine":
            return SEND, ADDRESS
        # Scores of another model or text cannot be continued.
        if error.reason in _OF_OTHERS and self.can_resume:
            return OVER, OPEN
        if self._unfinished:
            return (*self._unfinished, OPEN)
        if error.reason in _OF_ADDRESS:
            return ADDRESS, AGAIN, OPEN
        if error.reason in _OF_TEXT:
            return (OPEN,) if self.from_file else (TEXT,)
        if error.reason == "wrong-log-base":
            # All others are offered: nobody but the user knows what the file holds.
            used = self.file.log_base if self.file is not None else None
            return tuple(name for name, base in BASES.items() if base != (used or "e"))
        return tuple(name for name in offers(error) if name in REMEDIES) or (AGAIN, OPEN)

    @property
    def _unfinished(self) -> tuple[str, ...]:
        return (RESUME, OVER) if self.can_resume and not self.from_file and not self.scores.awaited else ()

    @property
    def offer(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.scores.awaited and not self.from_file:
            return tr("The model scores the text …"), ""
        if self.answer.awaited:
            return tr("Mixing …"), ""
        if self.from_file:
            return tr("Does the corpus help a neural model?"), tr(
                "Open a file with the log probability of each token. The guide describes its format, and the command "
                "“mix --print-script transformers” prints a script that writes one."
            )
        return tr("Does the corpus help a neural model?"), tr(
            "Paste a text or open a file, and have it scored by a model that runs on this machine, such as "
            "llama.cpp's server. Nothing is sent before you press “Ask the model”."
        )
