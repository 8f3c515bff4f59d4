"""Marks that steer whoever reads a text instead of telling something, made visible and harmless.

What one seat says stands in another's prompt. Chat templates know tokens that begin a turn or stand for a picture, and
some tokenizers take them from any text; other marks turn the direction of writing around, or are not seen at all. Here
they become plain signs: `‹|im_start|›`, `⟦INST⟧`, `[U+202E]`.
"""

import re

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
    """A text in which no mark steers its reader. All others, of whatever writing, stay as they are."""
    if "<" in text or "[" in text:
        text = _TOKEN.sub(lambda token: token[0].translate(_VISIBLE), text)
    return text if text.isascii() else _UNSEEN.sub(_named, text)


def _named(mark: re.Match[str]) -> str:
    return f"[U+{ord(mark[0]):04X}]" if mark["unseen"] else mark[0]
