"""What a file about the agreement of texts states: the texts, how they were drawn and scored, and what was excluded."""

from __future__ import annotations

from explorer.agreement.neural import NeuralFigure
from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.export.provenance import Facts


def agreement_facts(analysis: AgreementAnalysis) -> Facts:
    """State what an analysis is of: of its tables and figures, on the command line, in the window and the library."""
    request = analysis.request
    prompted = sum(bool(text.context.lead) for text in analysis.texts)
    excluded = f"{len(analysis.left_out)} documents of the index that contain most of a text"
    return (
        ("texts", str(len(analysis.texts))),
        *((("texts too short to score, in no count", str(len(analysis.unscored))),) if analysis.unscored else ()),
        ("texts per source", str(request.max_texts or "all")),
        # What the draw depends on, if there was one.
        *((("seed", str(request.seed)),) if request.max_texts else ()),
        ("tokens per text", str(request.max_tokens or "all")),
        ("tokens scored", str(analysis.figure.infgram.tokens)),
        *(
            ("source", f"{each.name or 'all texts'}: {each.texts} texts, {each.tokens} tokens")
            for each in analysis.sources
        ),
        ("n of the n-gram model", str(request.n)),
        ("prompts", f"{prompted} texts follow a prompt, which is context and not scored" if prompted else "none"),
        *((("between prompt and text", repr(request.between)),) if request.between else ()),
        ("first tokens of each text that are context and not scored", str(request.prompt_tokens)),
        ("tokens of context that are not scored", str(analysis.context_tokens)),
        ("texts that are in the index themselves", str(analysis.self_matched)),
        ("excluded", excluded if request.without_self else "nothing"),
        *request.given,
    )


def neural_facts(figure: NeuralFigure, files: tuple[str, ...]) -> Facts:
    """State what a comparison with a model's probabilities is of."""
    return (
        *(("file of log probabilities", file) for file in files),
        ("tokens", str(figure.tokens)),
        ("tokens of the model without a token of the index", str(figure.without)),
    )
