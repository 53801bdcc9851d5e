"""The cookbook's own rl_loop and sl_loop against a server of ours, on data small enough for a small model.

Usage: tinker_cookbook_loops.py URL MODEL_FOLDER LOG_FOLDER; prints the metrics of each loop as JSON. Data sets and the reward are
replaced (there is no account and no hub here); everything else is the cookbook's code as it is."""

import json
import os
import sys

os.environ.setdefault("TINKER_API_KEY", "tml-any")

import datasets
from tinker_cookbook import model_info

url, model, logs = sys.argv[1:4]
model_info.get_recommended_renderer_name = lambda name: "role_colon"

words = ["red", "green", "blue", "gold"]
talk = [
    {"messages": [{"role": "user", "content": f"say {w}"}, {"role": "assistant", "content": f"{w} {w} {w}"}]} for w in words
]
questions = [{"question": f"say {w}", "answer": f"#### {i}"} for i, w in enumerate(words)]


def load_dataset(name, *_args, **_kwargs):
    rows = talk * 16 if "no_robots" in name else questions * 16
    return datasets.DatasetDict({"train": datasets.Dataset.from_list(rows)})


datasets.load_dataset = load_dataset

from tinker_cookbook.recipes import rl_loop, sl_loop


def metrics(folder):
    with open(os.path.join(folder, "metrics.jsonl"), encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


sl_log, rl_log = os.path.join(logs, "sl"), os.path.join(logs, "rl")
sl_loop.main(
    sl_loop.Config(
        base_url=url, model_name=model, log_path=sl_log, batch_size=8, learning_rate=3e-3, max_length=128, save_every=3, max_steps=8
    )
)
# A small model earns nothing with sums: here it is paid for the share of its reply that is the letter e.
rl_loop.get_reward = lambda response, _answer: response.count("e") / max(1, len(response))
rl_loop.main(
    rl_loop.Config(
        base_url=url, model_name=model, log_path=rl_log, batch_size=4, group_size=8, learning_rate=3e-3, max_tokens=12, save_every=3,
        max_steps=8,
    )
)
print(json.dumps({"sl": metrics(sl_log), "rl": metrics(rl_log)}))
