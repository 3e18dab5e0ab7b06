"""The tools that are made from the registry of analyses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import make_dataclass
from functools import cache
from itertools import islice
from typing import Annotated, Any, get_type_hints

from mcp_types import CallToolResult
from pydantic import Field, WithJsonSchema

from explorer.analyses.registry import ANALYSES, AnalysisRow
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.derive.question import Setting, settings_of
from explorer.derive.table import columns_of
from explorer.export.records.record import as_object
from explorer.serve.tools.tool_answers import NOTICE, fitted
from explorer.text.graphemes import beginning

Answer = Callable[[Callable[[CancelToken], Any]], CallToolResult]
Chosen = Callable[[str], tuple[str, Corpus]]
_LONGEST_TEXT = 200
_OWN = ("query", "limit", "index")
"""Arguments of tools beside the settings."""
_Query = Annotated[str, Field(description="Words, in any case", max_length=5_000)]
_Limit = Annotated[int, Field(ge=1, le=100, description="Most rows")]


def analysis_tools(answer: Answer, chosen: Chosen, index: Any) -> tuple[Callable[..., CallToolResult], ...]:
    """A tool for each analysis, with its name and its docstring.

    answer: Makes the result of a call.
    chosen: Finds an index by its name.
    index: The annotation of the argument with this name.
    """
    return tuple(_tool(row, answer, chosen, index) for row in ANALYSES)


def _tool(row: AnalysisRow, answer: Answer, chosen: Chosen, index: Any) -> Callable[..., CallToolResult]:
    def ask(**given: Any) -> CallToolResult:
        return answer(lambda cancel: _answer(row, *chosen(given["index"]), given, cancel))

    kind = inspect.Parameter.KEYWORD_ONLY
    settings = settings_of(row.analysis.question).values()
    parameters = [
        *([inspect.Parameter("query", kind, annotation=_Query)] if row.around else []),
        *(inspect.Parameter(each.name, kind, default=each.default, annotation=_argument(each)) for each in settings),
        inspect.Parameter("limit", kind, default=20, annotation=_Limit),
        inspect.Parameter("index", kind, default="", annotation=index),
    ]
    ask.__name__, ask.__doc__ = row.method, _description(row)
    result = Annotated[CallToolResult, _answer_type(row)]
    ask.__signature__ = inspect.Signature(parameters, return_annotation=result)  # type: ignore[attr-defined]
    return ask


def _argument(setting: Setting) -> Any:
    """Any value passes: the question refuses an invalid one with the sentence that it has everywhere."""
    return Annotated[Any, WithJsonSchema({**setting.kind.schema, "description": setting.help})]


def _description(row: AnalysisRow) -> str:
    summary = f"{row.summary[:1].upper()}{row.summary[1:]}"
    return f"{summary}. Exact. `row_count` is the number of all rows; `cut` is true where some were left out."


def _answer(row: AnalysisRow, name: str, corpus: Corpus, given: Mapping[str, Any], cancel: CancelToken) -> Any:
    question = row.analysis.question.of(**{key: value for key, value in given.items() if key not in _OWN})
    found = _asked(corpus, row, given.get("query"), question, cancel)
    # A table that knows what describes it has `facts`; others have its parts, or the question has them.
    sources = (getattr(found, "facts", found), question)
    facts = {
        each: next(getattr(source, each) for source in sources if hasattr(source, each)) for each in _facts_of(row)
    }
    rows = [_short(as_object(each)) for each in islice(found, given["limit"])]
    empty = _answer_type(row)(index=name, **facts, row_count=len(found), rows=[], cut=len(rows) < len(found))
    return fitted(empty, "rows", rows, cut=True)


def _asked(corpus: Corpus, row: AnalysisRow, query: str | None, question: Any, cancel: CancelToken) -> Any:
    """Ask by the method of the library, which may lack a setting that only sorts."""
    method = getattr(corpus, row.method)
    takes = inspect.signature(method).parameters
    values = {name: value for name, value in question.arguments().items() if name in takes}
    found = method(*([query] if row.around else []), **values, cancel=cancel)
    return found.sorted_by(question.sort) if "sort" in vars(question) and "sort" not in takes else found


def _facts_of(row: AnalysisRow) -> list[str]:
    return [name for name in columns_of(row.analysis.facts) if name != "rows"]


@cache
def _answer_type(row: AnalysisRow) -> Any:
    """The class of an answer, of which the SDK makes a schema."""
    analysis = row.analysis
    columns = _described(analysis.record, list(columns_of(analysis.record)))
    record = make_dataclass(analysis.record.__name__.removesuffix("Record"), columns, frozen=True)
    fields = [
        ("index", str),
        *_described(analysis.facts, _facts_of(row)),
        ("row_count", int),
        ("rows", list[record]),  # type: ignore[valid-type]
        ("cut", bool),
    ]
    name = f"{''.join(part.capitalize() for part in row.method.split('_'))}Answer"
    return make_dataclass(name, [*fields, ("notice", str, NOTICE)], frozen=True)


def _described(kind: type, names: list[str]) -> list[tuple[str, Any]]:
    hints, columns = get_type_hints(kind), columns_of(kind)
    return [(name, Annotated[hints[name], Field(description=columns[name].description)]) for name in names]


def _short(value: Any) -> Any:
    """Cut texts, since a word of a document may be of any length."""
    if isinstance(value, dict):
        return {name: _short(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_short(each) for each in value]
    return beginning(value, _LONGEST_TEXT) if isinstance(value, str) else value
