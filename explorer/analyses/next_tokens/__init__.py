"""What follows a text: tokens and words with their counts."""
