"""A taskset of verifiers: sums, each with one answer."""

import verifiers.v1 as vf

__all__ = ["Sums"]


class SumData(vf.TaskData):
    answer: str


class Sum(vf.Task[SumData]):
    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        return float(trace.last_reply == self.data.answer)


class SumsConfig(vf.TasksetConfig):
    count: int = 4


class Sums(vf.Taskset[Sum, SumsConfig]):
    def load(self):
        for one in range(self.config.count):
            data = SumData(prompt=f"How much is {one} + 2?", system_prompt="Answer with the number.", answer=str(one + 2))
            yield Sum(data, self.config.task)
