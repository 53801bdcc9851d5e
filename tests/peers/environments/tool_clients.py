"""AgentGym's own clients of maze, Wordle and the five tool servers, unchanged, against a server of ours.

Usage: tool_clients.py <checkout of AgentGym> <server url>; reads a JSON list of {"name", "item", "replies"} and prints what each client saw.
The package's own __init__ imports torch and more; only the controller's types and base classes are loaded here, under their own names.
"""
import contextlib
import importlib.util
import json
import sys
import types

ROOT, SERVER = sys.argv[1:3]


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, f"{ROOT}/agentenv/agentenv/{path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


for package in ("agentenv", "agentenv.controller", "agentenv.envs"):
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = []
controller = sys.modules["agentenv.controller"]
load("agentenv.controller.types", "controller/types.py")
controller.BaseEnvClient = load("agentenv.controller.env", "controller/env.py").BaseEnvClient
controller.BaseTask = type("BaseTask", (), {})


def play(name, item, replies):
    file = "lmrlgym" if name in ("maze", "wordle") else name
    module = load(f"agentenv.envs.{file}", f"envs/{file}.py")
    client = getattr(module, f"{name.capitalize()}EnvClient")(f"{SERVER}/{name}", 25)
    reset = client.reset(item)
    observed = client.observe()
    steps = [[step.state, step.reward, step.done] for step in map(client.step, replies)]
    return {"reset": reset, "observed": observed, "steps": steps, "after": client.observe()}


with contextlib.redirect_stdout(sys.stderr):  # the clients print what they do
    seen = [play(**game) for game in json.load(sys.stdin)]
json.dump(seen, sys.stdout)
