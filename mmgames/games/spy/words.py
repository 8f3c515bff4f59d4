"""Spy in words: what a seat reads, and how its clue or vote is read. What others said is quoted, a line each."""

from collections.abc import Iterable
from dataclasses import replace

from mmgames.core.prompt import Reasoning
from mmgames.games.spy import seat_names
from mmgames.games.spy.rules import NOBODY, Clue, SpyView, Vote, ballot
from mmgames.readers import vision_zero
from mmgames.text import speech
from mmgames.text.prose import paragraphs
from mmgames.text.refusals import Illegal
from mmgames.text.replies import own_words, parse
from mmgames.text.structured import ANSWER_KEYS, structured_answers

MOVE_TYPES = (Clue, Vote)
CLUE_LIMIT = 400
"""How many characters a clue may have."""

_SAID = paragraphs(__package__, "words")
_CLUE = f"A clue is one sentence of at most {CLUE_LIMIT} characters; a longer one counts as none."
_CLUE_KEYS = ("clue", *ANSWER_KEYS)
_VOTE = f'A vote is the name of one other player, or {NOBODY}, alone or as JSON: {{"action": "player_1"}}.'


def _players(view: SpyView) -> tuple[str, ...]:
    return seat_names(view.players)


def names(view: SpyView) -> dict[str, str]:
    if view.stage != "vote" or not view.asked or view.seat is None:
        return {}
    return {name: name for name in ballot(_players(view), view.seat)}


def read(view: SpyView, text: str) -> Clue | Vote:
    """Any text is a clue or a vote of some kind; what is wrong with it is kept with it. A clue may stand in a form: in
    JSON, in a box or a tag, behind "Clue:"; what stands beside a form is never heard, also where two differ."""
    if view.stage == "vote":
        return _vote(view, text)
    own = own_words(text)
    if isinstance(own, Illegal):
        return _clue(text)
    formed = {one.said for one in structured_answers(own, _CLUE_KEYS)}
    said = (text if not formed else (formed.pop() or "") if len(formed) == 1 else "").strip()
    return _clue(said[1:-1] if said[:1] + said[-1:] in ('""', "“”") else said)


def _clue(text: str) -> Clue:
    message = speech.read(text)
    said = " ".join(message.speech.split())
    if not said:
        return Clue("", "empty")
    if message.lost or len(said) > CLUE_LIMIT:
        return Clue("", "too long")
    return Clue(said)


def unclear(view: SpyView, text: str) -> Illegal | None:
    """Why a vote or a clue is none. The released rewards pay for that themselves, and nothing is asked again there."""
    if not view.setting.paid:
        return None
    move = read(view, text)
    if isinstance(move, Clue):
        empty = Illegal("not in the asked form", "there is no clue in the reply.", text)
        long = Illegal("too long", f"a clue has at most {CLUE_LIMIT} characters.", text)
        return {"": None, "empty": empty, "too long": long}[move.flaw]
    choice = _chosen(view, text) if move.flaw else None
    if not isinstance(choice, Illegal):
        return None if choice is None else Illegal("not possible here", move.flaw, text)
    return replace(choice, kind="not in the asked form") if choice.kind == "nothing said" else choice


def _vote(view: SpyView, text: str) -> Vote:
    choice = _chosen(view, text) if view.setting.paid or text.strip() in names(view) else _as_released(view, text)
    if isinstance(choice, Illegal):
        return Vote(None, choice.reason)
    if choice == view.seat:
        return Vote(None, "a vote for oneself.")
    return Vote(None if choice == view.players else choice)


def _chosen(view: SpyView, text: str) -> int | Illegal:
    players = _players(view)
    possible = {**dict(enumerate(players)), len(players): NOBODY}
    aliases = {f"{word}{number}": number - 1 for number in range(1, len(players) + 1) for word in ("", "player ")}
    aliases |= {"NA": len(players), "none": len(players)}
    choice: int | Illegal = parse(text, possible, aliases, called="the name of a player or N/A")
    return choice


def _as_released(view: SpyView, text: str) -> int | Illegal:
    number = vision_zero.read_vote(text)
    if number is None or number > view.players:
        return Illegal("not in the asked form", "the reply has no vote that Vision-Zero's code looks for.", text)
    return number - 1 if number else view.players


def rules(view: SpyView) -> str:
    setting = view.setting
    one = setting.spies == 1
    text = _SAID["round"].format(
        players=view.players,
        civilians=setting.civilians,
        spies="one" if one else setting.spies,
        is_are="is" if one else "are each",
        has="has" if one else "have",
        rounds="one round" if setting.rounds == 1 else f"{setting.rounds} rounds",
        judge=_SAID["observer judges" if setting.observed else "civilians judge"],
    )
    clues = _SAID["clues pay"].format(beta=f"{setting.beta:g}", lam=f"{setting.lam:g}")
    paid = setting.beta > 0 or setting.lam > 0
    votes = _SAID["votes pay" if setting.paid else "votes pay, released"]
    return " ".join([text, *[_SAID["silence"]] * setting.silence_loses, votes, *[clues] * paid])


def you(view: SpyView) -> str:
    return _SAID[view.role].format(name="" if view.seat is None else _name(view, view.seat))


def goal(view: SpyView) -> str:
    return _SAID[f"goal, {view.role}"]


def legend(view: SpyView) -> str:
    if view.seat is None:
        return "Above, the civilians' picture is framed green and the spy's red; below stand the clues and the votes."
    return "It is your own picture, the one your clues are about; another player's may be a little different."


def answer_format(view: SpyView, reasoning: Reasoning) -> str:
    votes = view.role == "observer" or (view.role == "civilian" and not view.setting.observed)
    form = _VOTE if view.setting.paid else vision_zero.ASKED
    parts = [_CLUE] * (view.role != "observer") + [form] * votes
    return " ".join([*parts, _SAID[reasoning]])


def _name(view: SpyView, seat: int) -> str:
    return "observer" if seat >= view.players else _players(view)[seat]


def history(view: SpyView) -> str:
    """The clues so far and what is to be done now; when it is over also who was the spy, and the votes."""
    lines = []
    for said in view.clues:
        who = "you" if said.seat == view.seat else _name(view, said.seat)
        lines.append(f"Round {said.round}, {who}:" + (f"\n> {said.words}" if said.words else " (no clue)"))
    return "\n".join([*(lines or ["There are no clues yet."]), *_now(view)])


def status(view: SpyView) -> str:
    return "\n".join(_now(view))


def standing(view: SpyView) -> tuple[str, str]:
    return view.stage, view.role


def talk(view: SpyView) -> list[tuple[str, str]]:
    """The clues."""
    return [(_name(view, said.seat), said.words or "(no clue)") for said in view.clues]


def _now(view: SpyView) -> list[str]:
    if view.stage == "over":
        told = [f"{_name(view, seat)} voted for {_choice(view, vote)}." for seat, vote in view.votes]
        if view.setting.silence_loses and not view.clues[-1].words:
            told = [f"{_name(view, view.clues[-1].seat)} gave no clue, which loses the round."]
        spies = _all(view, view.spies or ())
        return [*told, f"It is over. {'The spy was' if len(view.spies or ()) == 1 else 'The spies were'} {spies}."]
    if view.stage == "vote":
        return ["All clues are given. Vote now." if view.asked else "All clues are given. The vote is on."]
    number = len(view.clues) // view.players + 1
    turn = f"Round {number} of {view.setting.rounds}."
    if view.asked:
        return [f"{turn} It is your turn: give your clue."]
    return [f"{turn} {_name(view, view.speaker or 0)} is to give a clue."]


def ending(view: SpyView) -> str:
    spies = view.spies or ()
    were = f"The spy was {_name(view, spies[0])}" if len(spies) == 1 else f"The spies were {_all(view, spies)}"
    silent = view.clues[-1].seat if view.setting.silence_loses and not view.clues[-1].words else None
    if silent is not None:
        return f"{were}. {_name(view, silent)} gave no clue, which loses the round."
    got = [sum(vote.choice == player for _, vote in view.votes) for player in range(view.players)]
    most = [player for player, votes in enumerate(got) if votes == max(got) > 0]
    fate = f"{_name(view, most[0])} was caught" if len(most) == 1 and most[0] in spies else "got away"
    return f"{were} and {fate if fate == 'got away' or len(spies) > 1 else 'was caught'}."


def _all(view: SpyView, seats: Iterable[int]) -> str:
    return " and ".join(_name(view, seat) for seat in seats)


def _choice(view: SpyView, vote: Vote) -> str:
    if vote.choice is None:
        return NOBODY if vote.valid else "nobody that can be made out"
    return _name(view, vote.choice)


def describe(view: SpyView) -> str:
    """All of it in words: what can be said about the picture, then the talk."""
    if view.pair is not None and view.seat is None:
        told = [f"- {change.thing}: {change.what} {change.before} → {change.after}" for change in view.pair.changes]
        head = (
            "\n".join(["The spy's picture differs:", *told])
            if told
            else "What the spy's picture differs in is not known."
        )
        return f"{head}\n{history(view)}"
    facts = view.picture.facts() if view.picture is not None else ()
    head = "\n".join(["Your picture:", *(f"- {fact.sentence}" for fact in facts)])
    return f"{head if facts else 'Your picture cannot be put into words.'}\n{history(view)}"
