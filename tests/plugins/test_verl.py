"""verl's own manager, workers, client and balancer play our games; its server is a real, tiny model on this processor.

Needs a virtual environment of its own: `make test-plugins` makes it and runs this.
"""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")

import numpy as np
import ray
import torch
from hydra import compose, initialize_config_module
from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import AgentLoopManager
from verl.protocol import DataProto
from verl.workers.rollout.llm_server import LLMServerClient
from verl.workers.rollout.replica import TokenOutput
from verl.workers.rollout.router import GlobalRequestLoadBalancer

from mmgames.baselines.learning.rollouts import play
from mmgames.baselines.learning.trl_rollouts import WHOLE_EPISODE, completion, start_rows
from mmgames.baselines.models.hf import HuggingFace
from mmgames.baselines.models.token_batches import EncodedPrompt, write_encoded
from tests.hf.models import drawn

GAME = "KuhnPoker"
LOOP = "mmgames.baselines.learning.verl_agent_loop.GameLoop"
MOST, LEARNED = 3, ("refused", "cut off", "replaced")
LENGTHS = {"prompt_length": 4096, "response_length": 8192}
STARTS, REPEATS, HOW = (5, 6), 2, {"max_steps": 3}
LOOPS = {"all seats": {}, "one seat": {"player_1": "random"}, "no such seat": {"dealer": "random"}}
"""Loops by their names, with who plays beside the model."""


@ray.remote
class Server:
    """What stands behind verl's client where vLLM would: the weights of a folder, drawn from with a request's seed."""

    def __init__(self, folder: str) -> None:
        torch.set_num_threads(1)
        self.weights = HuggingFace(folder).weights

    def generate(self, prompt_ids: list[int], sampling_params: dict[str, Any], **request: Any) -> TokenOutput:
        seed, *how = (sampling_params[name] for name in ("seed", "max_tokens", "temperature", "top_p"))
        (reply,) = write_encoded(self.weights, [EncodedPrompt([*prompt_ids], {}, {})], [seed], *how)
        return TokenOutput(token_ids=[*reply.reply_ids], log_probs=[*reply.log_probs])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights, as verl and our own trainer load it."""
    made = tmp_path_factory.mktemp("model")
    for part in drawn("text"):
        part.save_pretrained(made)
    return made


@pytest.fixture(scope="module")
def manager(folder: Path) -> Any:
    """verl's manager with a worker that knows our loops."""
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    how = {"_target_": LOOP, "game": GAME, "max_tokens": MOST, "learned_marks": list(LEARNED), "how": HOW}
    loops = [{"name": name, **how, "others": others} for name, others in LOOPS.items()]
    OmegaConf.save(loops, folder / "loops.yaml")
    agent = {"num_workers": 1, "agent_loop_config_path": folder / "loops.yaml"}
    rollout = {"name": "vllm", "calculate_log_probs": True, **LENGTHS}
    own = [f"actor_rollout_ref.rollout.agent.{name}={value}" for name, value in agent.items()]
    own += [f"actor_rollout_ref.rollout.{name}={value}" for name, value in rollout.items()]
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose("ppo_trainer", [f"actor_rollout_ref.model.path={folder}", *own])
    balancer = ray.remote(GlobalRequestLoadBalancer).remote({"one": Server.remote(str(folder))})
    yield AgentLoopManager.create(config, LLMServerClient(config, balancer))
    ray.shutdown()


def played(manager: Any, rows: list[dict[str, Any]], loop: str) -> DataProto:
    """What verl makes of rows of a data set, each of them repeated as GRPO compares them."""
    prompts = np.empty(len(rows), object)
    prompts[:] = [row["prompt"] for row in rows]
    columns = {"dummy": torch.zeros(len(rows), 1), "raw_prompt": prompts, "agent_name": np.array([loop] * len(rows))}
    return manager.generate_sequences(DataProto.from_single_dict(columns).repeat(REPEATS, interleave=True))


@pytest.mark.parametrize("loop", ["all seats", "one seat"])
def test_tokens_masks_seats_and_rewards_are_those_of_our_own_rollouts(folder: Path, manager: Any, loop: str) -> None:
    seats = [name for name in ("player_0", "player_1") if name not in LOOPS[loop]]
    found = played(manager, start_rows(GAME, len(STARTS), seed=STARTS[0], seats=seats), loop)
    model = HuggingFace(str(folder), observe="text", history=WHOLE_EPISODE, temperature=1.0, max_tokens=MOST)
    agents = [LOOPS[loop].get(name, model) for name in ("player_0", "player_1")]
    end, place = model.weights.tokenizer.eos_token_id, 0
    for start in STARTS:
        ours = [play(GAME, agents, 1, [start], draws=[place + number], **HOW) for number in range(REPEATS)]
        for seat in range(len(seats)):
            for rollouts in ours:
                made = completion([one for one in rollouts.decisions if one.seat == seat], end, LEARNED)
                batch = {name: values[place] for name, values in found.batch.items()}
                told, said = len(made["prompt_ids"]), len(made["completion_ids"])
                assert batch["prompts"][-told:].tolist() == made["prompt_ids"]
                assert batch["responses"][:said].tolist() == made["completion_ids"]
                assert batch["response_mask"].tolist() == made["env_mask"] + [0] * (LENGTHS["response_length"] - said)
                assert batch["rollout_log_probs"][:said].tolist() == pytest.approx(made["logprobs"], abs=1e-5)
                assert float(batch["rm_scores"].sum()) == made["game_return"]
                assert found.non_tensor_batch["refused"][place] == made["refused"]
                place += 1
    scores = found.batch["rm_scores"].sum(1)
    assert scores.abs().max() > 0
    if len(seats) == 2:
        assert scores.reshape(-1, 2, REPEATS).sum(1).abs().max() == 0, "both seats of an episode were played in one"


@pytest.mark.parametrize(("loop", "named"), [("no such seat", "dealer"), ("one seat", "player_1")])
def test_a_seat_that_is_not_the_models_is_named(manager: Any, loop: str, named: str) -> None:
    with pytest.raises(Exception, match=f"Unknown seat '{named}'"):
        played(manager, start_rows(GAME, 1), loop)
