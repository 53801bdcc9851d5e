"""Search-R1's exact match, as AgentGym's server runs it: the published files of reward_score, taken from a checkout of AgentGym.

Usage: searchqa_peer.py <folder of agentenv_searchqa>. Reads a JSON list of [reply, golden answers]; prints the scores and the
normalised last golden answers.
"""
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("qa_em", f"{sys.argv[1]}/reward_score/qa_em.py")
qa_em = importlib.util.module_from_spec(spec)
spec.loader.exec_module(qa_em)
json.dump(
    [
        [qa_em.compute_score_em(reply, {"target": golden}), qa_em.normalize_answer(golden[-1])]
        for reply, golden in json.load(sys.stdin)
    ],
    sys.stdout,
)
