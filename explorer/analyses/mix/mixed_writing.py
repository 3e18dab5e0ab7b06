"""Text that a neural model and a corpus write together, token by token, with the share of both in each token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analyses.mix.mixing_tokens import CorpusSide, ModelWeight, NextMixture, NextTokenModel, mixture
from explorer.analyses.model.distribution import Distribution
from explorer.analyses.model.generation import Used, Writing
from explorer.analyses.model.sampling import draw
from explorer.backends.protocol.protocol import Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark

Mixing = Callable[[], tuple[CorpusSide, ModelWeight]]
"""The corpus and the weight for the next token: asked before each, so that both may be changed between two tokens."""


@dataclass(frozen=True)
class MixedToken:
    """A token that was written.

    Attributes
    ----------
    token
        Its id in the model's vocabulary.
    data
        Its bytes.
    share
        Its probability in the mixture, before temperature, top-k and top-p.
    model
        The model's probability.
    corpus
        The corpus's probability.
    weight
        The weight of the model, 0 to 1.
    levels
        What was weighed of the corpus, the longest context first, in tokens of the index, and how often the token
        follows each.
    place
        Number of a document and the token's offset in it, where it follows the longest of these contexts that it
        follows; None if it follows none.
    """

    token: int
    data: bytes
    share: float
    model: float
    corpus: float
    weight: float
    levels: tuple[Used, ...]
    place: tuple[int, int] | None


def next_mixture(
    model: NextTokenModel,
    mixing: Mixing,
    ids: Numbers,
    data: bytes,
    candidates: int,
    stop_at_ends: bool = True,
    cancel: CancelToken | None = None,
) -> NextMixture:
    """Compute the mixture of one next token.

    mixing: The corpus, and the weight of the model.
    ids: What comes before, in the model's tokens, int64.
    candidates: How many of the model's most probable tokens are mixed, from 1.
    Raises `ServerError` if the model does not answer with what can be used.
    Raises `QueryError` if the weight is not from 0 to 1.
    """
    # Asked first: what the caller changed since the last token counts from this one on.
    side, weigh = mixing()
    found = model.next_tokens(ids.tolist(), candidates, cancel)
    # Without the end of the text, the others share its probability: the mixture is divided by its sum.
    kept = [each for each in found if stop_at_ends or each.id not in model.ends]
    wanted = np.array([each.id for each in kept], dtype=np.int64)
    shares, levels = side.shares(ids, data, wanted, cancel)
    # Nothing of the context occurs: the weight of a match of no tokens.
    n, m = (levels[0].length, levels[0].followed) if levels else (0, 0)
    return mixture(kept, shares, weigh(n, m), levels)


def write_mixed(
    model: NextTokenModel,
    mixing: Mixing,
    prompt: str,
    how: Writing,
    candidates: int = 100,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[MixedToken]:
    """Write a text.

    mixing: The corpus and the weight of the model, asked before each token.
    prompt: What comes before; not empty.
    how: The settings; `most_verbatim` is not one of them.
    candidates: How many of the model's most probable tokens are mixed, from 1.
    Yields: The next token. There are fewer than `how.most` if the model ends the text, or if the weight is 0 and the
        corpus knows none of the candidates.
    Raises `QueryError` if the prompt is empty.
    Raises `ServerError` if the model does not answer with what can be used.
    """
    pieces = model.pieces(prompt, cancel)
    if not pieces:
        raise QueryError(mark("A text that a model writes needs a prompt."), reason="no-prompt")
    ids = np.array([piece.id for piece in pieces], dtype=np.int64)
    data = b"".join(piece.data for piece in pieces)
    random = np.random.default_rng(how.seed)
    for number in range(how.most):
        # The whole text each time: the server keeps what it computed for the tokens before.
        found = next_mixture(model, mixing, ids, data, candidates, how.stop_at_ends, cancel)
        if not found.total:
            # Only for the corpus alone: a model has something for each of its candidates.
            return
        drawn, _ = draw(Distribution(found.tokens, found.shares, 0.0, 0, found.levels), how.draw, random, ids[:0])
        if drawn in model.ends and how.stop_at_ends:
            return
        made = _written(found, int(np.flatnonzero(found.tokens == drawn)[0]), mixing()[0], ids, data)
        yield made
        # From here on the caller may have changed what is mixed.
        ids, data = np.append(ids, drawn), data + made.data
        report(Progress("Writing", number + 1, how.most, "tokens"))


def _written(found: NextMixture, at: int, side: CorpusSide, ids: Numbers, data: bytes) -> MixedToken:
    token, piece = int(found.tokens[at]), found.data[at]
    # After the draw, so that only one token is looked up.
    used = side.used(ids, data, token, piece, found.levels)
    return MixedToken(
        token,
        piece,
        float(found.shares[at]),
        float(found.model[at]),
        float(found.corpus[at]),
        found.weight,
        used,
        side.place(ids, data, token, piece, used),
    )
