"""verl's `BaseInteraction` (up to 0.7) over `agoge serve`: `rollout.multi_turn.interaction_config_path` names this class.

A row's prompt ends with the first observation; every reply of the model is read, played, and answered with what the environment says.
verl never calls `finalize_interaction`, so a session is closed when its task is done or its turns are used up.
"""

import os

from agoge_reply import read_reply
from agoge_session import Session
from verl.interactions.base import BaseInteraction


class AgogeInteraction(BaseInteraction):
    def __init__(self, config):
        super().__init__(config)
        self.urls = config["url"]
        self.format = config.get("format", "react")
        self.brackets = list(config.get("brackets") or [])
        self.max_turns = int(config.get("max_turns", 30))
        self.limits = {"timeout": float(config.get("timeout", 300)), "wait": float(config.get("wait", 30))}
        self.plays = {}

    async def start_interaction(self, instance_id=None, **kwargs):
        instance_id = await super().start_interaction(instance_id)
        task = {"env": kwargs["env"], "split": kwargs["split"], "index": int(kwargs["task"])}
        session = Session(self.urls, task, token=os.environ.get("AGOGE_GYM_TOKEN"), **self.limits)
        self.plays[instance_id] = {"session": await session.open(), "turns": 0, "score": 0.0}
        return instance_id

    async def generate_response(self, instance_id, messages, **kwargs):
        play = self.plays[instance_id]
        replies = [message["content"] for message in messages if message["role"] == "assistant"]
        if not replies:
            return False, play["session"].observation, 0.0, {}
        play["turns"] += 1
        action, problem = read_reply(replies[-1], self.format, self.brackets)
        answer = {"observation": problem, "reward": 0.0, "done": False}
        if action is not None:
            answer = await play["session"].step(action)
        play["score"] += answer["reward"]
        over = bool(answer["done"]) or play["turns"] >= self.max_turns
        if over:
            await play["session"].close()
        return over, answer["observation"], float(answer["reward"]), {"done": bool(answer["done"]), "action": action}

    async def calculate_score(self, instance_id, **kwargs):
        return self.plays[instance_id]["score"]

    async def finalize_interaction(self, instance_id, **kwargs):
        play = self.plays.pop(instance_id, None)
        if play is not None:
            await play["session"].close()
