"""What is refused is refused in one sentence."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import mmgames


def refused(do: Callable[[], Any], *named: str, kind: type[Exception] = mmgames.MmgamesError) -> str:
    """The sentence with which `do` is refused; it has one line, an end, and each of these words or patterns."""
    with pytest.raises(kind) as caught:
        do()
    message = str(caught.value)
    assert "\n" not in message.strip() and message.rstrip()[-1] in ".?", message
    for word in named:
        assert word in message or re.search(word, message), message
    return message
