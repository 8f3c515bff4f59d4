"""The version of mmgames, for every room that writes it down."""

__version__ = "0.2.0"
