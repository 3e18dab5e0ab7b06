"""What the Generate tab does: continues a prompt, and shows where each token is from. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.search.needle import Needle
from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.export.charts.generation_chart import generation_chart
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import DocumentRequest, Request, Saved, SearchText
from explorer.gui.screens.model.generate.state import (
    METHODS,
    MOST_LEVELS,
    MOST_TOKENS,
    GenerateState,
    default_level,
)
from explorer.gui.screens.model.generate.work import (
    ALL,
    HowToWrite,
    PlacesRequest,
    WriteRequest,
    WrittenText,
    find_places,
    repeated,
    save_written,
    write_text,
    written_facts,
)
from explorer.gui.style.text_positions import short_text
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, generation_recipe

_WAIT_MS = 250
"""A slider is moved over several numbers at once."""
_LIMITS: dict[str, tuple[float, float]] = {
    "levels": (ALL, MOST_LEVELS),
    "temperature": (0, 100),
    "length": (1, MOST_TOKENS),
    "seed": (0, 999_999),
    "top_p": (0.01, 1),
    "top_k": (0, 100_000),
    "most_verbatim": (0, MOST_TOKENS),
}
"""What the controls offer, and what is taken from a session."""


class GeneratePresenter(Presenter[GenerateState]):
    """The tab without its widgets.

    ask: Called with what another part of the window is asked for.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None]) -> None:
        super().__init__(GenerateState())
        self._ask = ask
        self._writer = services.slot("generate", kind=Kind.APART)
        self._finder = services.slot("generate places", timed=False)
        self._saver = services.slot("generate file", timed=False, kind=Kind.APART)
        self._again = services.delay(_WAIT_MS, self.run)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Write with another index; what was written with the one before is dropped."""
        self._again.stop()
        for slot in (self._writer, self._finder, self._saver):
            slot.cancel()
        self.change(corpus=corpus, answer=Answer(), partial=None, places=Answer(), chosen=-1, error=None)

    def typed(self, prompt: str) -> None:
        """Take another prompt, which is continued when the user asks for it."""
        # Unlike a setting, a prompt is half typed most of the time.
        self.change(prompt=prompt)

    def choose(self, **settings: Any) -> None:
        """Change settings; a text that is shown is written again with them."""
        how = replace(self.state.how, **settings)
        # Boxes signal also what is set in them while a state is drawn.
        if how == self.state.how:
            return
        self.change(how=how)
        if self.state.text is not None:
            self._again.start()

    def run(self) -> None:
        """Continue the prompt."""
        self._again.stop()
        state = self.state
        if state.corpus is None or not state.asks:
            return
        request = WriteRequest(state.corpus, state.prompt, state.how)
        # An old partial text would hide the one that is written now.
        self.change(answer=state.answer.asked(), partial=None, error=None)
        # Made for the request that follows: an older one hands nothing over any more.
        send, report = self._writer.interim(self._take_part), self._writer.reporter()
        # Listed by the status bar, and asked about before the window closes.
        job = Job(tr("Text after “{prompt}”", prompt=short_text(state.prompt, 24)), self.stop)
        self._writer.run(lambda cancel: write_text(request, send, report, cancel), self._take, self._fail, job)

    def stop(self) -> None:
        """Stop writing; what is written stays."""
        self._again.stop()
        self._writer.end(keep=True)
        if self.state.partial is None:
            # Nothing was shown yet, so there is nothing to wait for.
            self.change(answer=self.state.answer.stopped())

    def _take_part(self, text: WrittenText) -> None:
        if text.tokens:
            self._finder.cancel()
            self.change(partial=text, chosen=-1, places=Answer())

    def _take(self, text: WrittenText) -> None:
        self.change(answer=self.state.answer.arrived(text), partial=None, chosen=-1, places=Answer())
        if text.tokens:
            # The first token of the longest copy: the text's most telling one.
            self.choose_token(text.longest[0])

    def _fail(self, error: CorpusError) -> None:
        part = self.state.partial
        # What was written before the failure stays, as a text that was stopped.
        answer = self.state.answer if part is None else Answer(replace(part, stopped=True), Freshness.AWAITED)
        self.change(answer=answer.failed(error), partial=None)

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the text as it is."""
        self.change(error=error)

    # --- a token -----------------------------------------------------------------------------------

    def choose_token(self, token: int) -> None:
        """Show where a token is from."""
        text = self.state.text
        # While the text grows, its tokens are shown but not looked up: the next part would undo the choice.
        if text is None or self.state.answer.awaited or not 0 <= token < len(text.tokens):
            return
        if token != self.state.chosen:
            self.change(chosen=token)
            self._choose_level(default_level(text, token))

    def step(self, by: int) -> None:
        """Choose a token before or after the chosen one."""
        text = self.state.text
        if text is not None and text.tokens:
            self.choose_token(min(max(0, self.state.chosen + by), len(text.tokens) - 1))

    def choose_level(self, level: int) -> None:
        """List the places of another level of the chosen token."""
        # A table signals also the row that it is given.
        if level != self.state.level:
            self._choose_level(level)

    def _choose_level(self, level: int) -> None:
        text, token = self.state.text, self.state.chosen
        if text is None or not 0 <= token < len(text.tokens) or not 0 <= level < len(text.tokens[token].levels):
            self._finder.cancel()
            self.change(level=0, places=Answer())
            return
        self.change(level=level, places=self.state.places.asked())
        request = PlacesRequest(text, token, level)
        self._finder.run(
            lambda cancel: find_places(request, cancel),
            lambda found: self.change(places=self.state.places.arrived(found)),
            lambda error: self.change(places=self.state.places.failed(error)),
        )

    def show_lines(self) -> None:
        """Search for the context whose places are listed."""
        found = self.state.places.current
        if found is not None and found.context:
            self._ask(SearchText(found.context))

    def open_place(self, row: int) -> None:
        """Open a document at a place."""
        found = self.state.places.value
        if found is not None and 0 <= row < len(found.rows):
            place = found.rows[row]
            context = tuple(found.request.context.tolist())
            self._ask(DocumentRequest(place.document, place.offset, len(context), Needle((context,))))

    def remedy(self) -> None:
        """Do again what failed last."""
        state = self.state
        if state.answer.error is not None:
            self.run()
        elif state.error is None and state.places.error is not None:
            self._choose_level(state.level)
        else:
            self.change(error=None)

    # --- results -----------------------------------------------------------------------------------

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the chart of the text that is shown; None if there is none."""
        text = self.state.answer.value
        return partial(_charts, text) if text is not None and text.tokens else None

    def save(self, path: Path) -> None:
        """Write the text to a file, whose ending decides the format."""
        text = self.state.answer.value
        if text is not None:
            saved = Saved(path, tr("Saved {name}", name=path.name))
            self._saver.run(lambda cancel: save_written(path, text), lambda _: self._ask(saved), self.fail_beside)

    def recipe(self, source: Source) -> Recipe | None:
        """Code that writes the text again; None if there is none."""
        # Not a dimmed text: its settings are not those that are shown.
        text = self.state.answer.current
        if text is None:
            return None
        how = repeated(text)
        return generation_recipe(source, how.method, how.of_method, text.request.prompt, how.of_text)

    def session(self) -> dict[str, Any]:
        """Prompt and settings."""
        return {"prompt": self.state.prompt, **vars(self.state.how)}

    def restore(self, values: dict[str, Any]) -> None:
        """Take prompt and settings of a session; missing or invalid values are left unchanged."""
        usual, found = vars(HowToWrite()), {}
        for name, value in values.items():
            if name in _LIMITS and _is_number(value, usual[name]) and _LIMITS[name][0] <= value <= _LIMITS[name][1]:
                found[name] = value
        if values.get("method") in [name for _, name in METHODS]:
            found["method"] = values["method"]
        if isinstance(values.get("stop_at_ends"), bool):
            found["stop_at_ends"] = values["stop_at_ends"]
        # Not written again: a text may take a while, and nobody asked for it.
        prompt = values.get("prompt")
        self.change(prompt=prompt if isinstance(prompt, str) else self.state.prompt)
        self.change(how=replace(self.state.how, **found))


def _is_number(value: object, usual: object) -> bool:
    """Whether a value is a number of the usual kind; a whole one serves for one with decimals."""
    kinds = (int, float) if isinstance(usual, float) else (int,)
    return isinstance(value, kinds) and not isinstance(value, bool)


def _charts(text: WrittenText) -> tuple[Chart, ...]:
    # Off the interface thread: a long text has ten thousand rows.
    tokens = range(len(text.tokens))
    texts = [text.text_of(token, token + 1) for token in tokens]
    title = tr("Text after “{prompt}”", prompt=short_text(text.request.prompt, 40))
    chart = generation_chart(title, texts, text.lengths.tolist(), text.places.tolist(), text.longest)
    return with_facts((chart,), (*index_facts(text.request.corpus.index), *written_facts(text)))
