"""Iterative-SPO over a language model that sees: it plays Spy against itself and learns, clues and votes in turn.

    from mmgames.baselines.learning.language_trainer import LanguageTrainer, TrainerRecipe
    from mmgames.baselines.learning.iterative_spo import SpoRecipe
    from mmgames.baselines.learning.spo_language import LanguageTraining, scripted_examples
    how = TrainerRecipe(rate=1e-5, lora=16, precision="bfloat16")
    trainer = LanguageTrainer.resume("runs/spy", model, processor, how)
    training = LanguageTraining(trainer, SpoRecipe(iterations=100, batch=16), player={"size": 320, "max_tokens": 128})
    trainer.sft(scripted_examples(training.player, 200), steps=100)  # for a model that does not know the game
    training.run()
    trainer.export("runs/spy/model")

The model sits in every seat. What clues and votes are worth, when stages switch and what is logged are those of
iterative_spo.py; rounds are rollouts, and the trainer makes the updates. All replies of a moment are written together.
How well the model votes on held-out rounds is told by votes that it draws there.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from mmgames.agents.finding import make_agents
from mmgames.agents.players import Players
from mmgames.agents.token_replies import pictures_in
from mmgames.baselines.learning import spo_advantages as spo
from mmgames.baselines.learning.checkpoint_files import check_same_run
from mmgames.baselines.learning.iterative_spo import SpoRecipe
from mmgames.baselines.learning.known_play import known_turns
from mmgames.baselines.learning.language_trainer import CHECKPOINT, Example, LanguageTrainer
from mmgames.baselines.learning.rollouts import play
from mmgames.baselines.learning.spy_rounds import GAME, check_judge, spy_game, win_rates
from mmgames.baselines.models.hf import HuggingFace
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.core.seeding import fresh_rng
from mmgames.errors import MmgamesError
from mmgames.games.spy.rules import SpyView
from mmgames.running.replays import replay
from mmgames.running.rollouts import Decision, Rollouts

STAGES: tuple[spo.Stage, ...] = ("decision", "clue")


class LanguageTraining:
    """A trainer whose model plays Spy against itself, and where the stages stand.

    `recipe` says how rounds are played and stages switch; how updates are made is up to the trainer's own. `player` are
    options of the agent `hf`, `options` those of the game. It goes on from where the trainer was saved.
    """

    def __init__(
        self, trainer: LanguageTrainer, recipe: SpoRecipe, *, player: dict[str, Any] | None = None, **options: Any
    ) -> None:
        self.trainer, self.recipe, self.shown = trainer, recipe, player or {}
        self.player = trainer.player(**self.shown)
        if not self.player.temperature:
            raise MmgamesError("A model that learns has to draw its replies: use temperature=1.0.")
        self.options = {"instances": recipe.pool, **options}
        check_judge(self.options)
        self.game = spy_game(**self.options)
        self.seed = trainer.recipe.seed
        trainer.baselines.each = recipe.baselines
        self.switch = recipe.switch()
        mine = {"spo": asdict(recipe) | {"iterations": 0}, "options": self.options, "player": self.shown}
        if "switch" in trainer.notes:
            check_same_run(trainer.folder / CHECKPOINT, trainer.notes, mine)
            self.switch = spo.StageSwitch(**trainer.notes["switch"])
        trainer.notes |= mine
        self.decisions: list[Decision] = []
        """Those of the last iteration that were learned from, and what they were worth."""
        self.advantages: list[float] = []

    @property
    def iteration(self) -> int:
        """How many there have been."""
        return sum(self.trainer.updates.get(stage, 0) for stage in STAGES) // self.trainer.recipe.epochs

    @property
    def stage(self) -> spo.Stage:
        alone = self.recipe.stages
        return self.switch.stage if alone == "alternating" else alone  # type: ignore[return-value]

    def iterate(self) -> dict[str, float]:
        """Play a batch of rounds, learn from the clues or from the votes, and see which stage comes next."""
        stage, number = self.stage, self.iteration
        if self.trainer.reference is None:  # without a penalty too: it is what the model plays against
            self.trainer.freeze_reference()
        played, rounds = self._rounds([self.seed, 4, number], self.recipe.batch, **self.options)
        clues = [one.turn < len(rounds[one.episode].state.clues) for one in played.decisions]
        self.decisions = [one for one, clue in zip(played.decisions, clues, strict=True) if clue == (stage == "clue")]
        where = [(one.episode, one.seat) for one in self.decisions]
        if stage == "clue":
            roles = self.trainer.baselines if self.recipe.roles else None
            self.advantages = spo.clue_advantages(self.game, rounds, where, roles).tolist()
        else:
            self.advantages = spo.vote_advantages(self.game, rounds, where).tolist()
        for place, one in enumerate(self.decisions):  # what came of the round was another reply's doing
            self.advantages[place] -= self.trainer.recipe.refusal_cost * (one.refused is not None)
        learned = self.trainer.improve(self.decisions, self.advantages, stage, save=False)
        went = spo.votes_of(self.game, rounds)
        if self.recipe.held_out:
            options = {**self.options, "instances": 0}
            _, held_out = self._rounds([self.seed, 5], self.recipe.held_out, **options)
            went |= {f"held_out_{name}": value for name, value in spo.votes_of(self.game, held_out).items()}
        self.switch.update(*(went.get(f"held_out_{name}", went[name]) for name in ("accuracy", "abstention")))
        self.trainer.notes["switch"] = asdict(self.switch)
        went |= {
            "stage": float(stage == "clue"), "mean_accuracy": self.switch.accuracy or 0.0,
            "mean_abstention": self.switch.abstention or 0.0, "switched_by": float(spo.CAUSES.index(self.switch.cause)),
            "reply_tokens": _mean_length(played.decisions), "clue_tokens": _mean_length(played.decisions, clues),
        }  # fmt: skip
        if self.iteration % self.recipe.evaluate == 0 or self.iteration == self.recipe.iterations:
            went |= self.win_rate(self.recipe.rounds, 1_000_003 * self.seed + self.iteration)
        self.trainer.tell({f"spo/{name}": value for name, value in went.items()})
        self.trainer.save_at_times()
        return {"steps": float(self.iteration), **learned, **went}

    def run(self) -> None:
        """All iterations that are left."""
        while self.iteration < self.recipe.iterations:
            self.iterate()
        self.trainer.save()

    def _rounds(self, seeds: list[int], count: int, **options: Any) -> tuple[Rollouts, list[LiveGame]]:
        """Rounds with the model in every seat: what was decided in them, and how they ended."""
        each = np.random.default_rng(seeds).integers(2**62, size=count).tolist()
        played = play(GAME, self.player, count, each, at_once=count, **options)
        return played, [ended(record) for record in played.records]

    def win_rate(self, rounds: int, seed: int) -> dict[str, float]:
        """How often the model wins against its frozen reference, as the spy and as all the civilians, half each.

        Every seat is the spy's as often, and both halves have the same pictures, which nobody learns from.
        """
        reference = self.trainer.reference_player(**self.shown)
        options = {**self.options, "instances": 0}
        wins: dict[str, list[int]] = {"spy": [], "civilian": []}
        each = max(1, rounds // 2 // len(self.game.seats))
        for role, won in wins.items():
            spy, civilian = (self.player, reference) if role == "spy" else (reference, self.player)
            for number, name in enumerate(self.game.seats):
                agents = [spy if seat == name else civilian for seat in self.game.seats]
                seeds = np.random.default_rng([seed, 1, number]).integers(2**62, size=each).tolist()
                played = play(GAME, agents, each, seeds, at_once=each, spy=name, **options)
                won += [self.game.caught(ended(one).state) == (role == "civilian") for one in played.records]
        return win_rates(wins)

    def rows(self) -> list[dict[str, Any]]:
        """The decisions of the last iteration as `mmgames.wrappers.trl` writes them, with what they were worth."""
        made = []
        for one, advantage in zip(self.decisions, self.advantages, strict=True):
            content = one.prompt.messages[-1]["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            pictures = pictures_in(one.prompt.messages)
            made.append(
                {
                    "env": one.env, "episode": one.episode, "seed": one.seed, "seat": self.game.seats[one.seat],
                    "move": one.turn, "text": "".join(part["text"] for part in parts if part["type"] == "text"),
                    "picture": np.asarray(pictures[-1]) if pictures else None, "reply": one.written.text,
                    "reward": one.reward_to_go, "advantage": advantage,
                }
            )  # fmt: skip
        return made


def ended(record: dict[str, Any]) -> LiveGame:
    """A round as it ended."""
    *_, live = replay(record)
    return live


def _mean_length(decisions: Sequence[Decision], which: Sequence[bool] | None = None) -> float:
    """Of the replies to these decisions, in tokens."""
    chosen = [one for one, so in zip(decisions, which or [True] * len(decisions), strict=True) if so]
    return float(np.mean([len(one.reply_ids) for one in chosen])) if chosen else 0.0


def scripted_examples(
    player: HuggingFace,
    rounds: int,
    seed: int = 0,
    agent: str = "consistency",
    thoughts: Callable[[SpyView], str] | None = None,
    **options: Any,
) -> list[Example]:
    """What a scripted player says in rounds among its like, as replies to what the model would be shown there.

    `thoughts` come before what is said, between the tags that a player with reasoning=cot is asked for.
    """
    loaded, game = registry.load(GAME), spy_game(**options)
    observer = Observer(loaded, game, **player.style)
    players = Players(dict(enumerate(make_agents([agent] * len(game.seats), game.spec))))
    made = []
    for number in range(rounds):
        rng, _ = fresh_rng(np.random.SeedSequence([seed, 7, number]).generate_state(1).item())
        for turn, told in known_turns(LiveGame(loaded, game), players, observer, rng):
            said = str(told)
            asked = player.fresh().messages(turn.observation)
            made.append(Example(asked, f"<think>{thoughts(turn.view)}</think>{said}" if thoughts else said))
    return made
