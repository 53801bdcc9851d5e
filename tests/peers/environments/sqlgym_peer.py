"""The original SQLGym (the package `sqlgym`, the engine of AgentGym's server) on a BIRD folder.

A statement that would take more than about a second is interrupted (the original itself would let it run).

Usage: sqlgym_peer.py <folder>. Reads a JSON list of [row of dev.json, SQL]; prints SQLite's version, the observations by row, and for
each pair the text as AgentGym's server cuts it, and the reward.
"""
import json
import sqlite3
import sys

from sqlgym import SqlGymEnv
from sqlgym.datasets import BirdDataset

STEPS = 1000
env = SqlGymEnv(BirdDataset(sys.argv[1], "dev"))
observations, answers = {}, []
for row, sql in json.load(sys.stdin):
    observations[row] = env.reset(row)
    left = [STEPS]
    env.conn.set_progress_handler(lambda: left.__setitem__(0, left[0] - 1) or left[0] < 0, 1000)
    result, reward, *_ = env.step(sql)
    text = str(result)
    answers.append([text[:100] + "..." if len(text) > 100 else text, reward])
    env.conn.close()
json.dump({"version": sqlite3.sqlite_version, "observations": observations, "answers": answers}, sys.stdout)
