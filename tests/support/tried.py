"""Texts and regular expressions to look for in `scripts.TEXTS`."""

WORDS = (
    "cap", "the", "The", "delve", "a", "aa", "ana", "an", " ", "in the sun", "语言", "语", "模型", "カタカナ",
    "データ", "ー",
    "ไทย", "العربية", "עולם", "🎉", "👩‍👩‍👧", "é",
    "e\u0301", "\u0301", "ß", "σ", "İ", "k", "K", "ſ", "²", "_", "_into",
    "cap-", ".",
    "\n", "\t", "\r\n", "'", "x", "X", "qu''ux", "bananas", "not there", "\u200b", "3.14", "19", "\ufffd",
)  # fmt: skip
EXPRESSIONS = (
    "delv(e|es|ed)", "colou?r", "[A-Z][a-z]+", r"\bcap\b", r"\Bcap", r"cap\w*", r"\w+ing\b", "(?i)straße", "[^ -~]{2}",
    r"a{2,3}", "(ab)+", "(ab)+a", "b?a", ".", ".e", r"\d+\.\d+", r"\s\w", r"the (cap|sun)", "[語言]", "日本.の",
    r"\w{6,}", r"(?:an)*d",
    "🎉+", "[一-龥]+", "(?i:THE)me?", r"\bthe\b \bthe\b", "e.", r"\W\W", "[^\n]\n",
)  # fmt: skip
