"""Words of a corpus whatever its tokens are: the rule that cuts them, and the derived index of words."""
