# The peer of bench/environments/babyai.ts and of tests/peers/environments/babyai.test.ts: MiniGrid's own BabyAI levels. Reads one JSON
# request a line and answers with one line: {"time": "steps" | "resets", "count": n} measures, {"level": l, "seed": s, "moves": [...]}
# plays.
import contextlib
import io
import json
import sys
import time

import gymnasium
import minigrid

gymnasium.logger.min_level = gymnasium.logger.ERROR if hasattr(gymnasium.logger, "ERROR") else 40
minigrid.register_minigrid_envs()
environments = {}


def environment(level):
    if level not in environments:
        environments[level] = gymnasium.make(f"BabyAI-{level}-v0", disable_env_checker=True).unwrapped
    return environments[level]


def measure(request):
    levels, count = request["levels"], request["count"]
    games = [environment(level) for level in levels]
    taken = 0.0
    for number, game in enumerate(games):
        game.reset(seed=number)
        start = time.process_time()
        if request["time"] == "steps":
            for turn in range(count):
                game.step((turn * 7919 + number) % 6)
        else:
            for turn in range(count):
                game.reset(seed=request["from"] + turn)
        taken += time.process_time() - start
    return {"seconds": taken, "done": count * len(games)}


def codes(image):
    return "".join(f"{int(k):x}{int(c):x}{int(s):x}" for column in image.transpose(1, 0, 2) for k, c, s in column)


def play(request):
    # A fresh object each time: some levels remember things from one reset to the next.
    game = gymnasium.make(f"BabyAI-{request['level']}-v0", disable_env_checker=True).unwrapped
    for _ in range(request.get("resets", 1)):
        view, _ = game.reset(seed=request["seed"])

    def state(view, reward, terminated, truncated):
        hand = game.carrying
        return [
            codes(game.grid.encode()),
            int(game.agent_pos[0]),
            int(game.agent_pos[1]),
            int(game.agent_dir),
            f"{hand.color} {hand.type}" if hand else None,
            codes(view["image"]),
            float(reward),
            bool(terminated),
            bool(truncated),
        ]

    states = [state(view, 0, False, False)]
    for move in request["moves"]:
        view, reward, terminated, truncated, _ = game.step(move)
        states.append(state(view, reward, terminated, truncated))
    return {"mission": game.mission, "maxSteps": int(game.max_steps), "states": states}


for line in sys.stdin:
    request = json.loads(line)
    # Levels print what they reject.
    with contextlib.redirect_stdout(io.StringIO()):
        answer = measure(request) if "time" in request else play(request)
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
