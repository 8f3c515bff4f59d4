"""SkillGame: arms that are told what to do in one go. All do it at once, and are told anew when all have ended."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mmgames.core.game import Action, Seat
from mmgames.core.simulation import SimulatedState
from mmgames.embodied._control.game import TwoArms
from mmgames.embodied._control.scene import ControlView, RobotScene, World
from mmgames.embodied._control.skills import Skill, SkillArm

MOST = 80  # so many steps of control a decision takes at most


class SkillGame(TwoArms):
    """A game of control whose actions are the numbers of `skills`; otherwise it is as it was."""

    skills: ClassVar[tuple[Skill, ...]]

    @property
    def num_actions(self) -> int:
        return len(self.skills)

    def legal(self, state: SimulatedState, seat: Seat) -> tuple[int, ...]:
        arm = SkillArm(self.task, seat, state.poses)
        return tuple(number for number, skill in enumerate(self.skills) if skill.possible(arm))

    def reset(self, simulator: World, seed: int) -> RobotScene:
        simulator.story = ()
        return super().reset(simulator, seed)

    def step(self, simulator: World, moves: Mapping[Seat, Action]) -> RobotScene:
        """Everybody's skill, step of control by step of control, until all have ended or the job is done."""
        scene, steps, success = simulator.scene_now, 0, False
        arms = [SkillArm(self.task, seat, scene) for seat in sorted(moves)]
        for arm in arms:
            arm.begin(self.skills[moves[arm.seat]])
        while steps < MOST and not success:
            for arm in arms:
                arm.look(scene)
            if all(arm.ended for arm in arms):
                break
            scene = super().step(simulator, {arm.seat: arm.move() for arm in arms})
            steps, success = steps + 1, self.success(scene)
        simulator.story = (*simulator.story, tuple(arm.result(success) for arm in arms))
        return scene._replace(story=simulator.story)

    def view(self, state: SimulatedState, seat: Seat | None) -> ControlView:
        possible = self.legal(state, seat) if seat in self.movers(state) else ()  # type: ignore[arg-type]
        return super().view(state, seat)._replace(numbers=0, possible=possible)

    def info(self, state: SimulatedState, seat: Seat) -> Mapping[str, Any]:
        """What came of the seat's last skill: its name, why it has failed if it has, and its steps of control."""
        return {"skill": state.poses.story[-1][seat]._asdict()} if state.poses.story else {}

    def events(self, state: SimulatedState) -> Mapping[str, int]:
        results = [result for decision in state.poses.story for result in decision]
        failed = sum(bool(result.failed) for result in results)
        steps = sum(max(result.steps for result in decision) for decision in state.poses.story)
        return {**super().events(state), "failed skills": failed, "steps of control": steps}

    def record(self, state: SimulatedState) -> Mapping[str, Any]:
        return {"skills": [[result._asdict() for result in decision] for decision in state.poses.story]}
