"""Talk before a move."""
