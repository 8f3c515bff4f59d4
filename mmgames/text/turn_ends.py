"""Where a reply ends and another turn begins: models run on and write the other side's part, or the next example."""

import re

HEADINGS = (
    *("Rules", "You", "Picture", "Pictures", "Now", "Legal actions", "Question", "Refused", "Asked again"),
    *("Job", "Robots", "Kitchen", "Types", "Coordinates", "Colours", "Before", "Notes", "Examples"),
)
"""The headings of our prompts, but for the one that says how to answer, which replies have as well."""

_TEMPLATE = (
    r"<[|｜](?:im_start|im_end|im_sep|eot_id|eom_id|start_header_id|end_header_id|endoftext|begin_of_text|end_of_text|end"
    r"|return|start|user|assistant|system|observation|eot|User|Assistant|end▁of▁sentence|begin▁of▁sentence)[|｜]>"
    r"|</?s>|<(?:start|end)_of_turn>|<end_of_utterance>|<eos>|\[/?INST\]|<</?SYS>>"
)
_TURN = re.compile(
    rf"{_TEMPLATE}"
    r"|^[ \t*#]*+(?:user|human|assistant|system|instruction|input|response)[ \t*]*+[:：][*]*"
    rf"|^##[ \t]+(?:{'|'.join(HEADINGS)}|(?:Example|Attempt) \d+)[ \t]*$"
    r"|^[ \t*#]*+(?:(?:another|next|further|new)[ \t]+)?(?:example|question|q)[ \t]*+\d*[ \t*]*+[:：]",
    re.I | re.M,
)


def own_turn(text: str) -> str:
    """A reply up to where another turn begins. Marks before its first word only say whose turn it is."""
    start = 0
    for mark in _TURN.finditer(text):
        if text[start : mark.start()].strip():
            return text[start : mark.start()]
        start = mark.end()
    return text[start:]
