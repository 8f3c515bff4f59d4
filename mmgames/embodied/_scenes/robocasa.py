"""RoboCasa's kitchens, built by ManiSkill's own builder when their files are on disk.

Layouts and styles of the tasks are RoboCasa's: kitchen number = 12 · layout + style. Areas lie where the benchmark has
them in these kitchens. Fridge, oven, toaster and sink are the kitchen's own where it has them; cabinets and drawers
that open are ours.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from mmgames.embodied._scenes import renderer, staging
from mmgames.embodied._scenes.furniture import Fixed
from mmgames.embodied._scenes.models import asset_folder
from mmgames.embodied._scenes.solids import Point
from mmgames.embodied._scenes.stage import Stage
from mmgames.embodied._world import facts
from mmgames.embodied._world.names import base
from mmgames.errors import MissingHere, MmgamesError

STYLES = 12
WAYS = {"back": (0, -1), "front": (0, 1), "left": (1, 0), "right": (-1, 0)}
OWN = {"fridge": "fridge", "oven": "stove", "toaster": "toaster", "sink": "sink"}
"""What a thing of the world is called in RoboCasa's kitchens."""


def folder() -> Path:
    return asset_folder() / "scene_datasets" / "robocasa_dataset" / "assets"


def check() -> None:
    """Raise a sentence if the kitchens are not on disk."""
    if not (folder() / "scenes" / "kitchen_layouts").is_dir():
        raise MissingHere(
            f"RoboCasa's kitchens are not on disk ({folder()}): fetch them with python -m "
            'mani_skill.utils.download_asset RoboCasa, set MS_ASSET_DIR to where they are, or use scene="maniskill".'
        )


class RoboCasaStage(Stage):
    """The same world in one of RoboCasa's 120 kitchens."""

    def furnish(self) -> None:
        check()
        if self.task.layout in facts.own_layouts():
            raise MmgamesError(
                f'RoboCasa has no kitchen for layout {self.task.layout}, a room of ours (split="rooms"); use '
                'scene="maniskill", or another split.'
            )
        renderer.start_maniskill()
        import torch
        from mani_skill.envs.scene import ManiSkillScene
        from mani_skill.envs.utils.system import backend
        from mani_skill.utils.scene_builder.robocasa.scene_builder import RoboCasaSceneBuilder

        number = STYLES * self.task.layout + self.task.style % STYLES
        random = np.random.RandomState(self.task.seed % 2**32)
        told = backend.parse_sim_and_render_backend("physx_cpu", renderer.render_backend())
        world = ManiSkillScene([self.world], debug_mode=False, device=torch.device("cpu"), backend=told)
        # The builder wants an environment with one robot; without one it builds the kitchen alone.
        room = SimpleNamespace(
            scene=world, agent=None, num_envs=1, robot_uids="none", device=torch.device("cpu"),
            _batched_episode_rng=[random], _episode_rng=random,
        )  # fmt: skip
        # Named, so that the builder does not go on drawing fixtures for a robot until one of a certain kind comes.
        builder = RoboCasaSceneBuilder(room, init_robot_base_pos="floor")
        try:
            builder.build([number])
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            raise MmgamesError(
                f"RoboCasa's kitchen {number} cannot be built from {folder()} ({type(error).__name__}: "
                f"{str(error)[:160]}); fetch its files again."
            ) from error
        self.fixtures: dict[str, Any] = builder.scene_data[0]["fixtures"]
        for fixture in self.fixtures.values():
            way = WAYS.get(getattr(fixture, "wall_side", None) or "")
            if way and getattr(fixture, "actor", None) is not None:
                wall = Fixed("wall", (), way, (float(fixture.pos[0]), float(fixture.pos[1])))
                self.walls += [(wall, entity) for entity in fixture.actor._objs]
        for part in staging.fixed(self.plan):
            if part.name == "plinth":
                self.entity(part.solids)

    def spot(self, name: str, at: Point) -> Point:
        """Where something stands that our plan of the layout has at a point: in the real area, or on the fixture."""
        fixture = self._fixture(name)
        if fixture is not None:
            x, y, z = (float(part) for part in fixture.pos)
            return x, y, z + float(fixture.size[2]) / 2
        for place, box in self.plan.places:
            if box.covers(*at[:2]) and abs(at[2] - box.top) < 1e-3:
                area = next((a for a in facts.layout(self.task.layout)["areas"] if place in a["names"]), None)
                if area is None or area.get("relative_to"):
                    continue
                share = ((at[0] - box.x0) / (box.x1 - box.x0), (at[1] - box.y0) / (box.y1 - box.y0))
                (x, y, z), (dx, dy, _) = area["corner"], area["extent"]
                return x + min(dx, 0) + share[0] * abs(dx), y + min(dy, 0) + share[1] * abs(dy), z
        return at

    def _fixture(self, name: str) -> Any:
        word = OWN.get(base(name))
        if word is None:
            return None
        named = (one for key, one in self.fixtures.items() if key.startswith(word))
        return next((one for one in named if getattr(one, "size", None) is not None), None)

    def look_of(self, name: str, opened: bool, on: bool) -> Any:
        return self.entity(()) if self._fixture(name) is not None else super().look_of(name, opened, on)
