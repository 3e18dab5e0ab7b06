"""Records of the corpus as a language model: scores of texts and tokens, next and written tokens."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.model.generation import LevelFigures, Used


@dataclass(frozen=True)
class PerplexityRecord:
    """How probable a text is.

    Attributes
    ----------
    text
        Its number among the texts that were given, from 0; of a source: its number.
    source
        The group of the text: a value of its group field, or the name of its file.
    token_count
        Tokens that are scored; a text's first token is not, unless there is a prompt.
    character_count
        Characters of these tokens.
    byte_count
        The same in UTF-8.
    zeros
        Tokens with a probability of 0.
    unknown_count
        Those of them that the index does not have at all.
    perplexity
        exp(-Σ ln P / tokens). None where a token has a probability of 0 and there is no floor, without tokens, and for
        a method that gives scores.
    perplexity_of_rest
        The same without the tokens with a probability of 0.
    bits_per_character
        -Σ log2 P / characters; None as for `perplexity`.
    bits_per_byte
        -Σ log2 P / bytes; None as for `perplexity`.
    score
        For a method that gives scores and no probabilities, exp(-Σ ln score / tokens), which is not a perplexity; None
        for every other.
    accuracy
        Share of the tokens that were the most probable ones, 0 to 1; None without tokens, or if it was not asked.
    unigram_count
        Tokens that no part of their context predicts, so that their probability is how often they occur at all.
    uniform_count
        Tokens of which no count is used, so that their probability is the same as every other token's.
    """

    text: int
    source: str
    token_count: int
    character_count: int
    byte_count: int
    zeros: int
    unknown_count: int
    perplexity: float | None
    perplexity_of_rest: float | None
    bits_per_character: float | None
    bits_per_byte: float | None
    score: float | None
    accuracy: float | None
    unigram_count: int = 0
    uniform_count: int = 0


@dataclass(frozen=True)
class TokenScoreRecord:
    """How probable a token of a text is.

    Attributes
    ----------
    position
        Its place in the text and its prompt, in tokens from 0.
    token
        Its id.
    text
        Its text.
    probability
        Its probability, 0 to 1, before any floor; a score where the method gives scores.
    context_length
        Tokens of the longest context that was used.
    known
        Whether the index has the token at all.
    transform
        The transform under which the context was looked up; "" for the context as it is.
    fallback
        What the probability comes from if no part of the context counts: "unigram", how often each token occurs, or
        "uniform", the same for each; "" if a part of it counts.
    """

    position: int
    token: int
    text: str
    probability: float
    context_length: int
    known: bool
    transform: str
    fallback: str = ""


@dataclass(frozen=True)
class NextShareRecord:
    """A token that may come next.

    Attributes
    ----------
    rank
        Its place, from 0; the most probable one is first.
    token
        Its id.
    text
        Its text.
    probability
        Its probability, 0 to 1; a score where the method gives scores.
    """

    rank: int
    token: int
    text: str
    probability: float


@dataclass(frozen=True)
class MixedShareRecord:
    """A token that a neural model and a corpus may write next.

    Attributes
    ----------
    rank
        Its place, from 0; the most probable one is first.
    token
        Its id in the model's vocabulary.
    text
        Its text.
    probability
        Its probability in the mixture, among the candidates.
    model_probability
        The model's probability.
    corpus_probability
        The corpus's probability.
    """

    rank: int
    token: int
    text: str
    probability: float
    model_probability: float
    corpus_probability: float


@dataclass(frozen=True)
class TokenShareRecord:
    """A token of another vocabulary that may come next in a corpus of bytes.

    Attributes
    ----------
    rank
        Its place, from 0; the most probable one is first.
    token
        Its id in that vocabulary.
    text
        Its text.
    probability
        The probability that it is the longest token that the next bytes begin with.
    infinigram_product
        The product of its bytes' probabilities: a score, which counts longer tokens as well.
    """

    rank: int
    token: int
    text: str
    probability: float
    infinigram_product: float


@dataclass(frozen=True)
class WrittenRecord:
    """A token that was written.

    Attributes
    ----------
    position
        Its place among the tokens that were written, from 0.
    token
        Its id.
    text
        Its text.
    probability
        Its probability before temperature, top-k and top-p.
    levels
        What was weighed, the longest context first.
    document
        Number of a document with the longest context and this token after it, or with the longest of the levels that
        the token follows; None if it follows none.
    offset
        The token's offset in that document, from 0; None if it follows none.
    model_probability
        What a neural model beside the corpus gave it; None without one. The token is one of the model's then.
    corpus_probability
        What the corpus gave it; None without a neural model.
    model_weight
        The weight of the neural model in the mixture, 0 to 1; None without one.
    transform
        The transform under which the context was looked up; "" for the context as it is.
    """

    position: int
    token: int
    text: str
    probability: float
    levels: tuple[Used, ...]
    document: int | None
    offset: int | None
    model_probability: float | None = None
    corpus_probability: float | None = None
    model_weight: float | None = None
    transform: str = ""


@dataclass(frozen=True)
class GeneratedRecord:
    """A text that was written.

    Attributes
    ----------
    prompt
        What it continues.
    text
        The text, without the prompt.
    token_count
        Its tokens.
    tokens
        The tokens, each with where it comes from.
    levels
        How long the contexts were, and how often a token follows them, by level.
    longest_verbatim
        Tokens of the longest run of the text that occurs in the corpus as it is, in tokens of the index.
    model
        The neural model that wrote it together with the corpus; None for the corpus alone.
    """

    prompt: str
    text: str
    token_count: int
    tokens: tuple[WrittenRecord, ...]
    levels: tuple[LevelFigures, ...]
    longest_verbatim: int
    model: str | None = None


@dataclass(frozen=True)
class TransformRecord:
    """How often the context of a token was looked up under a transform.

    Attributes
    ----------
    transform
        The transform; "" for contexts as they are.
    token_count
        Tokens whose context had its longest match in this form.
    """

    transform: str
    token_count: int


@dataclass(frozen=True)
class PerplexityFacts:
    """How probable all texts are.

    Attributes
    ----------
    perplexity
        exp(-Σ ln P / tokens). None where a token has a probability of 0 and there is no floor, without tokens, and for
        a method that gives scores.
    perplexity_of_rest
        The same without the tokens with a probability of 0.
    floor
        What a probability of 0 counts as; None: it is 0.
    zeros
        Tokens with a probability of 0.
    unknown_count
        Those of them that the index does not have at all.
    bits_per_character
        -Σ log2 P / characters; None as for `perplexity`.
    bits_per_byte
        -Σ log2 P / bytes; None as for `perplexity`.
    score
        For a method that gives scores and no probabilities, exp(-Σ ln score / tokens), which is not a perplexity; None
        for every other.
    accuracy
        Share of the tokens that were the most probable ones, 0 to 1; None without tokens, or if it was not asked.
    token_count
        Tokens that are scored.
    character_count
        Characters of these tokens.
    byte_count
        The same in UTF-8.
    tuned_on
        What the method was learned from: "corpus", each token as if it were not there; the name of a file; "every other
        text" or "first half of the text", which are not scored; None if it learns nothing.
    tuned_tokens
        Tokens that it was learned from.
    normalized
        Whether the method gives probabilities, which add up to 1 over all tokens; otherwise scores.
    normalised
        The same: the name of 0.2, which the next minor version may remove.
    sources
        The same figures by source.
    transforms
        In which form contexts were looked up; () without transforms.
    arpa
        The file that the model was written to; None without one.
    arpa_ngrams
        N-grams of 1 token, 2 tokens, … in it; () without one.
    unigram_count
        Tokens that no part of their context predicts, so that their probability is how often they occur at all.
    uniform_count
        Tokens of which no count is used, so that their probability is the same as every other token's.
    """

    perplexity: float | None
    perplexity_of_rest: float | None
    floor: float | None
    zeros: int
    unknown_count: int
    bits_per_character: float | None
    bits_per_byte: float | None
    score: float | None
    accuracy: float | None
    token_count: int
    character_count: int
    byte_count: int
    tuned_on: str | None
    tuned_tokens: int
    normalized: bool
    normalised: bool
    sources: tuple[PerplexityRecord, ...]
    transforms: tuple[TransformRecord, ...] = ()
    arpa: str | None = None
    arpa_ngrams: tuple[int, ...] = ()
    unigram_count: int = 0
    uniform_count: int = 0
