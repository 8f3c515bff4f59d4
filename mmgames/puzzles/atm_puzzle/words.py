"""AtmPuzzle in words."""

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


SHARED = PuzzleWords(__package__, manual.text, _device)
