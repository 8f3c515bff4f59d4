"""A suite of ours as an inspect-ai task: a sample for each environment, scored as the suite scores it.

inspect eval examples/plugins/inspect_suite.py --model openai/gpt-4.1-mini -T only=TicTacToe-Ask -T episodes=20
"""

import asyncio
import contextvars
from statistics import fmean

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model, messages_from_openai
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

import mmgames
from mmgames.suites import find


@solver
def play(suite, episodes, seed):
    async def solve(state, _):
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()

        async def ask(observation):
            question = await messages_from_openai(mmgames.chat_messages(observation))
            output = await get_model().generate(question)
            state.messages += [*question, output.message]
            return output.completion

        class Examinee:
            """An agent of ours: it plays in threads of the suite, and is asked in inspect's own loop."""

            def answer(self, observation):
                return context.copy().run(asyncio.run_coroutine_threadsafe, ask(observation), loop).result()

        result = await asyncio.to_thread(find(suite).evaluate, Examinee(), episodes, seed, only=state.input_text)
        state.metadata["rows"] = result["rows"]
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def as_the_suite_does():
    async def score(state, _):
        rows = state.metadata["rows"]  # several where a suite asks the same in several ways
        value = {name: fmean(row[name] for row in rows) for name in ("normalised", "raw")}
        return Score(value={**value, "illegal": fmean(row["illegal"]["rate"] for row in rows)})

    return score


@task
def mmgames_suite(suite="lvlm-playground", only="", episodes=10, seed=0):
    ids = [find(suite).find(only)] if only else dict.fromkeys(entry.id for entry in find(suite).entries)
    samples = [Sample(input=id, id=id) for id in ids]
    return Task(samples, solver=play(suite, episodes, seed), scorer=as_the_suite_does())
