"""Lists of all n-grams where the files of the index are on another machine: refused."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.list_values import GrowthRule, NgramRule
from explorer.backends.protocol.values import Capabilities
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import CapabilityError


class NoLists:
    """The questions of `explorer.backends.protocol.protocol.ListQuestions`, each of which raises CapabilityError.

    They read the whole index, for minutes, and their answers have the size of the index.
    """

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities

    def ngrams(self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def ngram_rows(self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def shared_prefixes(self, report: Report = no_report, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def growth(self, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def repeats(self, least: int, report: Report = no_report, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def repeat_profile(
        self,
        least: int,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> NoReturn:
        """Refused."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise CapabilityError(self._capabilities.missing("lists"), capability="lists")
