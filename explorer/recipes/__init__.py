"""Results as code: the Python program and the command that compute a number again."""

# These are what other rooms import; where their parts are may change.
from explorer.recipes.analysis import analysis_recipe
from explorer.recipes.around import clusters_recipe, collocates_recipe
from explorer.recipes.code import Recipe, Source
from explorer.recipes.curation import contamination_recipe, duplicates_recipe, personal_recipe
from explorer.recipes.generation import generation_recipe
from explorer.recipes.mixing import mix_recipe
from explorer.recipes.models import draft_recipe, perplexity_recipe
from explorer.recipes.queries import (
    Lines,
    breakdown_recipe,
    compare_recipe,
    count_recipe,
    dispersion_recipe,
    lines_recipe,
    shown_recipe,
    watch_recipe,
)
from explorer.recipes.statistics import (
    diversity_recipe,
    keywords_recipe,
    word_dispersion_recipe,
    wordlist_recipe,
)
from explorer.recipes.texts import agreement_recipe, next_token_recipe, trace_recipe, word_tree_recipe

__all__ = [
    "Lines",
    "Recipe",
    "Source",
    "agreement_recipe",
    "analysis_recipe",
    "breakdown_recipe",
    "clusters_recipe",
    "collocates_recipe",
    "compare_recipe",
    "contamination_recipe",
    "count_recipe",
    "dispersion_recipe",
    "diversity_recipe",
    "draft_recipe",
    "duplicates_recipe",
    "generation_recipe",
    "keywords_recipe",
    "lines_recipe",
    "mix_recipe",
    "next_token_recipe",
    "perplexity_recipe",
    "personal_recipe",
    "shown_recipe",
    "trace_recipe",
    "watch_recipe",
    "word_dispersion_recipe",
    "word_tree_recipe",
    "wordlist_recipe",
]
