"""VikiKitchen with its 3D scene as the default, for the conformance kit alone: nobody else lists it."""

import importlib.util
from dataclasses import replace

from mmgames.core.registry import find
from mmgames.core.spec import Option, Simulator
from mmgames.embodied import viki_kitchen

SCENE = "maniskill" if importlib.util.find_spec("sapien") else "drawn"
OPTIONS = {
    **viki_kitchen.SPEC.options,
    "scene": Option(SCENE, "what pictures show", choices=viki_kitchen.SPEC.options["scene"].choices),
    "robots": Option(4, "how many seats there are", low=1, high=16),
}
SPEC = replace(
    viki_kitchen.SPEC, name="KitchenIn3D", namespace="tests", package=__name__, rules="VikiKitchen", options=OPTIONS,
    seats=("R1", "R2", "R3", "R4"), simulator=Simulator(slow_picture=True), doc=find("VikiKitchen").doc,
)  # fmt: skip
