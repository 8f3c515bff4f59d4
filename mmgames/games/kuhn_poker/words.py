"""KuhnPoker in words."""

from mmgames.core.game_modules import always, is_mover, said
from mmgames.games.kuhn_poker.rules import ANTE, BET, HIDDEN, JACK, KING, PASS, KuhnView
from mmgames.text.facts import Fact, same
from mmgames.text.prose import paragraphs

ROLES = ("player_0", "player_1")
ACTIONS = ("<PASS>", "<BET>")
CARD_LETTERS = "JQK"
CARD_NAMES = ("Jack (J)", "Queen (Q)", "King (K)")
NAMES = dict(enumerate(ACTIONS))

# What poker players call the two moves, before and after a bet.
_OPENING = {"check": PASS}
_ANSWERING = {"fold": PASS, "call": BET}

rules = always(paragraphs(__package__, "words")["rules"].format(ante=ANTE))
legend, goal = said(__package__, "legend", "goal")
notation = always(f"An action is written {ACTIONS[PASS]} or {ACTIONS[BET]}.")


def names(view: KuhnView) -> dict[int, str]:
    return NAMES if is_mover(view) else {}


def aliases(view: KuhnView) -> dict[str, int]:
    return _ANSWERING if BET in view.betting else _OPENING


def you(view: KuhnView) -> str:
    if view.seat is None:
        return "You are watching and see both cards."
    turn = "first" if view.seat == 0 else "second"
    return f"You are {ROLES[view.seat]} and act {turn}. Win as many chips as you can over many games."


def history(view: KuhnView) -> str:
    """The betting so far and where it stands; the cards are left to the picture."""
    lines = [_betting(view)]
    if (winner := view.winner) is not None:
        lines.append(_result(view, winner))
    elif (mover := view.mover) is not None:
        lines.append(f"{ROLES[mover]} is to act{': your turn' if mover == view.seat else ''}.")
    return " ".join(lines)


def ending(view: KuhnView) -> str:
    winner = view.winner
    if winner is None:
        return ""
    cards = f"{CARD_NAMES[view.cards[winner]]} against {CARD_NAMES[view.cards[1 - winner]]}"
    return f"{_won(view, winner)}: {cards}."


def describe(view: KuhnView) -> str:
    """Cards, chips and the betting."""
    lines = []
    for seat, card in enumerate(view.cards):
        whose = "Your card" if seat == view.seat else f"The card of {ROLES[seat]}"
        lines.append(f"{whose}: {'not known' if card == HIDDEN else CARD_NAMES[card]}.")
    if view.seat == 1:
        lines.reverse()
    chips = view.chips
    lines.append(f"Pot: {sum(chips)} chips, {chips[0]} from player_0 and {chips[1]} from player_1.")
    lines.append(history(view))
    return "\n".join(lines)


_MINE = ("my card", "my hand", "i")


def facts(view: KuhnView) -> list[Fact]:
    card = HIDDEN if view.seat is None else view.cards[view.seat]
    plain = [name.split()[0] for name in CARD_NAMES]
    return [] if card == HIDDEN else [Fact(_MINE, plain[card], same(plain))]


def slips(view: KuhnView, action: int) -> list[str]:
    """A bet is answered against one's own card: the best one folds, or the worst one calls."""
    card = HIDDEN if view.seat is None else view.cards[view.seat]
    return ["ignored private information"] * (BET in view.betting and (card, action) in ((KING, PASS), (JACK, BET)))


def _betting(view: KuhnView) -> str:
    if not view.betting:
        return "Nobody has acted yet."
    moves = (f"{ROLES[number % 2]} {ACTIONS[move]}" for number, move in enumerate(view.betting))
    return f"Betting so far: {', '.join(moves)}."


def _result(view: KuhnView, winner: int) -> str:
    return f"The game is over: {_won(view, winner)}."


def _won(view: KuhnView, winner: int) -> str:
    how = "with the higher card" if view.showdown else f"because {ROLES[1 - winner]} did not match the bet"
    return f"{ROLES[winner]} wins {view.chips[1 - winner]} {how}"
