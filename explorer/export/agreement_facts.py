"""What a file about the agreement of texts states: the texts, how they were drawn and scored, and what was excluded."""

from __future__ import annotations

from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.analyses.agreement.neural import NeuralFigure
from explorer.export.provenance import Facts


def agreement_facts(analysis: AgreementAnalysis) -> Facts:
    """State what an analysis is of: of its tables and figures, on the command line, in the window and the library."""
    question = analysis.question
    prompted = sum(bool(text.context.lead) for text in analysis.texts)
    excluded = f"{len(analysis.left_out)} documents of the index that contain most of a text"
    return (
        ("texts", str(len(analysis.texts))),
        *((("texts too short to score, in no count", str(len(analysis.unscored))),) if analysis.unscored else ()),
        *question.facts,
        ("tokens scored", str(analysis.figure.infgram.tokens)),
        *(
            ("source", f"{each.name or 'all texts'}: {each.texts} texts, {each.tokens} tokens")
            for each in analysis.sources
        ),
        ("prompts", f"{prompted} texts follow a prompt, which is context and not scored" if prompted else "none"),
        ("tokens of context that are not scored", str(analysis.context_tokens)),
        ("texts that are in the index themselves", str(analysis.self_matched)),
        ("excluded", excluded if question.without_self else "nothing"),
        *analysis.given,
    )


def neural_facts(figure: NeuralFigure, files: tuple[str, ...]) -> Facts:
    """State what a comparison with a model's probabilities is of."""
    return (
        *(("file of log probabilities", file) for file in files),
        ("tokens", str(figure.tokens)),
        ("tokens of the model without a token of the index", str(figure.without)),
    )
