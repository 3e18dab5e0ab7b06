"""Whether the text itself is in the corpus."""

from __future__ import annotations

from explorer.analyses.overlap.self_match import SelfMatch, is_most
from explorer.analyses.trace.measures.measure import MatchedText, Measure
from explorer.i18n import counted, mark, tr


class SelfMatchMeasure(Measure[SelfMatch | None]):
    """The match that covers most of the text, if there is one."""

    id = "self_match"
    label = mark("The text itself")

    def compute(self, matched: MatchedText) -> SelfMatch | None:
        """Take the longest match if it is long enough."""
        # None if it is not most of the text: the match is still the longest passage, of another measure.
        match = matched.longest_match
        return match if match and is_most(match.token_end - match.token_start, len(matched.longest)) else None

    def warning(self, value: SelfMatch | None) -> str:
        """Tell that most results come from the text's own copy."""
        if value is None:
            return ""
        return tr(
            "This text itself is in the corpus: a single match covers {share:.0%} of it, in {documents}.",
            share=value.share,
            documents=counted("document", len(value.documents)),
        )
