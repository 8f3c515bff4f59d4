"""Text in, action out. One parser for every game; it never guesses.

Thoughts, quotations and what is struck out do not count. Of the rest, the last structured answer decides: a JSON object
with an "action" or "answer", `<answer>…</answer>`, `\\boxed{…}`, or a line `Action: …`, `Answer: …`, `Movement: …`.
When it is not clear what that one says (a broken object, an answer of null, two answers in one object, a label nobody
asked for), the reply is refused; an earlier draft never takes its place. Without a structured answer the whole reply
must be a legal name. Words around an answer may take it back (`text/retractions.py`); then the reply is refused.
Surrounding punctuation does not matter, nor does case unless the game says what a text means to it; everything else
does: a name that merely occurs in a sentence is not a move. That is the strict reading. The lenient one, in
`text/lenient.py`, also takes answers that are nearly in the asked form, and final declarations of prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Literal, get_args

from mmgames.errors import unknown
from mmgames.text.answer_labels import is_label
from mmgames.text.move_names import NOTHING_ASKED, Asked, Moves, Read, normalise_name
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal, RefusalKind
from mmgames.text.retractions import chooses, restated, unmeant
from mmgames.text.structured import ANSWER_KEYS, acts_for_another, is_object, json_values, structured_answer

Reading = Literal["strict", "lenient"]
"""How replies are read: `strict` takes the asked forms alone, `lenient` also near ones that leave no doubt."""

READINGS: tuple[Reading, ...] = get_args(Reading)
MAX_REPLY = 200_000
_QUOTED_ANSWER = re.compile(
    r"^[ \t]*(?:#{1,6}|\*\*)[ \t]*(?P<label>[\w' ]{2,40}):?(?:\*\*)?:?[ \t]*\n+[ \t]*>[^\n]*$", re.M
)
_LABELLED_QUOTE = re.compile(r"^[ \t]*>[ \t]*\*\*(?P<label>[\w' ]{2,40}):\*\*[ \t]*\S[^\n]*$", re.M)
_LAST_IN_QUOTE = re.compile(r"^[ \t]*>[ \t]*(?=\*\*[^*\n]{1,40}\*\*\s*\Z)", re.M)
_QUOTE_MARK = re.compile(r"^[ \t]*>[ \t]?", re.M)
_SET_APART = re.compile(r"^[ \t]*>.*$|~~.*?~~", re.M)  # quotations and what is struck out


def check_reading(reading: Reading, where: str) -> Reading:
    """A reading that there is, or an error that names those that there are."""
    if reading not in READINGS:
        raise unknown("reading", reading, where, READINGS)
    return reading


def no_answer_kind(reply: str) -> RefusalKind:
    """The kind of refusal of a reply without an answer in the asked form: whether it says anything at all."""
    return "not in the asked form" if normalise_name(reply) else "nothing said"


def parse_keywords(words: Any, view: Any) -> dict[str, Any]:
    """What the words of a loaded game offer beyond the names of its moves, as keywords of `parse`."""
    return {
        "aliases": words.aliases(view),
        "meanings": None if words.meanings is None else partial(words.meanings, view),
        "spoken": None if words.spoken is None else partial(words.spoken, view),
    }


def parse(
    reply: str,
    names: Mapping[Any, str],
    aliases: Mapping[str, Any] | None = None,
    *,
    meanings: Callable[[str], Collection[Any]] | None = None,
    spoken: Callable[[], Mapping[str, Any]] | None = None,
    keys: Collection[str] = ANSWER_KEYS,
    called: str = "a legal move",
    reading: Reading = "strict",
    asked: Asked = NOTHING_ASKED,
) -> Any | Illegal:
    """The action that `reply` names, or `Illegal` with the reason.

    `names` maps the legal actions to their texts; `aliases` are further texts that mean one of them. A name or an
    alias that is spelled as it stands comes first. Then `meanings`, where a game has it, says which actions the bare
    text can mean; without it case is left aside. `keys` are the keys of a JSON answer, the preferred first, and
    `called` is what the refusals say an answer should have been; `reading` is how far from the asked form it may be.
    A lenient reader also takes the texts of `spoken`, and reads what somebody says about a move by what was `asked`.
    """
    if not isinstance(reply, str):
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal("too long", f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    own = strip_reasoning_and_quotes(reply if reading == "strict" else _answer_unquoted(reply))
    if isinstance(own, Illegal):
        return own
    moves = Moves(names, aliases or {}, meanings, spoken, asked)
    if reading == "strict":
        read = _read_strictly(own, moves, keys)
    else:
        from mmgames.text.lenient import read_leniently  # its forms are compiled only for those who want them

        read = read_leniently(own, moves, keys)
    if read.why:
        return Illegal("not clear", f"it is not clear what the reply answers: {read.why}.", reply)
    if not normalise_name(read.said):
        return Illegal("nothing said", "the reply is empty.", reply)
    shown = read.said if len(read.said) <= 80 else read.said[:77] + "…"
    if len(read.actions) == 1:
        if read.rival:
            return Illegal("not clear", f"the reply answers both {shown!r} and {read.rival[:80]!r}.", reply)
        return next(iter(read.actions))
    if read.actions:
        could_be = ", ".join(name for action, name in names.items() if action in read.actions)
        return Illegal("not clear", f"{shown!r} is ambiguous: it could be {could_be}.", reply)
    if not read.structured and not moves.has_form_of_move(read.said):
        reason = f"the reply holds no answer in the asked form and is not itself {called}: {shown!r}."
        return Illegal("not in the asked form", reason, reply)
    return Illegal("not possible here", f"{shown!r} is not {called} here.", reply)


def _read_strictly(own: str, moves: Moves, keys: Collection[str]) -> Read:
    """What the last structured answer says, if nothing takes it back, or the whole reply."""
    answer = structured_answer(own, keys=keys)
    if answer is not None and answer.said is None:
        return Read("", why=answer.why)
    said = (own if answer is None else answer.said or "").strip()
    found = moves.named(said)
    if found and said.rstrip("`*_\"')").endswith("?") and moves.meanings is None:  # in chess the mark judges a move
        return Read(said, why="its answer is a question")
    if answer is None:
        return Read(said, found, structured=False)
    alone = answer.start == 0 and answer.end == len(own)
    if len(found) == 1 and not alone and (why := unmeant(own, answer.start, answer.end, moves, found)):
        return Read(said, why=why)
    if found and acts_for_another(own[answer.start : answer.end], moves.asked.role):
        return Read(said, why="its answer is somebody else's action")
    rivals = answer.rivals if alone else (*answer.rivals, *restated(own[answer.end :]))
    if not rivals:
        return Read(said, found)
    return Read(said, found, next((rival for rival in rivals if moves.named(rival) - found), ""))


def strip_reasoning_and_quotes(reply: str) -> str | Illegal:
    """A reply without thoughts, quotations and what is struck out."""
    # Quotations go first, with the marks of thoughts in them, and again where a thought ended in the middle of a line.
    said, cut = strip_reasoning(_SET_APART.sub("", reply))
    if cut:
        return Illegal("cut off in a thought", "the reply ends in the middle of a thought.", reply)
    return _SET_APART.sub("", said)


def _answer_unquoted(reply: str) -> str:
    """A reply without the marks of quotations that set an answer apart from the own words above it: below a heading or
    with a label that announces one, or with bold words alone at the very end."""
    if ">" not in reply or reply.lstrip().startswith(">"):
        return reply
    reply = _LAST_IN_QUOTE.sub("", reply)
    for form in (_QUOTED_ANSWER, _LABELLED_QUOTE):
        reply = form.sub(lambda one: _QUOTE_MARK.sub("", one[0]) if is_label(one["label"]) else one[0], reply)
    return reply


def parse_numbers(reply: str, keys: Collection[str] = ANSWER_KEYS) -> list[Any] | None:
    """The list of numbers that a reply answers with: the value of the last JSON answer, or the whole reply."""
    own = strip_reasoning_and_quotes(reply) if isinstance(reply, str) and len(reply) <= MAX_REPLY else None
    if not isinstance(own, str):
        return None
    last: Any = None
    for _, _, last, _ in json_values(own):  # noqa: B007 - the last one counts, also when it is broken
        pass
    if last is None:
        try:
            last = json.loads(own)
        except (ValueError, RecursionError):
            return None
        return last if isinstance(last, list) else None
    by_key = {str(pair[0]).casefold(): pair[1] for pair in last if isinstance(pair, tuple)}
    found = next((by_key[key] for key in keys if key in by_key), None)
    return found if isinstance(found, list) and not is_object(found) else None


def parse_object(reply: Any, names: Collection[str], reading: Reading = "strict") -> dict[str, Any] | Illegal:
    """The members of the last JSON object in a reply that has one of these names, or `Illegal` with the reason.

    Members with other names are left out, and case does not matter. Read leniently an object may be nearly JSON, lie
    in another one, or be lines of `name: value`.
    """
    if not isinstance(reply, str):
        return Illegal("not in the asked form", f"a reply must be text, not {type(reply).__name__}.", repr(reply))
    if len(reply) > MAX_REPLY:
        return Illegal("too long", f"the reply has {len(reply):,} characters; at most {MAX_REPLY:,} are read.", reply)
    own = strip_reasoning_and_quotes(reply)
    if isinstance(own, Illegal):
        return own
    lenient = reading == "lenient"
    known = {normalise_name(name): name for name in names}
    found: list[tuple[int, int, list[tuple[str, Any]] | None]] = []
    for start, end, value, _ in json_values(own, lenient):
        members = None if value is None else _named_members(value, known, lenient)
        if value is None or members:
            found.append((start, end, members))
    if not found and lenient:
        pairs = [(line["name"], line["value"]) for line in _NAMED_LINE.finditer(own)]
        found = [(0, 0, members)] if (members := _named_members(pairs, known, lenient)) else []
    if not found:
        form = f'the reply holds no JSON object with "{next(iter(names))}" or another of the asked names.'
        return Illegal(no_answer_kind(reply), form, reply)
    start, _, last = found[-1]
    if last is None:
        return Illegal("not clear", "the last JSON object of the reply is broken.", reply)
    if len(found) > 1 and found[-2][2] not in (None, last) and not chooses(own[found[-2][1] : start]):
        return Illegal("not clear", "the reply holds two different JSON objects, and no word chooses.", reply)
    twice = next((name for name, value in last if (name, value) != last[_place(last, name)]), None)
    if twice is not None:
        return Illegal("not clear", f'the reply answers "{twice}" twice, and differently.', reply)
    return dict(last)


_NAMED_LINE = re.compile(r"^[ \t*-]*(?P<name>[^:\n]{1,80}?)[ \t*]*:[ \t*]*(?P<value>[^\n]*?)[ \t*,]*$", re.M)


def _named_members(value: Any, known: Mapping[str, str], lenient: bool, depth: int = 3) -> list[tuple[str, Any]]:
    """The members of an object, given as its pairs, whose names are known; leniently also those of one inside it."""
    if not isinstance(value, list) or not is_object(value):
        return []
    own = [(str(key), item) for key, item in value]
    found = [(known[normalise_name(key)], item) for key, item in own if normalise_name(key) in known]
    if found or not lenient or not depth:
        return found
    return next((inner for _, item in own if (inner := _named_members(item, known, lenient, depth - 1))), [])


def _place(members: Sequence[tuple[str, Any]], name: str) -> int:
    return next(place for place, member in enumerate(members) if member[0] == name)
