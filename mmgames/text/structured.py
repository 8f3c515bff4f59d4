"""Structured answers: where a reply answers in JSON, in a tag, in a box or on a labelled line, and what it says there.

The last one decides. Read leniently (`lenient=True`) JSON may be nearly JSON, an answer may stand in the arguments of a
tool call, and more tags and labels are known (`text/answer_labels.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from mmgames.text import near_json
from mmgames.text.answer_labels import (
    ASIDE_KEYS,
    CALL_KEYS,
    FINAL_KEYS,
    INSPECTS,
    LENIENT_KEYS,
    LENIENT_TAG,
    PART_KEYS,
    WRAPPER_KEYS,
    is_label,
    lenient_lines,
)
from mmgames.text.given_lists import leaves_open
from mmgames.text.retractions import chooses, revoked

ANSWER_KEYS = ("action", "answer", "movement", "move")
_DEPTH = 3  # an answer may hold another one, such as a tag around an object

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
_OBJECT = re.compile(r"(?:\[\s*)?\{\s*[\"'“‘]")  # the beginning of an object or of a list of them, whole or broken
_NEAR_OBJECT = re.compile(r"(?:\[\s*)?\{\s*[\w\"'“‘„`]|\[\s*[\"'“‘]")
_CALL_TAG = re.compile(r"</?\w+>")  # around the calls of tools
_KEY = re.compile(rf"[\"'“‘](?:{_NOUN}|{'|'.join(FINAL_KEYS)})[\"'”’]\s*[:：]", re.I)
_YAML_LINE = re.compile(r"^[ \t-]*(?P<key>\w+)[ \t]*:(?P<value>[^\n]*)$", re.M)
_YAML = re.compile(r"\s*(?:```\w*\n)?(?P<lines>(?:[ \t-]*\w+[ \t]*:[^\n]*(?:\n+|\Z)){2,12})(?:```\s*)?")
_ACTOR = re.compile(r"[\"'](?:robot|agent|actor|chef|who)[\"']\s*:\s*[\"'](?P<who>[^\"'\n]{1,40})[\"']", re.I)
_DECODER = json.JSONDecoder(object_pairs_hook=list)


class Answer(NamedTuple):
    """A structured answer: where it ends, what it says, what else in it claims to be the answer, where it starts.

    `said` is None where it is not clear what it says, and then `why` tells why. `in_parts` are the ways to say the
    parts of an object together, and `on_line` is whether it is the rest of a labelled line, which may go on. `earlier`
    is a labelled line right before it: if that names another move, it is not clear which of them counts.
    """

    end: int
    said: str | None
    rivals: tuple[str, ...] = ()
    why: str = ""
    start: int = 0
    in_parts: tuple[str, ...] = ()
    on_line: bool = False
    earlier: str = ""


def structured_answer(
    reply: str, depth: int = _DEPTH, keys: Collection[str] = ANSWER_KEYS, lenient: bool = False
) -> Answer | None:
    """The last structured answer in what somebody said aloud, whichever of the known forms it has."""
    # Looking for the sign that a form begins with is faster than looking for the form.
    objects = list(_objects(reply, keys, lenient)) if "{" in reply or lenient else []
    inside = [(start, found.end) for start, found in objects]
    found = [(start, answer) for start, answer in objects if answer.said is not None or answer.why]
    others = list(_lines(reply, lenient))
    if "<" in reply:
        others += _tags(reply, lenient)
    if "\\boxed" in reply:
        others += _boxes(reply)
    found += [(start, answer) for start, answer in others if not _within(start, inside)]
    if not found:
        return None
    start, last = found[0] if len(found) == 1 else _last(reply, found, lenient)
    if start:
        last = last._replace(start=start)
    if last.said is None or not depth or len(last.said) >= len(reply):
        return last
    inner = structured_answer(last.said, depth - 1, keys, lenient)
    if inner is None:
        return last
    return inner._replace(end=last.end, rivals=(*last.rivals, *inner.rivals), start=start, earlier=last.earlier)


def _last(reply: str, found: list[tuple[int, Answer]], lenient: bool) -> tuple[int, Answer]:
    """The last of several answers; it is not clear if the one before it says something else and no word chooses."""
    (_, before), (start, last) = sorted(found, key=lambda pair: pair[1].end)[-2:]
    if before.said is None or last.said is None or before.said.strip() == last.said.strip() or before.end > start:
        return start, last
    gap = _CALL_TAG.sub("", reply[before.end : start])
    if chooses(gap, not before.on_line and not last.on_line) or "final" in reply[start : last.end].lower():
        return start, last
    if lenient and before.on_line:
        return start, last._replace(earlier=before.said)
    return start, Answer(last.end, None, why="it gives two answers, and no word chooses")


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


def _tags(reply: str, lenient: bool) -> Iterator[tuple[int, Answer]]:
    """What stands between `<answer>` and the next `</answer>`; one that is never closed is not clear."""
    opened = begins = -1
    for tag in (LENIENT_TAG if lenient else _TAG).finditer(reply):
        if not tag[0].startswith(("</", "<|end")):
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


def _lines(reply: str, lenient: bool) -> Iterator[tuple[int, Answer]]:
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
            yield line.start(), Answer(end, said, on_line=True)
        elif not (lenient and is_label(line[0].partition(":")[0].strip(" *#_-\t"))):
            why = f"its last answer is labelled {line[0].strip()[:60]!r}"
            yield line.start(), Answer(end, None, why=why, on_line=True)
    for start, end, said in lenient_lines(reply) if lenient else ():
        yield start, Answer(end, said, on_line=True)


def json_values(reply: str, lenient: bool = False) -> Iterator[tuple[int, int, list[Any] | None, bool]]:
    """JSON objects and lists of them that stand in no other: start, end, value (None: broken), whether it is closed."""
    at = 0
    begin = _NEAR_OBJECT if lenient else _OBJECT
    while (begins := begin.search(reply, at)) is not None:
        start = begins.start()
        try:
            value, at = _DECODER.raw_decode(reply, start)
            yield start, at, value, True
        except (ValueError, RecursionError):
            near = _nearly(reply, start) if lenient else None
            closed = _closing(reply, start)
            at = near[1] if near else len(reply) if closed < 0 else closed
            yield start, at, near[0] if near else None, near is not None or closed >= 0


def _nearly(reply: str, start: int) -> tuple[list[Any], int] | None:
    try:
        value, end = near_json.decode(reply, start)
    except near_json.NotNearJson:
        return None
    return value, end


def _objects(reply: str, keys: Collection[str], lenient: bool) -> Iterator[tuple[int, Answer]]:
    """What they answer. Those that answer nothing say nothing."""
    pairs = _YAML.fullmatch(reply) if lenient else None
    if pairs and not revoked("\n" + reply.partition("\n")[2]):  # "Edit: …" is no further key
        members = [(line["key"], line["value"].strip("\"' ")) for line in _YAML_LINE.finditer(pairs["lines"])]
        yield 0, _in_object(members, len(reply), keys, lenient)
    for start, end, value, ends in json_values(reply, lenient):
        if value is not None:
            of = _in_list if reply[start] == "[" else _in_object
            yield start, of(value, end, keys, lenient)
        else:
            broken = _KEY.search(reply, start, end) is not None
            # What is never closed ends nowhere: other objects are lost in it, but another form of answer may follow.
            yield start, Answer(end if ends else start + 1, None, why="its JSON object is broken" if broken else "")


def _in_list(values: list[Any], end: int, keys: Collection[str], lenient: bool) -> Answer:
    """The answer of a list that holds one object; several of them are options, not an answer."""
    if len(values) == 1 and isinstance(values[0], list):
        return _in_object(values[0], end, keys, lenient)
    if lenient and len(values) == 1 and isinstance(values[0], str):
        return Answer(end, values[0])
    return Answer(end, None, why="it lists several answers" if _holds_answer(values, keys) else "")


def _in_object(pairs: list[tuple[str, Any]], end: int, keys: Collection[str], lenient: bool) -> Answer:
    """The answer of an object, given as its pairs: at its top, under the first of the keys that it has."""
    lower = [(str(key).casefold(), value) for key, value in pairs]
    if any(leaves_open(key, value) for key, value in lower) and any(key in keys for key, _ in lower):
        return Answer(end, None, why="its last JSON object says that its answer is not settled")
    if lenient and any(key in CALL_KEYS and isinstance(value, str) and INSPECTS.match(value) for key, value in lower):
        return Answer(end, None, why="it calls a tool that makes no move")
    present = {found for found, _ in lower} if lenient else set()
    if lenient and not present.intersection(keys):
        inside = [value for found, value in lower if found in WRAPPER_KEYS and isinstance(value, (list, str))]
        held = [answer for value in inside if (answer := _in_envelope(value, end, keys)) is not None]
        if len(held) == 1 and not (held[0].in_parts and present & PART_KEYS):  # what is called may be a part too
            return held[0]
        keys = sorted(key for key in present if key in LENIENT_KEYS or is_label(key.replace("_", " "))) or keys
        if len(present) == 1 and get_close_matches(lower[0][0], ANSWER_KEYS, 1, 0.9):
            keys = [lower[0][0]]  # "acton"
    for key in keys:
        values = [value for found, value in lower if found == key]
        if not values:
            continue
        said = _text(values[-1], lenient)
        if said == "" and lenient and present & PART_KEYS:
            break
        if said is None:
            return Answer(end, None, why=f'"{key}" in its last JSON object is not a text')
        others = (value for found, value in lower if found in FINAL_KEYS or found in (*keys, *ANSWER_KEYS))
        rivals = tuple(text for value in others if (text := _text(value, lenient)) not in (None, said))
        if not lenient:
            return Answer(end, said, rivals)
        parts = [
            (found, value) for found, value in lower if found == key or (found in PART_KEYS and value != values[-1])
        ]
        return Answer(end, said, rivals, in_parts=_spellings(parts) if len(parts) > 1 else ())
    if any(found in FINAL_KEYS for found, _ in lower) or any(_holds_answer(value, keys) for _, value in lower):
        return Answer(end, None, why="its last JSON object has no answer under a key that was asked for")
    parts = [(found, value) for found, value in lower if found not in ASIDE_KEYS and value != ""] if lenient else []
    if parts and all(found in PART_KEYS or found in WRAPPER_KEYS for found, _ in parts):
        spellings = _spellings(parts)
        return Answer(end, spellings[0], in_parts=spellings)
    return Answer(end, None)


def _spellings(pairs: list[tuple[str, Any]]) -> tuple[str, ...]:
    """What the parts of a move say together: their values alone, and behind their keys, no word twice."""
    flat: list[tuple[str, str]] = []
    for key, value in pairs:
        inner = value if isinstance(value, list) and is_object(value) else [(key, _text(value, lenient=True))]
        flat += [(str(name), str(text)) for name, text in inner if text is not None and not isinstance(text, list)]
    words = " ".join(f"{key} {value}" for key, value in flat).replace("_", " ").split()
    once = [word for place, word in enumerate(words) if not word.isalpha() or word not in words[place + 1 :]]
    return " ".join(value for _, value in flat), " ".join(once), " ".join(once[1:])


def _in_envelope(value: Any, end: int, keys: Collection[str]) -> Answer | None:
    """The answer in the arguments of a tool call, which may be written as text once more."""
    if isinstance(value, str):
        near = _nearly(value, 0) if value.lstrip()[:1] in ("{", "[") else None
        value = near[0] if near else None
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # the one call of a list
    if not isinstance(value, list) or not is_object(value):
        return None
    held = _in_object(value, end, keys, lenient=True)
    return held if held.said is not None or held.why else None


def _text(value: Any, lenient: bool) -> str | None:
    """The text of a string or a whole number; an object under an answer's key may hold the answer in turn."""
    if isinstance(value, bool) or not isinstance(value, (str, int, list)):
        return None
    if not isinstance(value, list):
        return str(value)
    if lenient and value and all(isinstance(item, (str, int)) for item in value):
        return " ".join(map(str, value))
    if not is_object(value):
        return None
    inner = _in_object(value, 0, ANSWER_KEYS, lenient)
    return inner.said if not inner.rivals else None


def acts_for_another(said: str, role: str) -> bool:
    """Whether an object says that its action is that of another one of one's kind: "R2", said by R1."""
    actor = _ACTOR.search(said) if role else None
    kind = re.sub(r"\d+", r"\\d+", re.escape(role))
    return actor is not None and actor["who"] != role and re.fullmatch(kind, actor["who"], re.I) is not None


def is_object(value: list[Any]) -> bool:
    """Whether a decoded list is an object, given as its pairs."""
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
