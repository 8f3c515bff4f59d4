"""Replies that several threads wait for, written together: whoever comes to write first writes for all who wait.

Nobody waits for others to come: the first reply is written alone, and what was asked meanwhile is the next batch.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from mmgames.agents.token_replies import TokenPrompt, TokenReply


@dataclass(eq=False)
class _Wanted:
    prompt: TokenPrompt
    how: Hashable
    reply: TokenReply | Exception | None = None


class WaitingReplies:
    """The prompts that wait for one model."""

    def __init__(self) -> None:
        self._turn, self._guard = threading.Lock(), threading.Lock()
        self._waiting: list[_Wanted] = []

    def reply(
        self, prompt: TokenPrompt, how: Hashable, most: int, write: Callable[[Sequence[TokenPrompt]], list[TokenReply]]
    ) -> TokenReply:
        """The reply to a prompt, written by `write` beside at most `most` - 1 others that are to be written likewise
        (`how`). What goes wrong in a batch goes wrong for all of it."""
        mine = _Wanted(prompt, how)
        with self._guard:
            self._waiting.append(mine)
        with self._turn:
            if mine.reply is None:
                self._write(self._take(mine, most), write)
        assert mine.reply is not None
        if isinstance(mine.reply, Exception):
            raise mine.reply
        return mine.reply

    def _take(self, mine: _Wanted, most: int) -> list[_Wanted]:
        with self._guard:
            alike = [one for one in self._waiting if one.how == mine.how and one is not mine]
            taken = [mine, *alike[: most - 1]]
            self._waiting = [one for one in self._waiting if one not in taken]
        return taken

    def _write(self, taken: list[_Wanted], write: Callable[[Sequence[TokenPrompt]], list[TokenReply]]) -> None:
        try:
            written: Sequence[TokenReply | Exception] = write([one.prompt for one in taken])
        except Exception as error:
            written = [error] * len(taken)
        for one, reply in zip(taken, written, strict=True):
            one.reply = reply
