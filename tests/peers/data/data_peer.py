"""pandas, pyarrow and verl's own data sets on parquet files: reads ours (`read`), writes theirs (`write`), answers as JSON."""

import importlib.machinery
import json
import sys
import types

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq


def plain(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def read(path):
    frame = pd.read_parquet(path)
    return {
        "pandas": [plain(row) for row in frame.to_dict("records")],
        "pyarrow": pq.read_table(path).to_pylist(),
        "schema": {field.name: str(field.type) for field in pq.read_schema(path)},
    }


def write(folder, rows):
    table = pa.Table.from_pylist(rows)
    for codec in ["snappy", "zstd", "gzip", "none"]:
        for dictionary in [True, False]:
            pq.write_table(table, f"{folder}/{codec}-{dictionary}.parquet", compression=codec, use_dictionary=dictionary, row_group_size=3)
    pq.write_table(table, f"{folder}/pages-v2.parquet", data_page_version="2.0")
    pd.DataFrame(rows).to_parquet(f"{folder}/pandas.parquet")
    return "written"


def stub(name, **members):
    """verl imports ray and friends at the top of modules that its data sets need nothing of."""

    class Anything:
        def __init__(self, *args, **kwargs):
            pass

        def __call__(self, *args, **kwargs):
            return args[0] if args and callable(args[0]) else self

        def __getattr__(self, attribute):
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            return Anything()

    module = types.ModuleType(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    module.__path__ = []
    module.__getattr__ = lambda attribute: Anything() if not attribute.startswith("__") else (_ for _ in ()).throw(AttributeError(attribute))
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module


def tokenizer_of(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def verl(site, tokenizer_folder, sft, rl):
    sys.path.insert(0, site)
    for name in ["ray", "ray.actor", "ray.util", "ray.util.placement_group", "ray.util.scheduling_strategies", "ray.experimental", "ray.experimental.state", "ray.experimental.state.api"]:
        stub(name)
    # Its models for pictures import names that newer transformers have dropped; data sets of text need none of them.
    stub("verl.models.transformers.qwen2_vl")
    from omegaconf import OmegaConf
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset
    from verl.utils.dataset.rl_dataset import RLHFDataset

    tokenizer = tokenizer_of(tokenizer_folder)
    config = OmegaConf.create({"max_length": 4096, "truncation": "error", "pad_mode": "no_padding", "messages_key": "messages", "ignore_input_ids_mismatch": True})
    rows = MultiTurnSFTDataset([sft], tokenizer, config)
    item = rows[0]
    prompts = RLHFDataset([rl], tokenizer, OmegaConf.create({"prompt_key": "prompt", "max_prompt_length": 4096, "filter_overlong_prompts": False, "return_raw_chat": True}))
    first = prompts[0]
    return {
        "sft": len(rows),
        "messages": plain(rows.messages[0]),
        "trained": tokenizer.decode(item["input_ids"][item["loss_mask"].bool()]) if "loss_mask" in item else None,
        "rl": len(prompts),
        "raw_prompt": plain(first["raw_prompt"]),
        "interaction_kwargs": plain(first["interaction_kwargs"]) if "interaction_kwargs" in first else plain(first["extra_info"]["interaction_kwargs"]),
        "data_source": first["data_source"],
    }


command, *arguments = sys.argv[1:]
if command == "read":
    answer = read(*arguments)
elif command == "jsonl":
    import datasets

    rows = datasets.load_dataset("json", data_files=arguments[0], split="train", cache_dir=arguments[1])
    answer = {"columns": rows.column_names, "rows": rows.to_list()}
elif command == "write":
    answer = write(arguments[0], json.loads(open(arguments[1]).read()))
else:
    answer = verl(*arguments)
print(json.dumps(answer))
