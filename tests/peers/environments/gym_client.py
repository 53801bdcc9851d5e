"""AgentGym's TextCraft client as its specification describes it, written anew on requests, driving a server.

Usage: gym_client.py <base url>. Prints one JSON object with what it saw.
"""
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import requests

BASE = sys.argv[1].rstrip("/")


class Client:
    """create in the constructor, status 200 asserted everywhere, one action per reply, cached observation."""

    def __init__(self, **body):
        answer = requests.post(f"{BASE}/create", json=body, timeout=300)
        if answer.status_code != 200:
            raise RuntimeError(f"Failed to create environment: {answer}")
        self.info = answer.json()
        self.id = self.info["id"]

    def post(self, path, **body):
        answer = requests.post(f"{BASE}/{path}", json={"id": self.id, **body}, timeout=300)
        assert answer.status_code == 200
        return answer.json()

    def get(self, path):
        answer = requests.get(f"{BASE}/{path}?id={self.id}", timeout=300)
        assert answer.status_code == 200
        return answer.json()

    def reset(self, index):
        self.info = self.post("reset", data_idx=index)
        return self.info

    def observe(self):
        return self.info["observation"]

    def step(self, reply):
        actions = re.findall(r"Action:\s*(.*?)(?=\n|$)", reply, re.DOTALL)
        if len(actions) > 1:
            return "Error: Only one 'Action' is allowed per response. Please adjust your response.", 0, False
        action = re.sub(r"[^A-Za-z0-9, ]+", "", actions[-1] if actions else "")
        action = " ".join(action.split()).strip()
        answer = self.post("step", action=action)
        self.info = answer
        return answer["observation"], answer["reward"], answer["done"]

    def close(self):
        return self.post("close")


def play(index):
    """A whole episode the way an evaluation runs it, with a policy that looks around once."""
    client = Client(minecraft_dir="agentenv_textcraft/", commands=None, goal=None)
    client.reset(index)
    first = client.observe()
    seen = client.step("Thought:\nlook\n\nAction:\ninventory")
    closed = client.close()
    return [index, client.id, first, seen, closed]


out = {"root": requests.get(f"{BASE}/").json(), "root_type": requests.get(f"{BASE}/").headers["content-type"]}

one = Client()
out["create"] = one.info
out["reset"] = one.reset(31)
out["inventory"] = one.step("Thought:\nI look.\n\nAction:\ninventory")
out["two_actions"] = one.step("Action: a\nAction: b")
out["no_action"] = one.step("no action at all")
out["cleaned"] = one.step("Action:\nget 1 oak_log!")
out["observation"] = one.get("observation")
out["detail"] = one.get("detail")
out["close"] = one.close()
out["close_again"] = one.close()
out["after_close"] = one.post("step", action="inventory")

custom = Client(commands="craft 4 oak planks using 1 oak logs", goal="oak planks")
out["custom"] = custom.observe()
custom.step("Action: get 1 oak logs")
out["custom_won"] = custom.step("Action: craft 4 oak planks using 1 oak logs")
out["custom_after"] = custom.step("Action: inventory")
custom.close()

with ThreadPoolExecutor(32) as pool:
    out["parallel"] = list(pool.map(play, range(64)))

print(json.dumps(out))
