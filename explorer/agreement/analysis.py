"""Agreement of whole texts, pooled into a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.agreement.figure import AgreementFigure, make_figure
from explorer.agreement.tokens import Agreement, agreement
from explorer.corpus.index import Index
from explorer.corpus.tokenizer import Encoded
from explorer.errors import QueryError
from explorer.jobs import CancelToken, Progress, Report, no_report


@dataclass(frozen=True)
class AgreementRequest:
    """Texts with the names of their groups; n of the n-gram model; tokens taken of each text (0: all)."""

    texts: tuple[str, ...]
    groups: tuple[str, ...] = ()
    n: int = 5
    max_tokens: int = 0


@dataclass(frozen=True)
class TextAgreement:
    """One text's tokens and their agreement with the ∞-gram and the n-gram model."""

    text: str
    group: str
    encoded: Encoded
    infgram: Agreement
    ngram: Agreement


@dataclass(frozen=True)
class AgreementAnalysis:
    """All texts, the figure of all, and one figure a group in the order of their first text."""

    texts: tuple[TextAgreement, ...]
    figure: AgreementFigure
    groups: dict[str, AgreementFigure]


def analyse(
    index: Index, request: AgreementRequest, report: Report = no_report, cancel: CancelToken | None = None
) -> AgreementAnalysis:
    """Agreement of every text; raises QueryError where none of them holds a token."""
    cancel = cancel or CancelToken()
    done = []
    groups = request.groups or ("",) * len(request.texts)
    for number, (text, group) in enumerate(zip(request.texts, groups, strict=True)):
        cancel.check()
        report(Progress("Agreement", number, len(request.texts), "texts"))
        done.append(_one_text(index, text, group, request, cancel))
    if not any(len(text.infgram) for text in done):
        raise QueryError("There is no text to analyse. Paste some, or open a file.")
    names = list(dict.fromkeys(groups))
    return AgreementAnalysis(
        texts=tuple(done),
        figure=_figure(done, request.n),
        groups={name: _figure([text for text in done if text.group == name], request.n) for name in names},
    )


def _one_text(index: Index, text: str, group: str, request: AgreementRequest, cancel: CancelToken) -> TextAgreement:
    encoded = index.tokenizer.encode_with_offsets(text)
    if request.max_tokens:
        limit = request.max_tokens
        encoded = Encoded(encoded.ids[:limit], encoded.starts[:limit], encoded.ends[:limit])
    return TextAgreement(
        text=text,
        group=group,
        encoded=encoded,
        infgram=agreement(index, encoded.ids, cancel=cancel),
        ngram=agreement(index, encoded.ids, request.n, cancel),
    )


def _figure(texts: Sequence[TextAgreement], n: int) -> AgreementFigure:
    return make_figure([text.ngram for text in texts], [text.infgram for text in texts], n)
