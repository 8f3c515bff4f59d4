"""Guests: environments of others, played here."""
