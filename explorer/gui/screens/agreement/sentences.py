"""What the Agreement screen states in words: the answer first, then its facts, then what to be careful about. No Qt."""

from __future__ import annotations

from explorer.analyses.agreement.analysis import AgreementAnalysis, unscored_names
from explorer.analyses.agreement.chart import n_name
from explorer.analyses.agreement.clusters import TEXT, Share
from explorer.analyses.agreement.compare import FEW_TOKENS
from explorer.analyses.agreement.dips import Step
from explorer.analyses.agreement.figure import AgreementFigure
from explorer.i18n import counted, numeral, tr, trn

_MOSTLY_UNSEEN = 0.3
"""The share of tokens that never occur in the corpus from which a text is probably in another language."""


def percent(share: float) -> str:
    """A share in percent, with one decimal."""
    return numeral(share, ".1%")


def percents(low: float, high: float) -> str:
    """Write the ends of an interval in percent.

    low: The lower end, 0 to 1.
    """
    return f"{numeral(100 * low, '.1f')}–{numeral(100 * high, '.1f')}"


def interval(share: Share) -> str:
    """The interval of a share, in a few words."""
    few = tr(", few tokens: uncertain") if share.tokens < FEW_TOKENS else ""
    return tr("(95% interval {ends}%{few})", ends=percents(share.low, share.high), few=few)


def how_sure(share: Share) -> str:
    """Where the interval comes from."""
    if share.unit == TEXT:
        return tr(
            "Tokens of one text depend on each other. The interval is computed from how the share varies over {texts}.",
            texts=counted("text", share.clusters),
        )
    return trn(
        "Tokens of one text depend on each other. With fewer than ten texts, the interval is computed from {n:,} "
        "stretch of consecutive tokens. It is about these texts, not about other texts of the same source.",
        "Tokens of one text depend on each other. With fewer than ten texts, the interval is computed from how the "
        "share varies over {n:,} stretches of consecutive tokens. It is about these texts, not about other texts of "
        "the same source.",
        share.clusters,
    )


def facts(found: AgreementAnalysis, group: str | None) -> str:
    """Write the figures of a source in one line.

    group: The name of the source; None for all together.
    Returns: Tokens, effective n, the other models, prompts and the other sources.
    """
    figure = found.figure if group is None else found.groups[group]
    texts = [text for text in found.texts if group in (None, text.group)]
    whole, context = figure.infgram, sum(len(text.context) for text in texts)
    parts = [
        tr("{tokens} of {texts}", tokens=counted("token", whole.tokens), texts=counted("text", len(texts))),
        tr("predicted: given a probability over 50%"),
        tr("median effective n {median:g}, mean {mean}", median=whole.median_n, mean=numeral(whole.mean_n, ".1f")),
        tr("{n}-gram model {share}", n=figure.n, share=percent(figure.ngram.overall)),
    ]
    if figure.sparse.tokens:
        share = percent(figure.sparse.overall)
        only = counted("token", figure.sparse.tokens)
        parts.append(tr("{share} of {tokens} with a single continuation", tokens=only, share=share))
    if context:
        parts.append(tr("prompts: {tokens}, not scored", tokens=counted("token", context)))
    if len(found.groups) > 1 and group is not None:
        parts.append(_others(found, group))
    return " · ".join(parts)


def _others(found: AgreementAnalysis, group: str) -> str:
    # Pooled over tokens: a mean of shares would weigh a short source like a long one.
    others = [source for source in found.sources if source.name != group]
    tokens, agreeing = sum(each.tokens for each in others), sum(each.agreeing for each in others)
    return trn(
        "other source {share} of {tokens:,} tokens",
        "{n:,} other sources {share} of {tokens:,} tokens",
        len(others),
        share=percent(agreeing / tokens) if tokens else "–",
        tokens=tokens,
    )


def remarks(analysis: AgreementAnalysis) -> tuple[str, ...]:
    """Sentences on texts that are in the corpus (they agree with themselves), too short, or in another script."""
    sentences = []
    if number := analysis.self_matched:
        if analysis.left_out:
            texts = trn("One text is in the corpus", "{n:,} texts are in the corpus", number)
            excluded = trn(
                "{n:,} document is excluded from all counts.",
                "{n:,} documents are excluded from all counts.",
                len(analysis.left_out),
            )
            sentences.append(tr("{texts}; {excluded}", texts=texts, excluded=excluded))
        else:
            sentences.append(
                trn(
                    "One text is in the corpus, so it agrees with itself.",
                    "{n:,} texts are in the corpus, so they agree with themselves.",
                    number,
                )
            )
    if analysis.unscored:
        sentences.append(
            trn(
                "{n:,} text is too short to score and is not counted: {names}.",
                "{n:,} texts are too short to score and are not counted: {names}.",
                len(analysis.unscored),
                names=", ".join(unscored_names(analysis.unscored)),
            )
        )
    if analysis.unseen > _MOSTLY_UNSEEN:
        sentences.append(
            tr(
                "{unseen:.0%} of the tokens never occur in the corpus. If the text is in another language or "
                "script, agreement means little.",
                unseen=analysis.unseen,
            )
        )
    return tuple(sentences)


def dip_words(step: Step) -> str:
    """A dip in words."""
    return tr(
        "Falls by {points} points from n = {before}: more than chance (p = {p})",
        points=numeral(100 * abs(step.change), ".1f"),
        before=n_name(step.before),
        p=p_words(step.p),
    )


def p_words(p: float) -> str:
    """A p value; below 0.001 it is not worth more digits."""
    return "< 0.001" if p < 0.001 else numeral(p, ".3f")


def described(figure: AgreementFigure) -> str:
    """A figure in words, for those who do not see the plot."""
    panels = [panel_words(panel.name, panel.tokens, panel.overall) for panel in figure.panels]
    return "; ".join([*panels, *(f"n = {n_name(s.after)}: {dip_words(s)}" for s in figure.steps if s.is_dip)])


def panel_words(name: str, tokens: int, overall: float) -> str:
    """Write one series in words."""
    if not tokens:
        return tr("{name}: no tokens", name=name)
    return tr("{name}: {tokens}, {overall} agree", name=name, tokens=counted("token", tokens), overall=percent(overall))
