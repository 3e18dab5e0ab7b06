"""What the Search screen shows, as code. No Qt."""

from __future__ import annotations

from dataclasses import replace

from explorer.errors import CorpusError
from explorer.gui.screens.search.around.clusters_work import MOST_ROWS
from explorer.gui.screens.search.around.near_state import NearQuestion
from explorer.gui.screens.search.state import SearchState, View
from explorer.gui.screens.search.work import LinesAnswer
from explorer.project import Query
from explorer.recipes import (
    Lines,
    Recipe,
    Source,
    breakdown_recipe,
    clusters_recipe,
    collocates_recipe,
    compare_recipe,
    dispersion_recipe,
    shown_recipe,
    watch_recipe,
)


def recipe_of(state: SearchState, source: Source) -> Recipe | None:
    """Write the answer that is shown as code.

    Returns: The code; None if there is no answer, or none that is a number.
    Raises `CorpusError` why the query has no answer.
    """
    if (failed := _failed(state)) is not None:
        raise failed
    if state.view is View.COMPARE:
        return _comparison(state, source)
    if state.view is View.WATCH:
        return _watch_list(state, source)
    # Only lines of the hits that are counted: the code must give the number that is on the screen.
    answer = state.listed
    if answer is None or not state.query.answered:
        return None
    if state.view is View.COLLOCATES:
        near = state.collocates.found
        # Only current ones: what is dimmed belongs to another query or to other settings.
        if near is None or not state.collocates.current:
            return None
        return collocates_recipe(source, _around(near.question, source), near.question.filters, near.rule)
    if state.view is View.CLUSTERS:
        around = state.clusters.found
        if around is None or not state.clusters.current:
            return None
        return clusters_recipe(
            source, _around(around.question, source), around.question.filters, around.rule, MOST_ROWS
        )
    lines = _lines(answer, source)
    facet = state.breakdown.facet
    if state.view is View.BREAKDOWN:
        return None if facet is None else breakdown_recipe(lines, facet.field)
    if state.view is View.DISPERSION:
        return dispersion_recipe(lines)
    layout = answer.request.layout
    return shown_recipe(lines, layout.reach, layout.characters, layout.fields)


def _failed(state: SearchState) -> CorpusError | None:
    """Why the query in the field has no result, while an earlier one is still shown."""
    return state.query.answer.error if state.about_lines and not state.query.edited else None


def _around(question: NearQuestion, source: Source) -> str | Lines:
    """What is counted around: a phrase, or lines."""
    return question.text if question.lines is None else _lines(question.lines, source)


def _lines(answer: LinesAnswer, source: Source) -> Lines:
    request, handled = answer.request, answer.request.handled
    query = Query.of(request.found.query, request.options, request.view)
    return Lines(source, query, request.options.exact is True, handled.deleted, handled.kept)


def _watch_list(state: SearchState, source: Source) -> Recipe | None:
    path = state.watch_list.path
    if path is None or state.watch_list.answer.current is None:
        return None
    options = replace(state.query.options(), node=None)
    return watch_recipe(source, str(path.resolve()), Query.of("", options))


def _comparison(state: SearchState, source: Source) -> Recipe | None:
    found, beside = state.comparison.answer.current, state.comparison.opened
    if found is None:
        return None
    options = replace(state.query.options(), node=0)
    # Other indexes are opened from their folders, with their own tokenizers.
    sources = [source, *(Source(corpus.index.sources) for corpus in beside)]
    return compare_recipe(sources, found.found.queries, Query.of("", options))
