"""Lines of JSON between Agoge's `defineHarness` and a harness in Python: how many tasks there are, what is to be played, what it was worth.

A request is {"id", "index", "url"}: play that task with the OpenAI-compatible model at the address. The answer is {"id", "reward"},
with "success" where the harness knows it, or {"id", "error"}. Standard library only.
"""

import asyncio
import json
import os
import sys

# Whatever else prints goes to standard error: this output is for answers.
_answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)


def say(**line):
    _answers.write(json.dumps(line) + "\n")


async def requests():
    """One after another; ends with the process that asks."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield json.loads(line)


async def serve(count, play):
    """Plays any number at once: `play(index, url)` is a coroutine that gives the reward."""
    say(tasks=count)
    playing = set()

    async def answer(request):
        try:
            say(id=request["id"], reward=float(await play(request["index"], request["url"])))
        except Exception as failed:  # told to whoever asked: a failure is not a reward of zero
            say(id=request["id"], error=f"{type(failed).__name__}: {failed}")

    async for request in requests():
        task = asyncio.create_task(answer(request))
        playing.add(task)
        task.add_done_callback(playing.discard)
    for task in playing:
        task.cancel()
