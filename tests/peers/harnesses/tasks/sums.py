"""Tasks of Inspect AI: sums by heart, and sums with a tool."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match, model_graded_qa
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import tool


def samples(count):
    return MemoryDataset([Sample(input=f"How much is {one} + 2?", target=str(one + 2)) for one in range(count)])


@tool
def add():
    async def execute(a: int, b: int):
        """Adds two numbers.

        Args:
            a: The first number.
            b: The second number.
        """
        return str(a + b)

    return execute


@task
def by_heart(count="4"):
    return Task(dataset=samples(int(count)), solver=[system_message("Answer with the number."), generate()], scorer=match(numeric=True))


@task
def with_tool():
    return Task(dataset=samples(4), solver=[use_tools(add()), generate()], scorer=match(numeric=True))


@task
def graded():
    return Task(dataset=samples(4), solver=generate(), scorer=model_graded_qa())
