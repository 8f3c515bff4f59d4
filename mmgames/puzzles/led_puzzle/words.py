"""LedPuzzle in words."""

from mmgames.puzzles._conversation.words import PuzzleWords
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


SHARED = PuzzleWords(
    __package__,
    manual.text,
    _device,
    notes={f"stage {number} done": f"right, stage {number} is done." for number in range(1, MOST + 1)},
    told=_told,
)
