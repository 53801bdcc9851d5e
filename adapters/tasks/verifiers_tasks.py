"""Tasks of verifiers (0.4) for Agoge: `python verifiers_tasks.py <taskset id> '{"taskset": {…}}'`; the JSON is the run's `env` block.

verifiers plays and scores its episodes itself; the policy is its model. Agents that pin no harness get the plain chat below, in this process.
"""

import asyncio
import json
import sys

import httpx
import verifiers.v1 as vf
from verifiers.v1.clients import EvalClientConfig, ModelContext
from verifiers.v1.configs.agent import agent_config_fields
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

__all__ = ["Chat"]


class Chat(vf.Harness[vf.HarnessConfig]):
    """One question, one answer: the environment speaks between them. It has no tools."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        if mcp_urls:
            raise ValueError('a plain chat has no tools: name a harness that has, as in {"agent": {"harness": {"id": "null"}}}')
        system, prompt = self.resolve_prompt(data)
        said = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [message_to_wire(one) for one in prompt or []]
        messages = ([{"role": "system", "content": system}] if system else []) + said
        async with httpx.AsyncClient(timeout=None) as client:
            headers = {"authorization": f"Bearer {secret}"}
            answer = await client.post(f"{endpoint}/chat/completions", json={"model": ctx.model, "messages": messages}, headers=headers)
        return ProgramResult(int(answer.is_error), "", answer.text if answer.is_error else "")


def environment(taskset, block):
    block = {**block, "taskset": {**block.get("taskset", {}), "id": taskset}}
    for name, agent in agent_config_fields(resolve_env_config(block)).items():
        if agent.harness is None:
            block[name] = {"runtime": {"type": "subprocess"}, **block.get(name, {}), "harness": {"id": "verifiers-tasks"}}
    return load_environment(resolve_env_config(block))


async def main(taskset, block="{}"):
    import agoge_tasks

    env = environment(taskset, json.loads(block))
    tasks = list(env.taskset)

    async def play(index, url):
        context = ModelContext(model="policy", client=EvalClientConfig(base_url=url, api_key_var="AGOGE_NO_KEY"))
        episode = await env.run_episode(tasks[index], context)
        if not episode.ok:
            errors = [*episode.errors, *(error for trace in episode.traces for error in trace.errors)]
            raise RuntimeError("; ".join(str(error) for error in errors) or "the episode failed")
        return sum(trace.reward for trace in episode.traces)

    async with env.serving():
        await agoge_tasks.serve(len(tasks), play)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
