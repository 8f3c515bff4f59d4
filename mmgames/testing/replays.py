"""A record holds its episode: seed and actions, as JSON keeps them, bring back every state."""

import json

from mmgames.core.spec import GameSpec
from mmgames.running.episodes import EpisodePlayer, make_plan
from mmgames.running.replays import replay

MOST_STEPS = 60


def test_a_record_brings_back_every_state(spec: GameSpec) -> None:
    seats = range(len(spec.seats))
    talkers = [spec.reference_for(seat) for seat in seats]  # what they say means something
    player = EpisodePlayer(
        make_plan(spec.id, talkers if spec.actions == "text" else "random", 0, "fail", {}, MOST_STEPS)
    )
    record = player.record(seed=8)
    assert record["failed"] is None and len(record["actions"]) == record["length"]
    states = []
    for step, live in enumerate(player.steps(seed=8)):
        states.append((live.state, live.movers, list(live.totals)))
        if step == record["length"]:
            break
    player.close()
    kept = json.loads(json.dumps(record))
    assert [(live.state, live.movers, list(live.totals)) for live in replay(kept)] == states
