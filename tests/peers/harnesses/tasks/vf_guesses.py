"""A taskset and an environment of verifiers with several turns: a number is guessed, and each guess is answered."""

import verifiers.v1 as vf

__all__ = ["Guesses", "Guessing"]


class GuessData(vf.TaskData):
    number: int


class Guess(vf.Task[GuessData]):
    pass


class Guesses(vf.Taskset[Guess, vf.TasksetConfig]):
    def load(self):
        for number in range(1, 5):
            yield Guess(GuessData(prompt=None, number=number), self.config.task)


class GuessingConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(max_turns=4)


class Guessing(vf.Env[GuessingConfig]):
    async def run(self, task, agents):
        said, found = "Guess a number from 1 to 4.", False
        async with agents.player.interaction(task) as interaction:
            while not found and not (segment := await interaction.turn(said)).terminated:
                found = segment.last_reply == str(task.data.number)
                said = "Another one."
        interaction.trace.record_reward("found", float(found))
