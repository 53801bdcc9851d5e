"""verl's reward function for tasks played on `agoge serve`: the sum of what the environment gave (`custom_reward_function.path`)."""


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    scores = (extra_info or {}).get("turn_scores")
    if scores is None:
        raise ValueError("no turn_scores: play %s with AgogeInteraction or AgogeAgentLoop" % data_source)
    return float(sum(scores))
