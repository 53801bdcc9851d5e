"""Plays TextCraft through Gymnasium: arguments are the server's address and the folder of the adapter."""

import json
import sys

sys.path.insert(0, sys.argv[2])
from agoge_gymnasium import AgogeEnv  # noqa: E402

import gymnasium  # noqa: E402

env = gymnasium.wrappers.TimeLimit(AgogeEnv(sys.argv[1], "textcraft", "test"), max_episode_steps=2)
first, info = env.reset(options={"index": 3})
steps = [env.step(action)[:4] for action in ("inventory", "get 1 nothing")]
drawn = [env.reset(seed=7)[1]["index"] for _ in range(2)]
env.close()
try:
    AgogeEnv(sys.argv[1], "chess")
    wrong = ""
except ValueError as refused:
    wrong = str(refused)
print(json.dumps({"first": first, "index": info["index"], "steps": steps, "drawn": drawn, "wrong": wrong}))
