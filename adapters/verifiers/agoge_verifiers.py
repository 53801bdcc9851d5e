"""Environments of an Agoge server (`agoge serve textcraft`) in verifiers (0.4): `vf-eval agoge-verifiers`, the reward is the environment's."""

import os
import re

import httpx
import verifiers.v1 as vf

__all__ = ["AgogeEnv", "AgogeTaskset"]


class AgogeData(vf.TaskData):
    url: str
    env: str
    split: str
    index: int


class AgogeTask(vf.Task[AgogeData]):
    pass


class AgogeTasksetConfig(vf.TasksetConfig):
    url: str = "http://127.0.0.1:36001"
    """An Agoge server. `$AGOGE_GYM_TOKEN` is sent where it is set."""
    env: str = "textcraft"
    split: str = "test"
    tasks: int | None = None
    """The first so many of the split (default: all of it; 100 of one without an end)."""


class AgogeTaskset(vf.Taskset[AgogeTask, AgogeTasksetConfig]):
    def load(self):
        url, env, split, tasks = (getattr(self.config, key) for key in ("url", "env", "split", "tasks"))
        with _server(url, httpx.Client) as server:
            known = {one["name"]: one for one in _checked(server.get("/v1"))["environments"]}
        if env not in known or split not in (sizes := {one["name"]: one["size"] for one in known[env]["splits"]}):
            raise ValueError(f"{url} has no {env}/{split}: it serves {', '.join(known)}" + (f" with {', '.join(sizes)}" if env in known else ""))
        size = 100 if sizes[split] is None else sizes[split]
        for index in range(size if tasks is None else tasks if sizes[split] is None else min(tasks, size)):
            data = AgogeData(
                name=f"{env}/{split}/{index}",
                prompt=None,  # the environment opens
                system_prompt=_prompt(known[env]["instructions"]),
                url=url,
                env=env,
                split=split,
                index=index,
            )
            yield AgogeTask(data, self.config.task)


class AgogeEnvConfig(vf.EnvConfig):
    # A plain chat on this machine: the player has no tools but its words.
    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig(), max_turns=30)


class AgogeEnv(vf.Env[AgogeEnvConfig]):
    async def run(self, task, agents):
        data, total, sequence = task.data, 0.0, 0
        async with _server(data.url, httpx.AsyncClient) as server:
            opened = _checked(await server.post("/v1/sessions", json={"task": {"env": data.env, "split": data.split, "index": data.index}}))
            path, observation = f"/v1/sessions/{opened['session']}", opened["observation"]
            try:
                async with agents.player.interaction(task) as interaction:
                    while not (segment := await interaction.turn(observation)).terminated:
                        action = _action(segment.last_reply)
                        if action == "":
                            observation = "Your reply is empty. Reply with an action."
                            continue
                        sequence += 1
                        step = _checked(await server.post(f"{path}/steps", json={"sequence": sequence, "action": action}))
                        total, observation = total + step["reward"], step["observation"]
                        if step["done"]:
                            break
            finally:
                await server.delete(path)
        if interaction.trace.ok:  # a failed rollout has no reward, not a reward of zero
            interaction.trace.record_reward("agoge_reward", total)


def _server(url, client):
    token = os.environ.get("AGOGE_GYM_TOKEN")
    return client(base_url=url, timeout=300, headers={"authorization": f"Bearer {token}"} if token else {})


def _checked(response) -> dict:
    if response.is_error:
        raise RuntimeError(f"{response.request.method} {response.request.url}: {response.status_code} {response.text[:500]}")
    return response.json()


def _prompt(instructions: dict) -> str:
    """As Agoge's own format `direct` has it."""
    forms = ["- " + re.sub(r"{(\w+)}", r"<\1>", one["template"]) + ": " + one["description"] for one in instructions["actions"]]
    parts = [instructions["task"], "\n".join(["Actions:", *forms]) if forms else "", "Reply with the action and nothing else."]
    return "\n\n".join(part for part in parts if part)


def _action(reply: str) -> str:
    """The reply without thinking, without a prompt sign, and without what comes before its last "Action:"."""
    return re.sub(r"\A(?:[\s\S]*</think>)?(?:(?:[\s\S]*\n)?[ \t]*\**Action\**:\**)?\s*>?", "", reply, flags=re.IGNORECASE).strip()
