"""TextCraft as an Inspect AI task, played by Inspect's own mock model: arguments are the server's address and the adapter's folder."""

import json
import sys
import tempfile

sys.path.insert(0, sys.argv[2])
from agoge_inspect import agoge  # noqa: E402

from inspect_ai import eval as evaluate  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

ACTIONS = ["<think>6 are needed</think>get 6 cobblestone", "", "Thought: now craft.\nAction: craft 4 cobblestone stairs using 6 cobblestone"]


def scripted(messages, tools, choice, config):
    """The expert of task 3; elsewhere the same words lead nowhere."""
    turn = sum(message.role == "assistant" for message in messages)
    output = ModelOutput.from_content("mockllm", ACTIONS[turn] if turn < len(ACTIONS) else "inventory")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it counts them, with a file from the network
    return output


model = get_model("mockllm/model", custom_outputs=scripted)
(log,) = evaluate(agoge(url=sys.argv[1], tasks=4, max_turns=5), model=model, log_dir=tempfile.mkdtemp(), display="none")
if log.status != "success":
    raise SystemExit(log.error.message)
won = next(sample for sample in log.samples if sample.id == "textcraft/test/3")
try:
    agoge(url=sys.argv[1], env="chess")
    wrong = ""
except ValueError as refused:
    wrong = str(refused)
print(
    json.dumps(
        {
            "status": log.status,
            "rewards": {sample.id: sample.scores["reward"].value for sample in log.samples},
            "turns": {sample.id: sum(message.role == "assistant" for message in sample.messages) for sample in log.samples},
            "mean": log.results.scores[0].metrics["mean"].value,
            "roles": [message.role for message in won.messages],
            "system": won.messages[0].text,
            "told": [message.text for message in won.messages if message.role == "user"][1:],
            "wrong": wrong,
        }
    )
)
