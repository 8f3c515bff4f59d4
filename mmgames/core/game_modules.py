"""The modules beside a game's rules, `words.py` and `picture.py`, and where there is one `elements.py`: what they must
and what they may hold.

They get views and nothing else; `Words` and `Picture` say which functions they have. The
optional ones are looked up once, when a game is loaded: a GameWords has all of them, and nobody else has to ask.
What the picture of a kernel game may hold for batches stands in `kernels/sprites.py`.
"""

import copy
import warnings
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Literal, Protocol, Self, TypeVar

import numpy as np

from mmgames.core.game import CHANCE, Action, Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError
from mmgames.text import plain
from mmgames.text.facts import Count, Fact
from mmgames.text.prose import paragraphs
from mmgames.text.reasoning import strip_reasoning
from mmgames.text.refusals import Illegal

Reasoning = Literal["direct", "cot"]


class Picture(Protocol):
    """What `picture.py` holds."""

    def draw(self, view: Any, size: int = 512) -> np.ndarray:
        """A fresh picture, uint8 [height, width, 3], its longest side `size`; one shape for all views of a seat."""

    def features(self, view: Any) -> np.ndarray:
        """Fresh float32 numbers between -1 and 1, as many for every view."""


class SharedPicture(Picture, Protocol):
    """What `picture.py` may hold besides, if several seats see the same picture."""

    def shows(self, view: Any) -> Hashable:
        """All that the picture is made from. Views for which it is equal have the same picture, and the environments
        of all seats draw it once and give it to all of them, not to be written on."""


class GridPicture(Picture, Protocol):
    """What the picture of a game on a board or grid may hold besides."""

    def planes(self, view: Any) -> np.ndarray:
        """Fresh float32 numbers between -1 and 1 as [plane, row, column], of one shape for all views."""


Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in pixels; right and bottom are the first ones outside."""


class ClickablePicture(Picture, Protocol):
    """What `picture.py` may hold besides, where moves are made by pointing at them."""

    def regions(self, view: Any, size: int = 512) -> Mapping[Action, tuple[Box, ...]]:
        """Where in the picture of that size to click for an action: at one place, or at several in this order, as at a
        piece and the cell it goes to. For legal actions of a seat that is to move, as far as the picture shows them."""


class Words(Protocol):
    """What `words.py` holds. Every game needs these."""

    def rules(self, view: Any) -> str:
        """The rules as this seat should know them. The same through a whole episode."""

    def you(self, view: Any) -> str:
        """Who the seat is and what it wants. The same through a whole episode."""

    def history(self, view: Any) -> str:
        """What stands beside a picture: only what the picture does not show."""

    def describe(self, view: Any) -> str:
        """What stands in the place of a picture: everything the seat knows."""

    def names(self, view: Any) -> Mapping[Action, str]:
        """The legal actions of the seat and what they are called; none when it is not to move.

        In text games the names that can be executed, each for itself. Box games need no names.
        """


class TextWords(Words, Protocol):
    """What the words of a text game hold besides."""

    def read(self, view: Any, text: str) -> Any | Illegal:
        """The move that a text stands for, as the rules get it, or why it is none."""

    def answer_format(self, view: Any, reasoning: Reasoning) -> str:
        """How to answer, in the prompt. Other games may have their own; by default a JSON object is asked for."""


class MoreWords(Words, Protocol):
    """What words may hold besides; the defaults are those of GameWords."""

    def legend(self, view: Any) -> str:
        """What the picture shows and what its signs mean, for the prompt beside it. The same through an episode."""

    def unseen(self, view: Any, size: int) -> str:
        """What a picture of this size is too small to show, in words."""

    def notation(self, view: Any) -> str:
        """How actions are written, with an example, for prompts that do not list them. The same through an episode."""

    MOVE_TYPES: Sequence[type]
    """Of a text game: the named tuples that `read` gives, so that records can keep what was read; without it, records
    are read again when they are replayed."""

    def unclear(self, view: Any, text: str) -> Illegal | None:
        """What is wrong with a text that a text game takes for some move, because it takes any. It is asked again, if
        its kind is (`text/refusals.py`), and then counted as illegal, but for silence. By default one without a word.
        """

    def talk(self, view: Any) -> Sequence[tuple[str, str]]:
        """What was said, as (role, message) in order, for pages that show it as a chat; "" is nobody's: an event."""

    def standing(self, view: Any) -> tuple[str, str]:
        """Which part of the game it is and what the seat is in it, where prompts of one's own may differ by them:
        ("vote", "civilian"). By default ("play", "")."""

    def remembering(self, frames: int, seen: Sequence[Any]) -> tuple[Callable[[Any], str], Callable[[Any], str]]:
        """`history` and `describe` that tell as much of the past as so many pictures show; `seen` are the seat's last
        views, as far as they are known, the one that is told about at the end."""

    def status(self, view: Any) -> str:
        """What stands in `history` besides the talk, for the same pages: how far it is and whose turn."""

    def ending(self, view: Any) -> str:
        """How the game ended and who has won it, in one sentence about the spectator's view of a game that is over;
        empty: what is said follows from the returns (`running/endings.py`)."""

    def goal(self, view: Any) -> str:
        """For people: what it is about and what the seat wants, in two sentences. By default the summary of the game
        and the last sentence of `you`."""

    def title(self, view: Any) -> str:
        """For people: what the game is called. By default its name with spaces."""

    def plain(self, view: Any) -> Mapping[Action, str]:
        """For people: what the actions of `names` are called on buttons and in lists. Those that are left out are
        called as `text/plain.py` says: "Up" for `<UP>`."""

    def aliases(self, view: Any) -> Mapping[str, Action]:
        """Further texts that mean an action; they may name actions that are not legal now."""

    def meanings(self, view: Any, text: str) -> Collection[Action]:
        """The actions that any other text can mean; with it, case is no longer left aside."""

    def facts(self, view: Any) -> Sequence[Fact | Count]:
        """What can be said of the picture in few words; statements that contradict it are counted as false."""

    def slips(self, view: Any, action: Action) -> Sequence[str]:
        """What is plainly wrong with an action, by what its seat knows: kinds of failure, in two or three words each,
        that no plan explains. `mmgames failures` counts them."""

    def possible(self, view: Any, seat: Seat) -> Mapping[Action, str]:
        """What another seat, which is to move, might do as far as this view tells, with its names: its legal actions
        and those of which this seat cannot know. Games in which everybody sees what is legal need it not."""


class Elements(Protocol):
    """What `elements.py` holds, a third module that a game may have: pictures are asked about element by element."""

    NOTES: str
    """How the values of its elements are meant and written, as far as their names do not say it; may be empty."""

    OPTIONS: Mapping[str, Any]
    """The options of the game that is asked about; one that is about the usual ones may leave this out."""

    def elements(self, view: Any) -> Sequence[Fact]:
        """All that can be asked of the picture of a view: things by their first name, and what each of them can be.
        The same names and values, in the same order, for all views of a seat."""

    def make_state(self, game: Any, rng: np.random.Generator, seat: int) -> Any:
        """A state for this seat to look at: every value of every element is as likely as the others. It need not be
        reachable by play."""


class Turns(Protocol):
    """What `looks.py` holds, a module that a game may have, where its board can be shown turned (`core/looks.py`)."""

    def turned(self, view: Any, how: str) -> Any:
        """The view of the same position on the turned board, of the same seat."""

    def turned_action(self, view: Any, action: Action, how: str) -> Action:
        """What an action of this view's game is on the turned board."""


class OtherPieces(Protocol):
    """What `looks.py` holds where a game can be shown with other pieces."""

    PIECE_WORDS: Mapping[str, Mapping[str, str]]
    """By the name of the pieces: what words and phrases of the usual words become."""

    def draw_pieces(self, pieces: str) -> Callable[..., np.ndarray]:
        """`draw` of the picture module, with these pieces."""


def asks_for_json(form: str) -> dict[Reasoning, str]:
    """How to answer with a JSON object of a form, at once or after some thinking; `form` also says what it names."""
    return {
        "direct": f"Reply with one JSON object and nothing else: {form}",
        "cot": (f"Think step by step first. Then end your reply with one JSON object on a line of its own: {form}"),
    }


_ANSWER = asks_for_json('{"action": "…"}, naming one legal action.')
_ANSWER_IN_NUMBERS = asks_for_json('{"action": […]}, with the numbers of your action.')
Told = TypeVar("Told")


def always(value: Told) -> Callable[[Any], Told]:
    """A function of a words module that tells every view the same."""
    return lambda view: value


def said(package: str | None, *parts: str) -> list[Callable[[Any], str]]:
    """Such functions for some paragraphs of words.md in a game's folder."""
    return [always(paragraphs(package, "words")[part]) for part in parts]


def is_mover(view: Any) -> bool:
    """Whether it is the viewer's turn, in games where views tell the `mover`."""
    return view.mover is not None and view.mover == view.seat


def all_but_the_seat(view: Any) -> Any:
    """`shows` of a game whose picture is the same whoever looks; the seat is the first field of its view."""
    return view[1:]


def _without_a_word(view: Any, text: str) -> Illegal | None:
    said = strip_reasoning(text).text.strip()
    return None if said else Illegal("nothing said", "the message is empty.", text)


class GameWords:
    """The words of a loaded game, complete: what the module lacks is that of its `SHARED`, an object that several games
    share the class of, if it has one, or has its default. Raises if it lacks what it needs."""

    def __init__(self, spec: GameSpec, module: Any) -> None:
        if shared := getattr(module, "SHARED", None):  # what the words of several games have in common
            own = {name: getattr(shared, name) for name in dir(shared) if not name.startswith("_")}
            module = SimpleNamespace(**{**own, **vars(module)})
        self.module = module
        needed = {"rules", "you", "history", "describe"}
        needed |= {"discrete": {"names"}, "text": {"names", "read", "answer_format"}}.get(spec.actions, set())
        for name in sorted(needed):
            if not callable(getattr(module, name, None)):
                where = f"{spec.package.replace('.', '/')}/words.py"
                raise MmgamesError(
                    f"{spec.id} cannot be made: {where} has no function {name}, which the words of a game with "
                    f"{spec.actions} actions need; core/game_modules.py says what it does."
                )
        self.rules, self.you = module.rules, module.you
        self.history, self.describe = module.history, module.describe
        self.names: Callable[[Any], dict[Any, str]] = getattr(module, "names", always({}))
        self.read: Any = getattr(module, "read", None)
        for ignored in ("read_leniently", "spoken"):
            if hasattr(module, ignored):
                warnings.warn(
                    f"{spec.id}: {ignored} of its words is ignored; one paragraph says how replies are read.",
                    stacklevel=2,
                )
        self._moves = {kind.__name__: kind for kind in getattr(module, "MOVE_TYPES", ())}
        self.unclear: Callable[[Any, str], Illegal | None] = getattr(module, "unclear", _without_a_word)
        self.legend = getattr(module, "legend", always(""))
        self.unseen = getattr(module, "unseen", lambda view, size: "")
        self.notation = getattr(module, "notation", always(""))
        self.talk = getattr(module, "talk", always(()))
        self.standing: Callable[[Any], tuple[str, str]] = getattr(module, "standing", always(("play", "")))
        self.called: Callable[[str], str] = str
        """What the words call a seat: its name, unless a look has another one for it."""
        self.status = getattr(module, "status", module.history)
        self.ending: Callable[[Any], str] = getattr(module, "ending", always(""))
        self._summary = plain.capitalised(spec.summary.rstrip("."))
        self.goal: Callable[[Any], str] = getattr(module, "goal", self._goal)
        self.title: Callable[[Any], str] = getattr(module, "title", always(plain.title(spec.name)))
        self.plain: Callable[[Any], Mapping[Any, str]] = getattr(module, "plain", always({}))
        self.aliases: Callable[[Any], dict[str, Any]] = getattr(module, "aliases", always({}))
        self.meanings = getattr(module, "meanings", None)
        self.facts = getattr(module, "facts", always(()))
        self.slips: Callable[[Any, Any], Sequence[str]] = getattr(module, "slips", lambda view, action: ())
        self.possible: Callable[[Any, Seat], dict[Any, str]] | None = getattr(module, "possible", None)
        self._asks = _ANSWER_IN_NUMBERS if spec.actions == "box" else _ANSWER
        self.answer_format = getattr(module, "answer_format", self._answer_format)

    def _goal(self, view: Any) -> str:
        stop = "" if self._summary.endswith(("?", "!")) else "."
        return f"{self._summary}{stop} {plain.sentences(self.you(view))[-1]}"

    def plain_names(self, view: Any) -> dict[Any, str]:
        """The legal actions of the seat and what people call them."""
        own = self.plain(view)
        return {action: own.get(action) or plain.plain(name) for action, name in self.names(view).items()}

    def kept_move(self, move: Any) -> list[Any] | None:
        """A move that was read from a text, as JSON holds it; None if its kind is not told (`MOVE_TYPES`)."""
        name = type(move).__name__
        if self._moves.get(name) is not type(move):
            return None
        return [name, *(list(one) if isinstance(one, tuple) else one for one in move)]

    def kept_again(self, kept: Any) -> Any:
        """The move that a record has kept; a ValueError if it is none."""
        if not isinstance(kept, list) or not kept or kept[0] not in self._moves:
            raise ValueError(f"{kept!r} is no move.")
        fields = (tuple(one) if isinstance(one, list) else one for one in kept[1:])
        try:
            return self._moves[kept[0]](*fields)
        except TypeError as error:
            raise ValueError(f"{kept!r} is no move: {error}.") from error

    def asked_form(self, view: Any) -> str:
        """How to answer, in one line, for somebody who is asked again."""
        return " ".join(self.answer_format(view, "direct").split())

    @property
    def remembers(self) -> bool:
        return hasattr(self.module, "remembering")

    def remembering(self, frames: int, seen: Sequence[Any]) -> Self:
        """The same words, telling as much of the past as so many pictures show, where a game does that."""
        if not self.remembers:
            return self
        made = copy.copy(self)
        made.history, made.describe = self.module.remembering(frames, seen)
        return made

    def asking(self, forms: Mapping[str, str]) -> Self:
        """The same words, but for how to answer."""
        made = copy.copy(self)
        made.answer_format = lambda view, reasoning: forms[reasoning]
        return made

    def _answer_format(self, view: Any, reasoning: Reasoning) -> str:
        return _joined(self._asks[reasoning], self.notation(view))

    def check(self, game: Game[Any, Any]) -> None:
        """Try everything on the first position of a game; a sentence about the first thing that is wrong."""
        rng = np.random.default_rng(0)
        state = game.start(rng)
        while game.movers(state) == (CHANCE,):
            state = game.play(state, {CHANCE: game.chance(state)[0][0]}, rng)
        movers = game.movers(state)
        for seat, role in enumerate(game.seats):
            view = game.view(state, seat)
            for name in ("rules", "you", "history", "describe", "legend", "notation"):
                value = self._try(game, name, view)
                if not isinstance(value, str):
                    raise self._broken(game, f"{name}(view) gives {type(value).__name__} instead of text")
            names = self._try(game, "names", view)
            if not isinstance(names, Mapping) or not all(isinstance(name, str) and name for name in names.values()):
                raise self._broken(game, f"names(view) must give a mapping from actions to their names, not {names!r}")
            legal = game.legal(state, seat) if seat in movers else ()
            if set(names) != set(legal):
                raise self._broken(
                    game, f"names(view) names {_few(names)} for {role} at the start, but the rules allow {_few(legal)}"
                )

    def _try(self, game: Game[Any, Any], name: str, view: Any) -> Any:
        try:
            return getattr(self, name)(view)
        except Exception as error:
            raise self._broken(game, f"{name}(view) raised {type(error).__name__}: {error}") from error

    def _broken(self, game: Game[Any, Any], what: str) -> MmgamesError:
        where = f"{game.spec.package.replace('.', '/')}/words.py"
        return MmgamesError(f"{game.spec.id} cannot be made: in {where} {what.rstrip('.')}.")


def check_picture(spec: GameSpec, module: Any) -> Picture:
    """The picture module, if it has what it needs; raises if not."""
    for name in ("draw", "features"):
        if not callable(getattr(module, name, None)):
            where = f"{spec.package.replace('.', '/')}/picture.py"
            raise MmgamesError(
                f"{spec.id} cannot be made: {where} has no function {name}; core/game_modules.py says what it does."
            )
    picture: Picture = module
    return picture


@lru_cache(maxsize=256)
def _joined(*parts: str) -> str:
    """Sentences one after the other: made once, so that whoever keeps prompts by their words finds the same string."""
    return " ".join(part for part in parts if part)


def _few(actions: Collection[Any]) -> str:
    shown = [repr(action) for action in list(actions)[:4]]
    return ", ".join([*shown, "…"] if len(actions) > 4 else shown) or "nothing"
