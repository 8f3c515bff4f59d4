"""A solver and an expert for MemoryPuzzle who talk plain English, to each other or to anybody else.

The expert names the label and also reads out the rules, so that the solver can go on by itself: there are not enough
turns to ask about every stage. It repeats what was pressed so far; with `memory="last"` that is all the solver has.
"""

import re
from collections.abc import Mapping

from mmgames.agents.base import Agent
from mmgames.baselines.puzzles.plain_english import NUMBERS, ORDINALS, PRESS, SAID, just_acted, must_guess, orders
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import EXPERT, ConversationView
from mmgames.puzzles.memory_puzzle.manual import BUTTONS, STAGES, Manual, Press, Rule, right_label
from mmgames.puzzles.memory_puzzle.rules import MemoryDevice

_NUMBER = "|".join(NUMBERS)
_LABEL = re.compile(
    rf"(?:labell?ed|label|marked|that says|press)[ _]*(?:with )?(?:number |as |is )?\W{{0,2}}({_NUMBER})\b"
)
_POSITION = re.compile(
    rf"position (?:number )?({_NUMBER})\b|\b({'|'.join(ORDINALS[:BUTTONS])}) (?:button|position|one)\b"
)
_NOTE = re.compile(r"stage (\d) position (\d)")
_TOLD = re.compile(r"stage (\d)\W+(?:i pressed )?position (\d)\W+(?:and )?label (\d)")
_STAGE_RULES = re.compile(r"^\W*stage (\d): (display .*)$", re.M)
_RULE = re.compile(r"display (\d), (position|label)( of stage)? (\d)")
_STAGE = re.compile(r"(?:this is|now in|now at|currently in|we are in|i am in|i am at) stage (\d)|^stage (\d)\b")
_DISPLAY = re.compile(rf"(?:display|screen)(?: (?:shows|says|reads|is|has)| digit|:)*\W*({_NUMBER})\b")
_LABELS = re.compile(r"(?:left to right|labels|buttons)[^\d\n]{0,40}([1-4])\W+([1-4])\W+([1-4])\W+(?:and )?([1-4])\b")


class Solver(Agent):
    """Follows advice on what it has just told, then the rules it has heard; guesses when time runs out."""

    def act(self, turn: Turn) -> str:
        view = turn.view
        board: MemoryDevice = view.device
        presses = _presses(view)
        label = advised_label(view.heard[-1], board) if view.heard and not just_acted(view) else None
        if label is None:
            label = _looked_up(_rules(view.heard).get((board.done + 1, board.display)), board, presses)
        if label is None and must_guess(view, needed=STAGES - board.done):
            label = 1 + int(turn.rng.random() * BUTTONS)
        if label is None:
            return (
                f"This is stage {board.done + 1}. The display shows {board.display}. The labels from left to right are "
                f"{', '.join(map(str, board.labels))}. {_so_far(presses)} What should I press, and what are the rules?"
            )
        press = Press(board.labels.index(label) + 1, label)
        now = _so_far({**presses, board.done + 1: press})
        return f"I am pressing a button. {now} Please repeat this, and the rules.\npress_{label}"


def _presses(view: ConversationView) -> dict[int, Press]:
    """What was pressed in the stages done, from the results of this seat's actions and from what it was reminded of."""
    known: dict[int, Press] = {}
    failed = False
    for said in view.dialogue:
        if said.seat == EXPERT:
            if not failed:  # else it repeats what no longer counts
                known |= _repeated((said.words or "").lower())
            continue
        failed = False
        for result in said.results:
            failed = result.mistake
            if failed:
                known.clear()
            elif note := _NOTE.fullmatch(result.note):
                known[int(note[1])] = Press(int(note[2]), int(result.action[-1]))
    return {stage: press for stage, press in known.items() if stage <= view.device.done}


def _repeated(text: str) -> dict[int, Press]:
    return {int(stage): Press(int(position), int(label)) for stage, position, label in _TOLD.findall(text)}


def _so_far(presses: Mapping[int, Press]) -> str:
    stages = "; ".join(f"stage {stage}: position {at}, label {label}" for stage, (at, label) in sorted(presses.items()))
    return f"Pressed so far: {stages or 'nothing'}."


def advised_label(advice: str, board: MemoryDevice) -> int | None:
    """The label of the one button that the advice says to press, by its label or its position."""
    meant: set[int] = set()
    for sentence in orders(advice, PRESS):
        meant.update(NUMBERS[number] for number in _LABEL.findall(sentence))
        for number, ordinal in _POSITION.findall(sentence):
            position = NUMBERS[number] if number else ORDINALS.index(ordinal) + 1
            meant.update(board.labels[position - 1 : position])
    return meant.pop() if len(meant) == 1 and max(meant) <= BUTTONS else None


def _rules(heard: tuple[str, ...]) -> dict[tuple[int, int], Rule]:
    """The rules that were read out, by stage and digit."""
    return {
        (int(stage), int(digit)): Rule(of, stage=int(number)) if earlier else Rule(of, int(number))
        for message in heard
        for stage, rules in _STAGE_RULES.findall(message.lower())
        for digit, of, earlier, number in _RULE.findall(rules)
    }


def _looked_up(rule: Rule | None, board: MemoryDevice, presses: Mapping[int, Press]) -> int | None:
    if rule is None or (rule.stage and rule.stage not in presses):
        return None
    label = right_label(rule, board.labels, [presses.get(stage, Press(1, 1)) for stage in range(1, STAGES + 1)])
    return label if label in board.labels else None


class Expert(Agent):
    """Answers what it was just told; always reads out the rules and repeats what was pressed."""

    def act(self, turn: Turn) -> str:
        manual: Manual = turn.view.manual
        message = turn.view.heard[-1].lower()
        presses = _repeated(message)
        rules = "\n".join(
            f"Stage {stage}: " + "; ".join(f"display {digit}, {_short(rule)}" for digit, rule in enumerate(rules, 1))
            for stage, rules in enumerate(manual, 1)
        )
        return f"{_advice(message, presses, manual)} {_so_far(presses)} The rules:\n{rules}"


def _advice(message: str, presses: Mapping[int, Press], manual: Manual) -> str:
    board = board_in(message)
    if board is None:
        return SAID["stage and labels"]
    rule = manual[board.done][board.display - 1]
    label = _looked_up(rule, board, presses)
    if label is None:
        return (
            f"It depends on stage {rule.stage}: {rule.of} of what was pressed there. Please tell me everything again."
        )
    return f"Please press the button labelled {label}."


def _short(rule: Rule) -> str:
    return f"{rule.of} of stage {rule.stage}" if rule.stage else f"{rule.of} {rule.number}"


def board_in(message: str) -> MemoryDevice | None:
    """The board that a message in small letters tells of, if it tells all that is needed now."""
    stages = {int(one or other) for one, other in _STAGE.findall(message)}
    digits = {NUMBERS[number] for number in _DISPLAY.findall(message)}
    rows = {tuple(map(int, row)) for row in _LABELS.findall(message)}
    if len(stages) != 1 or len(digits) != 1 or len(rows) != 1:
        return None
    stage, digit, labels = stages.pop(), digits.pop(), rows.pop()
    fits = 1 <= stage <= STAGES and digit <= BUTTONS and len(set(labels)) == BUTTONS
    return MemoryDevice(digit, labels, stage - 1, manual=None) if fits else None
