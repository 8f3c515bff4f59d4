"""What somebody wrote, read as speech and actions. Nothing is guessed: an action is a line that is its name, or a
structured answer that is: `Action: cut_wire_1`, `{"action": "cut_wire_1"}` with a `message` beside it or without.

Any text can be read. Case and punctuation around a name do not matter, but a line with anything more on it, a
second name included, is speech. So is a line that asks, `cut_wire_1?`, and one that quotes, `> cut_wire_1`.
"""

import json
import re
import string
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mmgames.text.reasoning import strip_reasoning
from mmgames.text.structured import FENCE, found_answers

LIMIT = 4_000
"""How many characters of a message count; the rest is dropped and its sender is told."""

_BREAK = re.compile("\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Neither question marks (a question is not a deed) nor tildes (~~struck out~~).
_AROUND = (
    (string.whitespace + string.punctuation).translate({ord("?"): None, ord("~"): None})
    + "“”‘’«»„‹›•·–—…。，、！：；（）「」【】\u00a0\u3000\ufeff"
    + "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
)


class Message(NamedTuple):
    """A message as it counts: what is said, which actions it asks for in which order, and both as written."""

    speech: str
    actions: tuple[str, ...] = ()
    raw: str = ""
    lost: int = 0  # characters beyond the limit


def read(text: str, names: Iterable[str] = (), bare: bool = False) -> Message:
    """The message in `text` of somebody who can do `names` (an expert: nothing, so all of it is speech).

    Thinking (`reasoning`) is not part of a message: it is neither heard nor done. `bare`: only lines are actions, and
    thoughts are heard too.
    """
    said, cut = (text, False) if bare else strip_reasoning(text)
    lost = max(0, len(said) - LIMIT)
    kept = _BREAK.sub("\n", said[:LIMIT])
    by_lower = {name.lower(): name for name in names}
    lines = (kept if bare else _in_lines(kept, by_lower)[0]).split("\n")
    # A line that the limit or a thought cuts through may look like a name that nobody wrote.
    whole = len(lines) - bool(not _BREAK.match(said, LIMIT) if lost else cut)
    actions: list[str] = []
    speech: list[str] = []
    for number, line in enumerate(lines):
        name = _name(line, by_lower) if number < whole and not line.lstrip().startswith(">") else None
        if name is None:
            speech.append(line)
        else:
            actions.append(name)
    return Message(_clean("\n".join(speech)), tuple(actions), _clean(kept), lost)


def unread(text: str, names: Iterable[str]) -> str:
    """What a message gives for an action and is none, as it is written; empty: there is no such thing."""
    return _in_lines(strip_reasoning(text).text[:LIMIT], {name.lower(): name for name in names})[1]


def _name(line: str, by_lower: Mapping[str, str]) -> str | None:
    return by_lower.get(line.strip(_AROUND).lower().replace("\\_", "_"))


def _in_lines(text: str, by_lower: Mapping[str, str]) -> tuple[str, str]:
    """A text with the structured answers that are actions as lines, and the first that says to be one and is none.

    Answers under other names ("Answer: it is red") are speech, unless they are actions. Null, "" and "none" are none.
    """
    made, end, unread = "", 0, ""
    marked = by_lower and any(sign in text for sign in ":：{<\\")
    for found in found_answers(text, is_name=lambda line: _name(line, by_lower)) if marked else ():
        stop = found.end if found.end > found.start + 1 else len(text)  # an object that is never closed
        if found.start < end:
            continue
        message = _message_in(written := text[found.start : stop])
        said = [one for one in found.answers if one.said and one.said.strip(_AROUND).lower() != "none"]
        names = [None if one.rivals else _name(one.said or "", by_lower) for one in said]
        if None in names:
            unread = unread or (written if "action" in written.lower() else "")
        elif names or message:
            speech = [line for line in message.split("\n") if line and not _name(line, by_lower)]
            made += "\n".join([text[end : found.start].rstrip("\n"), *speech, *map(str, names)])
            made, end = made + "\n" * (stop < len(text)), stop
    lines = (made + text[end:]).split("\n")
    return "\n".join(line for line in lines if not (end and FENCE.fullmatch(line))), unread


def _message_in(answer: str) -> str:
    """What an object says beside its action."""
    try:
        return str(json.loads(answer, strict=False).get("message") or "")
    except (ValueError, AttributeError, RecursionError):
        return ""


def _clean(text: str) -> str:
    return show_control_marks(_LONE_SURROGATE.sub("\ufffd", _CONTROL.sub("", text))).strip()


_NAMES = (
    *("s", "bos", "eos", "pad", "unk", "sep", "cls", "mask", "eot", "eom", "system", "user", "assistant", "human"),
    *("img", "image", "video", "audio", "box", "ref", "quad", "__media__", "global-img", "tool_call", "tool_response"),
    *("start_of_turn", "end_of_turn", "end_of_utterance", "start_of_image", "end_of_image", "image_soft_token"),
    *("fake_token_around_image", "image_placeholder", "image_start", "image_end", "img_context"),
    *(r"unused\d+", r"reserved_\w+", r"extra_id_\d+", r"row_\d+_col_\d+", r"image_\d+", "eod", "endoftext"),
)
_SQUARE = "INST|IMG|IMG_BREAK|IMG_END|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS"
_TOKEN = re.compile(
    r"<[|｜][^<>\n]{0,80}?[|｜]>"  # <|im_start|>, <｜User｜>
    rf"|</?(?:{'|'.join(_NAMES)})/?>"
    rf"|<</?SYS>>|\[/?(?:{_SQUARE})\]",
    re.I,
)
_VISIBLE = str.maketrans("<>[]", "‹›⟦⟧")
_UNSEEN = re.compile(
    "\U0001f3f4[\U000e0061-\U000e007a]{4,6}\U000e007f"  # a flag, which is spelled with unseen letters and stays
    "|(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])"  # joins letters and emoji that belong together, and stays
    "|(?<=[\u3400-\u9fff\uf900-\ufaff])[\U000e0100-\U000e01ef]"  # how an ideograph is written; it stays
    "|(?P<unseen>[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f])"
)


def show_control_marks(text: str) -> str:
    """A text in which no mark steers its reader. All others, of whatever writing, stay as they are.

    What one seat says stands in another's prompt. Chat templates know tokens that begin a turn or stand for a picture,
    and some tokenizers take them from any text; other marks turn the direction of writing around, or are not seen at
    all. Here they become plain signs: `‹|im_start|›`, `⟦INST⟧`, `[U+202E]`."""
    if "<" in text or "[" in text:
        text = _TOKEN.sub(lambda token: token[0].translate(_VISIBLE), text)
    return text if text.isascii() else _UNSEEN.sub(_named, text)


def _named(mark: re.Match[str]) -> str:
    return f"[U+{ord(mark[0]):04X}]" if mark["unseen"] else mark[0]
