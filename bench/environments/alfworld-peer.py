# The peer of bench/environments/alfworld.ts and of tests/peers/environments/alfworld.test.ts: ALFWorld's own games in TextWorld. Reads one
# JSON request a line and answers with one line: {"play": [commands], ...} plays a game, {"time": "opens" | "steps", ...} measures processor
# time. Usage: alfworld-peer.py <folder of packages> [--cached]. Cached, it reads and parses the same text once: the same answers, sooner.
import contextlib
import copy
import functools
import json
import os
import re
import sys
import time

sys.path.insert(0, sys.argv[1])

import alfworld
import fast_downward
import textworld
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
from textworld.envs.pddl import PddlEnv, textgen
from textworld.envs.wrappers import Limit
from textworld.logic import Rule

data = os.path.join(os.path.dirname(alfworld.__file__), "data")
domain = open(os.path.join(data, "alfred.pddl")).read()
grammar = open(os.path.join(data, "alfred.twl2")).read()

# What differs in 0.3, whose files the published games carry inside.
older = [
    ("You arrive at {r.name}.", "You arrive at {lend.name}."),
    ("You move the {o.name} to the {r.name}.", "You put the {o.name} in/on the {r.name}."),
    ("move {o} to {r}", "put {o} in/on {r}"),
]
editions = {
    "0.4": (domain, grammar),
    "0.3": (
        re.sub(r"\(:action help.*?\n\)\n", "", domain.replace(";(receptacleType ?r SinkType)", "(receptacleType ?r SinkType)"), flags=re.S),
        functools.reduce(lambda text, pair: text.replace(*pair), older, grammar),
    ),
}

if "--cached" in sys.argv:
    translate = functools.lru_cache(maxsize=1)(lambda domain, problem: pddl2sas(domain, problem, verbose=False))
    pddl2sas = fast_downward.pddl2sas
    # The second translation only serves the planner, which nobody asks here.
    fast_downward.pddl2sas = lambda domain, problem, verbose=False, optimize=False: translate(domain, problem)
    parse = functools.lru_cache(maxsize=None)(lambda text, rule_name: parse_and_convert(text, rule_name=rule_name))
    parse_and_convert = textgen._parse_and_convert
    textgen._parse_and_convert = lambda text, rule_name=None, trace=False: [copy.copy(symbol) for symbol in parse(text, rule_name)]
    # Nothing changes what is inside these two dictionaries: copying the dictionaries is enough.
    textgen.copy_context = lambda old: {**old, "variables": dict(old["variables"]), "mapping": dict(old["mapping"])}

    def copied(symbol, context):
        twin = copy.copy(symbol)
        twin.context = textgen.copy_context(context)
        return twin

    textgen.Symbol.copy = copied
    query = Rule.parse_conjunctive_query
    Rule.parse_conjunctive_query = staticmethod(functools.lru_cache(maxsize=None)(query))


def game(request):
    domain, grammar = editions[request["edition"]]
    text = {"pddl_domain": domain, "pddl_problem": request["problem"], "grammar": grammar.replace("UNKNOWN GOAL.", request["sentence"])}
    infos = textworld.EnvInfos(won=True, admissible_commands=True)
    environment = Limit(AlfredDemangler(PddlEnv(infos)), max_episode_steps=50)
    environment.load(text)
    return environment


def play(request):
    environment = game(request)
    walks = []
    for commands in request["play"]:
        state = environment.reset()
        seen = [[state["feedback"], 0, False, state["admissible_commands"]]]
        for command in commands:
            state, score, done = environment.step(command)
            seen.append([state["feedback"], score, bool(done), state["admissible_commands"]])
        walks.append(seen)
    return walks


def measure(request):
    taken = 0.0
    count = 0
    for one in request["games"]:
        start = time.process_time()
        environment = game(one)
        state = environment.reset()
        if request["time"] == "steps":
            start = time.process_time()
            for turn in range(request["count"]):
                commands = state["admissible_commands"]
                state, _, _ = environment.step(commands[turn * 7919 % len(commands)])
                count += 1
        else:
            count += 1
        taken += time.process_time() - start
    return {"seconds": taken, "done": count}


for line in sys.stdin:
    request = json.loads(line)
    with contextlib.redirect_stdout(sys.stderr):
        answer = measure(request) if "time" in request else play(request)
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
