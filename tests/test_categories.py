"""Tables over all characters."""

import unicodedata

import numpy as np

from explorer.core.categories import LAST, by_category


def test_every_character_has_its_category():
    """Also where Unicode has assigned nothing yet: what it assigns one day must not be taken for unassigned."""
    names = []
    found = by_category(lambda name: names.append(name) or len(names), np.uint8)
    categories = map(unicodedata.category, map(chr, range(LAST + 1)))
    wrong = [code for code, category in enumerate(categories) if names[found[code] - 1] != category]
    assert wrong == [] and len(names) == len(set(names)) and found.dtype == np.uint8
