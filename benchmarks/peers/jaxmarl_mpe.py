"""JaxMARL's particle environments: simple_spread, as Particles has it by default."""

from _jaxmarl import any_action, tell
from jaxmarl import make

tell(
    make("MPE_simple_spread_v3", action_type="Discrete"),
    "MPE_simple_spread_v3 (3 agents), random actions",
    "Particles",
    any_action(5),
    (256, 1024, 4096),
    steps=25,
)
