"""All n-grams at once, which no service gives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import (
    Capabilities,
    GrowthRule,
    NgramGrowth,
    NgramList,
    NgramRows,
    NgramRule,
    Numbers,
    RepeatPiece,
    RepeatProfile,
)
from explorer.errors import CapabilityError
from explorer.jobs import CancelToken, Report, no_report


class RemoteLists:
    """Refuses `explorer.backends.protocol.ListQuestions`.

    Parameters
    ----------
    capabilities
        What is missing, and why.
    """

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities

    def ngrams(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[NgramList, ...]:
        """Not answered.

        Parameters
        ----------
        rule, report, cancel
            As in the protocol.
        """
        raise self._missing()

    def ngram_rows(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[NgramRows]:
        """Not answered.

        Parameters
        ----------
        rule, report, cancel
            As in the protocol.
        """
        raise self._missing()

    def shared_prefixes(self, report: Report = no_report, cancel: CancelToken | None = None) -> Numbers:
        """Not answered.

        Parameters
        ----------
        report, cancel
            As in the protocol.
        """
        raise self._missing()

    def growth(self, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None) -> NgramGrowth:
        """Not answered.

        Parameters
        ----------
        rule, report, cancel
            As in the protocol.
        """
        raise self._missing()

    def repeats(
        self, least: int, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[RepeatPiece]:
        """Not answered.

        Parameters
        ----------
        least, report, cancel
            As in the protocol.
        """
        raise self._missing()

    def repeat_profile(
        self,
        least: int,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> RepeatProfile:
        """Not answered.

        Parameters
        ----------
        least, report, cancel, preferred
            As in the protocol.
        """
        raise self._missing()

    def _missing(self) -> CapabilityError:
        return CapabilityError(self._capabilities.missing("lists"), capability="lists")
