"""Scores the rows of a JSON-lines file by verl's own functions: argv are the folder verl is installed in, the file, and where to write."""

import importlib
import json
import sys
import types

root, source, target = sys.argv[1:4]
# The packages' own __init__ files import torch and ray, which no score needs.
for name in ("verl", "verl.utils", "verl.utils.reward_score"):
    package = types.ModuleType(name)
    package.__path__ = [root + "/" + name.replace(".", "/")]
    sys.modules[name] = package
functional = types.ModuleType("verl.utils.py_functional")


class timeout_limit:
    """verl's kills by a signal or a process; nothing here takes long enough to need it."""

    def __init__(self, seconds, **_):
        pass

    def __call__(self, function):
        return function

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


functional.timeout_limit = timeout_limit
sys.modules["verl.utils.py_functional"] = functional
sys.path.insert(0, root)

modules = {}


def module(name):
    if name not in modules:
        modules[name] = importlib.import_module("verl.utils.reward_score." + name)
    return modules[name]


def score(name, solution, truth):
    if name == "gsm8k":
        return module("gsm8k").compute_score(solution, truth)
    if name == "gsm8k_flexible":
        return module("gsm8k").compute_score(solution, truth, method="flexible")
    if name == "math":
        return module("math_reward").compute_score(solution, truth)
    if name == "math_dapo":
        return module("math_dapo").compute_score(solution, truth)["score"]
    if name == "math_dapo_box":
        return module("math_dapo").compute_score(solution, truth, strict_box_verify=True)["score"]
    if name == "prime_math":
        return float(module("prime_math").compute_score(solution, truth)[0])
    if name == "geo3k":
        return module("geo3k").compute_score(solution, truth)
    if name == "qa_em":
        return module("search_r1_like_qa_em").compute_score(solution, truth)
    if name == "qa_subem":
        return module("search_r1_like_qa_em").compute_score_subem(solution, truth)
    raise ValueError(name)


with open(source, encoding="utf8") as lines, open(target, "w", encoding="utf8") as out:
    stdout, sys.stdout = sys.stdout, sys.stderr
    for line in lines:
        row = json.loads(line)
        out.write(json.dumps(float(score(row["score"], row["solution"], row["truth"]))) + "\n")
