"""AgentGym's ALFWorld client as its specification describes it, written anew on requests, driving a server.

Usage: alfworld_client.py <base url>. Prints one JSON object with what it saw.
"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import requests

BASE = sys.argv[1].rstrip("/")


class Client:
    """create without a body, status 200 asserted everywhere, the text after the last `Action:`, cached observation."""

    def __init__(self):
        answer = requests.post(f"{BASE}/create", timeout=300)
        if answer.status_code != 200:
            raise requests.RequestException(f"Failed to create environment: {answer}")
        self.id = answer.json()["id"]
        self.info = None

    def post(self, path, **body):
        answer = requests.post(f"{BASE}/{path}", json={"id": self.id, **body}, timeout=300)
        assert answer.status_code == 200
        return answer.json()

    def get(self, path):
        answer = requests.get(f"{BASE}/{path}?id={self.id}", timeout=300)
        assert answer.status_code == 200
        return answer.json()

    def reset(self, game, world_type="Text"):
        answer = self.post("reset", game=game, world_type=world_type)
        self.info = {"observation": answer["observation"], "available_actions": answer["available_actions"], "reward": 0, "done": False}
        return answer

    def observe(self):
        return f"{self.info['observation']}\nAVAILABLE ACTIONS: {','.join(self.info['available_actions'])}"

    def step(self, reply):
        action = reply.rsplit("Action:", 1)[1].strip() if "Action:" in reply else ""
        answer = self.post("step", action=action)
        self.info = {key: answer[key] for key in ("observation", "available_actions", "reward", "done")}
        return answer["observation"], answer["reward"], answer["done"]

    def close(self):
        return self.post("close")


def play(game):
    """A whole episode the way an evaluation runs it: to the end, or to its 50 steps."""
    client = Client()
    client.reset(game)
    first = client.observe()
    steps = []
    done = False
    while not done:
        action = client.info["available_actions"][len(steps) * 7 % len(client.info["available_actions"])]
        text, reward, done = client.step(f"Thought:\nnext\n\nAction:\n{action}")
        steps.append([action, text, reward, done])
    refused = client.post("step", action="look")
    return [game, first, steps, refused, client.id, client.close()]


out = {"root": requests.get(f"{BASE}/").json()}
one = Client()
out["reset"] = one.reset(2420)
out["negative"] = one.reset(-1)["observation"]
out["detail"] = one.get("detail")
out["actions"] = one.get("available_actions")
out["outside"] = one.post("reset", game=2620, world_type="Text")
out["type"] = one.post("reset", game=0, world_type="Real")
out["closed"] = one.close()

with ThreadPoolExecutor(16) as pool:
    out["played"] = list(pool.map(play, [0, 500, 1000, 1500, 2000, 2419, 2420, 2619]))

print(json.dumps(out))
