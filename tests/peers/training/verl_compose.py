"""Composes verl's base files with Hydra, as its trainers do: one JSON line per version and file, flat, not interpolated."""
import json
import os
import sys

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf


def flat(tree, path=""):
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from flat(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, tree


for version in sorted(os.listdir(sys.argv[1])):
    folder = os.path.abspath(os.path.join(sys.argv[1], version, "verl", "trainer", "config"))
    for name in ["ppo_trainer", "ppo_megatron_trainer", "sft_trainer", "sft_trainer_engine"]:
        if not os.path.exists(f"{folder}/{name}.yaml"):
            continue
        GlobalHydra.instance().clear()
        with initialize_config_dir(config_dir=folder, version_base=None):
            tree = OmegaConf.to_container(compose(name), resolve=False)
        print(json.dumps({"version": version, "name": name, "flat": dict(flat(tree))}, default=str))
