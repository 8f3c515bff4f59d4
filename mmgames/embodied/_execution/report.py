"""What became of a plan when it was carried out: a value, action by action, in words."""

from dataclasses import asdict, dataclass
from typing import Any

HERTZ = 20  # so many times a second robots are told where to go


@dataclass(frozen=True)
class ActionReport:
    """One robot's action in one step of the plan. Steps count from 1."""

    step: int
    robot: str
    action: tuple[str, ...]
    done: bool
    reason: str = ""  # why it failed
    ticks: int = 0  # twentieths of a second that it took

    def __str__(self) -> str:
        said = f"Step {self.step}, {self.robot}: {self.action[0].capitalize()} {', '.join(self.action[1:])}"
        return f"{said}: {'done' if self.done else f'failed: {self.reason}'}"


@dataclass(frozen=True)
class ExecutionReport:
    """What was done of a plan, up to the step in which something failed."""

    task: str
    engine: str
    actions: tuple[ActionReport, ...]
    steps: int  # of the plan
    goals_hold: bool  # where things lie and what was touched fulfils the task
    bodies: tuple[tuple[str, str], ...]  # robot -> which body played it, in words
    refused: str = ""  # why nothing was tried

    @property
    def failures(self) -> tuple[ActionReport, ...]:
        return tuple(action for action in self.actions if not action.done)

    @property
    def confirmed(self) -> bool:
        """Every step of the plan was done, and the goals hold."""
        return not self.refused and not self.failures and self.goals_hold

    @property
    def ticks(self) -> int:
        """Twentieths of a second: robots of one step move together, so each step lasts as long as its slowest."""
        longest: dict[int, int] = {}
        for action in self.actions:
            longest[action.step] = max(longest.get(action.step, 0), action.ticks)
        return sum(longest.values())

    def __str__(self) -> str:
        if self.refused:
            return f"Not carried out: {self.refused}"
        if self.failures:
            return " ".join(f"{failure}." for failure in self.failures)
        end = "the goals hold" if self.goals_hold else "but the goals do not hold"
        return f"All {self.steps} steps were carried out in {self.ticks / HERTZ:.0f} simulated seconds, {end}."

    def to_dict(self) -> dict[str, Any]:
        actions = [{**asdict(one), "action": list(one.action)} for one in self.actions]
        more = {"confirmed": self.confirmed, "ticks": self.ticks, "bodies": dict(self.bodies), "actions": actions}
        return asdict(self) | more
