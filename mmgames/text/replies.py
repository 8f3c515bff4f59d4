"""Text in, action out. One reader for every game; PARAGRAPH says all that it does, in its order."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, Literal, get_args

from mmgames.errors import MmgamesError, unknown
from mmgames.text.move_names import Moves, normalise_name
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal, RefusalKind
from mmgames.text.structured import ANSWER_KEYS, FENCE, Answer, json_objects, structured_answers

PARAGRAPH = (
    "Thoughts are cut off; one that is not closed takes all that follows it. The reply ends where another turn begins: "
    "a mark of a chat template, an echo of the prompt's own headings, a further example. Structured answers are a JSON "
    "object with a key that was asked for, an answer tag, a box, and a line that begins with Action, Answer, Move or "
    "Vote (or with final, my, the or best before it) and a colon. If all structured answers say the same legal thing, "
    "that is the answer; if they differ (a plan for several turns, a draft and another), nothing is decided. Without "
    "one, a last line that is a legal name and nothing else counts, unless another line is another name; case, spaces, "
    "brackets and marks aside, coordinates as the game spells them, an option by its letter with or without its text."
)
"""How replies are read. What it does not decide is asked again, once and in one line (`running/asked_again.py`)."""

Reader = Callable[[str, Mapping[Any, str]], Any]
"""The action that a reply means among those with these names, or an Illegal."""

Named = Literal["paragraph", "released", "lvlm-playground", "vs-bench"]
Reading = Named | Reader
"""How replies are read: as PARAGRAPH says, as the code that was released with a paper does (`mmgames.readers`), that of
the suite or game at hand or the one that is named, or by a function of one's own."""

READINGS: tuple[Named, ...] = get_args(Named)[:2]
EARLIER_READINGS = ("strict", "lenient")
MAX_REPLY = 200_000


def check_reading(reading: Any, where: str) -> Reading:
    """A reading that there is, or an error that names those that there are."""
    if reading in EARLIER_READINGS:
        raise MmgamesError(
            f"{where}: reading={reading!r} was a grammar of English that earlier versions had; replies are read by one "
            "paragraph (reading='paragraph'), or as a paper's own code does (reading='released')."
        )
    if reading not in get_args(Named) and not callable(reading):
        raise unknown("reading", reading, where, get_args(Named))
    return reading  # type: ignore[no-any-return]


def said_reading(reading: Reading) -> dict[str, str]:
    """How replies are read, for files and records; that it is by the paragraph goes without saying."""
    return {} if reading == "paragraph" else {"reading": "own" if callable(reading) else reading}


def no_answer_kind(reply: str) -> RefusalKind:
    """The kind of refusal of a reply without an answer in the asked form: whether it says anything at all."""
    return "not in the asked form" if normalise_name(reply) else "nothing said"


def parse_keywords(words: Any, view: Any) -> dict[str, Any]:
    """What the words of a loaded game offer beyond the names of its moves, as keywords of `parse`."""
    return {
        "aliases": words.aliases(view),
        "meanings": None if words.meanings is None else partial(words.meanings, view),
    }


def own_words(reply: Any) -> str | Illegal:
    """What a reply says in its own turn, without thoughts; or why there is nothing to be read."""
    if not isinstance(reply, str):
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal("too long", f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    said, cut = strip_reasoning(reply)
    if cut and not normalise_name(said):
        return Illegal("cut off in a thought", "the reply ends in the middle of a thought.", reply)
    return own_turn(said)


def parse(
    reply: Any,
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
    text can mean; without it case, spaces and marks are left aside. `keys` are the keys of a JSON answer, the preferred
    first, and `called` is what the refusals say an answer should have been.
    """
    own = own_words(reply)
    if isinstance(own, Illegal):
        return own
    moves = Moves(names, aliases or {}, meanings)
    answers = [one for one in structured_answers(own, keys, moves.named) if not _only_shows_the_form(one)]
    said = [one.said for one in answers] or list(_bare_names(own, moves))
    found = [moves.named(one or "") for one in said]
    if None in said:
        return Illegal(
            "not clear", "it is not clear what the reply answers: an object in it has no whole answer.", reply
        )
    if not said:
        if not normalise_name(own):
            return Illegal("nothing said", "the reply is empty.", reply)
        last = ["", *_lines(own)][-1]
        if moves.has_form_of_move(last) and len(_lines(own)) == 1:
            return Illegal("not possible here", f"{_short(last)!r} is not {called} here.", reply)
        reason = f"the reply holds no answer in the asked form, and its last line is not {called}: {_short(last)!r}."
        return Illegal("not in the asked form", reason, reply)
    shown = [_short(one or "") for one in said]
    other = next((place for place, one in enumerate(said) if _differs(one, said[-1], found[place], found[-1])), None)
    rival = next((one for answer in answers for one in answer.rivals if moves.named(one) - found[-1]), None)
    if other is not None or rival is not None:
        first = shown[other] if other is not None else _short(rival or "")
        return Illegal("not clear", f"the reply answers both {first!r} and {shown[-1]!r}.", reply)
    return _only_move(moves, said[-1] or "", found[-1], called, reply)


def _only_move(moves: Moves, said: str, found: set[Any], called: str, reply: str) -> Any | Illegal:
    """The move that the one thing which is answered stands for."""
    shown = _short(said)
    if len(found) > 1:
        could_be = ", ".join(name for action, name in moves.names.items() if action in found)
        return Illegal("not clear", f"{shown!r} is ambiguous: it could be {could_be}.", reply)
    if not normalise_name(said):
        return Illegal("nothing said", "the answer in the reply is empty.", reply)
    if found and said.rstrip(" \t`*_\"')").endswith("?") and moves.meanings is None:  # in chess the mark judges a move
        return Illegal("not clear", "the answer of the reply is a question.", reply)
    if found:
        return next(iter(found))
    if len(said.split()) > max((len(name.split()) for name in moves.names.values()), default=1):
        return Illegal("not in the asked form", f"{shown!r} is more than the name of {called}.", reply)
    return Illegal("not possible here", f"{shown!r} is not {called} here.", reply)


def _only_shows_the_form(answer: Answer) -> bool:
    """Whether an answer is the dots of the form that was asked for: it is repeated, not filled in."""
    return bool(answer.said) and not (answer.said or "").strip(".…<>_ ")


def _differs(one: str | None, other: str | None, found: set[Any], others: set[Any]) -> bool:
    return found != others if found or others else normalise_name(one or "") != normalise_name(other or "")


def _bare_names(own: str, moves: Moves) -> Iterator[str]:
    """The lines that are a legal name and nothing else, if the last line is one."""
    lines = _lines(own)
    if lines and moves.named(lines[-1]):
        yield from (line for line in lines if moves.named(line))


def _lines(own: str) -> list[str]:
    """The lines that say something; those that open or close a block of code do not."""
    return [line.strip() for line in own.splitlines() if line.strip() and not FENCE.fullmatch(line)]


def _short(said: str) -> str:
    said = " ".join(said.split())
    return said if len(said) <= 80 else said[:77] + "…"


def parse_numbers(reply: Any, keys: Collection[str] = ANSWER_KEYS) -> list[Any] | None:
    """The list of numbers that a reply answers with: the value that all its JSON answers have, or the whole reply."""
    own = own_words(reply)
    if isinstance(own, Illegal):
        return None
    objects = [value for _, _, value in json_objects(own)]
    if not objects:
        try:
            whole = json.loads(own)
        except (ValueError, RecursionError):
            return None
        return whole if isinstance(whole, list) else None
    found = [_under(dict(value), keys) for value in objects if value is not None]
    return found[0] if len(found) == len(objects) and all(one == found[0] for one in found) else None


def _under(members: Mapping[Any, Any], keys: Collection[str]) -> list[Any] | None:
    lower = {str(key).casefold(): value for key, value in members.items()}
    found = next((lower[key] for key in keys if key in lower), None)
    return list(found) if type(found) is list else None


def parse_object(reply: Any, names: Collection[str]) -> dict[str, Any] | Illegal:
    """The members of the JSON object of a reply that has one of these names, or `Illegal` with the reason.

    Members with other names are left out, and case does not matter. Objects that differ decide nothing.
    """
    own = own_words(reply)
    if isinstance(own, Illegal):
        return own
    known = {normalise_name(name): name for name in names}
    found: list[list[tuple[str, Any]] | None] = []
    for _, _, value in json_objects(own):
        members = (
            None
            if value is None
            else [(known[key], item) for name, item in value if (key := normalise_name(str(name))) in known]
        )
        if members is None or members:
            found.append(members)
    if not found:
        form = f'the reply holds no JSON object with "{next(iter(names))}" or another of the asked names.'
        return Illegal(no_answer_kind(own), form, reply)
    last = found[-1]
    if last is None or None in found:
        return Illegal("not clear", "a JSON object of the reply is broken.", reply)
    if any(one != last for one in found):
        return Illegal("not clear", "the reply holds two different JSON objects.", reply)
    members_by_name = dict(last)
    twice = next((name for name, value in last if members_by_name[name] != value), None)
    if twice is not None:
        return Illegal("not clear", f'the reply answers "{twice}" twice, and differently.', reply)
    return members_by_name


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
    """A reply up to where another turn begins: models run on and write the other side's part, or the next example.

    Marks before its first word only say whose turn it is."""
    start = 0
    for mark in _TURN.finditer(text):
        if text[start : mark.start()].strip():
            return text[start : mark.start()]
        start = mark.end()
    return text[start:]
