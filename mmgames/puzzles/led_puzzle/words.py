"""LedPuzzle in words."""

from __future__ import annotations

from mmgames.puzzles._conversation.words import PuzzleWords, device_facts
from mmgames.puzzles.led_puzzle import manual
from mmgames.puzzles.led_puzzle.manual import COLOURS, LETTERS, PLACES
from mmgames.puzzles.led_puzzle.rules import MOST, Lights
from mmgames.text.facts import Count, Fact, numbered, same


def _device(device: Lights) -> str:
    lights = f"The lights of the {len(device.lights)} stages are {', '.join(device.lights)}."
    if device.done == len(device.lights):
        return f"{lights} All stages are done."
    buttons = ", ".join(
        f"{place.replace('_', ' ')} {letter}{' (pressed, wrong)' if wrong else ''}"
        for place, letter, wrong in zip(PLACES, device.letters, device.wrong, strict=True)
    )
    now = f"This is stage {device.done + 1}, whose light is {device.lights[device.done]}."
    return f"{lights} {now} The buttons: {buttons}."


def _told(device: Lights) -> list[Fact | Count]:
    found: list[Fact | Count] = [*numbered("light", device.lights, COLOURS), Count("stages", len(device.lights))]
    if device.done < len(device.lights):
        names = ("present light", "current light", "light of this stage", "light of present stage")
        found.append(Fact(names, device.lights[device.done], same(COLOURS)))
        letters = zip(PLACES, device.letters, strict=True)
        found += [Fact((f"{place.replace('_', ' ')} button",), letter, same(LETTERS)) for place, letter in letters]
    return found


_words = PuzzleWords(
    task=(
        "The device has a row of two to five coloured lights, one for each stage, and four buttons with letters in two "
        "rows of two. An arrow points at the light of the present stage. In each stage the manual tells from the "
        "colour of its light and from the letters which button to press; then the letters change and the next stage "
        "begins. Pressing a wrong button is a mistake: the letters stay, and a red light marks that button until the "
        "stage is done."
    ),
    manual=manual.text,
    device=_device,
    shown=(
        "At the top are the lights of the stages from left to right: a tick is on those that are done, and an arrow "
        "below points at the present one. Below them are the four buttons with their letters; the thin cross joins "
        "those that lie diagonally. A red light beside a button says that pressing it was wrong."
    ),
    written=(
        "The actions are press_top_left_button, press_top_right_button, press_bottom_left_button and "
        "press_bottom_right_button."
    ),
    notes={f"stage {number} done": f"right, stage {number} is done." for number in range(1, MOST + 1)},
)
answer_format, describe, ending, history, legend, names, notation, read, rules, status, talk, you = _words.functions()
MOVE_TYPES = _words.MOVE_TYPES
facts = device_facts(_told)
unclear = _words.unclear
