"""The pandas way from AgentGym JSON to verl's parquet, as the usual conversion scripts go: load, loop, DataFrame, to_parquet."""

import json
import sys
import time

import pandas as pd

kind, source, target = sys.argv[1:]
started = time.perf_counter()
cpu = time.process_time()
rows = []
if kind == "rl":
    system = "You act in the environment webshop. " * 12
    for index, item in enumerate(json.load(open(source))):
        rows.append(
            {
                "data_source": "webshop",
                "prompt": [{"role": "system", "content": system}, {"role": "user", "content": "Please help me with my shopping task."}],
                "ability": "shopping",
                "reward_model": {"style": "interaction", "ground_truth": ""},
                "extra_info": {"index": index, "interaction_kwargs": {"name": "webshop", "session_id": int(item["item_id"].split("_")[-1])}},
            }
        )
else:
    for item in json.load(open(source)):
        first, _, *rest = item["conversations"]
        messages = [{"role": "system", "content": first["value"]}]
        for message in rest:
            messages.append({"role": "user" if message["from"] == "human" else "assistant", "content": message["value"]})
        rows.append({"messages": messages})
pd.DataFrame(rows).to_parquet(target)
print(json.dumps({"rows": len(rows), "seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu}))
