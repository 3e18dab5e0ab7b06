"""The settings of agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from explorer.derive.kinds import Flag, Separator, Whole
from explorer.derive.question import Question, setting
from explorer.i18n import mark

_NAMES_OF_0_2 = {"n": "max_n", "between": "prompt_join"}


@dataclass(frozen=True)
class AgreementQuestion(Question):
    """How much of each text is scored, what is context, and which model the ∞-gram is compared with."""

    title: ClassVar = mark("Agreement")

    max_texts: int = setting(
        0,
        Whole(0, offered=1_000_000, zero=mark("all")),
        mark("Texts per source"),
        mark("texts to sample per group"),
        fact="texts per source",
    )
    max_tokens: int = setting(
        0,
        Whole(0, offered=10_000_000, zero=mark("all")),
        mark("Tokens per text"),
        mark("tokens to use of each text, without its prompt"),
        fact="tokens per text",
    )
    seed: int = setting(
        0,
        Whole(0, 2**63 - 1),
        mark("Seed"),
        mark("seed of the sample: another one samples other texts of each group"),
        fact="seed",
    )
    prompt_join: str = setting(
        "",
        Separator(),
        mark("After the prompt"),
        mark("text between a prompt and its text, before both are split into tokens"),
        fact="between prompt and text",
        always=False,
    )
    prompt_tokens: int = setting(
        0,
        Whole(0, offered=1_000_000, zero=mark("none")),
        mark("Prompt tokens"),
        mark("tokens at the beginning of each text to use as context only"),
        fact="first tokens of each text that are context and not scored",
    )
    max_n: int = setting(
        5,
        Whole(1, offered=100),
        mark("n-gram model"),
        mark("n of the n-gram model that the ∞-gram is compared with; it uses at most n − 1 tokens of context"),
        fact="n of the n-gram model",
        option="--n",
    )
    without_self: bool = setting(
        False,
        Flag(),
        mark("Exclude the texts' own documents"),
        mark("exclude documents of the index that contain most of a text"),
    )

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The settings in provenance; the seed only if texts are sampled."""
        return tuple(fact for fact in super().facts if fact[0] != "seed" or self.max_texts)

    def restored(self, values: Mapping[str, Any]) -> Self:
        """Also with the values of a session of version 0.2, which had other names for some settings."""
        return super().restored(
            {**{now: values[name] for name, now in _NAMES_OF_0_2.items() if name in values}, **values}
        )
