"""TelehealthPuzzle as a picture and as features."""

from functools import lru_cache

import numpy as np
from PIL import Image, ImageFont

from mmgames.drawing import canvas
from mmgames.drawing.canvas import GREEN, INK, PAPER, RED, WHITE, Pen, mix
from mmgames.puzzles._conversation import picture as kit
from mmgames.puzzles._conversation.picture import DARK, Layout
from mmgames.puzzles.telehealth_puzzle import lesion, manual, photos
from mmgames.puzzles.telehealth_puzzle.manual import LOOKS, SIGNS, UNKNOWN, YES
from mmgames.puzzles.telehealth_puzzle.patients import SEXES, PrivateDetails, Profile
from mmgames.puzzles.telehealth_puzzle.rules import Case, seen_of
from mmgames.puzzles.telehealth_puzzle.words import card_lines

_LOOKS = tuple(value for what, values in LOOKS.items() if what != "size" for value in values)
NUM_FEATURES = len(_LOOKS) + 3 + 2 + 2 + len(SIGNS) + 1 + 4
_NO_SKIN = 3  # the tone of a drawing where the skin type is unknown


def _screen(at: Layout, case: Case) -> np.ndarray:
    """All but the lights."""
    frame = _background(at).copy()
    side = at.bottom - at.top
    if at.width < kit.READABLE:
        canvas.paste(frame, _photo(case, side), (at.left + at.right - side) // 2, at.top)
    else:
        left = at.left + side + round(at.width * 0.012)
        canvas.paste(frame, _photo(case, side), at.left, at.top)
        canvas.paste(frame, _card(case.person, case.profile, at.right - left, side), left, at.top)
    return frame


def _photo(case: Case, side: int) -> np.ndarray:
    """A photograph, or a drawn lesion above a ruler."""
    if case.lesion is None:
        return _photograph(case.photo, side)
    diameters, raised = case.profile.diameters, case.profile.has("elevation") == YES
    picture = lesion.draw(case.lesion, diameters, raised, case.profile.skin or _NO_SKIN, side)
    ruler = _ruler(diameters[0], side)
    picture[side - ruler.shape[0] :] = ruler
    return picture


@lru_cache(maxsize=16)
def _photograph(photo: str, side: int) -> np.ndarray:
    """A real picture, without a ruler: nobody knows its scale."""
    pixels = photos.pixels(photo)
    if pixels is None:
        return canvas.stamp(_gone, side, side, PAPER)
    return np.asarray(Image.fromarray(pixels).resize((side, side), Image.Resampling.BOX))


def _gone(pen: Pen) -> None:
    pen.text(0.5, 0.5, "photograph not found", 0.06, INK)


@lru_cache(maxsize=64)
def _ruler(diameter: float, side: int) -> np.ndarray:
    """A ruler at the scale of a drawing, as wide as it."""
    return canvas.painting(_print_ruler, side, round(side * 0.15), PAPER, diameter * lesion.SHARE)


def _print_ruler(pen: Pen, millimetres: float) -> None:
    pen.rect(0, 0, 1, 1, (246, 238, 206))
    pen.rect(0, 0, 1, 0.05, mix(INK, PAPER, 0.3))
    step = next(step for step in (1, 2, 5, 10) if millimetres / step <= 13)
    for tick in range(int(millimetres) + 1):
        x = tick / millimetres
        named = tick % step == 0
        pen.line([(x, 0), (x, 0.42 if named else 0.26)], INK, 0.035)
        if named and 0 < x < 0.86:
            pen.text(x, 0.70, str(tick), 0.50, INK, bold=True)
    pen.text(0.99, 0.70, "mm", 0.44, INK, "rm")


@canvas.kept(16)
def _background(at: Layout) -> np.ndarray:
    frame = kit.housing(at).copy()
    canvas.fill(frame, at.left, at.top, at.right, at.bottom, DARK)
    if at.width >= kit.CAPTIONS:
        for x, name in zip(_step_lights(at), ("DIAGNOSIS", "TREATMENT"), strict=True):
            label = canvas.label(name, round(at.head * 0.24), mix(kit.CASE, WHITE, 0.65), kit.CASE)
            canvas.paste(frame, label, x + round(at.head * 0.55), at.head_middle, "w")
    return frame


def _step_lights(at: Layout) -> tuple[int, int]:
    """Where the lights for diagnosis and treatment are; small pictures do not name them."""
    return at.left, at.left + round(at.head * (2.15 if at.width >= kit.CAPTIONS else 0.55))


def _card(person: PrivateDetails, profile: Profile, wide: int, tall: int) -> np.ndarray:
    """The patient's profile on a card, what is private below a red line. It is set from lines and words that are kept:
    there are few different ones, but no end of patients."""
    public, private = card_lines(person, profile, narrow=True)
    rows = len(public) + len(private) + 3
    pitch, margin, letters, end = tall / rows, round(wide * 0.05), _letters(wide, tall / rows), 1.9 + len(public)
    card = _empty_card(wide, tall, rows, end).copy()
    for row, line in enumerate(public):
        canvas.paste(card, canvas.label(line, letters, INK, PAPER), margin, round(pitch * (1.9 + row)), "w")
    for row, line in enumerate(private, 1):
        x = margin
        for word in line.split():
            label = canvas.label(word, letters, INK, PAPER)
            canvas.paste(card, label, x, round(pitch * (end + row)), "w")
            x += label.shape[1] + round(letters * 0.28)
    return card


@lru_cache(maxsize=16)
def _empty_card(wide: int, tall: int, rows: int, end: float) -> np.ndarray:
    card = canvas.blank(wide, tall)
    pitch, margin, letters = tall / rows, round(wide * 0.05), _letters(wide, tall / rows)
    band = mix(PAPER, RED, 0.16)
    canvas.fill(card, 0, round(pitch * (end - 0.4)), wide, round(pitch * (end + 0.5)), band)
    canvas.paste(card, canvas.label("PATIENT", letters, INK, PAPER, True), margin, round(pitch * 0.85), "w")
    canvas.paste(card, canvas.label("PRIVATE", letters, RED, band, True), margin, round(pitch * (end + 0.05)), "w")
    return card


def _letters(wide: int, pitch: float) -> int:
    """The size of letters such that every line fits on a card."""
    return int(min(pitch * 0.80, wide * 0.9 / _widest()))


@lru_cache(maxsize=1)
def _widest() -> float:
    """Of the lines on a card, in heights of their letters."""
    return ImageFont.load_default(100).getlength("Born: 28 September 1988") / 100


def _unchanging(case: Case) -> tuple[Case]:
    """What stays the same for a whole episode."""
    return (Case(case.person, case.profile, case.lesion, case.photo, manual=None),)


@kit.device_picture(kit.list_page("Skin game", manual), _screen, of=_unchanging)
def draw(frame: np.ndarray, at: Layout, case: Case) -> None:
    side = round(at.head * 0.55)
    for x, done in zip(_step_lights(at), (case.diagnosed, case.treated), strict=True):
        canvas.paste(frame, canvas.stamp(kit.light, side, side, kit.CASE, GREEN, done), x, at.head_middle - side // 2)


@kit.device_features(NUM_FEATURES)
def features(case: Case, out: np.ndarray) -> None:
    """Border, colour, scale and sheen one-hot in the order of manual.LOOKS (all 0 for a photograph), larger and smaller
    diameter in units of 20 mm, whether they are known, age in centuries, skin type of 6, sex one-hot, each sign (yes 1,
    no -1, unknown 0), diagnosed, mistakes, solved, turn, over; the expert's are 0 but for the last two."""
    profile = case.profile
    if case.lesion is not None:
        seen = seen_of(case.lesion, profile)
        for what in seen.keys() - {"size"}:
            out[_LOOKS.index(seen[what])] = 1
    at = len(_LOOKS)
    if profile.diameters:
        out[at : at + 3] = min(1, profile.diameters[0] / 20), min(1, profile.diameters[-1] / 20), 1
    out[at + 3 : at + 5] = min(1, (profile.age or 0) / 100), (profile.skin or 0) / 6
    if profile.sex in SEXES:
        out[at + 5 + SEXES.index(profile.sex)] = 1
    out[at + 7 : at + 7 + len(SIGNS)] = [(sign == YES) - (sign not in (YES, UNKNOWN)) for sign in profile.signs]
    out[-5] = case.diagnosed
