"""The requests and answers of the Generate tab, off the interface thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from explorer.analyses.model.generation import Written
from explorer.analyses.model.making import MethodName
from explorer.backends.documents.reading import decode_ids
from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.model.model import Generated
from explorer.corpus.results.origin import Origin
from explorer.errors import Cancelled
from explorer.export.about import save_about
from explorer.export.provenance import Facts, index_facts, setting_facts, text_facts
from explorer.export.registry import GENERATED
from explorer.gui.style.text_positions import one_line
from explorer.text.tokens.decode import DecodedText

ALL = 0
"""As many levels as there are."""
MOST_PLACES = 50
"""Places of a context that are listed; its lines in Search are all of them."""
_DRAWING = 0.03
"""Seconds in which a part of a text is drawn."""
_AROUND = 48
"""Tokens of context on each side of a place."""


@dataclass(frozen=True)
class HowToWrite:
    """What the user chose.

    method: How contexts of different lengths are weighed: a name of `Corpus.model`.
    levels: Context lengths that "levels" blends, from 1; 0 for all.
    temperature, length, seed, top_p, top_k, most_verbatim, stop_at_ends: As in `LanguageModel.generate`; the length is
        its `max_tokens`.
    """

    method: str = "levels"
    levels: int = 2
    temperature: float = 0.8
    length: int = 640
    seed: int = 0
    top_p: float = 1.0
    top_k: int = 0
    most_verbatim: int = 0
    stop_at_ends: bool = True

    @property
    def of_method(self) -> dict[str, Any]:
        """The settings of the method, as `Corpus.model` takes them."""
        return {"levels": self.levels or None} if self.method == "levels" else {}

    @property
    def of_text(self) -> dict[str, Any]:
        """The settings of the text, as `LanguageModel.generate` takes them."""
        return {
            "max_tokens": self.length,
            "temperature": self.temperature,
            "top_k": self.top_k,
            "top_p": self.top_p,
            "seed": self.seed,
            "most_verbatim": self.most_verbatim,
            "stop_at_ends": self.stop_at_ends,
        }


@dataclass(frozen=True)
class WriteRequest:
    """A prompt to continue, and how."""

    corpus: Corpus
    prompt: str
    how: HowToWrite


@dataclass(frozen=True, eq=False)
class WrittenText:
    """A text, whole or as far as it is written.

    prompt: Ids of the prompt, int64.
    tokens: What was written, each with the levels that gave it its probability.
    decoded: The prompt and the text, with the place of each token.
    longest: The first token of the longest stretch that occurs in the corpus as it is, and one past its last.
    seconds: How long it took.
    normalised: Whether the method gives probabilities.
    stopped: Whether the user stopped it.
    """

    request: WriteRequest
    prompt: Numbers
    tokens: tuple[Written, ...]
    decoded: DecodedText
    longest: tuple[int, int]
    seconds: float
    normalised: bool
    stopped: bool = False

    @property
    def lead(self) -> str:
        """The prompt as its tokens have it."""
        return self.decoded.slice(0, len(self.prompt))

    @cached_property
    def starts(self) -> Numbers:
        """The character of prompt and text at which each token begins, and their length; int64, (tokens + 1,)."""
        return self.decoded.starts[len(self.prompt) :]

    @property
    def text(self) -> str:
        """What was written."""
        return self.text_of(0, len(self.tokens))

    @cached_property
    def in_characters(self) -> bool:
        """Whether each token is one character, so that characters are what is counted."""
        # A byte of a longer character has no character of its own, so that bytes of other scripts are tokens.
        return bool((np.diff(self.starts) == 1).all())

    @property
    def known(self) -> bool:
        """Whether any ending of the prompt occurs in the corpus and was used."""
        return bool(self.tokens) and bool(self.tokens[0].levels) and self.tokens[0].levels[0].n > 0

    @cached_property
    def places(self) -> Numbers:
        """How often the longest context of each token is followed by a token, int64; 0 where no context was used."""
        return np.array([each.levels[0].m if each.levels else 0 for each in self.tokens], dtype=np.int64)

    @cached_property
    def lengths(self) -> Numbers:
        """Tokens of the longest context of each token, int64; 0 where none was used."""
        return np.array([each.levels[0].n if each.levels else 0 for each in self.tokens], dtype=np.int64)

    def text_of(self, first: int, last: int) -> str:
        """The characters of some tokens; below 0, of the prompt."""
        return self.decoded.slice(max(0, len(self.prompt) + first), len(self.prompt) + last)

    @cached_property
    def ids(self) -> Numbers:
        """Ids of the prompt and of what was written, int64."""
        return np.concatenate([self.prompt, np.array([each.token for each in self.tokens], dtype=np.int64)])


def write_text(
    request: WriteRequest, send: Callable[[Callable[[], WrittenText]], None], report: Report, cancel: CancelToken
) -> WrittenText:
    """Write a text, and hand over what there is of it on the way.

    send: Called after each token with what makes the text so far.
    cancel: Stops the work. If it is paused, what is written until then is returned.
    Raises `QueryError` if a setting is out of range.
    Raises `Cancelled` if it was cancelled, and not paused.
    """
    # With the model: learned trust spends most of the time before the first token.
    began = time.perf_counter()
    corpus, how = request.corpus, request.how
    model = corpus.model(cast(MethodName, how.method), report=report, cancel=cancel, **how.of_method)
    # As the model encodes it: its tokens are needed again, to look up contexts that reach into the prompt.
    prompt = np.asarray(corpus.encode(request.prompt), dtype=np.int64)
    written: list[Written] = []

    shown = 0

    def made(stopped: bool = False) -> WrittenText:
        nonlocal shown
        shown = len(written)
        seconds = time.perf_counter() - began
        return _text(request, prompt, tuple(written), seconds, model.normalized, stopped)

    try:
        for each in model.write(request.prompt, report=report, cancel=cancel, **how.of_text):
            written.append(each)
            send(made)
            if shown == len(written):
                # The text was taken, twice a second at most: the window draws it with the interpreter for itself.
                time.sleep(_DRAWING)
    except Cancelled:
        # What the user saw being written stays.
        if not (cancel.paused and written):
            raise
        return made(stopped=True)
    return made()


def _text(
    request: WriteRequest, prompt: Numbers, tokens: tuple[Written, ...], seconds: float, normalised: bool, stopped: bool
) -> WrittenText:
    index = request.corpus.index
    ids = np.array([each.token for each in tokens], dtype=np.int64)
    # Together: a character may begin in the prompt and end in what was written.
    found = decode_ids(index, np.concatenate([prompt, ids]), begins=True)
    made = WrittenText(request, prompt, tokens, found, _longest(index, ids), seconds, normalised, stopped)
    # Here, and not on the interface thread when it is first drawn: they are kept.
    for values in (made.places, made.lengths, made.ids, made.starts):
        values.setflags(write=False)
    return made


def _longest(index: Backend, ids: Numbers) -> tuple[int, int]:
    if not len(ids):
        return 0, 0
    # Of what was written alone: a copy that began with the prompt would be the user's own.
    lengths = index.counts.longest_matches(ids)
    first = int(np.argmax(lengths))
    return first, first + int(lengths[first])


@dataclass(frozen=True)
class PlacesRequest:
    """Where the context of a token was seen, at one of its levels."""

    text: WrittenText
    token: int
    level: int

    @property
    def n(self) -> int:
        """Tokens of the context."""
        return self.text.tokens[self.token].levels[self.level].n

    @property
    def context(self) -> Numbers:
        """Ids of the context, int64."""
        end = len(self.text.prompt) + self.token
        return self.text.ids[end - self.n : end]


@dataclass(frozen=True)
class PlaceRow:
    """A place of a context.

    document, offset, length: The document, the first token of the context in it, and the tokens that are marked there.
    before, match, after: The text around it, on one line; the match is the context and the token that follows it there.
    """

    document: int
    offset: int
    length: int
    before: str
    match: str
    after: str


@dataclass(frozen=True)
class PlacesAnswer:
    """Places of a context, some of them if there are many.

    total: How many there are.
    """

    request: PlacesRequest
    rows: tuple[PlaceRow, ...]
    total: int
    context: str


def find_places(request: PlacesRequest, cancel: CancelToken) -> PlacesAnswer:
    """Look up where the context of a token occurs."""
    text, n = request.text, request.n
    index, context = text.request.corpus.index, request.context
    shown = decode_ids(index, context).text
    if not n:
        # The empty context is everywhere.
        return PlacesAnswer(request, (), text.tokens[request.token].levels[request.level].m, shown)
    ngram = index.hits.find(context)
    found = first_places(index, ngram, MOST_PLACES, cancel.check)
    documents, offsets = found.documents, found.offsets
    firsts = np.maximum(0, offsets - _AROUND)
    # One request for all lines: an index may be on another machine.
    windows = index.documents.windows(documents, firsts, offsets + n + 1 + _AROUND)
    places = zip(documents.tolist(), offsets.tolist(), firsts.tolist(), windows, strict=True)
    rows = tuple(_row(index, document, offset, first, n, tokens) for document, offset, first, tokens in places)
    return PlacesAnswer(request, rows, ngram.count, shown)


def _row(index: Backend, document: int, offset: int, first: int, n: int, tokens: Numbers) -> PlaceRow:
    found = decode_ids(index, tokens, begins=first == 0)
    begin = offset - first
    # At the end of a document, nothing follows the context.
    last = min(begin + n + 1, len(tokens))
    # Whole characters: a byte that continues one belongs to the part in which the character begins.
    parts = found.slice(0, begin), found.slice(begin, last), found.slice(last, len(tokens))
    return PlaceRow(document, offset, last - begin, *(one_line(part) for part in parts))


def save_written(path: Path, text: WrittenText) -> None:
    """Write a generated text to a file.

    Raises `QueryError` if the ending is unknown.
    """
    # As the library returns it, so that the file is what `generate --format json` holds of a text.
    index = text.request.corpus.index
    found = Generated(text.prompt, list(text.tokens), Origin(index))
    GENERATED.of_path(path).write(path, found.record(text.request.prompt))
    save_about(path, (*index_facts(index), *written_facts(text)))


def written_facts(text: WrittenText) -> Facts:
    """State how a text was written, so that it can be written again."""
    how = repeated(text)
    return (
        *text_facts("prompt", text.request.prompt),
        ("method", how.method),
        *((("levels", str(how.levels or "all")),) if how.of_method else ()),
        *setting_facts(how.of_text),
        ("stopped by hand", "yes" if text.stopped else "no"),
    )


def repeated(text: WrittenText) -> HowToWrite:
    """How the same text is written again: one that was stopped is as long as it became."""
    how = text.request.how
    return replace(how, length=len(text.tokens)) if text.stopped else how
