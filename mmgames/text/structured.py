"""Structured answers: where a reply answers in JSON, in a tag, in a box or on a labelled line, and what it says there.

An answer that holds another one, such as a tag around an object, is what the inner one says.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

ANSWER_KEYS = ("action", "answer", "movement", "move", "vote")
"""The keys of a JSON answer, and the words of tags and labels. A question may ask for others."""

_CALL_KEYS = ("arguments", "parameters", "args", "input", "function", "tool_input", "action_input")
"""Under these the call of a tool keeps its own object."""

_DEPTH = 3
_MOST_BROKEN = 20  # objects that are never closed, each of which costs a look at the rest of the reply
_OBJECT = re.compile(r"\{\s*[\"'“‘\w]")
_BOX = re.compile(
    r"\\boxed\s*\{((?:[^{}]|\{[^{}]*+\})*+)(?:\}|\Z)|<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.S
)
_MATH = re.compile(r"\\(?:text|math)\w*\s*\{([^{}]*)\}")
FENCE = re.compile(r"[ \t]*```[\w+-]*[ \t]*")
_NEXT_LINE = re.compile(rf"(?:\s*\n{FENCE.pattern}(?=\n))?\s*\n[ \t]*(\S[^\n]*)")
_DECODER = json.JSONDecoder(object_pairs_hook=lambda pairs: _Object(pairs))


class _Object(list[Any]):
    """A decoded JSON object as its pairs: a name may occur twice."""


class Answer(NamedTuple):
    """What a structured answer says, and what else in the same object claims to be the answer. `said` is None where it
    says nothing that could be read: a broken object, an answer of null."""

    said: str | None
    rivals: tuple[str, ...] = ()


class Found(NamedTuple):
    """Where in a text something is answered, and what."""

    start: int
    end: int
    answers: list[Answer]


def structured_answers(text: str, *how: Any) -> list[Answer]:
    """All structured answers of a text, in their order, found as `found_answers` finds them."""
    return [answer for found in found_answers(text, *how) for answer in found.answers]


def found_answers(
    text: str, keys: Collection[str] = ANSWER_KEYS, is_name: Callable[[str], Any] = str.strip, depth: int = _DEPTH
) -> list[Found]:
    """The structured answers of a text and where they stand, in their order.

    `is_name` says whether the line below a label that stands alone is its answer.
    """
    if not depth:
        return []
    nouns = "|".join(re.escape(word) for word in sorted({*keys, *ANSWER_KEYS}, key=len, reverse=True))
    inside = [*_objects(text, keys), *_tags(text, nouns), *_boxes(text)]
    labels = _labels(text, nouns, is_name, sorted(one.start for one in inside))
    kept: list[Found] = []
    end = 0
    for found in sorted([*inside, *labels], key=lambda one: (one.start, -one.end)):
        if found.start >= end:
            end = found.end
            kept.append(
                found._replace(answers=[said for one in found.answers for said in _inner(one, keys, is_name, depth)])
            )
    return kept


def _inner(answer: Answer, keys: Collection[str], is_name: Callable[[str], Any], depth: int) -> list[Answer]:
    """What an answer says, or the answers that stand inside it."""
    within = structured_answers(answer.said, keys, is_name, depth - 1) if answer.said else []
    return [one._replace(rivals=(*one.rivals, *answer.rivals)) for one in within] or [answer]


def _tags(text: str, nouns: str) -> Iterator[Found]:
    """What stands between `<answer>` and `</answer>`; one that is not closed goes on to the end."""
    pattern = rf"<((?:final_)?(?:{nouns}))>(.*?)(?:</\1>|\Z)"
    for tag in re.finditer(pattern, text, re.I | re.S | re.A) if "<" in text else ():
        yield Found(tag.start(), tag.end(), [Answer(tag[2].strip())])


def _boxes(text: str) -> Iterator[Found]:
    for box in _BOX.finditer(text):
        said = _MATH.sub(r"\1", box[1] if box[2] is None else box[2])
        yield Found(box.start(), box.end(), [Answer(said.replace("\\_", "_").strip())])


def _labels(text: str, nouns: str, is_name: Callable[[str], Any], others: list[int]) -> Iterator[Found]:
    """Lines that begin with a label and a colon. A label alone on its line is answered by a name on the next one."""
    label = re.compile(
        rf"^[ \t*#_•-]*+(?:(?:final|my|the|best)[ \t]+){{0,2}}(?:{nouns})[ \t*_]*+[:：](?P<said>[^\n]*)",
        re.I | re.M,
    )
    for line in label.finditer(text):
        said, end = line["said"].strip(), line.end()
        if not said.strip("*_ \t") and (below := _NEXT_LINE.match(text, end)) is not None:
            if label.match(text, below.start(1)) or not is_name(below[1]):
                continue  # a heading
            said, end = below[1], below.end()
        if not any(line.start() <= start < end for start in others):
            yield Found(line.start(), end, [Answer(said)])


def json_objects(text: str) -> Iterator[tuple[int, int, Any]]:
    """JSON objects that stand in no other: start, end (-1: it is never closed), and the value (None: it is broken)."""
    at = broken = 0
    while (begins := _OBJECT.search(text, at)) is not None and broken < _MOST_BROKEN:
        start = begins.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
            yield start, at, value
        except (ValueError, RecursionError):
            closed = _closing(text, start)
            broken += closed < 0
            at = start + 1 if closed < 0 else closed
            yield start, closed, None


def _objects(text: str, keys: Collection[str]) -> Iterator[Found]:
    """What objects answer. Those without a key that was asked for say nothing, unless one inside them has one."""
    for start, end, value in json_objects(text):
        whole = text[start:] if end < 0 else text[start:end]
        answers = _broken(whole, keys) if value is None else _in_object(value, keys)
        if answers:
            yield Found(start, max(end, start + 1), answers)


def _broken(text: str, keys: Collection[str]) -> list[Answer]:
    """What an object that is nearly JSON says: in single quotes, with a comma too many, without its last bracket."""
    if "{" in text[1:]:
        return [Answer(None)] if any(f'"{key}"' in text for key in keys) else []
    wanted = "|".join(map(re.escape, keys))
    key = rf"(?<![\w-])[\"'“‘]?(?:{wanted})[\"'”’]?\s*[:：][ \t]*"
    value = r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|“([^”\n]*)”|([^\s\"'“{}\[\],][^\"'{}\[\],\n]*))(?=\s*(?:[,;}/#\n]|\Z))"
    return [
        Answer(next((said for said in found.groups() if said is not None), None))
        for found in re.finditer(f"{key}(?:{value})?", text, re.I)
    ]


def _in_object(pairs: _Object, keys: Collection[str]) -> list[Answer]:
    """The answers of an object: the value of the first of the keys that it has. Others that differ are its rivals."""
    lower = [(str(key).casefold().removeprefix("final_"), value) for key, value in pairs]
    for key in keys:
        values = [value for found, value in lower if found == key]
        if values:
            others = (_text(value) for found, value in lower if found in keys and found != key)
            rivals = tuple(text for text in others if text is not None)
            return [answer for value in values for answer in _of_value(value, keys, rivals)]
    for key, value in lower:
        if key in _CALL_KEYS and (answers := _of_value(value, keys, (), call=True)):
            return answers
    return [Answer(None)] if _holds_answer(pairs, keys) else []


def _of_value(value: Any, keys: Collection[str], rivals: tuple[str, ...], call: bool = False) -> list[Answer]:
    if isinstance(value, _Object):
        inner = _in_object(value, keys)
        return inner or ([] if call else [Answer(None)])
    if call:  # the arguments of a call may be written as text once more
        found = list(_objects(value, keys)) if isinstance(value, str) else []
        return found[0].answers if len(found) == 1 else []
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return [Answer(_text(value), rivals)]


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _holds_answer(value: Any, keys: Collection[str]) -> bool:
    """Whether an object somewhere inside has a key of an answer."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Object):
            if any(key.casefold() in keys for key, _ in value):
                return True
            waiting += [item for _, item in value]
        elif isinstance(value, list):
            waiting += value
    return False


def _closing(text: str, opening: int) -> int:
    """Where the brace that opens here is closed again, just behind it; -1: nowhere. Strings do not count."""
    depth, quoted, escaped = 0, False, False
    for place in range(opening, len(text)):
        sign = text[place]
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif not quoted and sign == "{":
            depth += 1
        elif not quoted and sign == "}":
            depth -= 1
            if depth == 0:
                return place + 1
    return -1
