# The peer of bench/environments/sciworld.ts: plays scripts through the original's Python API and prints the processor time of Python and its JVM.
import json
import os
import sys
import time

from scienceworld import ScienceWorldEnv


def jvm_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children():
    mine = os.getpid()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if int(stat.read().rsplit(")", 1)[1].split()[1]) == mine:
                    found.append(int(pid))
        except OSError:
            pass
    return found


env = ScienceWorldEnv("", envStepLimit=100000)
pids = children()
seconds = 0.0
for script in json.load(sys.stdin):
    env.load(script["task"], script["variation"], "")
    start = time.process_time() + sum(map(jvm_seconds, pids))
    for action in script["actions"]:
        env.step(action)
    seconds += time.process_time() + sum(map(jvm_seconds, pids)) - start
print(json.dumps({"seconds": seconds}))
env.close()
