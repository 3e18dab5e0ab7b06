"""The settings of the shell: by which method it predicts, and how it draws."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.analyses.model.making import METHODS, settings_of
from explorer.analyses.model.methods import WEIGHTS, Weighted
from explorer.cli.options import ranges
from explorer.errors import QueryError


@dataclass(frozen=True)
class ShellSettings:
    """The settings, by the names that Infinigram gives them where it has them.

    method: How contexts of different lengths are weighed.
    temperature: 0 takes the most probable token, 1 draws by probability.
    top_k: Draw from the k most probable tokens; 0 for all.
    top_p: Draw from the most probable tokens that have this much together.
    max_length: Most tokens of context; None for that of the method.
    smoothing: Added to the count of each token; None for that of the method.
    weight: How the weight of a context grows with its length; None for that of the method.
    seed: Seed of all chance; None for another one each time.
    """

    method: str = "levels"
    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 1.0
    max_length: int | None = None
    smoothing: float | None = None
    weight: str | None = None
    seed: int | None = None

    def of_model(self) -> dict[str, Any]:
        """The settings that the method takes, as `Corpus.model` names them."""
        taken = settings_of(self.method)
        given = {"context": self.max_length, "alpha": self.smoothing, "weight": self.weight}
        # An n-gram has one token more than its context.
        if self.max_length is not None and "n" in taken:
            given["n"] = self.max_length + 1
        return {name: value for name, value in given.items() if value is not None and name in taken}

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """The name, the value and a remark of each setting."""
        used = self.of_model()
        ours = {"max_length": {"context", "n"}, "smoothing": {"alpha"}, "weight": {"weight"}}
        for name in NAMES:
            value = getattr(self, name)
            unused = value is not None and name in ours and not ours[name] & used.keys()
            yield name, "none" if value is None else f"{value}", f"not used by {self.method}" if unused else ""

    def changed(self, name: str, value: str) -> ShellSettings:
        """Change one setting.

        Raises `QueryError` if there is no such setting, or the value is not valid.

        Examples
        --------
        >>> ShellSettings().changed("weight", "quadratic").method
        'weighted'
        """
        if name not in NAMES:
            raise QueryError(f"There is no setting {name}. Settings: {', '.join(NAMES)}.", reason="unknown-setting")
        if value.lower() == "none":
            if name not in _OPTIONAL:
                raise QueryError(f"{name} needs a value.", reason="bad-setting")
            return self._with(name, None)
        made = self._with(name, _read(name, value))
        return replace(made, method=Weighted.name) if name == "weight" else made

    def _with(self, name: str, value: Any) -> ShellSettings:
        values: dict[str, Any] = {name: value}
        return replace(self, **values)


_CHOICES: Mapping[str, tuple[str, ...]] = {"method": tuple(METHODS), "weight": tuple(WEIGHTS)}
_TYPES: Mapping[str, Callable[[str], Any]] = {
    "temperature": ranges.TEMPERATURE,
    "top_k": ranges.NO_OR_TOKENS,
    "top_p": ranges.TOP_P,
    "max_length": ranges.CONTEXT,
    "smoothing": ranges.ALPHA,
    "seed": ranges.SEED,
}
_OPTIONAL = ("max_length", "smoothing", "weight", "seed")
NAMES = ("method", "temperature", "top_k", "top_p", "max_length", "smoothing", "weight", "seed")
"""The names of the settings."""


def values_of(name: str) -> tuple[str, ...]:
    """List the words that are values of a setting.

    Examples
    --------
    >>> values_of("weight")
    ('linear', 'quadratic', 'exponential', 'sigmoid', 'none')
    """
    return (*_CHOICES.get(name, ()), *(("none",) if name in _OPTIONAL else ()))


def _read(name: str, value: str) -> Any:
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise QueryError(f"{name} must be one of {', '.join(_CHOICES[name])}, not {value}.", reason="bad-setting")
        return value
    try:
        return _TYPES[name](value)
    except ArgumentTypeError as error:
        raise QueryError(f"{name} {error}.", reason="bad-setting") from error
