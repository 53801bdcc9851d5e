"""Tasks of Inspect AI for Agoge: `python inspect_tasks.py theory.py@theory -T key=value`, or `package.module@theory`.

Inspect plays them as in `inspect eval`, solver, tools, limits and scorers included; the policy is its model. Needs `inspect_ai` and `openai`.
"""

import asyncio
import importlib
import importlib.util
import sys
import tempfile
from contextvars import ContextVar

import agoge_tasks
from inspect_ai import SampleSource, enqueue_sample, eval as evaluate, task_with
from inspect_ai.model import ModelAPI, get_model, modelapi
from inspect_ai.scorer import value_to_float
from inspect_ai.solver import chain, solver

policy = ContextVar("policy", default=None)


@modelapi(name="agoge")
class Policy(ModelAPI):
    """The model of the episode that asks."""

    async def generate(self, input, tools, tool_choice, config):
        if policy.get() is None:
            raise RuntimeError("only the solver may ask the policy: give the scorer a model of its own, as in model_graded_qa(model=…)")
        return await policy.get().api.generate(input, tools, tool_choice, config)


@solver
def playing(inner, urls):
    async def solve(state, generate):
        async with get_model("openai-api/agoge/policy", base_url=urls.pop(state.sample_id), api_key="agoge", memoize=False) as model:
            before = policy.set(model)
            try:
                return await inner(state, generate)
            finally:
                policy.reset(before)

    return solve


class Requested(SampleSource):
    """Samples as they are asked for, any number at once."""

    def __init__(self, dataset, urls):
        self.dataset, self.urls, self.reading, self.idle = dataset, urls, None, None

    async def next_samples(self):
        self.idle = asyncio.get_running_loop().create_future()
        if self.reading is None:
            self.reading = asyncio.create_task(self.read())
        return await self.idle

    async def read(self):
        async for request in agoge_tasks.requests():
            name = str(request["id"])
            self.urls[name] = request["url"]
            self.give([self.dataset[request["index"]].model_copy(update={"id": name}, deep=True)])
        self.give(None)

    def give(self, samples):
        if self.idle is not None and not self.idle.done():
            self.idle.set_result(samples)
        elif samples is not None:
            enqueue_sample(samples)

    async def sample_complete(self, sample):
        scores = list((sample.scores or {}).values())
        if sample.error is not None or not scores:
            why = "the task has no scorer" if sample.error is None else sample.error.message
            agoge_tasks.say(id=int(sample.id), error=why)
        else:
            agoge_tasks.say(id=int(sample.id), reward=value_to_float()(scores[0].value))

    async def sample_abandoned(self, sample, epoch):
        agoge_tasks.say(id=int(sample.id), error="the sample was cancelled")


def loaded(spec, arguments):
    place, _, name = spec.rpartition("@")
    if place.endswith(".py"):
        found = importlib.util.spec_from_file_location("agoge_task_file", place)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    else:
        module = importlib.import_module(place)
    return getattr(module, name)(**arguments)


if __name__ == "__main__":
    spec, *rest = sys.argv[1:]
    pairs = [word.split("=", 1) for word in rest if word != "-T"]
    task, urls = loaded(spec, dict(pairs)), {}
    agoge_tasks.say(tasks=len(task.dataset))
    with tempfile.TemporaryDirectory() as logs:
        asked = task_with(task, dataset=Requested(task.dataset, urls), solver=playing(chain(task.solver), urls))
        # As many at once as are asked for; a sample that fails is that sample's.
        many = {"max_samples": 10_000, "max_connections": 10_000}
        evaluate(asked, model="agoge/policy", log_dir=logs, display="none", epochs=1, fail_on_error=False, **many)
