"""A prompt before a text: it is context for the text's first tokens, and its own tokens are never scored.

The infini-gram paper (section 4.2, Figure 5) prompts language models with the first 50 tokens of each document. Here a
prompt is a string of its own, or the first tokens of a text, or both.

Prompt and text are joined to one string, with whatever is put between them, and tokenized together, as a model reads
them. A token belongs to the text if its first character does: a token that begins in the prompt and ends in the text is
context. So is each token of the prompt, and of what is between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.encoding import replace_surrogates
from explorer.text.tokens.tokenizer import Encoded, TextTokenizer

_NONE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Context:
    """What comes before the tokens of a text that are scored.

    lead: The prompt, and what is between it and the text.
    encoded: The tokens of the prompt and the first tokens of the text; offsets count characters from the first of
        `lead`.
    """

    lead: str = ""
    encoded: Encoded = field(default_factory=lambda: Encoded(_NONE, _NONE, _NONE))

    def __len__(self) -> int:
        return len(self.encoded.ids)


@dataclass(frozen=True, eq=False)
class Divided:
    """The tokens of a text with a prompt, divided into those that are context and those that are scored.

    scored: The tokens that are scored; offsets count characters of the text without its prompt.
    """

    context: Context
    scored: Encoded

    @property
    def ids(self) -> NDArray[np.int64]:
        """All tokens, int64: first the context, then what is scored."""
        return np.concatenate([self.context.encoded.ids, self.scored.ids])


def divide(tokenizer: TextTokenizer, text: str, lead: str = "", prompt_tokens: int = 0, max_tokens: int = 0) -> Divided:
    """Tokenize a prompt and a text together, and divide the tokens.

    lead: The prompt with what is between it and the text; "" for none.
    prompt_tokens: How many of the text's own tokens, from its first, are context too; 0 for none.
    max_tokens: Tokens of the text that are used, those of `prompt_tokens` among them; 0 for all.
    Returns: The context and the scored tokens; there may be none to score.

    Examples
    --------
    >>> found = divide(TextTokenizer.raw_bytes(), "né", lead="a ", prompt_tokens=1)
    >>> bytes(found.context.encoded.ids.tolist()), bytes(found.scored.ids.tolist())
    (b'a n', b'\\xc3\\xa9')
    >>> found.scored.starts.tolist()
    [1, 1]
    """
    # One string, so that what the tokenizer does at the border is what it does within a text.
    whole = tokenizer.encode_with_offsets(replace_surrogates(lead + text))
    # The first token that begins in the text. Offsets ascend, and equal ones (bytes of a character) stay together.
    own = int(np.searchsorted(whole.starts, len(lead), side="left")) if lead else 0
    first = min(own + prompt_tokens, len(whole.ids))
    # The ids are cut, and not the text: where the tokenizer splits must not depend on the limit.
    end = min(own + max_tokens, len(whole.ids)) if max_tokens else len(whole.ids)
    first = min(first, end)
    scored = Encoded(whole.ids[first:end], whole.starts[first:end] - len(lead), whole.ends[first:end] - len(lead))
    if not first:
        return Divided(Context(lead), scored)
    return Divided(Context(lead, Encoded(whole.ids[:first], whole.starts[:first], whole.ends[:first])), scored)


def lead_of(prompt: str, between: str = "") -> str:
    """Write what comes before a text.

    prompt: The prompt; "" for none.
    Returns: Both; "" without a prompt.

    Examples
    --------
    >>> lead_of("What is rain?", "\\n"), lead_of("", "\\n")
    ('What is rain?\\n', '')
    """
    return prompt + between if prompt else ""
