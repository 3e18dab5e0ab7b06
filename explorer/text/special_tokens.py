"""How special tokens that texts contain as text can be encoded."""

from explorer.i18n import mark

AS_TEXT, AS_TOKENS = "text", "tokens"
"""How special tokens that texts contain as text are encoded: as any other text, or as the tokens of that name."""
TREATMENTS = {
    AS_TEXT: mark("special tokens of the tokenizer in texts, encoded as text"),
    AS_TOKENS: mark("special tokens of the tokenizer in texts, encoded as such"),
}
"""Under which names a build counts them."""
