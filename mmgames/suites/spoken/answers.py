"""What went wrong in the answers to a task's questions, named from the file of a run, without a judge.

repetition loop             a piece of the reply follows itself so often that no board has so many cells or rows alike,
                            or a whole sentence comes again and again
copied example              a wrong answer that the prompt itself gives as an example
plan with an illegal move   a reply argues for an answer that is read and that is not possible
low diversity of answers    nearly all answers are the same, where the questions have several

Of boards that were written down it is also counted which kinds of cell were read wrongly, and as what.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from mmgames.errors import MmgamesError
from mmgames.suites.spoken import failures
from mmgames.suites.spoken.privacy import sentences
from mmgames.tasks.replays import questions_env, questions_in, row_question
from mmgames.text.refusals import Illegal
from mmgames.text.structured import structured_answers

COPIED, NARROW = "copied example", "low diversity of answers"
KINDS = (failures.LOOP, COPIED, failures.PLAN, NARROW)
REPEATS, SENTENCES = 20, 5  # so often in a row a piece, so often in all a sentence of some words
LOOKED_AT = 20_000  # characters at the end of a reply
_AGAIN = re.compile(rf"(\S.{{0,79}}?)\1{{{REPEATS - 1},}}", re.S)
_EXAMPLES = re.compile(r"^## (?:Answer|Example \d+)\n(.*?)(?=^## |\Z)", re.M | re.S)
_SHORTEST = 2  # signs of an answer that is copied; a letter stands in every prompt


def loops(reply: str) -> bool:
    """Whether a reply goes round in circles."""
    end = reply[-LOOKED_AT:]
    said = Counter(sentence for sentence in sentences(end) if len(re.findall(r"[^\W\d_]{2,}", sentence)) >= 3)
    return bool(_AGAIN.search(end)) or max(said.values(), default=0) >= SENTENCES


def counted(about: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How often each kind happens in the answers of a file, and an example of each; kinds of cells of boards."""
    env: Any = questions_env(about, observe="text")
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    given: Counter[str] = Counter()
    right: Counter[str] = Counter()
    cells: Counter[tuple[int, int]] = Counter()
    replied = [row for row in rows if row["score"] is not None and not row["failed"]]
    for row in replied:
        question = row_question(env, row)
        reply, read = row["reply"], env.source.read(question, row["reply"])
        kinds[failures.LOOP] += [reply] * loops(reply)
        if row["score"] == 0:
            kinds[COPIED] += [name for name in _said(reply, env.source.answer_keys) if _is_example(name, question.text)]
        if isinstance(read, Illegal):
            kinds[failures.PLAN] += [reply] * (read.kind == "not possible here" and failures.argues(reply))
            continue
        if isinstance(read, tuple):
            cells.update(cells_of(question.answer, read))
        elif isinstance(read, int) and question.names:
            given[question.names[read]] += 1
            right[question.names[question.answer]] += 1
    if (told := _narrow(given, right)) is not None:
        kinds[NARROW].append(told)
    named = {kind: said for kind, said in kinds.items() if said}
    meanings = getattr(getattr(env.source, "board", None), "codes", {})
    return {
        "episodes": len(replied),
        "unreadable": 0,
        "kinds": {kind: {"times": len(said), "episodes": len(said)} for kind, said in named.items()},
        "examples": {kind: said[0][:200] for kind, said in named.items()},
        **({"cells": by_kind(cells, meanings)} if cells else {}),
    }


def _said(reply: str, keys: Sequence[str]) -> list[str]:
    """What a reply answers, in its own words: in a form, or in its last line, behind a label if there is one."""
    formed = [one.said for one in structured_answers(reply, tuple(keys)) if one.said]
    return formed[-1:] or [line.rpartition(":")[2].strip(" .*") for line in reply.strip().splitlines()[-1:]]


def _is_example(name: str, prompt: str) -> bool:
    shown = " ".join(_EXAMPLES.findall(prompt))
    return len(name) >= _SHORTEST and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", shown) is not None


def _narrow(given: Counter[str], right: Counter[str]) -> str | None:
    """What nearly all answers are, where that is not so of the right ones."""
    if given.total() < failures.MOVES or len(right) < failures.CHOICES:
        return None
    (name, times), (_, usual) = given.most_common(1)[0], right.most_common(1)[0]
    if times < failures.SHARE * given.total() or usual >= failures.SHARE * right.total():
        return None
    return f"{name} in {times} of {given.total()} answers"


def cells_of(board: Sequence[Sequence[int]], read: Sequence[Sequence[int]]) -> Counter[tuple[int, int]]:
    """How often each code was read as each."""
    pairs = zip(chain.from_iterable(board), chain.from_iterable(read), strict=True)
    return Counter(pairs)


def by_kind(cells: Counter[tuple[int, int]], meanings: Mapping[int, str]) -> list[dict[str, Any]]:
    """Of each kind of cell, the most frequent first: how many there are, how many were read so, and as what others."""
    whole: Counter[int] = Counter()
    for (code, _), number in cells.items():
        whole[code] += number
    told = []
    for code, number in whole.most_common():
        wrong = Counter({said: times for (truth, said), times in cells.items() if truth == code != said})
        other, times = wrong.most_common(1)[0] if wrong else (None, 0)
        taken = {} if other is None else {"taken_for": meanings.get(other, str(other)), "so_often": times}
        told.append({"cell": meanings.get(code, str(code)), "number": number, "right": cells[code, code], **taken})
    return told


def of_run(folder: Path) -> list[dict[str, Any]]:
    """What went wrong in every match and every task whose episodes or answers lie in a folder."""
    rows = [
        {"game": about["match"], "agents": about["agents"], **failures.counted(episodes)}
        for _, about, episodes in failures.matches_in(folder)
    ] + [
        {"game": about["task"], "agents": [about["agent"]], **counted(about, given)}
        for _, about, given in questions_in(folder)
    ]
    if not rows:
        raise MmgamesError(
            f"{folder} holds no episodes and no answers; name a folder that `mmgames eval … --out` wrote."
        )
    return rows
