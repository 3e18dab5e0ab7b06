"""Drafts for speculative decoding: a loop of one's own, and vLLM's proposer interface.

With vLLM (its interface for proposers of one's own, which is experimental):

    speculative_config={
        "method": "custom_class",
        "custom_proposer_backend": "explorer.drafter.VllmProposer",
        "num_speculative_tokens": 8,
    }

CORPUS_EXPLORER_INDEX names the index, whose tokenizer must be that of the model.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.analyses.drafts.compute import Drafter as _Drafter
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.corpus import Corpus, open_index
from explorer.errors import QueryError
from explorer.i18n import mark

INDEX = "CORPUS_EXPLORER_INDEX"
_MOST = 8


class Drafter:
    """Drafts the next tokens of texts from a corpus.

    Parameters
    ----------
    corpus
        The corpus.
    max_draft
        The most tokens of a draft, from 1.
    min_probability
        A draft ends before its probability falls below this, 0 to 1.
    context
        The most tokens of context, from 1.

    Examples
    --------
    >>> drafter = Drafter(corpus)
    >>> corpus.decode(drafter(corpus.encode("the cat sat")))
    ' on the mat'
    """

    def __init__(self, corpus: Corpus, max_draft: int = _MOST, min_probability: float = 0.1, context: int = 32) -> None:
        self._index = corpus.index
        self._drafter = _Drafter(
            corpus.index, DraftsQuestion.of(context=context, max_draft=max_draft, min_probability=min_probability)
        )

    def __call__(self, ids: Sequence[int], limit: int | None = None) -> list[int]:
        """Draft the tokens after these.

        Parameters
        ----------
        ids
            Token ids of the text so far. Only the last `context` of them are read.
        limit
            The most tokens; None for `max_draft`.

        Returns
        -------
        list[int]
            The draft; [] if nothing follows, or the ids have a token that the index does not know.
        """
        near = np.asarray(ids[-self._drafter.question.context :], dtype=np.int64)
        # A model may have tokens, such as those of a chat's turns, beyond the index's.
        known = (near >= 0) & (near < self._index.separator)
        after = near[len(near) - int(np.argmin(known[::-1])) :] if not known.all() else near
        return list(self._drafter.draft(after, limit).tokens)


class VllmProposer:
    """Drafts for vLLM: `custom_proposer_backend` of its `speculative_config`.

    Parameters
    ----------
    vllm_config
        vLLM's configuration, of which `speculative_config.num_speculative_tokens` is read.

    Raises
    ------
    QueryError
        If the environment names no index.
    """

    def __init__(self, vllm_config: Any) -> None:
        folder = os.environ.get(INDEX)
        if not folder:
            raise QueryError(mark("Set {variable} to the folder of an index."), reason="no-index-named", variable=INDEX)
        asked = getattr(getattr(vllm_config, "speculative_config", None), "num_speculative_tokens", None)
        self._most = int(asked or _MOST)
        self._drafter = Drafter(open_index(folder), max_draft=self._most)

    def propose(
        self,
        sampled_token_ids: Sequence[Sequence[int]],
        num_tokens_no_spec: Any,
        token_ids_cpu: Any,
        slot_mappings: Any = None,
    ) -> list[list[int]]:
        """Draft for each request of a batch.

        Parameters
        ----------
        sampled_token_ids
            What was sampled last for each; without any, the request is still reading its prompt.
        num_tokens_no_spec
            Tokens of each request so far.
        token_ids_cpu
            Their ids, one row per request.
        slot_mappings
            Not used.

        Returns
        -------
        list[list[int]]
            One draft per request.
        """
        found = []
        for number, sampled in enumerate(sampled_token_ids):
            ids = token_ids_cpu[number, : int(num_tokens_no_spec[number])] if len(sampled) else ()
            found.append(self._drafter(ids, self._most) if len(ids) else [])
        return found

    def load_model(self, *_: Any, **__: Any) -> None:
        """Do nothing: vLLM calls it for proposers that are neural networks."""
