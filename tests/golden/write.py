"""Writes the golden playthroughs: `python -m tests.golden.write` for all games, or with names for some.

A golden is a text file with a seeded episode as the seats read it, and a picture of its middle as a spectator sees
it. Look at the difference before you commit one: it is what players and models will read and see.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import mmgames
from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.core import prompt, registry
from mmgames.core.live import LiveGame
from mmgames.core.spec import GameSpec
from mmgames.core.turn import Turn
from mmgames.kernels.kernel import interpreted
from mmgames.kernels.kernel_game import KernelGame, no_opinion
from mmgames.testing.playing import advance, begin, digest, moves, positions

HERE = Path(__file__).parent
SEED = 7
SHOWN_STEPS = 12
TOLD = (*range(7), 10)
"""Of these the steps that are told: more would say little that is new. In the last of them Spy votes."""
NUMBERED_STEPS = 60
PICTURE_SIZE = 256


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def _by_seat(live: LiveGame, tell: Any) -> list[str]:
    """What each seat is told; once for all seats that are told the same."""
    told: dict[str, list[str]] = {}
    for seat, role in enumerate(live.game.seats):
        told.setdefault(tell(live.view(seat)), []).append(role)
    return [f"{', '.join(roles)}:\n{_indent(text)}" for text, roles in told.items()]


def _names(view: Any, words: Any) -> str:
    return ", ".join(words.names(view).values()) or "no moves"


def _points(values: Any) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _numbers(live: LiveGame) -> list[np.ndarray]:
    """What networks and searches go by, in thousandths: another processor may round the last bits differently."""
    makers = [getattr(live.loaded.picture, key) for key in ("features", "planes") if hasattr(live.loaded.picture, key)]
    made = [make(live.view(seat)) for make in makers for seat in live.movers or (0,)]
    if isinstance(live.game, KernelGame) and live.game.kernel.evaluate is not no_opinion:
        made.append(np.float64(interpreted(live.game.kernel.evaluate)(live.state.record)))
    return [np.rint(1000 * numbers).astype(np.int32) for numbers in made]


def _done(action: Any, names: Any) -> str:
    if isinstance(action, np.ndarray):
        return f"[{', '.join(f'{number:.2f}' for number in action)}]"
    return names.get(action, repr(action))


class Episode:
    """The seeded episode of a game. Random players play it; where players talk, the reference agents do."""

    def __init__(self, spec: GameSpec) -> None:
        self.live, self._rng = begin(spec, SEED), np.random.default_rng(SEED)
        self._agents: list[Agent] = []
        if spec.actions == "text":
            for seat in range(len(self.live.game.seats)):
                self._agents.append(make_agent(spec.reference_for(seat), spec))
                self._agents[seat].begin(self.live.game, seat)

    def advance(self) -> tuple[dict[int, Any], list[float]]:
        if not self._agents:
            return advance(self.live, self._rng)
        said = {seat: self._agents[seat].act(Turn(self.live, seat, self._rng)) for seat in self.live.movers}
        return said, self.live.play(moves(self.live, said))


def shown_steps(spec: GameSpec) -> int:
    """Bodies that touch go their own ways after a while, as another processor rounds differently: skills are long."""
    return 2 if spec.simulator.slow_steps and spec.actions == "discrete" else SHOWN_STEPS


def playthrough(spec: GameSpec) -> str:
    """The episode in words: the rules, the first steps in full, the end."""
    episode = Episode(spec)
    live = episode.live
    words, seats = live.loaded.words, live.game.seats
    lines = [f"{spec.id}, seed {SEED}", "", "== what does not change"]
    lines += _by_seat(live, lambda view: prompt.fixed_part(words, view, "direct", spec.frames))
    step, numbers = 0, []
    physics, most = spec.simulator.slow_steps, shown_steps(spec)
    while live.movers:
        shown = step < most and step in TOLD
        if shown:
            lines += ["", f"== step {step}", *_by_seat(live, words.describe), "moves of"]
            lines += _by_seat(live, lambda view: _names(view, words))
        if step < NUMBERED_STEPS and not physics:
            numbers += _numbers(live)
        names = {seat: words.names(live.view(seat)) for seat in live.movers}
        actions, rewards = episode.advance()
        if shown:
            done = [f"{seats[seat]} {_done(action, names[seat])}" for seat, action in actions.items()]
            rewards = [round(reward, 2) for reward in rewards] if physics else rewards
            lines += [f"played: {'; '.join(done)}", f"rewards: {_points(rewards)}"]
        step += 1
        if physics and step == most:
            return "\n".join([*lines, ""])
    numbers += _numbers(live)
    is_short = step < NUMBERED_STEPS and isinstance(live.game, KernelGame)
    for seed in range(5 if is_short else 0):
        for other in positions(spec, seed, NUMBERED_STEPS):
            numbers += _numbers(other)
    lines += ["", f"== the end, after {step} steps", *_by_seat(live, words.describe)]
    lines += ["spectator:", _indent(words.describe(live.view(None)))]
    lines += [f"returns: {_points(live.totals)}", f"events: {dict(live.game.events(live.state))}"]
    lines += [f"digest of what networks and searches go by: {digest(numbers)}", ""]
    return "\n".join(lines)


def picture(spec: GameSpec) -> np.ndarray:
    """What a spectator sees in the middle of that episode, or after its last shown step."""
    episode = Episode(spec)
    live = episode.live
    states: list[Any] = []
    while live.movers and len(states) <= 2 * shown_steps(spec):
        states.append(live.state)
        episode.advance()
    return live.loaded.picture.draw(live.game.view(states[len(states) // 2], None), PICTURE_SIZE)


def text_file(spec: GameSpec) -> Path:
    return HERE / f"{spec.name}.txt"


def picture_file(spec: GameSpec) -> Path:
    return HERE / f"{spec.name}.png"


def main(names: list[str]) -> None:
    unknown = set(names) - {spec.name for spec in mmgames.specs.values()}
    if unknown:
        sys.exit(f"There is no game named {', '.join(sorted(unknown))}.")
    for spec in mmgames.specs.values():
        if why := registry.why_missing(spec):
            print(f"left as they are: {why}")
        elif not names or spec.name in names:
            text_file(spec).write_text(playthrough(spec), encoding="utf-8")
            Image.fromarray(picture(spec)).save(picture_file(spec), optimize=True)
            print(f"wrote tests/golden/{spec.name}.txt and .png")


if __name__ == "__main__":
    main(sys.argv[1:])
