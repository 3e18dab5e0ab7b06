"""Answers without the folders that are on no worker: counts are lower bounds then, and the folders are named."""

from __future__ import annotations

from typing import Any

from explorer.backends.asked.codec import to_json
from explorer.backends.asked.facts import Facts
from explorer.backends.asked.questions import QUESTIONS, read_arguments
from explorer.backends.cluster.asking import MISSING, Cluster
from explorer.backends.cluster.directory import ClusterError, Group
from explorer.backends.protocol.values import Matches, TextMatches
from explorer.core.jobs import CancelToken


class PartialCluster:
    """Asks a cluster, and leaves out what is missing of counts and lists of hits.

    Notes
    -----
    Only for questions whose answer is then a part of the whole: counts of n-grams and texts, and where they occur.
    Others, such as longest matches and what follows a text, would be wrong without a sign of it, so they fail.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._left_out: dict[str, str] = {}

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the folders that were left out of any answer so far."""
        # It never becomes shorter: answers without them may still be in use.
        return tuple(self._left_out.values())

    def leave_out(self, group: Group) -> None:
        """Name folders as left out."""
        for fingerprint, name in zip(group.fingerprints, group.names, strict=True):
            self._left_out[fingerprint] = name

    def ask(self, group: Group, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Ask a question, as `explorer.backends.cluster.asking.Cluster.ask`.

        Returns: The answer; that of an empty index if the folders are missing, which are in `left_out` from then on.
        Raises `ClusterError` if the folders are missing, and there is no lower bound.
        """
        try:
            return self._cluster.ask(group, name, arguments, cancel)
        except ClusterError as error:
            if error.reason != MISSING or name not in _NOTHING:
                raise
            self.leave_out(group)
            return to_json(_nothing(name, arguments))


_NOTHING = frozenset(("count", "find", "find_text", "numbered"))


def _nothing(name: str, arguments: list[Any]) -> Any:
    """What an index without documents answers."""
    (asked,) = read_arguments(QUESTIONS[name], arguments)
    if name == "find":
        return Matches(tuple(asked.tolist()), 0)
    if name == "find_text":
        return TextMatches(asked, 0)
    return 0 if name == "count" else (0, 0, False)


def facts_of_missing(group: Group, like: Facts) -> Facts:
    """Describe folders that are on no worker, by what the manifest has about them.

    like: What another part of the cluster is: the tokenizer of all is the same.
    Returns: What they are, so that documents keep their numbers.
    """
    return Facts(
        ", ".join(group.names),
        "+".join(group.fingerprints),
        sum(size.tokens for size in group.sizes),
        sum(size.documents for size in group.sizes),
        sum(size.documents for size in group.sizes),
        like.separator,
        like.tokenizer_name,
        like.tokenizer_fingerprint,
        like.capabilities,
        like.special_as_text,
    )
