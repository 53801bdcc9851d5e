"""Environments of an Agoge server (`agoge serve textcraft`) behind Gymnasium's API: observations and actions are texts."""

import json
import urllib.error
import urllib.request

import gymnasium
from gymnasium.spaces import Text

LONGEST = 1 << 20


class AgogeEnv(gymnasium.Env):
    """One task after another of a split; `reset(options={"index": 17})` plays that one. `info` has the actions where they are known."""

    metadata = {"render_modes": []}

    def __init__(self, url: str, env: str, split: str = "train", token: str | None = None, timeout: float = 300):
        self.url, self.env, self.split, self.timeout = url.rstrip("/"), env, split, timeout
        self.headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
        known = {one["name"]: one for one in self._ask("GET", "/v1")["environments"]}
        if env not in known or split not in (names := [one["name"] for one in known[env]["splits"]]):
            raise ValueError(f"{url} has no {env}/{split}: it serves {', '.join(known)}" + (f" with {', '.join(names)}" if env in known else ""))
        self.size = next(one["size"] for one in known[env]["splits"] if one["name"] == split)
        self.instructions = known[env]["instructions"]
        self.observation_space = self.action_space = Text(LONGEST, min_length=0)
        self.session, self.sequence = None, 0

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        super().reset(seed=seed)
        self.close()
        index = (options or {}).get("index")
        if index is None:
            index = int(self.np_random.integers(self.size if self.size is not None else 2**31))
        opened = self._ask("POST", "/v1/sessions", {"task": {"env": self.env, "split": self.split, "index": index}})
        self.session, self.sequence = opened["session"], 0
        return opened["observation"], {"index": index, "actions": opened.get("actions")}

    def step(self, action: str):
        if self.session is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        self.sequence += 1
        step = self._ask("POST", f"/v1/sessions/{self.session}/steps", {"sequence": self.sequence, "action": action})
        info = {key: step.get(key) for key in ("actions", "success", "breakdown")}
        return step["observation"], float(step["reward"]), step["done"], False, info

    def close(self):
        if self.session is not None:
            self._ask("DELETE", f"/v1/sessions/{self.session}")
            self.session = None

    def _ask(self, method: str, path: str, body: dict | None = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=self.headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            raise RuntimeError(f"{method} {path}: {refused.code} {refused.read().decode(errors='replace')[:500]}") from None
