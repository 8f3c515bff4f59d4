"""A clue as sentences in small letters: without the form it was written in, and without what the speaker takes back."""
