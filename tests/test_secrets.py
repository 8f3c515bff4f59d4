"""What errors say is shown without anything that could be a key."""

import pytest

from mmgames.text.secrets import without_secrets

KEY = "abcDEF123456ghi"


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: sk-{KEY}. Find yours at example.org.",
        f"request with headers {{'Authorization': 'Bearer {KEY}'}}",
        f"Authorization: Basic {KEY}==",
        f"authorization={KEY}",
        f'{{"api_key": "{KEY}"}}',
        f"x-api-key: {KEY}",
    ],
)
def test_no_key_is_left(said: str) -> None:
    assert KEY not in without_secrets(said) and "…" in without_secrets(said)


def test_other_words_stay() -> None:
    said = "ValueError: the key to the door is B2; a monkey-wrench, the bearer of news, an unauthorized guest"
    assert without_secrets(said) == said
