"""Charts drawn on paper: where each part is, apart from what draws it."""
