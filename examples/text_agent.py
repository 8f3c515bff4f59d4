"""A language model in the loop: text goes in, text comes out, and no reply is bent into a move it does not name.

`reply_to` stands where a model would be; it answers in the form the prompt asks for, but not always well.
"""

import json

import gymnasium as gym

import mmgames  # noqa: F401 - importing it registers the environments
from mmgames.wrappers import TextActions


def reply_to(prompt: str, legal: tuple[str, ...], turn: int) -> str:
    if turn == 1:
        return "I would rather not say."
    return f"Let me think about {len(legal)} moves.\n" + json.dumps({"action": legal[turn % len(legal)]})


env = TextActions(gym.make("mmgames/CoinDilemma-v0", observe=("text", "legal_actions")), on_illegal="retry", retries=2)
observation, info = env.reset(seed=0)
print(observation["text"], end="\n\n")
total, turn, over = 0.0, 0, False
while not over:
    reply = reply_to(observation["text"], observation["legal_actions"], turn)
    observation, reward, terminated, truncated, info = env.step(reply)
    if "illegal" in info:
        print(f"not a move: {info['illegal']}")
    total += reward
    turn += 1
    over = terminated or truncated
print(f"return {total:g} in {turn} replies, {info['illegal_replies']} of them illegal")
