"""Secrets in what errors say: a service may repeat the key that it refuses, and nobody else is to read it."""

import re

_LOOKS_SECRET = re.compile(
    r"\b(?:sk|pk|key|Bearer)[-_ ][\w.*-]{6,}"
    r"|(?<=authorization)\W+(?:(?:bearer|basic)\s+)?[^\s'\",}]+"
    r"|(?<=api[-_]key)\W+[^\s'\",}]+",
    re.I,
)


def without_secrets(text: str) -> str:
    """What an error says, without anything that could be a key or an authorisation header."""
    return _LOOKS_SECRET.sub("…", text)
