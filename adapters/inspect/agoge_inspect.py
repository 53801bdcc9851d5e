"""Environments of an Agoge server (`agoge serve textcraft`) as an Inspect AI task: any model plays, the score is the environment's reward."""

import os
import re

import httpx
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, TaskState, solver


@task
def agoge(url: str = "http://127.0.0.1:36001", env: str = "textcraft", split: str = "test", tasks: int | None = None, max_turns: int = 30):
    """The first `tasks` of a split (default: all of it; 100 of one without an end). `AGOGE_GYM_TOKEN` is sent where it is set."""
    with _server(url, httpx.Client) as server:
        known = {one["name"]: one for one in _checked(server.get("/v1"))["environments"]}
    if env not in known or split not in (sizes := {one["name"]: one["size"] for one in known[env]["splits"]}):
        raise ValueError(f"{url} has no {env}/{split}: it serves {', '.join(known)}" + (f" with {', '.join(sizes)}" if env in known else ""))
    size = 100 if sizes[split] is None else sizes[split]
    numbers = range(size if tasks is None else tasks if sizes[split] is None else min(tasks, size))
    prompt = _prompt(known[env]["instructions"])
    samples = [Sample(id=f"{env}/{split}/{index}", input=[ChatMessageSystem(content=prompt)], metadata={"index": index}) for index in numbers]
    return Task(dataset=MemoryDataset(samples, name=f"{env}/{split}"), solver=play(url, env, split, max_turns), scorer=reward(), name=f"agoge_{env}")


@solver
def play(url: str, env: str, split: str, max_turns: int):
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with _server(url, httpx.AsyncClient) as server:
            opened = _checked(await server.post("/v1/sessions", json={"task": {"env": env, "split": split, "index": state.metadata["index"]}}))
            path, sequence, observation = f"/v1/sessions/{opened['session']}", 0, opened["observation"]
            state.store.set("reward", 0.0)
            try:
                for _ in range(max_turns):
                    state.messages.append(ChatMessageUser(content=observation))
                    state = await generate(state)
                    action = _action(state.output.completion)
                    if action == "":
                        observation = "Your reply is empty. Reply with an action."
                        continue
                    sequence += 1
                    step = _checked(await server.post(f"{path}/steps", json={"sequence": sequence, "action": action}))
                    state.store.set("reward", state.store.get("reward") + step["reward"])
                    state.store.set("success", step.get("success"))
                    observation = step["observation"]
                    if step["done"]:
                        break
            finally:
                await server.delete(path)
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def reward():
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=state.store.get("reward"), answer=state.output.completion, metadata={"success": state.store.get("success")})

    return score


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
