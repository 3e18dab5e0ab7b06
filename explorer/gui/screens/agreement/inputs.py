"""What the Agreement screen analyzes. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from explorer.analyses.agreement.question import AgreementQuestion
from explorer.derive.question import settings_of
from explorer.gui.sources.inputs import TextInputs
from explorer.i18n import counted, tr, trn

PAPER: Mapping[str, int] = {"max_texts": 50, "max_tokens": 1024, "prompt_tokens": 50}
"""The sample of the paper's Figure 5: 50 texts per source, 1,024 tokens per text, the first 50 of them as prompt."""


@dataclass(frozen=True)
class Inputs(TextInputs):
    """What is analyzed: files and pasted text, and the settings."""

    question: AgreementQuestion = field(default_factory=AgreementQuestion)

    def changed(self, **values: Any) -> Self:
        """Change texts and settings, by their names."""
        settings = {name: values.pop(name) for name in settings_of(AgreementQuestion).keys() & values.keys()}
        return replace(self, question=replace(self.question, **settings), **values)

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
    def sampling(self) -> str:
        """How much is analyzed, in a few words."""
        asked = self.question
        texts = counted("text", asked.max_texts) if asked.max_texts else tr("all texts")
        tokens = (
            trn("{n:,} token each", "{n:,} tokens each", asked.max_tokens) if asked.max_tokens else tr("all tokens")
        )
        return tr("Sampling: {texts}, {tokens}", texts=texts, tokens=tokens)
