"""Texts with the log probabilities that a neural model gave their tokens: the values, and the file that holds them.

The file is JSON Lines, one text a line. Its logarithms are natural unless the line states another base; where a line
contradicts its base, it is an error and not converted: nobody but the user knows what the file holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from explorer.core.files.json_text import parse_json, write_json
from explorer.documents.inputs.opened import Source
from explorer.documents.inputs.text_input import open_lines
from explorer.documents.record import Record
from explorer.documents.records.json_lines import jsonl_records
from explorer.errors import SourceError
from explorer.i18n import mark, tr

LogBase = Literal["e", "2", "10"]
"""The base of the logarithms in a file."""
LOG_BASES: tuple[LogBase, ...] = ("e", "2", "10")
_FACTORS = {"e": 1.0, "2": math.log(2), "10": math.log(10)}
"""What a logarithm to the base is multiplied by to be a natural one."""

NOISE = 1e-4
"""How far above 0 a log probability may be: sums of float32 and bfloat16 end there, wrong values do not."""
_NEAR = 0.01
"""How far two statements of one probability may differ: many programs round them."""


@dataclass(frozen=True)
class ScoredToken:
    """A token of a neural model, with what the model made of it.

    Attributes
    ----------
    start, end
        Its characters in the text, from `start` to `end` - 1. A token that is part of a character may have none.
    logprob
        The natural logarithm of its probability after the tokens before it: 0 or less, and minus infinity for a
        probability of 0. None: it was not scored, such as the first token of a text.
    id
        Its id in the model's vocabulary; None if unknown.
    top
        The most probable tokens at its place: (id, natural log probability), as many as the model told.
    """

    start: int
    end: int
    logprob: float | None
    id: int | None = None
    top: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class ScoredText:
    """One text with the tokens of a neural model.

    Attributes
    ----------
    text
        The text.
    tokens
        The tokens, in order and without overlap; they may leave characters out.
    model
        The model's name; None if unknown.
    """

    text: str
    tokens: tuple[ScoredToken, ...]
    model: str | None = None


class _BaseError(ValueError):
    """A line contradicts the base of its logarithms."""


def read_scored(source: Source, log_base: LogBase | None = None) -> tuple[ScoredText, ...]:
    """Read texts with the log probabilities of a neural model.

    Parameters
    ----------
    source
        A file of JSON Lines, "-" for standard input, or a buffered binary stream: {"text", "model", "log_base",
        "tokens": [{"start", "end", "logprob" or "probability", "id", "top": [[id, logprob], …]}, …]}. All but "text",
        "tokens", "start", "end" and one of "logprob" and "probability" may be missing.
    log_base
        Base of the logarithms, for files that do not state it: "e", "2" or "10". None: "e".

    Returns
    -------
    tuple[ScoredText, ...]
        The texts, with natural logarithms.

    Raises
    ------
    SourceError
        If it cannot be read; the message names the line, the token and the reason. `reason` is "wrong-log-base" where
        another base would fit, or where the file states another one.

    Notes
    -----
    The base is checked wherever a line allows it: "probability" beside "logprob", the list of "top" tokens, which
    cannot add up to more than 1, and a token's own place in it. A log probability of at most 0.0001 counts as 0.

    Examples
    --------
    >>> import io
    >>> line = b'{"text": "a cat", "tokens": [{"start": 1, "end": 5, "logprob": -2.5}]}'
    >>> read_scored(io.BufferedReader(io.BytesIO(line)))[0].tokens[0].logprob
    -2.5
    """
    name, lines = open_lines(source)
    texts = []
    for record in jsonl_records(lines, _parse):
        try:
            texts.append(_text(record, log_base))
        except ValueError as error:
            raise SourceError(
                mark("{path}, line {line}: {cause}"),
                reason="wrong-log-base" if isinstance(error, _BaseError) else "bad-probabilities",
                path=name,
                line=record.number + 1,
                cause=error,
            ) from error
    if not texts:
        raise SourceError(mark("{path} has no texts."), reason="no-texts", path=name)
    return tuple(texts)


def line_of(text: ScoredText) -> str:
    """Write a text as a line of the file that `read_scored` reads.

    Returns: One JSON object without a line feed. Numbers keep all digits.

    Examples
    --------
    >>> line_of(ScoredText("a", (ScoredToken(0, 1, -0.5),)))
    '{"text": "a", "log_base": "e", "tokens": [{"start": 0, "end": 1, "logprob": -0.5}]}'
    """
    named = {} if text.model is None else {"model": text.model}
    return write_json({"text": text.text, **named, "log_base": "e", "tokens": list(map(_fields, text.tokens))})


def _fields(token: ScoredToken) -> dict[str, Any]:
    fields: dict[str, Any] = {"start": token.start, "end": token.end, "logprob": token.logprob}
    if token.id is not None:
        fields["id"] = token.id
    if token.top:
        fields["top"] = [list(pair) for pair in token.top]
    return fields


def _parse(line: bytes | str) -> Any:
    # Elsewhere NaN means no value. Here it would hide that a model failed, so it stays what it is.
    return parse_json(line, nan=math.nan)


def _text(record: Record, asked: LogBase | None) -> ScoredText:
    if record.problem:
        raise ValueError(record.problem)
    value = record.fields
    text, tokens, model = value.get("text"), value.get("tokens"), value.get("model")
    if not isinstance(text, str) or not isinstance(tokens, list):
        raise ValueError(tr('a line needs "text" and a list "tokens".'))
    if model is not None and not isinstance(model, str):
        raise ValueError(tr('"model" must be a name.'))
    factor = _FACTORS[_base(value.get("log_base"), asked)]
    rows = tuple(_token(number, token, text, factor) for number, token in enumerate(tokens, start=1))
    for number in range(1, len(rows)):
        # Tokens may leave characters out, but must not overlap: a token of the index belongs to one of them only.
        if rows[number].start < rows[number - 1].end:
            raise ValueError(tr("token {number} begins before token {before} ends.", number=number + 1, before=number))
    return ScoredText(text, rows, model)


def _base(stated: Any, asked: LogBase | None) -> LogBase:
    """The base that a line states, or the one that was asked for."""
    if stated is None:
        return asked or "e"
    base: LogBase | None = next((base for base in LOG_BASES if str(stated) == base), None)
    if base is None:
        raise ValueError(tr('"log_base" must be e, 2 or 10.'))
    if asked not in (None, base):
        raise _BaseError(tr("it states base {base} for its logarithms, not {asked}.", base=base, asked=str(asked)))
    return base


def _token(number: int, token: Any, text: str, factor: float) -> ScoredToken:
    if not isinstance(token, dict):
        raise ValueError(tr("token {number} is not an object.", number=number))
    start, end, id = token.get("start"), token.get("end"), token.get("id")
    # `type`, since JSON's true is an int to `isinstance`.
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(text):
        raise ValueError(
            tr(
                "token {number} has no range of characters within the text (0 to {count:,}).",
                number=number,
                count=len(text),
            )
        )
    if id is not None and (type(id) is not int or id < 0):
        raise ValueError(tr('token {number}: "id" must be a whole number of 0 or more.', number=number))
    stated = _logarithm(number, token, factor)
    top = tuple(_pair(number, pair, factor) for pair in _list(number, token.get("top")))
    _check_top(number, id, stated, top, factor)
    return ScoredToken(start, end, stated, id, top)


def _logarithm(number: int, token: dict[str, Any], factor: float) -> float | None:
    """The natural log probability of a token; None if it was not scored."""
    log, share = token.get("logprob"), token.get("probability")
    if log is None and share is None:
        if "logprob" in token or "probability" in token:
            return None
        raise ValueError(tr('token {number} has neither "logprob" nor "probability".', number=number))
    probability = None if share is None else _share(number, share)
    if log is None:
        return math.log(probability) if probability else -math.inf
    natural = _natural(number, log, factor)
    if probability is not None and not _fits(natural, probability):
        others = _bases_that(lambda base: _fits(natural / factor * base, probability))
        raise _BaseError(
            tr(
                "the log probability of token {number} does not fit its probability {share}{others}.",
                number=number,
                share=f"{probability:g}",
                others=others,
            )
        )
    return natural


def _share(number: int, value: Any) -> float:
    # NaN fails the comparison and is refused, too.
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1 + NOISE:
        raise ValueError(tr("token {number} has no probability from 0 to 1.", number=number))
    return min(1.0, float(value))


def _natural(number: int, value: Any, factor: float) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise ValueError(tr("token {number} has a log probability that is not a number.", number=number))
    # Not `math.isnan`, which refuses integers that no float holds.
    if value != value:
        raise ValueError(tr("token {number} has a log probability that is not a number (nan).", number=number))
    if value > NOISE:
        raise ValueError(tr("token {number} has a log probability above 0.", number=number))
    # No float holds every integer that JSON may have. What is that low has a probability of 0 all the same.
    return min(0.0, float(value)) * factor if value > -1e300 else -math.inf


def _list(number: int, value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(tr('token {number}: "top" must be a list of pairs [id, logprob].', number=number))
    return value


def _pair(number: int, pair: Any, factor: float) -> tuple[int, float]:
    if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) is not int or pair[0] < 0:
        raise ValueError(tr('token {number}: "top" must be a list of pairs [id, logprob].', number=number))
    return pair[0], _natural(number, pair[1], factor)


def _check_top(
    number: int, id: int | None, logprob: float | None, top: tuple[tuple[int, float], ...], factor: float
) -> None:
    """Refuse a list that cannot be of one distribution, or that contradicts the token."""
    chances = dict(top)
    if len(chances) < len(top):
        raise ValueError(tr('token {number}: "top" has a token twice.', number=number))

    def total(base: float) -> float:
        return math.fsum(math.exp(log / factor * base) for log in chances.values())

    if total(factor) > 1 + _NEAR:
        raise _BaseError(
            tr(
                'the probabilities in "top" of token {number} add up to {total:.2f}{others}.',
                number=number,
                total=total(factor),
                others=_bases_that(lambda base: total(base) <= 1 + _NEAR),
            )
        )
    if logprob is not None and id in chances and not _fits(logprob, math.exp(chances[id])):
        # Some programs shift the list of log probabilities by one token.
        raise ValueError(
            tr(
                'token {number} has the log probability {logprob:.4g}, but {listed:.4g} in its list "top".',
                number=number,
                logprob=logprob,
                listed=chances[id],
            )
        )


def _fits(logprob: float, probability: float) -> bool:
    return abs(math.exp(min(0.0, logprob)) - probability) <= _NEAR


def _bases_that(fit: Any) -> str:
    """The bases under which the numbers fit, as the rest of a sentence; "" for none."""
    found = [base for base in LOG_BASES if fit(_FACTORS[base])]
    return tr("; base {bases} would fit", bases=", ".join(found)) if found else ""
