"""What the Agreement screen analyzes. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.analyses.agreement.analysis import AgreementRequest
from explorer.api import Corpus
from explorer.gui.screens.agreement.work import AnalysisRequest
from explorer.gui.sources.inputs import TextInputs
from explorer.i18n import counted, tr, trn

PAPER: Mapping[str, int] = {"max_texts": 50, "max_tokens": 1024, "prompt_tokens": 50}
"""The sample of the paper's Figure 5: 50 texts per source, 1,024 tokens per text, the first 50 of them as prompt."""


@dataclass(frozen=True)
class Inputs(TextInputs):
    """What is analyzed: files and pasted text, how much of them, and what is context.

    n: Of the n-gram model that is compared with the ∞-gram.
    max_texts, max_tokens: Texts per source and tokens per text; 0 for all.
    seed: Chooses the texts of a source, where not all are taken.
    without_self: Whether the texts' own documents are left out.
    between: What is put between a prompt and its text.
    prompt_tokens: Tokens at the beginning of each text that are context and not scored.
    """

    n: int = 5
    max_texts: int = 0
    max_tokens: int = 0
    seed: int = 0
    without_self: bool = False
    between: str = ""
    prompt_tokens: int = 0

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
        text = self.text if self.has_text else ""
        return AnalysisRequest(corpus, text, self.prompt, self.files, self.choice, settings, self.removed, self)

    @property
    def sampling(self) -> str:
        """How much is analyzed, in a few words."""
        texts = counted("text", self.max_texts) if self.max_texts else tr("all texts")
        tokens = trn("{n:,} token each", "{n:,} tokens each", self.max_tokens) if self.max_tokens else tr("all tokens")
        return tr("Sampling: {texts}, {tokens}", texts=texts, tokens=tokens)
