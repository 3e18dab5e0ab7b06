"""The requests and answers of the next-token screen, off the interface thread."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.analyses.next_tokens.counts import next_tokens
from explorer.analyses.next_tokens.next_words import NextWord, WordKind, next_words
from explorer.analyses.next_tokens.profile import Rung, ladder
from explorer.analyses.next_tokens.question import SAMPLED, NextTokensQuestion
from explorer.analyses.next_tokens.word_tree import WordNode
from explorer.analyses.search.query import TokenView, show_token
from explorer.backends.protocol.protocol import Backend, NextTokens, Numbers
from explorer.chart import Chart, Tree, Twig
from explorer.core.jobs import CancelToken
from explorer.core.proportions import wilson_interval
from explorer.corpus import Corpus
from explorer.export.charts.other_charts import ladder_chart, next_chart, next_words_chart, tree_chart
from explorer.export.provenance import Facts, index_facts, text_facts, with_facts
from explorer.gui.screens.next_token.tree_state import TreeAnswer, shown_count, shown_text
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr

# A vocabulary may have 200,000 tokens and more; nobody reads that far, and a table model holds every row.
MAX_ROWS = 1_000
_SHOWN_PROMPT = 60
_SHOWN_ENDING = 80
_SHOWN_TOKENS = 100
MOST_STEPS = 5_000
"""Look-ups for one list of words: after the most frequent contexts, rare words are left out."""


@dataclass(frozen=True)
class NextRow:
    """What follows: a token or a word.

    insert: What is appended to the prompt; "" if it cannot be.
    count, share: How often it follows, and its share of all places.
    token: Its id; -1 for a word.
    joined: Whether it continues the last word of the context.
    named: Whether `text` is a name, such as that of the end of the document.
    interval: The interval in which the share is with 95 %, if it is estimated from a sample; None if it is not.
    """

    text: str
    insert: str
    count: int
    share: float
    token: int = -1
    joined: bool = False
    named: bool = False
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class NextRequest:
    """A prompt, and its settings without the sample, which the index decides."""

    corpus: Corpus
    prompt: str
    question: NextTokensQuestion


@dataclass(frozen=True)
class NextAnswer:
    """What follows the prompt.

    ids: The whole prompt's tokens.
    context_length: The tokens at its end that were used.
    context: The tokens of the prompt as they are shown; of a long prompt, the last 100.
    rows: The most frequent first; of many, the first ones.
    read, total: Places that were read, and all of them. Fewer were read: counts are lower bounds, or estimates.
    sample: Places of a sample, if counts and shares are estimates from it; 0 if they are not.
    spaced: Occurrences of the whole prompt after a space, which its tokens leave out; 0 if they leave out none.
    """

    request: NextRequest
    ids: tuple[int, ...]
    context_length: int
    context_count: int
    context_text: str
    context: tuple[TokenView, ...]
    rows: tuple[NextRow, ...]
    different: int
    read: int
    total: int
    sample: int = 0
    spaced: int = 0

    @property
    def used(self) -> tuple[int, ...]:
        """The end of the prompt that was used as context."""
        # Counted from the end: `ids[-0:]` would be the whole prompt where no context was used.
        return self.ids[len(self.ids) - self.context_length :]

    @property
    def seen(self) -> bool:
        """Whether anything follows the context in the corpus."""
        return self.total > 0

    @property
    def exact(self) -> bool:
        """Whether every place was read, and nothing is an estimate."""
        return self.read == self.total and not self.sample


def ask(request: NextRequest, cancel: CancelToken) -> NextAnswer:
    """Predict what comes next. Runs off the interface thread.

    request: The prompt, the index and the model.
    Returns: What follows with its counts, and the context that was used.
    Raises `CorpusError` if the index cannot be read.
    """
    index = request.corpus.index
    ids = request.corpus.encode(request.prompt)
    length = request.question.length(ids, index.counts)
    used = ids[len(ids) - length :]
    # Nobody reads the chips of a whole book, and each is looked up.
    context = tuple(
        TokenView(token, show_token(index, token), index.hits.find([token]).count)
        for token in ids[-_SHOWN_TOKENS:].tolist()
    )
    found = _words(index, used, cancel) if request.question.words else _tokens(index, used, cancel)
    rows, different, read, total, sample = found
    # Every place of the corpus is one of the empty context.
    count = index.hits.find(used).count if length else total
    # Decoded here: the tokenizer never works on the interface thread.
    text = request.corpus.decode(used)
    spaced = _after_a_space(request, ids.tolist()) if 0 < length == len(ids) else 0
    return NextAnswer(
        request, tuple(ids.tolist()), length, count, text, context, rows, different, read, total, sample, spaced
    )


def _after_a_space(request: NextRequest, ids: list[int]) -> int:
    """How often the prompt occurs after a space, where a tokenizer makes other tokens of it: as within a sentence."""
    if request.prompt[:1].isspace():
        return 0
    other = request.corpus.encode(f" {request.prompt}")
    # A space that is a token of its own is before the same tokens, which are counted already.
    return 0 if other.tolist()[-len(ids) :] == ids else request.corpus.index.hits.find(other).count


_Found = tuple[tuple[NextRow, ...], int, int, int, int]


def limit_of(index: Backend) -> int | None:
    """Places to look at for what follows a context: a sample where an index cannot count all, None where it can."""
    return None if index.capabilities.next_tokens else SAMPLED


def _tokens(index: Backend, used: Numbers, cancel: CancelToken) -> _Found:
    # Without a limit the answer is exact, so all places were read.
    result = next_tokens(index, used, limit=limit_of(index), cancel=cancel)
    top = zip(result.tokens[:MAX_ROWS].tolist(), result.counts[:MAX_ROWS].tolist(), strict=True)
    if result.exact:
        rows = tuple(_token_row(index, token, count, count / max(1, result.total)) for token, count in top)
        return rows, len(result.tokens), result.total, result.total, 0
    rows = tuple(_estimated_row(index, token, count, result) for token, count in top)
    return rows, len(result.tokens), result.total, result.context_count, result.total


def _token_row(
    index: Backend, token: int, count: int, share: float, interval: tuple[float, float] | None = None
) -> NextRow:
    return NextRow(show_token(index, token), _insertable(index, token), count, share, token, interval=interval)


def _estimated_row(index: Backend, token: int, count: int, found: NextTokens) -> NextRow:
    """A row of a sample: its count is the share of all places, which is an estimate."""
    share = count / max(1, found.total)
    return _token_row(index, token, round(share * found.context_count), share, wilson_interval(count, found.total))


def _words(index: Backend, used: Numbers, cancel: CancelToken) -> _Found:
    found = next_words(index, used, MOST_STEPS, cancel)
    rows = tuple(_word_row(word, found.total) for word in found.words[:MAX_ROWS])
    return rows, len(found.words), found.counted, found.total, 0


def _word_row(word: NextWord, total: int) -> NextRow:
    ended = word.kind is WordKind.END
    return NextRow(
        tr("end of document") if ended else word.text,
        # U+FFFD would not be read as the same bytes again.
        "" if "\ufffd" in word.insert else word.insert,
        word.count,
        word.count / max(1, total),
        joined=word.kind is WordKind.REST,
        named=ended or word.kind is WordKind.TOKEN,
    )


@dataclass(frozen=True)
class LadderRow:
    """An ending of the prompt.

    before, text: The prompt before it, and itself, each on one line; of a long prompt, the end.
    length: Its length as a bar, from 0 to 1: the logarithm of its count.
    """

    rung: Rung
    before: str
    text: str
    length: float


@dataclass(frozen=True)
class LadderAnswer:
    """The endings of a prompt that occur, the longest first."""

    rows: tuple[LadderRow, ...]

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """Their figures, the shortest first."""
        return tuple(row.rung for row in reversed(self.rows))


def climb(request: NextRequest, cancel: CancelToken) -> LadderAnswer:
    """Look up every ending of the prompt. Runs off the interface thread.

    Returns: One row per ending, with entropies in bits.
    Raises `CorpusError` if the index cannot be read.
    """
    corpus = request.corpus
    ids = corpus.encode(request.prompt)
    rungs = ladder(corpus.index, ids, cancel, limit_of(corpus.index))
    most = math.log1p(max((rung.context_count for rung in rungs), default=0)) or 1.0
    whole, rows = corpus.decode(ids), []
    for rung in reversed(rungs):
        text = corpus.decode(ids[len(ids) - (rung.n - 1) :]) if rung.n > 1 else ""
        # An ending that begins within a character is not part of the whole text; then its beginning is not shown.
        before = whole[: len(whole) - len(text)] if whole.endswith(text) else ""
        length = math.log1p(rung.context_count) / most
        rows.append(LadderRow(rung, *_one_line(before, text), length))
    return LadderAnswer(tuple(rows))


def _one_line(before: str, text: str) -> tuple[str, str]:
    shown = cell_text(text, ending=True, most=_SHOWN_ENDING)
    room = _SHOWN_ENDING - len(shown)
    if not before.strip() or not text or room < 2:
        return "", shown.lstrip()
    return cell_text(before, ending=True, most=room).lstrip(), shown


def lines_text(corpus: Corpus, ids: tuple[int, ...]) -> tuple[str, bool]:
    """Write an n-gram as a text to search for.

    Returns: The text. White space at its ends is left out if the text is not tokenized as these ids.
    """
    text = corpus.decode(ids)
    exact = corpus.encode(text).tolist() == list(ids)
    return text if exact else text.strip(), exact


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
    answer: NextAnswer, beside: NextAnswer | None, rungs: tuple[Rung, ...], tree: TreeAnswer | None
) -> tuple[Chart, ...]:
    """Make charts of what the screen shows. Reads the indexes' fingerprints.

    beside: The same of the other index; None if there is none.
    rungs: The endings of the prompt; empty for no chart of them.
    tree: The word tree; None for no chart of it.
    Returns: The charts, in the order in which they are offered.
    """
    index = answer.request.corpus.index
    shown = cell_text(answer.request.prompt, ending=True, most=_SHOWN_PROMPT)
    made = [_next_chart(answer, shown)]
    endings = tr("Endings of “{shown}” in {name}", shown=shown, name=index.name)
    made += [ladder_chart(_marked(endings, max(rung.sample for rung in rungs)), rungs)] if rungs else []
    charts = with_facts(made, (*index_facts(index), *_asked(answer)))
    if tree is not None:
        charts += with_facts(_tree_charts(tree), (*index_facts(index), *_asked(answer), *_grown(tree)))
    if beside is not None:
        facts = (*index_facts(beside.request.corpus.index), *_asked(beside))
        charts += with_facts((_next_chart(beside, shown),), facts)
    return charts


def _asked(answer: NextAnswer) -> Facts:
    """State the prompt, and how much of it was used."""
    request = answer.request
    return (
        *text_facts("prompt", request.prompt),
        *request.question.facts,
        *text_facts("context", answer.context_text),
        ("context tokens", str(answer.context_length)),
        ("occurrences of the context", str(answer.context_count)),
        ("places read", f"{answer.read} of {answer.total}"),
        *((("places of the sample", str(answer.sample)),) if answer.sample else ()),
        ("different", str(answer.different)),
        ("rows", str(len(answer.rows))),
    )


def _next_chart(answer: NextAnswer, prompt: str) -> Chart:
    name = answer.request.corpus.index.name
    rows = [(row.token, row.text, row.count, row.share) for row in answer.rows]
    if answer.request.question.words:
        words = [row[1:] for row in rows]
        return next_words_chart(
            tr("Next words of “{prompt}” in {name}", prompt=prompt, name=name), words, answer.different
        )
    title = tr("Next tokens of “{prompt}” in {name}", prompt=prompt, name=name)
    return next_chart(_marked(title, answer.sample), rows, answer.different)


def _marked(title: str, sample: int) -> str:
    """The title of a figure, which states that its numbers are estimates."""
    return tr("{title} (≈ from a sample of {sample:,})", title=title, sample=sample) if sample else title


def _grown(tree: TreeAnswer) -> Facts:
    """State the root of a word tree, and which of its branches were read."""
    request = tree.request
    return (
        *text_facts("root", tree.text),
        ("sides", request.side.name.lower()),
        ("branches at each depth", ", ".join(map(str, request.widths))),
        ("branches opened by hand", str(len(request.opened))),
    )


def make_tree_charts(tree: TreeAnswer) -> tuple[Chart, ...]:
    """Make charts of the sides of a word tree that have branches. Reads the index's fingerprint."""
    return with_facts(_tree_charts(tree), (*index_facts(tree.request.corpus.index), *_grown(tree)))


def _tree_charts(tree: TreeAnswer) -> list[Chart]:
    """The sides of a word tree, as on the screen."""
    corpus, made = tree.request.corpus, []
    for side, leftwards in ((tree.after, False), (tree.before, True)):
        if side is None or not side.branches:
            continue
        root = cell_text(tree.text, ending=not leftwards, most=_SHOWN_PROMPT)
        title = (
            tr("Before “{root}” in {name}", root=root, name=corpus.index.name)
            if leftwards
            else tr("After “{root}” in {name}", root=root, name=corpus.index.name)
        )
        heading = tr("Word tree: occurrences, and share of the parent branch")
        rows = [row for branch in side.branches for row in _tree_rows(branch, 1)]
        trunk = Twig(root, "", 1.0, tuple(map(_twig, side.branches)))
        made.append(tree_chart(title, Tree(heading, trunk, leftwards), rows))
    return made


def _twig(node: WordNode) -> Twig:
    note = tr("{count} · {share:.0%}", count=shown_count(node), share=node.share)
    return Twig(shown_text(node), note, node.share, tuple(map(_twig, node.branches)))


def _tree_rows(node: WordNode, depth: int) -> Iterator[tuple[int, str, str, int, float]]:
    yield depth, node.joined, node.text, node.count, node.share
    for grown in node.branches:
        yield from _tree_rows(grown, depth + 1)
