"""Agreement of whole texts, pooled into a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from random import Random
from textwrap import shorten

import numpy as np

from explorer.analyses.agreement.compare import SourceSummary, by_count, summarize
from explorer.analyses.agreement.figure import AgreementFigure, Series, make_figure
from explorer.analyses.agreement.prompt import Context, Divided, divide, lead_of
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.tokens import Agreement, agreements
from explorer.analyses.overlap.copies import without_copies
from explorer.analyses.overlap.self_match import SelfMatch, find_self_match
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark, tr
from explorer.text.tokens.tokenizer import Encoded

_NAME = 40
"""Characters by which a text without a name is named."""


@dataclass(frozen=True)
class Texts:
    """Texts to analyze.

    groups: The name of each text's group (its source); empty for no groups.
    prompts: What comes before each text, as context that is not scored; empty for none.
    given: Where the texts and prompts are from, by name, for files that state it.
    """

    texts: tuple[str, ...]
    groups: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TextAgreement:
    """One text's tokens and their agreement with the corpus.

    text: The text without its prompt.
    encoded: Its tokens that are scored.
    infgram: Agreement with the longest contexts that occur.
    ngram: Agreement with the contexts of an n-gram model.
    unseen: The number of scored tokens that the index does not have at all.
    self_match: Where the text itself occurs in the index, or did before it was left out: the part that is scored, or
        all of it; None if neither does.
    context: What comes before the tokens that are scored: the prompt, and the text's first tokens if they are context.
    """

    text: str
    group: str
    encoded: Encoded
    infgram: Agreement
    ngram: Agreement
    unseen: int
    self_match: SelfMatch | None
    context: Context = field(default_factory=Context)


class KeptTexts:
    """Texts that were analyzed in one index, so that other draws, groups or files ask only for what is new.

    Holds at most MOST_KEPT tokens; the oldest texts go first.
    """

    MOST_KEPT = 1_000_000

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, int, int, int], TextAgreement] = {}
        self._tokens = 0

    def get(self, text: str, question: AgreementQuestion, lead: str = "") -> TextAgreement | None:
        """The analysis of a text; None if it was not kept."""
        # The key has every setting on which an answer depends, apart from the index: one `KeptTexts` serves one index.
        return self._found.get(_kept_as(text, lead, question))

    def put(self, found: TextAgreement, question: AgreementQuestion) -> None:
        """Keep an analysis; the oldest are dropped beyond `MOST_KEPT` tokens."""
        key = _kept_as(found.text, found.context.lead, question)
        if key not in self._found:
            self._found[key] = found
            self._tokens += _size(found)
        # Dictionaries keep the order of insertion, so the first key is the oldest. The newest text stays, however long
        # it is.
        while self._tokens > self.MOST_KEPT and len(self._found) > 1:
            self._tokens -= _size(self._found.pop(next(iter(self._found))))


def _kept_as(text: str, lead: str, question: AgreementQuestion) -> tuple[str, str, int, int, int]:
    return (text, lead, question.prompt_tokens, question.max_tokens, question.max_n)


def _size(found: TextAgreement) -> int:
    return len(found.infgram) + len(found.context)


@dataclass(frozen=True)
class AgreementAnalysis:
    """The agreement of all texts.

    texts: The texts of which tokens are scored.
    groups: One figure per group, in the order of their first text.
    sources: The groups in figures.
    by_count: Agreement by how often the context occurs, in powers of ten.
    left_out: Numbers of the documents that were left out because they contain one of the texts.
    unscored: The texts that are too short to have a token that is scored; they are in no count and no figure.
    given: Where the texts and prompts are from.
    """

    texts: tuple[TextAgreement, ...]
    figure: AgreementFigure
    groups: dict[str, AgreementFigure]
    sources: tuple[SourceSummary, ...]
    by_count: Series
    counts: dict[str, Series]
    left_out: tuple[int, ...] = ()
    unscored: tuple[TextAgreement, ...] = ()
    question: AgreementQuestion = field(default_factory=AgreementQuestion)
    given: tuple[tuple[str, str], ...] = ()

    # Once: there may be thousands of texts.
    @cached_property
    def context_tokens(self) -> int:
        """Tokens that were context and not scored."""
        return sum(len(text.context) for text in self.texts)

    @cached_property
    def unseen(self) -> float:
        """Share of the tokens that the index does not have at all."""
        return sum(text.unseen for text in self.texts) / max(1, self.figure.infgram.tokens)

    @cached_property
    def self_matched(self) -> int:
        """Texts that occur in the index themselves."""
        return sum(text.self_match is not None for text in self.texts)


def unscored_names(texts: Sequence[TextAgreement], most: int = 3) -> list[str]:
    """The first texts that are too short, each by its words and its group, and how many others there are."""
    shown = [(shorten(each.text, _NAME, placeholder=" …") or tr("no words"), each.group) for each in texts[:most]]
    names = [f"“{words}” ({group})" if group else f"“{words}”" for words, group in shown]
    return [*names, *([tr("and {n:,} more", n=len(texts) - most)] if len(texts) > most else [])]


Interim = Callable[[Callable[[], AgreementAnalysis]], None]
"""Is given, after each group, what makes the analysis of all so far; it need not ask for it each time."""


def analyze(
    index: Backend,
    texts: Texts,
    question: AgreementQuestion | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    interim: Interim | None = None,
    kept: KeptTexts | None = None,
) -> AgreementAnalysis:
    """Compute the agreement of every text.

    question: The settings; None for the defaults.
    interim: Called with a function that makes the analysis of what is done so far; None: not called.
    kept: Texts that were analyzed in this index before, and a place for these; None: nothing is kept.
    Returns: The figures of every text, every source, and all of them.
    Raises `QueryError` if none of the texts contains a token that is scored.

    Notes
    -----
    A few searches per token, all in the engine; `without_self` doubles them.
    """
    cancel, question = cancel or CancelToken(), question or AgreementQuestion()
    # Without groups, all texts are of one without a name.
    none = ("",) * len(texts.texts)
    leads = [lead_of(prompt, question.prompt_join) for prompt in texts.prompts or none]
    taken = _drawn([_Text(*each) for each in zip(texts.texts, texts.groups or none, leads, strict=True)], question)
    how = _Pass(index, question, texts.given, report, cancel, interim, kept)
    # If documents are left out, the first pass only finds them: its figures would be replaced, so they are not shown.
    first = replace(how, interim=None) if question.without_self else how
    done = first.run(taken, ())
    if not any(len(text.infgram) for text in done):
        if any(len(text.context) for text in done):
            raise QueryError(mark("There are no tokens to score: every text is all prompt."), reason="all-prompt")
        raise QueryError(mark("There is no text to analyze."), reason="no-text-given")
    left_out: tuple[int, ...] = ()
    if question.without_self:
        # After all texts were read: a document that contains one text is left out for every other as well.
        less = without_copies(index, [part for text in done for part in _looked_for(index, text)], cancel)
        left_out = less.documents
    if left_out:
        # Nothing is kept of this pass: it is of another index.
        again = replace(how, index=less.index, kept=None).run(taken, left_out)
        # That the text was in the corpus is still true, and is what the user has to know.
        done = [replace(new, self_match=old.self_match) for new, old in zip(again, done, strict=True)]
    return how.analysis(done, left_out)


def _looked_for(index: Backend, text: TextAgreement) -> Iterator[tuple[str, Encoded]]:
    """The parts of a text that no document may contain: all of it, and the part that is scored, if it is another."""
    whole = replace_surrogates(text.text)
    encoded = index.tokenizer.encode_with_offsets(whole)
    if len(encoded.ids):
        yield whole, encoded
    if 0 < len(text.encoded.ids) < len(encoded.ids):
        yield _analyzed(text)


def _analyzed(text: TextAgreement) -> tuple[str, Encoded]:
    """The part of a text that was scored, and its tokens."""
    encoded = text.encoded
    # With a context, the first characters may belong to it.
    begin = int(encoded.starts[0]) if len(text.context) else 0
    part = replace_surrogates(text.text)[begin : int(encoded.ends[-1])]
    return part, Encoded(encoded.ids, encoded.starts - begin, encoded.ends - begin)


@dataclass(frozen=True)
class _Text:
    """A text, the name of its group, and what comes before it."""

    text: str
    group: str
    lead: str


def _drawn(texts: list[_Text], question: AgreementQuestion) -> list[_Text]:
    """At most `max_texts` of each group, in the order of the texts."""
    if not question.max_texts:
        return texts
    # One generator for all groups, in the order in which they occur: the draw depends on the texts and the seed only.
    random = Random(question.seed)
    kept: set[int] = set()
    for group in dict.fromkeys(each.group for each in texts):
        numbers = [i for i, each in enumerate(texts) if each.group == group]
        kept.update(random.sample(numbers, min(len(numbers), question.max_texts)))
    return [each for i, each in enumerate(texts) if i in kept]


@dataclass(frozen=True)
class _Pass:
    """One walk over all texts, group by group."""

    index: Backend
    question: AgreementQuestion
    given: tuple[tuple[str, str], ...]
    report: Report
    cancel: CancelToken
    interim: Interim | None
    kept: KeptTexts | None

    def run(self, texts: Sequence[_Text], left_out: tuple[int, ...]) -> list[TextAgreement]:
        """The texts in their order."""
        done: dict[int, TextAgreement] = {}
        members: dict[str, list[int]] = {}
        for number, each in enumerate(texts):
            members.setdefault(each.group, []).append(number)
        names = list(members)
        # Group by group, so that a figure of some groups is complete for these. `done` is by number, since texts may be
        # in any order.
        for name, numbers in members.items():
            for number in numbers:
                self.cancel.check()
                self.report(Progress("Agreement", len(done), len(texts), "texts"))
                done[number] = self._one(texts[number])
            # Not after the last group: that analysis is the answer.
            if self.interim is not None and name != names[-1]:
                # A list of its own: the receiver may ask for the analysis while this thread continues.
                so_far = [done[i] for i in sorted(done)]
                self.interim(partial(self.analysis, so_far, left_out))
        return [done[i] for i in sorted(done)]

    def _one(self, each: _Text) -> TextAgreement:
        found = self.kept.get(each.text, self.question, each.lead) if self.kept is not None else None
        if found is not None:
            # The same text may have been in another group before.
            return replace(found, group=each.group)
        found = _one_text(self.index, each, self.question, self.cancel)
        if self.kept is not None:
            self.kept.put(found, self.question)
        return found

    def analysis(self, done: Sequence[TextAgreement], left_out: tuple[int, ...]) -> AgreementAnalysis:
        """The figures of some texts."""
        n = self.question.max_n
        names = list(dict.fromkeys(text.group for text in done))
        # In a mean over texts, one without a token would count as a text that was measured.
        scored = [text for text in done if len(text.infgram)]
        members: dict[str, list[TextAgreement]] = {name: [] for name in names}
        for text in scored:
            members[text.group].append(text)
        figures = {name: _figure(texts, n) for name, texts in members.items()}
        return AgreementAnalysis(
            texts=tuple(scored),
            # One group contains all texts: the figure of a book that is in the corpus has as many bins as tokens.
            figure=figures[names[0]] if len(names) == 1 else _figure(scored, n),
            groups=figures,
            sources=tuple(summarize(name, len(members[name]), figures[name]) for name in names),
            by_count=by_count([text.infgram for text in scored]),
            counts={name: by_count([text.infgram for text in texts]) for name, texts in members.items()},
            left_out=left_out,
            unscored=tuple(text for text in done if not len(text.infgram)),
            question=self.question,
            given=self.given,
        )


def _one_text(index: Backend, each: _Text, question: AgreementQuestion, cancel: CancelToken) -> TextAgreement:
    parts = divide(index.tokenizer, each.text, each.lead, question.prompt_tokens, question.max_tokens)
    ids, first = parts.ids, len(parts.context)
    # Asked once for both models, for unseen tokens and for the text itself.
    longest = index.counts.longest_matches(ids, cancel)
    # The prompt is asked about as well: a context may begin anywhere in it.
    infgram, ngram = (model.after(first) for model in agreements(index, ids, (None, question.max_n), cancel, longest))
    return TextAgreement(
        text=each.text,
        group=each.group,
        encoded=parts.scored,
        infgram=infgram,
        ngram=ngram,
        unseen=int(np.count_nonzero(longest[first:] == 0)),
        self_match=find_self_match(index, parts.scored.ids, longest[first:]) or _of_whole(index, each, parts, cancel),
        context=parts.context,
    )


def _of_whole(index: Backend, each: _Text, parts: Divided, cancel: CancelToken) -> SelfMatch | None:
    """Where all of a text occurs of which only a part is scored."""
    ids = index.tokenizer.encode(replace_surrogates(each.text))
    if len(ids) <= len(parts.scored.ids):
        return None
    return find_self_match(index, ids, index.counts.longest_matches(ids, cancel))


def _figure(texts: Sequence[TextAgreement], n: int) -> AgreementFigure:
    return make_figure([text.ngram for text in texts], [text.infgram for text in texts], n)
