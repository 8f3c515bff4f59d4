"""Text in, action out. One parser for every game; it never guesses.

Thoughts, quotations and what is struck out do not count. Of the rest, the last structured answer decides: a JSON object
with an "action" or "answer", `<answer>…</answer>`, `\\boxed{…}`, or a line `Action: …`, `Answer: …`, `Movement: …`.
When it is not clear what that one says (a broken object, an answer of null, two answers in one object, a label nobody
asked for), the reply is refused; an earlier draft never takes its place. Without a structured answer the whole reply
must be a legal name. Surrounding punctuation does not matter, nor does case unless the game says what a text means to
it; everything else does: a name that merely occurs in a sentence is not a move.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal, RefusalKind

MAX_REPLY = 200_000
ANSWER_KEYS = ("action", "answer", "movement", "move")
_WRAPPING = string.whitespace + "\"'`*_.,;:!?()[]{}<>“”‘’«»"
_DEPTH = 3  # an answer may hold another one, such as a tag around an object

_SET_APART = re.compile(r"^[ \t]*>.*$|~~.*?~~", re.M)  # quotations and what is struck out
_TAG = re.compile(r"<(/?)answer>", re.I | re.A)
_BOX = re.compile(r"\\boxed\s*\{")
_TEXT_IN_BOX = re.compile(r"\\(?:text|textbf|textit|texttt|mathrm|mathbf|mathit|mathtt|mathsf)\s*\{([^{}]*)\}")
_NOUN = "action|answer|movement|move"
# A label alone on its line, or with the answer behind its colon. Labels with other words before the noun are
# recognised too, so that a draft above them is not taken for the answer.
_LABEL = re.compile(
    rf"^[ \t*#_-]*(?P<words>(?:[a-z'’]+[ \t]+){{0,4}})(?P<noun>{_NOUN}|choice|decision)(?P<more>[ \t]+[a-z]+)?[*_ \t]*"
    rf"(?:[:：][*_ \t]*(?P<said>\S.*)?)?$",
    re.I | re.M,
)
_OWN_WORDS = frozenset(("final", "my", "the", "so", "therefore", "chosen", "selected", "next", "best"))
_FINAL_KEYS = frozenset(
    ("chosen", "choice", "decision", "final", "selected", "pick", "final_action", "final_answer", "final_move")
)
_OBJECT = re.compile(r"(?:\[\s*)?\{\s*[\"'“‘]")  # the beginning of an object or of a list of them, whole or broken
_KEY = re.compile(rf"[\"'“‘](?:{_NOUN}|{'|'.join(_FINAL_KEYS)})[\"'”’]\s*[:：]", re.I)
_DECODER = json.JSONDecoder(object_pairs_hook=list)


def no_answer_kind(reply: str) -> RefusalKind:
    """The kind of refusal of a reply without an answer in the asked form: whether it says anything at all."""
    return "not in the asked form" if normalise_name(reply) else "nothing said"


class Answer(NamedTuple):
    """A structured answer: where it ends, what it says, what else in it claims to be the answer.

    `said` is None where it is not clear what it says, and then `why` tells why.
    """

    end: int
    said: str | None
    rivals: tuple[str, ...] = ()
    why: str = ""


def trim_name(name: str) -> str:
    """A name without surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).split())


def normalise_name(name: str) -> str:
    """A name without case, surrounding punctuation and doubled spaces."""
    return " ".join(name.strip(_WRAPPING).casefold().split())


def parse_keywords(words: Any, view: Any) -> dict[str, Any]:
    """What the words of a loaded game offer beyond the names of its moves, as keywords of `parse`."""
    meanings = None if words.meanings is None else partial(words.meanings, view)
    return {"aliases": words.aliases(view), "meanings": meanings}


def parse(
    reply: str,
    names: Mapping[Any, str],
    aliases: Mapping[str, Any] | None = None,
    *,
    meanings: Callable[[str], Collection[Any]] | None = None,
    keys: Collection[str] = ANSWER_KEYS,
    called: str = "a legal move",
) -> Any | Illegal:
    """The action that `reply` names, or `Illegal` with the reason.

    `names` maps the legal actions to their texts; `aliases` are further texts that mean one of them. A name or an
    alias that is spelled as it stands comes first. Then `meanings`, where a game has it, says which actions the bare
    text can mean; without it case is left aside. `keys` are the keys of a JSON answer, the preferred first, and
    `called` is what the refusals say an answer should have been.
    """
    if not isinstance(reply, str):
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal("too long", f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    own = strip_reasoning_and_quotes(reply)
    if isinstance(own, Illegal):
        return own
    answer = structured_answer(own, keys=keys)
    if answer is not None and answer.said is None:
        return Illegal("not clear", f"it is not clear what the reply answers: {answer.why}.", reply)
    said = (own if answer is None else answer.said or "").strip()
    if not normalise_name(said):
        return Illegal("nothing said", "the reply is empty.", reply)
    found = _named(said, names, aliases or {}, meanings)
    shown = said if len(said) <= 80 else said[:77] + "…"
    if len(found) == 1:
        for rival in answer.rivals if answer else ():
            if _named(rival, names, aliases or {}, meanings) - found:
                return Illegal("not clear", f"the reply answers both {shown!r} and {rival[:80]!r}.", reply)
        return found.pop()
    if found:
        could_be = ", ".join(name for action, name in names.items() if action in found)
        return Illegal("not clear", f"{shown!r} is ambiguous: it could be {could_be}.", reply)
    if answer is None:
        reason = f"the reply holds no answer in the asked form and is not itself {called}: {shown!r}."
        return Illegal("not in the asked form", reason, reply)
    return Illegal("not possible here", f"{shown!r} is not {called} here.", reply)


def strip_reasoning_and_quotes(reply: str) -> str | Illegal:
    """A reply without thoughts, quotations and what is struck out."""
    # Quotations go first, with the marks of thoughts in them, and again where a thought ended in the middle of a line.
    said, cut = strip_reasoning(_SET_APART.sub("", reply))
    if cut:
        return Illegal("cut off in a thought", "the reply ends in the middle of a thought.", reply)
    return _SET_APART.sub("", said)


def _named(
    said: str,
    names: Mapping[Any, str],
    aliases: Mapping[str, Any],
    meanings: Callable[[str], Collection[Any]] | None,
) -> set[Any]:
    """The actions that a text can stand for: those of the first way to read it that yields any."""

    def named(as_seen: Callable[[str], str]) -> set[Any]:
        wanted = as_seen(said)
        return {action for action, name in names.items() if as_seen(name) == wanted}

    def also(as_seen: Callable[[str], str]) -> set[Any]:
        wanted = as_seen(said)
        return {action for text, action in aliases.items() if as_seen(text) == wanted and action in names}

    for as_seen in (str, trim_name):
        if found := named(as_seen) or also(as_seen):  # a name means what it says
            return found
    if meanings is not None:
        return {action for action in meanings(trim_name(said)) if action in names}
    return named(normalise_name) | also(normalise_name)


def structured_answer(reply: str, depth: int = _DEPTH, keys: Collection[str] = ANSWER_KEYS) -> Answer | None:
    """The last structured answer in what somebody said aloud, whichever of the known forms it has."""
    objects = list(_objects(reply, keys))
    inside = [(start, found.end) for start, found in objects]
    found = [answer for _, answer in objects if answer.said is not None or answer.why]
    found += [answer for start, answer in (*_tags(reply), *_boxes(reply), *_lines(reply)) if not _within(start, inside)]
    if not found:
        return None
    last = max(found, key=lambda answer: answer.end)
    if last.said is None or not depth or len(last.said) >= len(reply):
        return last
    inner = structured_answer(last.said, depth - 1, keys)
    return last if inner is None else inner._replace(end=last.end, rivals=(*last.rivals, *inner.rivals))


def parse_numbers(reply: str, keys: Collection[str] = ANSWER_KEYS) -> list[Any] | None:
    """The list of numbers that a reply answers with: the value of the last JSON answer, or the whole reply."""
    own = strip_reasoning_and_quotes(reply) if isinstance(reply, str) and len(reply) <= MAX_REPLY else None
    if not isinstance(own, str):
        return None
    last: Any = None
    for _, _, last, _ in _values(own):  # noqa: B007 - the last one counts, also when it is broken
        pass
    if last is None:
        try:
            last = json.loads(own)
        except (ValueError, RecursionError):
            return None
        return last if isinstance(last, list) else None
    by_key = {str(pair[0]).casefold(): pair[1] for pair in last if isinstance(pair, tuple)}
    found = next((by_key[key] for key in keys if key in by_key), None)
    return found if isinstance(found, list) and not _is_object(found) else None


def _within(start: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a place lies inside one of these spans, which follow each other."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= start:
            low = middle + 1
        else:
            high = middle
    return low < len(spans) and spans[low][0] < start


def _tags(reply: str) -> Iterator[tuple[int, Answer]]:
    """What stands between `<answer>` and the next `</answer>`; one that is never closed is not clear."""
    opened = begins = -1
    for tag in _TAG.finditer(reply):
        if not tag.group(1):
            opened, begins = tag.end(), tag.start()
        elif opened >= 0:
            yield begins, Answer(tag.end(), reply[opened : tag.start()])
            opened = -1
    if opened >= 0:
        yield begins, Answer(len(reply), None, why="its last <answer> is not closed")


def _boxes(reply: str) -> Iterator[tuple[int, Answer]]:
    """What the boxes hold; one within another belongs to it."""
    end = 0
    for box in _BOX.finditer(reply):
        if box.start() < end:
            continue
        end = _closing(reply, box.end() - 1)
        if end < 0:
            yield box.start(), Answer(len(reply), None, why="its last \\boxed{ is not closed")
            return
        said = reply[box.end() : end - 1]
        yield box.start(), Answer(end, _TEXT_IN_BOX.sub(r"\1", said).replace("\\_", "_"))


def _lines(reply: str) -> Iterator[tuple[int, Answer]]:
    """Labelled lines. A label alone on its line is answered by the next line that says something."""
    for line in _LABEL.finditer(reply):
        said, end = line["said"], line.end()
        words = set(line["words"].lower().split())
        own = words <= _OWN_WORDS and line["noun"].lower() in ANSWER_KEYS and not line["more"]
        if said is None:
            if not own:
                continue  # a heading or a remark
            rest = re.compile(r"\s*(\S.*)").match(reply, end)
            said, end = (rest[1], rest.end()) if rest else ("", end)
        if own:
            yield line.start(), Answer(end, said)
        else:
            yield line.start(), Answer(end, None, why=f"its last answer is labelled {line[0].strip()[:60]!r}")


def _values(reply: str) -> Iterator[tuple[int, int, list[Any] | None, bool]]:
    """JSON objects and lists of them that stand in no other: start, end, value (None: broken), whether it is closed."""
    at = 0
    while (begins := _OBJECT.search(reply, at)) is not None:
        start = begins.start()
        try:
            value, at = _DECODER.raw_decode(reply, start)
            yield start, at, value, True
        except (ValueError, RecursionError):
            closed = _closing(reply, start)
            at = len(reply) if closed < 0 else closed
            yield start, at, None, closed >= 0


def _objects(reply: str, keys: Collection[str]) -> Iterator[tuple[int, Answer]]:
    """What they answer. Those that answer nothing say nothing."""
    for start, end, value, ends in _values(reply):
        if value is not None:
            yield start, _in_list(value, end, keys) if reply[start] == "[" else _in_object(value, end, keys)
        else:
            broken = _KEY.search(reply, start, end) is not None
            # What is never closed ends nowhere: other objects are lost in it, but another form of answer may follow.
            yield start, Answer(end if ends else start + 1, None, why="its JSON object is broken" if broken else "")


def _in_list(values: list[Any], end: int, keys: Collection[str]) -> Answer:
    """The answer of a list that holds one object; several of them are options, not an answer."""
    if len(values) == 1 and isinstance(values[0], list):
        return _in_object(values[0], end, keys)
    return Answer(end, None, why="it lists several answers" if _holds_answer(values, keys) else "")


def _in_object(pairs: list[tuple[str, Any]], end: int, keys: Collection[str]) -> Answer:
    """The answer of an object, given as its pairs: at its top, under the first of the keys that it has."""
    lower = [(str(key).casefold(), value) for key, value in pairs]
    for key in keys:
        values = [value for found, value in lower if found == key]
        if not values:
            continue
        said = _text(values[-1])
        if said is None:
            return Answer(end, None, why=f'"{key}" in its last JSON object is not a text')
        others = (value for found, value in lower if found in _FINAL_KEYS or found in (*keys, *ANSWER_KEYS))
        return Answer(end, said, tuple(text for value in others if (text := _text(value)) not in (None, said)))
    if any(found in _FINAL_KEYS for found, _ in lower) or any(_holds_answer(value, keys) for _, value in lower):
        return Answer(end, None, why="its last JSON object has no answer under a key that was asked for")
    return Answer(end, None)


def _text(value: Any) -> str | None:
    """The text of a string or a whole number; an object under an answer's key may hold the answer in turn."""
    if isinstance(value, bool) or not isinstance(value, (str, int, list)):
        return None
    if not isinstance(value, list):
        return str(value)
    if not _is_object(value):
        return None
    inner = _in_object(value, 0, ANSWER_KEYS)
    return inner.said if not inner.rivals else None


def _is_object(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(pair, tuple) for pair in value)


def _holds_answer(value: Any, keys: Collection[str]) -> bool:
    """Whether an object somewhere inside has a key of an answer."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += [item[1] if isinstance(item, tuple) else item for item in value]
            if any(isinstance(item, tuple) and item[0].casefold() in (*keys, *ANSWER_KEYS) for item in value):
                return True
    return False


def _closing(reply: str, opening: int) -> int:
    """Where the brace or bracket that opens here is closed again, just behind it; -1: nowhere. Strings do not count."""
    opens, closes = ("{[", "}]") if reply[opening] == "[" else ("{", "}")
    depth, quoted, escaped = 0, False, False
    for place in range(opening, len(reply)):
        sign = reply[place]
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif not quoted and sign in opens:
            depth += 1
        elif not quoted and sign in closes:
            depth -= 1
            if depth == 0:
                return place + 1
    return -1
