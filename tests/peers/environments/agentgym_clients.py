"""AgentGym's own clients of SQLGym and SearchQA, unchanged, against a server of ours.

Usage: agentgym_clients.py <checkout of AgentGym> <sqlgym url> <searchqa url>. The package's own __init__ imports torch and more; only
the controller's types and base classes are loaded here, under their own names. Prints one JSON object with what the clients saw.
"""
import importlib.util
import json
import sys
import types

ROOT, SQL, SEARCH = sys.argv[1:4]


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
kinds = load("agentenv.controller.types", "controller/types.py")
controller.BaseEnvClient = load("agentenv.controller.env", "controller/env.py").BaseEnvClient
controller.BaseTask = type("BaseTask", (), {})
sql = load("agentenv.envs.sqlgym", "envs/sqlgym.py").SqlGymEnvClient(SQL, 100)
search = load("agentenv.envs.searchqa", "envs/searchqa.py").SearchQAEnvClient(SEARCH, 100)


def said(step):
    return [step.state, step.reward, step.done]


seen = {"sql_reset": sql.reset(0), "sql_observe": sql.observe()}
seen["sql_wrong"] = said(sql.step("Thought: hm.\n\nAction: ```sql\nSELECT absent FROM nowhere;\n```"))
sql.reset(0)
seen["sql_right"] = said(sql.step("Thought: easy.\n\nAction: ```sql\nSELECT COUNT(*) FROM author;\n```"))
seen["search_reset"] = search.reset(5)
seen["search_observe"] = search.observe()
seen["search_nothing"] = said(search.step("I do not know."))
seen["search_found"] = said(search.step("<think>I search.</think><search> Ardenia </search>"))
seen["search_wrong"] = said(search.step("<answer> nobody </answer>"))
seen["search_close"] = search.close()
json.dump(seen, sys.stdout)
