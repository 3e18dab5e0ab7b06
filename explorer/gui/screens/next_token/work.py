"""The requests and answers of the next-token screen, off the interface thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api import Corpus
from explorer.backends.protocol import Backend, NextTokens
from explorer.chart import Chart, Tree, Twig
from explorer.export.other_charts import ladder_chart, next_chart, tree_chart
from explorer.export.provenance import with_facts
from explorer.gui.cells import Cell
from explorer.gui.screens.next_token.branches import ShownBranch, ShownTree
from explorer.gui.text_positions import cell_text
from explorer.i18n import numeral, tr
from explorer.jobs import CancelToken
from explorer.search.counts import infgram_next_tokens, next_tokens
from explorer.search.profile import Rung, ladder
from explorer.search.query import TokenView, show_token

# A vocabulary may have 200,000 tokens and more; nobody reads that far, and a table model holds every row.
MAX_ROWS = 1_000
_SHOWN_PROMPT = 60


@dataclass(frozen=True)
class NextRow:
    """One token that follows; `text` as it is shown, `insert` as it is appended ("" if it cannot be)."""

    token: int
    text: str
    insert: str
    count: int
    probability: float


@dataclass(frozen=True)
class NextRequest:
    """A prompt, and n of the n-gram model (0: ∞)."""

    corpus: Corpus
    prompt: str
    n: int


@dataclass(frozen=True)
class NextAnswer:
    """The distribution, the tokens of context that were used, and the rows that are shown.

    ids: the whole prompt's tokens.
    """

    request: NextRequest
    result: NextTokens
    ids: tuple[int, ...]
    context: tuple[TokenView, ...]
    rows: tuple[NextRow, ...]

    @property
    def used(self) -> tuple[int, ...]:
        """The end of the prompt that was used as context."""
        return self.ids[len(self.ids) - self.result.context_length :]

    @property
    def seen(self) -> bool:
        """Whether anything follows the context in the corpus."""
        return len(self.result.tokens) > 0


def ask(request: NextRequest, cancel: CancelToken) -> NextAnswer:
    """Predict the next token. Runs off the interface thread.

    Parameters
    ----------
    request
        The prompt, the index and the model.
    cancel
        Stops the work.

    Returns
    -------
    NextAnswer
        The tokens, their counts, and the context that was used.

    Raises
    ------
    CorpusError
        If the index cannot be read.
    """
    index = request.corpus.index
    ids = request.corpus.encode(request.prompt)
    if request.n:
        result = next_tokens(
            index, ids[max(0, len(ids) - (request.n - 1)) :] if request.n > 1 else ids[:0], cancel=cancel
        )
    else:
        result = infgram_next_tokens(index, ids, cancel=cancel)
    # Counted from the end: `ids[-0:]` would be the whole prompt where no context was used.
    used = ids[len(ids) - result.context_length :].tolist()
    context = tuple(TokenView(token, show_token(index, token), index.hits.find([token]).count) for token in used)
    top = zip(
        result.tokens[:MAX_ROWS].tolist(),
        result.counts[:MAX_ROWS].tolist(),
        result.probabilities[:MAX_ROWS].tolist(),
        strict=True,
    )
    rows = tuple(
        NextRow(token, show_token(index, token), _insertable(index, token), count, share) for token, count, share in top
    )
    return NextAnswer(request, result, tuple(ids.tolist()), context, rows)


@dataclass(frozen=True)
class LadderAnswer:
    """The rungs, and as rows of a table."""

    rungs: tuple[Rung, ...]
    rows: tuple[tuple[Cell, ...], ...]


def climb(request: NextRequest, cancel: CancelToken) -> LadderAnswer:
    """Look up every suffix of the prompt. Runs off the interface thread.

    Parameters
    ----------
    request
        The prompt and the index.
    cancel
        Stops the work.

    Returns
    -------
    LadderAnswer
        One row per suffix, with entropies in bits.

    Raises
    ------
    CorpusError
        If the index cannot be read.
    """
    index = request.corpus.index
    rungs = ladder(index, request.corpus.encode(request.prompt), cancel)
    # Bars are relative to the largest entropy; `or 1.0` where every rung has only one next token.
    most = max((rung.entropy for rung in rungs), default=0.0) or 1.0
    rows = tuple(
        (
            Cell(numeral(rung.n), right=True),
            Cell(_context_count(rung), right=True, muted=rung.plateau),
            Cell(numeral(rung.distinct), right=True),
            Cell(numeral(rung.entropy, ".2f"), bar=rung.entropy / most),
            Cell(_likeliest(index, rung)),
        )
        for rung in rungs
    )
    return LadderAnswer(tuple(rungs), rows)


def _likeliest(index: Backend, rung: Rung) -> str:
    return ", ".join(
        tr("{index} {n:.0%}", index=show_token(index, token), n=n / max(1, rung.context_count)) for token, n in rung.top
    )


def lines_text(corpus: Corpus, ids: tuple[int, ...]) -> str:
    """Write an n-gram as a text to search for.

    Parameters
    ----------
    corpus
        The index.
    ids
        The n-gram.

    Returns
    -------
    str
        The text. White space at its ends is left out if the text is not tokenized as these ids.
    """
    text = corpus.decode(ids)
    return text if corpus.encode(text).tolist() == list(ids) else text.strip()


def _insertable(index: Backend, token: int) -> str:
    """Text that a token adds to a prompt; "" for a part of a character or the end of a document."""
    if token == index.separator:
        return ""
    try:
        # Byte-level tokens can be half a character. Appended as U+FFFD, they would not be read as the same token again.
        return index.tokenizer.token_bytes(token).decode("utf-8")
    except UnicodeDecodeError:
        return ""


def make_charts(
    answer: NextAnswer, beside: NextAnswer | None, rungs: tuple[Rung, ...], tree: ShownTree | None
) -> tuple[Chart, ...]:
    """Make charts of what the screen shows. Reads the indexes' fingerprints.

    Parameters
    ----------
    answer
        The next tokens.
    beside
        Those of the other index; None if there is none.
    rungs
        The suffixes of the prompt; empty for no chart of them.
    tree
        The word tree as it is unfolded; None for no chart of it.

    Returns
    -------
    tuple[Chart, ...]
        The charts, in the order in which they are offered.
    """
    index = answer.request.corpus.index
    shown = cell_text(answer.request.prompt, ending=True, most=_SHOWN_PROMPT)
    made = [ladder_chart(tr("Suffixes of “{shown}” in {name}", shown=shown, name=index.name), rungs)] if rungs else []
    made += [_tree_chart(answer.request.corpus, tree)] if tree and tree.branches else []
    charts = with_facts((*made, _next_chart(answer, shown)), index)
    if beside is not None:
        charts += with_facts((_next_chart(beside, shown),), beside.request.corpus.index)
    return charts


def _next_chart(answer: NextAnswer, prompt: str) -> Chart:
    rows = [(row.token, row.text, row.count, row.probability) for row in answer.rows]
    return next_chart(
        tr("Next tokens of “{prompt}” in {name}", prompt=prompt, name=answer.request.corpus.index.name),
        rows,
        len(answer.result.tokens),
    )


def _tree_chart(corpus: Corpus, tree: ShownTree) -> Chart:
    """The open part of a word tree, as on the screen."""
    root = cell_text(corpus.decode(tree.root), ending=not tree.leftwards, most=_SHOWN_PROMPT)
    title = (
        tr("Before “{root}” in {name}", root=root, name=corpus.index.name)
        if tree.leftwards
        else tr("After “{root}” in {name}", root=root, name=corpus.index.name)
    )
    twigs = tuple(map(_twig, tree.branches))
    rows = [row for branch in tree.branches for row in _tree_rows(corpus, branch, 1)]
    heading = tr("Word tree: occurrences, and share of the parent branch")
    return tree_chart(title, Tree(heading, Twig(root, "", 1.0, twigs), tree.leftwards), rows)


def _twig(branch: ShownBranch) -> Twig:
    row = branch.row
    note = tr("{count} · {share:.0%}", count=row.shown_count, share=row.share)
    return Twig(row.text, note, row.share, tuple(map(_twig, branch.branches)))


def _tree_rows(corpus: Corpus, branch: ShownBranch, depth: int) -> Iterator[tuple[int, str, str, int, float]]:
    row = branch.row
    yield depth, corpus.decode(row.ids), row.text, row.count, row.share
    for grown in branch.branches:
        yield from _tree_rows(corpus, grown, depth + 1)


def _context_count(rung: Rung) -> str:
    shown = numeral(rung.context_count)
    return tr("{count}  plateau", count=shown) if rung.plateau else shown
