"""The journal of a run: every call of a model is on disk as soon as it is answered, and never made twice.

A call belongs to a scope (an episode and a seat) and has a number in it. When a run was killed, its episodes begin
anew, and calls that are in the journal are answered from it, as far as the prompts are the same. So the run goes on in
the middle of an episode. What was under way at the kill is asked again, and counted.
"""

import hashlib
import json
import math
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np

from mmgames.agents.base import Agent
from mmgames.agents.retries import paused_seconds
from mmgames.errors import MmgamesError, RunStopped, Unavailable
from mmgames.running.driver_link import ask_driver
from mmgames.running.rate_limit import RateLimit
from mmgames.running.records import Fields, Records
from mmgames.text.replies import Reading, said_reading
from mmgames.version import __version__

FIELDS: Fields = {
    "scope": lambda value: isinstance(value, str),
    "call": lambda value: isinstance(value, int) and value >= 0,
}

CLOCKED = "clocked"
"""The field of a row that says what an answer took, in a match with a clock; such a row is no call."""

ENDINGS = {
    "tool_calls": "tool calls",
    "function_call": "tool calls",
    "refusal": "refusals",
    "content_filter": "stopped by a filter",
    "length": "cut off at the token limit",
}
"""What `finish` says of a call, where it says more than that the model was done."""


_DATED = re.compile(r"[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{4}|latest)$")
"""How the name of a model ends that names one of its days."""


class BudgetSpent(RunStopped):
    """No further call may be made."""


class Budget:
    """How many calls, tokens and how much money a run may take, over all its restarts; None is no limit.

    `prices` tells what a million tokens cost, by model: `{"model": [in, out]}`, with or without a date; without one no
    call is made where money is limited. What is under way when tokens or money run out is still answered.
    """

    def __init__(
        self,
        calls: int | None = None,
        tokens: int | None = None,
        money: float | None = None,
        prices: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        if money is not None and not prices:
            raise MmgamesError("A budget of money needs the prices of the models.")
        self.limits = {"calls": calls, "tokens": tokens, "money": money}
        self.prices = dict(prices or {})
        self.spent: dict[str, float] = {"calls": 0, "tokens": 0, "money": 0.0}
        self.unpriced = 0  # calls whose price is not known
        self.ended: Counter[str] = Counter()
        """How replies ended that did not just end: by name, how many."""
        self.rate_limits: dict[tuple[str, float], RateLimit] = {}
        """Of services that workers on other machines ask."""
        self._lock = threading.Lock()

    def take_call(self, model: str = "") -> None:
        with self._lock:
            if self.limits["money"] is not None and model and self.price(model) is None:
                self.refuse_unpriced(model)
            for what, limit in self.limits.items():
                if limit is not None and self.spent[what] >= limit:
                    raise BudgetSpent(
                        f"The budget of {limit:g} {what} is spent; what is finished is kept. Start the same again with "
                        "a larger one to go on."
                    )
            self.spent["calls"] += 1

    def spend(self, call: Mapping[str, Any]) -> None:
        """Add what an answered call took."""
        with self._lock:
            tokens, cost = _number(call, "tokens_in") + _number(call, "tokens_out"), self.cost(call)
            self.spent["calls"] += max(1, _number(call, "requests")) - 1  # the first was taken before it was made
            self.spent["tokens"] += tokens
            self.spent["money"] += cost or 0.0
            self.unpriced += bool(tokens) and cost is None
            if (end := ENDINGS.get(str(call.get("finish")))) is not None:
                self.ended[end] += 1

    def in_words(self) -> str:
        """What is spent, in words; money as far as prices are known."""
        money = f", {self.spent['money']:.4f} in money" if self.prices and self.spent["tokens"] else ""
        if self.unpriced:
            money = f"{money} and {self.unpriced} calls of unknown price" if self.spent["money"] else ", price unknown"
        return f"{self.spent['calls']:,.0f} calls, {self.spent['tokens']:,.0f} tokens{money}"

    def price(self, model: str) -> tuple[float, float] | None:
        """What a model costs, by its own name, that without a date, or that with one, if all dates cost the same."""
        name = _DATED.sub("", model)
        found = self.prices.get(model) or self.prices.get(name)
        dated = {price for known, price in self.prices.items() if model == _DATED.sub("", known)}
        return found or (dated.pop() if len(dated) == 1 else None)

    def refuse_unpriced(self, model: str, told: str = "") -> None:
        """Where money is limited, stop at a call whose price is not known."""
        if self.limits["money"] is not None:
            known = f"there are prices of {', '.join(self.prices)}. What is finished is kept."
            raise RunStopped(f"A budget of money cannot be kept: the price of {model} is unknown{told}; {known}")

    def cost(self, call: Mapping[str, Any], asked_for: str = "") -> float | None:
        """What a call has cost; None where that is not known."""
        if isinstance(call.get("cost"), (int, float)):
            return _number(call, "cost")
        price = self.price(str(call.get("model"))) or self.price(asked_for)
        if price is None or not any(isinstance(call.get(name), int) for name in ("tokens_in", "tokens_out")):
            return None
        return (_number(call, "tokens_in") * price[0] + _number(call, "tokens_out") * price[1]) / 1e6


def _number(call: Mapping[str, Any], name: str) -> float:
    """What a call says it took; nothing where it says no number, which a service may send and a file may hold."""
    value = call.get(name)
    return value if isinstance(value, (int, float)) and math.isfinite(value) else 0


def read_prices(path: str | os.PathLike[str]) -> dict[str, tuple[float, float]]:
    """A price table from a JSON file: `{"model": [price of a million tokens in, out]}`."""
    try:
        found = json.loads(Path(path).read_text("utf-8"))
        return {str(model): (float(price[0]), float(price[1])) for model, price in found.items()}
    except (OSError, ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise MmgamesError(
            f'The prices cannot be read from {path}: {error}; a million tokens cost so much: {{"model": [0.4, 1.6]}}.'
        ) from error


def fingerprint(observation: Mapping[str, Any]) -> str:
    """A hash of all that an observation shows."""
    found = hashlib.blake2b(digest_size=16)
    for key in sorted(observation):
        value = observation[key]
        found.update(f"{key}\0".encode())
        if isinstance(value, np.ndarray):
            found.update(f"{value.dtype}{value.shape}".encode())
            found.update(np.ascontiguousarray(value).data)
        else:
            found.update(repr(value).encode("utf-8", "backslashreplace"))
    return found.hexdigest()


_offline = False


@contextmanager
def offline() -> Iterator[None]:
    """As long as this lasts nobody is asked: journals answer, and what they do not hold is missing."""
    global _offline
    before, _offline = _offline, True
    try:
        yield
    finally:
        _offline = before


def is_offline() -> bool:
    """Whether agents are made for their recorded replies alone, and need neither key nor weights."""
    return _offline


def copy_journals(
    run: str | os.PathLike[str], to: str | os.PathLike[str], reading: Reading, on_illegal: str | None = None
) -> int:
    """Copy the journals of a run to another folder, to be read by this version of mmgames; how many there were.

    The copies are for a run with this reading of the same replies, and this way with illegal ones, whatever the earlier
    one had.
    """
    run, to = Path(run), Path(to)
    files = sorted(run.glob("*.calls.jsonl"))
    if not files:
        raise MmgamesError(f"{run} holds no journals of calls; name the folder that `mmgames eval … --out` wrote.")
    if to.exists() and any(to.iterdir()):
        raise MmgamesError(f"{to} is not empty; replies of an earlier run are scored again in a folder of their own.")
    try:
        to.mkdir(parents=True, exist_ok=True)
        for file in files:
            first, _, rest = file.read_bytes().partition(b"\n")
            head = json.loads(first)
            if "version" in head["about"]:
                head["about"]["version"] = __version__
            head["about"].pop("reading", None)
            head["about"] |= said_reading(reading)
            head["about"] |= {"on_illegal": on_illegal} if on_illegal and "on_illegal" in head["about"] else {}
            (to / file.name).write_bytes(json.dumps(head, ensure_ascii=False).encode() + b"\n" + rest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MmgamesError(f"The journals of {run} cannot be copied to {to}: {error}.") from error
    return len(files)


class BaseJournal:
    """Asks agents, and keeps what they reply; where it is kept is up to `begin` and `end`."""

    reused = 0
    asked = 0

    def ask(self, agent: Agent, scope: str, call: int, observation: dict[str, Any]) -> Any:
        """The agent's answer: the kept one, if it was given before and the agent can `recall` it, else its own."""
        prompt = fingerprint(observation)
        kept = self.begin(scope, call, prompt, agent.can_recall, agent.model)
        if kept is not None:
            agent.recall(observation, kept)
            self.reused += 1
            return kept
        place = {"scope": scope, "call": call}
        begun, paused = time.perf_counter(), paused_seconds()
        try:
            reply = agent.answer(observation)
        except Exception as error:
            self.end({**place, "failed": f"{type(error).__name__}: {error}"})
            raise
        self.asked += 1
        row = {
            **place,
            "prompt": prompt,
            "reply": reply if isinstance(reply, str) else None,
            "seconds": max(0.0, round(time.perf_counter() - begun - (paused_seconds() - paused), 4)),
            **agent.last_call,
        }
        if not isinstance(reply, str):
            row.pop("reply")
        self.end(row, agent.model)
        return reply

    def begin(self, scope: str, call: int, prompt: str, can_recall: bool, model: str = "") -> str | None:
        """The reply to this prompt that is kept; None: the call to the model of this name is made now, and counted."""
        raise NotImplementedError

    def end(self, row: dict[str, Any], asked_for: str = "") -> None:
        """Keep what became of a call to the model of this name."""
        raise NotImplementedError

    def completion_tokens(self, scope: str) -> float | None:
        """What the calls of a scope say that their answers took, thoughts included; None where one does not say."""
        raise NotImplementedError

    def clocked(self, scope: str, answer: int, seconds: float) -> float:
        """The seconds that count for an answer: those that are kept, or these, which are kept now."""
        raise NotImplementedError


class DriverJournal(BaseJournal):
    """The journal of a run as a worker on another machine has it: the driver keeps it."""

    def begin(self, scope: str, call: int, prompt: str, can_recall: bool, model: str = "") -> str | None:
        kept: str | None = ask_driver("begin", scope, call, prompt, can_recall, model)
        return kept

    def end(self, row: dict[str, Any], asked_for: str = "") -> None:
        ask_driver("end", row, asked_for)

    def completion_tokens(self, scope: str) -> float | None:
        tokens: float | None = ask_driver("completion_tokens", scope)
        return tokens

    def clocked(self, scope: str, answer: int, seconds: float) -> float:
        kept: float = ask_driver("clocked", scope, answer, seconds)
        return kept


class Journal(BaseJournal):
    """The calls of one piece of work, in a file unless there is none. Several threads may ask at the same time."""

    def __init__(
        self, path: str | os.PathLike[str] | None, about: Mapping[str, Any], budget: Budget | None = None
    ) -> None:
        self.budget = budget or Budget()
        self._lock = threading.Lock()
        self._records = Records(path, about, FIELDS) if path is not None else None
        self._kept: dict[tuple[str, int], dict[str, Any]] = {}
        self._completion_tokens: dict[str, float | None] = {}
        self._seconds: dict[tuple[str, int], float] = {}  # of answers, in matches with a clock
        self._recalled: dict[str, float] = {}  # of a scope: what the answer took that was just given from here
        begun: set[tuple[str, int]] = set()
        for row in self._records.rows if self._records else ():
            key = (row["scope"], row["call"])
            if CLOCKED in row:
                self._seconds[key] = row[CLOCKED]
                continue
            if "reply" in row:
                self._kept[key] = row
                self.budget.spent["calls"] += 1
                self.budget.spend(row)
            if row.get("begun"):
                begun.add(key)
            else:
                begun.discard(key)
        self.after_call: Callable[[], None] = lambda: None
        """What is told that a call was answered."""
        self.in_flight = len(begun)
        """How many calls were under way when an earlier run was killed; they are made again."""

    def begin(self, scope: str, call: int, prompt: str, can_recall: bool, model: str = "") -> str | None:
        kept = self._kept.get((scope, call))
        if call == 0:
            self._completion_tokens.pop(scope, None)
        if kept is not None and kept["prompt"] == prompt and (can_recall or _offline):
            self._count_tokens(kept)
            self._recalled[scope] = _number(kept, "seconds")
            reply: str = kept["reply"]
            return reply
        if _offline:
            what = "was not answered" if kept is None else "had another prompt"
            raise Unavailable(f"call {call} of {scope!r} {what} in the recorded run.", can_retry=False)
        self.budget.take_call(model)
        self._recalled.pop(scope, None)
        self._add({"scope": scope, "call": call, "begun": True})
        return None

    def end(self, row: dict[str, Any], asked_for: str = "") -> None:
        if "failed" not in row:
            cost = self.budget.cost(row, asked_for)
            row |= {} if cost is None else {"cost": cost}
        self._add(row)
        if "failed" not in row:
            self.budget.spend(row)
            self._count_tokens(row)
            self.after_call()
            if asked_for and "cost" not in row:
                self.budget.refuse_unpriced(asked_for, ", as the service does not say how many tokens it took")

    def _count_tokens(self, row: Mapping[str, Any]) -> None:
        tokens, before = _number(row, "tokens_out"), self._completion_tokens.get(row["scope"], 0)
        self._completion_tokens[row["scope"]] = before + tokens if tokens and before is not None else None

    def completion_tokens(self, scope: str) -> float | None:
        return self._completion_tokens.get(scope)

    def kept_seconds(self, scope: str, call: int) -> float:
        """How long a reply took that an earlier run has kept; 0 where there is none."""
        return float(_number(self._kept.get((scope, call), {}), "seconds"))

    def clocked(self, scope: str, answer: int, seconds: float) -> float:
        key, recalled = (scope, answer), self._recalled.pop(scope, seconds)
        if key not in self._seconds:
            self._seconds[key] = recalled
            self._add({"scope": scope, "call": answer, CLOCKED: self._seconds[key]})
        return self._seconds[key]

    def next_turn(self, name: str, per_minute: float) -> float:
        """In how many seconds a worker may ask a service, so that all of them together keep its rate limit."""
        return self.budget.rate_limits.setdefault((name, per_minute), RateLimit(per_minute)).next_turn()

    def _add(self, row: Mapping[str, Any]) -> None:
        if self._records is not None:
            with self._lock:
                self._records.append(row)

    def close(self) -> None:
        if self._records is not None:
            self._records.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._records is not None:
            self._records.__exit__(kind)
