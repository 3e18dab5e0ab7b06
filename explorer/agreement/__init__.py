"""How predictable a text is from the corpus, token by token, and by effective n."""
