"""Text below any index: tokens, characters, patterns, Markdown."""
