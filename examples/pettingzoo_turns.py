"""PettingZoo's AEC loop over a turn-based game: every seat is yours."""

import pettingzoo

import mmgames  # noqa: F401 - importing it registers the environments

env = pettingzoo.make("aec", "mmgames/TicTacToe-v0", render_mode="ansi")
env.reset(seed=0)
returns = dict.fromkeys(env.possible_agents, 0.0)
for agent in env.possible_agents:
    env.action_space(agent).seed(0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    returns[agent] += reward
    if terminated or truncated:
        action = None
    else:
        action = env.action_space(agent).sample(mask=observation["action_mask"])
        print(f"{agent}: {observation['legal_actions'][int(observation['action_mask'][:action].sum())]}")
    env.step(action)
print(env.render())
print(returns)
