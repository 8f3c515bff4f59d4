"""AtmPuzzle as a picture and as features."""

import numpy as np

from mmgames.core.game_modules import Box
from mmgames.drawing import canvas
from mmgames.drawing.canvas import GREEN, INK, WHITE, Colour, Pen, mix
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import ALUMINIUM, DARK, PANEL, Layout
from mmgames.puzzles.atm_puzzle import manual
from mmgames.puzzles.atm_puzzle.manual import HIGHEST, KINDS
from mmgames.puzzles.atm_puzzle.rules import AMOUNT, AMOUNT_LENGTH, DONE, MENU, PIN, PIN_LENGTH, SCREENS, Machine

GLASS: Colour = (16, 38, 52)
GLOW: Colour = (150, 226, 190)
CHOSEN: Colour = (252, 226, 110)
NOTE: Colour = (252, 232, 128)
_WORDS = 100  # pixels; a narrower machine has no room for the words before balance and amount
_KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "DEL")
NUM_FEATURES = len(SCREENS) + 2 + 1 + AMOUNT_LENGTH + 2 + PIN_LENGTH + 4


def _screen_box(at: Layout) -> tuple[int, int, int, int]:
    gap = round(at.width * 0.03)
    return at.left + gap, at.top + gap, at.right - gap, at.top + gap + round((at.bottom - at.top) * 0.40)


def _note_box(at: Layout) -> tuple[int, int, int, int]:
    gap = round(at.width * 0.03)
    left, top = at.left + round((at.right - at.left) * 0.61), at.top + round((at.bottom - at.top) * 0.745)
    return left, top, at.right - gap, at.bottom - gap


def _boxes(at: Layout) -> dict[str, Box]:
    """Where each key is, by what stands on it."""
    left, _, _, bottom = _screen_box(at)
    rim = _rim(at)
    top = bottom + rim * 3
    pitch_y = (at.bottom - rim * 2 - top) // 4
    pitch_x = round((at.right - at.left) * 0.565) // 3
    wide, high = round(pitch_x * 0.88), round(pitch_y * 0.84)
    found: dict[str, Box] = {}
    for number, name in enumerate(_KEYS):
        if name:
            x, y = left + number % 3 * pitch_x, top + number // 3 * pitch_y
            found[name] = (x, y, x + wide, y + high)
    first, _, last, _ = _note_box(at)
    half = round((last - first) * 0.47)
    found["UP"] = (first, top, first + half, top + high)
    found["DOWN"] = (last - half, top, last, top + high)
    found["ENTER"] = (first, top + pitch_y, last, top + pitch_y + high)
    return found


def _rim(at: Layout) -> int:
    return max(2, round(at.width * 0.012))


def _show_screen(frame: np.ndarray, at: Layout, machine: Machine) -> None:
    """A title, the balance where it is shown, and two lines, the chosen one with an arrow."""
    left, top, _, bottom = _screen_box(at)
    row = (bottom - top) / 4.3
    tiny = at.width < _WORDS
    height = max(5 if tiny else 7, round(row * 0.62))

    def put(number: float, text: str, colour: Colour, indent: float = 0.35) -> None:
        line = canvas.label(text, height, colour, GLASS)
        canvas.paste(frame, line, left + round(row * indent), round(top + row * (number + 0.65)), "w")

    if machine.screen == DONE:
        put(0.5, "THANK YOU!", GLOW)
        put(1.5, f"{machine.kind.upper()} ${machine.amount}", GLOW)
        return
    if machine.screen == MENU:
        put(0, "YOUR TRANSACTION?", GLOW)
        first, second = (kind.upper() for kind in KINDS)
    else:
        put(0, machine.kind.upper(), GLOW)
        second = "GO BACK"
        if machine.screen == PIN:
            first = f"PIN: {'*' * len(machine.typed)}{'_' * (PIN_LENGTH - len(machine.typed))}"
        else:
            put(1, f"{'' if tiny else 'BALANCE: '}${machine.balance}", GLOW)
            first = f"{'' if tiny else 'AMOUNT: '}${machine.amount}_"
    for number, text in enumerate((first, second)):
        chosen = machine.line == number
        put(2 + number, text, CHOSEN if chosen else GLOW, 1.1)
        if chosen:
            side = round(row * 0.6)
            arrow = canvas.stamp(_pointer, side, side, GLASS)
            canvas.paste(frame, arrow, left + round(row * 0.35), round(top + row * (number + 2.65)) - side // 2)


def _background(at: Layout) -> np.ndarray:
    """The machine with a dark screen and an empty note."""
    frame = kit.titled_housing(at, "BANK")
    left, top, right, bottom = _screen_box(at)
    rim = _rim(at)
    canvas.fill(frame, left - rim, top - rim, right + rim, bottom + rim, DARK)
    canvas.fill(frame, left, top, right, bottom, GLASS)
    paints = {"DEL": mix(ALUMINIUM, (214, 120, 80), 0.5), "ENTER": mix(ALUMINIUM, GREEN, 0.45)}
    for name, (x, y, end, low) in _boxes(at).items():
        if name in ("UP", "DOWN"):
            key = canvas.stamp(_arrow_key, end - x, low - y, PANEL, name == "UP")
        else:
            key = canvas.stamp(_key, end - x, low - y, PANEL, name, paints.get(name, ALUMINIUM))
        canvas.paste(frame, key, x, y)
    note_left, note_top, note_right, note_bottom = _note_box(at)
    note = canvas.stamp(_note, note_right - note_left, note_bottom - note_top, PANEL)
    canvas.paste(frame, note, note_left, note_top)
    return frame


def _key(pen: Pen, name: str, colour: Colour) -> None:
    pen.rect(0, 0, 1, 1, mix(colour, DARK, 0.55), radius=0.16)
    pen.rect(0.01, 0.0, 0.99, 0.90, colour, radius=0.15)
    pen.rect(0.03, 0.04, 0.97, 0.50, mix(colour, WHITE, 0.35), radius=0.12)
    pen.text(0.5, 0.47, name, 0.62 if len(name) == 1 else 0.46, INK, bold=True)


def _arrow_key(pen: Pen, up: bool) -> None:
    _key(pen, "", ALUMINIUM)
    tip, foot = (0.20, 0.70) if up else (0.74, 0.24)
    pen.polygon([(0.5, tip), (0.72, foot), (0.28, foot)], INK)


def _pointer(pen: Pen) -> None:
    pen.polygon([(0.12, 0.10), (0.92, 0.5), (0.12, 0.90)], CHOSEN)


def _note(pen: Pen) -> None:
    """A sticky note with a folded corner."""
    pen.polygon([(0.02, 0.06), (1, 0.06), (1, 1), (0.02, 1)], mix(PANEL, DARK, 0.30))
    pen.polygon([(0, 0), (0.98, 0), (0.98, 0.80), (0.90, 0.96), (0, 0.96)], NOTE)
    pen.polygon([(0.98, 0.80), (0.90, 0.96), (0.88, 0.78)], mix(NOTE, DARK, 0.22))
    pen.text(0.09, 0.20, "PIN", 0.26, mix((44, 62, 140), NOTE, 0.2), "lm", bold=True)


def _written(pen: Pen, digit: str) -> None:
    pen.text(0.5, 0.5, digit, 0.95, (44, 62, 140), bold=True)


@kit.device_picture(kit.list_page("Cash machine", manual), _background, 1.0)
def draw(frame: np.ndarray, at: Layout, machine: Machine) -> None:
    left, top, right, bottom = _note_box(at)
    wide, tall = (right - left) // 5, round((bottom - top) * 0.5)
    for number, digit in enumerate(machine.pin):
        picture = canvas.stamp(_written, wide, tall, NOTE, digit)
        canvas.paste(frame, picture, left + round(wide * (number + 0.4)), bottom - round(tall * 1.25))
    _show_screen(frame, at, machine)


@kit.clicked_regions(1.0)
def regions(at: Layout, machine: Machine) -> dict[str, Box]:
    """A click on a key presses it."""
    named = {"UP": "up_arrow", "DOWN": "down_arrow", "ENTER": "enter", "DEL": "delete"}
    return {f"press_{named.get(key, key)}": box for key, box in _boxes(at).items()}


@kit.device_features(NUM_FEATURES)
def features(machine: Machine, out: np.ndarray) -> None:
    """The screen one-hot (menu, PIN, amount, done), the chosen line, whether it is a withdrawal, how much of the PIN is
    typed, the digits of the amount (0: none, else a tenth to 1), whether the balance is shown and how high it is, the
    digits of the PIN, mistakes, solved, turn, over; the expert's are 0 but for the last two."""
    out[SCREENS.index(machine.screen)] = 1
    at = len(SCREENS)
    out[at : at + 3] = machine.line, KINDS.index(machine.kind), len(machine.typed) / PIN_LENGTH
    at += 3
    out[at : at + len(machine.amount)] = [(int(digit) + 1) / 10 for digit in machine.amount]
    at += AMOUNT_LENGTH
    if machine.screen in (AMOUNT, DONE):
        out[at : at + 2] = 1, (machine.balance or 0) / HIGHEST
    out[at + 2 : -4] = [int(digit) / 9 for digit in machine.pin]
