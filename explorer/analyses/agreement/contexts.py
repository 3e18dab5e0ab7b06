"""The context from which a token of an analyzed text was predicted: its tokens, and its text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.analysis import TextAgreement


def _first(found: TextAgreement, token: int) -> int:
    """The first token of the context; those of the prompt have numbers below 0."""
    # Effective n counts the token itself, so its context has one token less.
    return token - (int(found.infgram.effective_n[token]) - 1)


def context_ids(found: TextAgreement, token: int) -> NDArray[np.int64]:
    """Give the tokens of the longest context that occurs.

    token: The token's number among those that are scored, from 0.
    Returns: The ids, int64; they may begin in the prompt.
    """
    prompt = len(found.context)
    ids = np.concatenate([found.context.encoded.ids, found.encoded.ids[:token]]) if prompt else found.encoded.ids
    return ids[prompt + _first(found, token) : prompt + token]


def context_text(found: TextAgreement, token: int) -> str:
    """Give the text of the longest context that occurs.

    token: The token's number among those that are scored, from 0.
    Returns: The part of the prompt and the text; "" if no context was used.
    """
    first = _first(found, token)
    if first >= token:
        return ""
    lead, context = found.context.lead, found.context.encoded
    # Characters of the prompt and the text in one string, as they were tokenized.
    begin = int(context.starts[first]) if first < 0 else len(lead) + int(found.encoded.starts[first])
    end = len(lead) + int(found.encoded.ends[token - 1]) if token else int(context.ends[-1])
    return (lead + found.text)[begin:end]
