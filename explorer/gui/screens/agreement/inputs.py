"""What the Agreement screen analyzes. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.agreement.analysis import AgreementRequest
from explorer.agreement.sources import InputChoice
from explorer.api import Corpus
from explorer.gui.screens.agreement.work import AnalysisRequest, pasted_name
from explorer.i18n import tr, trn

REMEDIES: Mapping[str, Mapping[str, str]] = {
    "field": {"group": "", "prompt_field": ""},
    "format": {"format": "text"},
    "on_bad": {"on_bad": "skip"},
}
"""The inputs that a remedy of an error changes, by its name in `explorer.gui.hints`."""

PAPER: Mapping[str, int] = {"max_texts": 50, "max_tokens": 1024, "prompt_tokens": 50}
"""The sample of the paper's Figure 5: 50 texts per source, 1,024 tokens per text, the first 50 of them as prompt."""


@dataclass(frozen=True)
class Inputs:
    """What is analyzed: files and pasted text, how much of them, and what is context.

    Attributes
    ----------
    text
        The pasted text: a source of its own.
    files
        The files; each is a source, unless a field names the sources.
    group
        The field of records that names each text's source; "" for the file.
    n
        Of the n-gram model that is compared with the ∞-gram.
    max_texts, max_tokens
        Texts per source and tokens per text; 0 for all.
    seed
        Chooses the texts of a source, where not all are taken.
    without_self
        Whether the texts' own documents are left out.
    format, on_bad
        How the files are read, and what is done about bad lines, as in `InputChoice`.
    prompt
        The prompt of the pasted text.
    prompt_field
        The field of records with the prompt of each text; "" for no prompts.
    between
        What is put between a prompt and its text.
    prompt_tokens
        Tokens at the beginning of each text that are context and not scored.
    removed
        Names of sources in the files that are not analyzed.
    """

    text: str = ""
    files: tuple[Path, ...] = ()
    group: str = ""
    n: int = 5
    max_texts: int = 0
    max_tokens: int = 0
    seed: int = 0
    without_self: bool = False
    format: str = "auto"
    on_bad: str = "fail"
    prompt: str = ""
    prompt_field: str = ""
    between: str = ""
    prompt_tokens: int = 0
    removed: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the analysis of it is called."""
        match self.files:
            case ():
                return tr("Agreement of a text")
            case (path,):
                return tr("Agreement of {name}", name=path.name)
            case files:
                return trn("Agreement of {n:,} file", "Agreement of {n:,} files", len(files))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to analyze."""
        return not self.files and not self.has_text

    @property
    def has_text(self) -> bool:
        """Whether a text was pasted. A few characters decide: a text may have millions."""
        return bool(self.text) and not self.text.isspace()

    def request(self, corpus: Corpus) -> AnalysisRequest:
        """What to ask of an index. Documents are left out only where the index can do that."""
        # The choice itself stays as it is, for the next index that can do it.
        leave_out = self.without_self and corpus.index.capabilities.subtraction
        settings = AgreementRequest(
            (),
            (),
            self.n,
            self.max_tokens,
            self.max_texts,
            self.seed,
            leave_out,
            between=self.between,
            prompt_tokens=self.prompt_tokens,
        )
        # An empty field means that each file is a group, which is None in `InputChoice`.
        choice = InputChoice(
            self.format, group_field=self.group or None, on_bad=self.on_bad, prompt_field=self.prompt_field or None
        )
        text = self.text if self.has_text else ""
        return AnalysisRequest(corpus, text, self.prompt, self.files, choice, settings, self.removed)

    def without(self, source: str) -> Inputs:
        """The inputs without a source, by its name."""
        # A file may have the name of the pasted text; then the pasted text goes first.
        if self.has_text and source == pasted_name():
            return replace(self, text="", prompt="")
        # A file that is a source of its own is read no longer. A source within files can only be passed over.
        left = tuple(path for path in self.files if path.name != source)
        if not self.group and len(left) < len(self.files):
            return replace(self, files=left)
        return replace(self, removed=(*self.removed, source))

    @property
    def sampling(self) -> str:
        """How much is analyzed, in a few words."""
        texts = tr("{n:,} texts", n=self.max_texts) if self.max_texts else tr("all texts")
        tokens = tr("{n:,} tokens each", n=self.max_tokens) if self.max_tokens else tr("all tokens")
        return tr("Sampling: {texts}, {tokens}", texts=texts, tokens=tokens)
