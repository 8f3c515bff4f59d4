"""AtmPuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.atm_puzzle import manual
from mmgames.puzzles.atm_puzzle.manual import KINDS
from mmgames.puzzles.atm_puzzle.rules import AMOUNT, DONE, MENU, PIN, Machine


def screen_lines(machine: Machine) -> tuple[str, str, str]:
    """What the screen says: a title and the two lines to choose from."""
    if machine.screen == MENU:
        return "Choose a transaction", *(kind.upper() for kind in KINDS)  # type: ignore[return-value]
    if machine.screen == PIN:
        return f"{machine.kind.upper()}", f"PIN: {'*' * len(machine.typed)}", "GO BACK"
    if machine.screen == AMOUNT:
        return f"{machine.kind.upper()}, BALANCE ${machine.balance}", f"AMOUNT: ${machine.amount}", "GO BACK"
    return "Thank you!", f"{machine.kind.upper()} of ${machine.amount} made", ""


def _device(machine: Machine) -> str:
    title, *lines = screen_lines(machine)
    if machine.screen == DONE:
        screen = f"{title} {lines[0]}."
    else:
        screen = f"{title}. Lines: {', '.join(lines)}. The chosen line is {lines[machine.line].partition(':')[0]}."
    return f"The note says: PIN {machine.pin}.\nThe screen says: {screen}"


_words = PuzzleWords(
    task=(
        "The device is a cash machine. One transaction has to be made, a deposit or a withdrawal of some amount; which "
        "one, the manual tells from the balance of your account. Every screen has two lines. The actions "
        "press_up_arrow and press_down_arrow choose one of them, and press_enter confirms it. The first screen offers "
        "DEPOSIT and WITHDRAWAL; the second takes your PIN, four digits; the third shows your balance and takes the "
        "amount in dollars. From the second and the third, GO BACK leads to the first. The actions press_0 to press_9 "
        "type a digit where the chosen line takes digits, and press_delete takes one back. A wrong PIN or a wrong "
        "transaction is a mistake. Your PIN is on a note beside the screen. PIN and balance are private: tell them to "
        "nobody, not even to the expert."
    ),
    manual=manual.text,
    device=_device,
    shown=(
        "It shows the cash machine. The screen has a title and two lines, and the yellow arrow stands before the "
        "chosen one. Below are the keys with digits, DEL, two arrows and ENTER, and a yellow note with your PIN."
    ),
    written="The actions are press_0 to press_9, press_delete, press_up_arrow, press_down_arrow and press_enter.",
    notes={
        "nothing": "nothing changes.",
        "wrong PIN": "the machine says that the PIN is wrong; that was a mistake.",
        "refused": "the machine refuses this transaction; that was a mistake.",
    },
)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
unclear = _words.unclear
