"""The official Tinker SDK against a server of ours: quick start, training, sampling, saving, loading, errors.

Usage: tinker_sdk.py URL MODEL; prints one JSON object of what it saw."""

import json
import sys

import tinker
from tinker import types

url, model = sys.argv[1:3]
seen = {"sdk": tinker.__version__}

service = tinker.ServiceClient(base_url=url, api_key="tml-any")
seen["models"] = [m.model_name for m in service.get_server_capabilities().supported_models]

training = service.create_lora_training_client(base_model=model, rank=8, user_metadata={"renderer_name": "plain"})
seen["info"] = training.get_info().model_data.model_name

sequences = [[5, 6, 7, 8, 9, 10, 11, 12], [20, 21, 22, 23, 24, 25], [40, 41, 40, 41, 40, 41, 40]]


def datum(tokens, **inputs):
    return types.Datum(
        model_input=types.ModelInput.from_ints(tokens[:-1]),
        loss_fn_inputs={"target_tokens": tokens[1:], **inputs},
    )


supervised = [datum(s, weights=[1.0] * (len(s) - 1)) for s in sequences]
adam = types.AdamParams(learning_rate=3e-3, beta1=0.9, beta2=0.95, eps=1e-8)

losses = []
for _ in range(6):
    passed = training.forward_backward(supervised, loss_fn="cross_entropy")
    stepped = training.optim_step(adam)
    losses.append(passed.result().metrics["loss:sum"])
    seen["step"] = dict(stepped.result().metrics)
seen["losses"] = losses

forward = training.forward(supervised, loss_fn="cross_entropy").result()
logprobs = [list(map(float, out["logprobs"].data)) for out in forward.loss_fn_outputs]
seen["forward"] = -sum(sum(row) for row in logprobs)

policy = [
    datum(s, logprobs=row, advantages=[0.0] + [1.0] * (len(s) - 2)) for s, row in zip(sequences, logprobs, strict=True)
]
seen["policy"] = {}
for name, config in [
    ("importance_sampling", None),
    ("ppo", {"clip_low_threshold": 0.8, "clip_high_threshold": 1.2}),
    ("cispo", {"clip_low_threshold": 0.0, "clip_high_threshold": 4.0}),
    ("dro", {"beta": 0.05}),
]:
    result = training.forward_backward(policy, loss_fn=name, loss_fn_config=config).result()
    seen["policy"][name] = result.metrics["loss:sum"]
training.optim_step(types.AdamParams(learning_rate=0.0)).result()


def custom(data, logprobs):
    loss = -sum(row.sum() for row in logprobs)
    return loss, {"mine": float(loss)}


try:
    import torch  # noqa: F401

    out = training.forward_backward_custom(supervised, custom).result()
    training.optim_step(types.AdamParams(learning_rate=0.0)).result()
    seen["custom"] = {k: float(v) for k, v in out.metrics.items()}
except ImportError:
    seen["custom"] = None

sampler = training.save_weights_and_get_sampling_client()
params = types.SamplingParams(max_tokens=6, temperature=0.0, seed=1, stop=[])
drawn = sampler.sample(types.ModelInput.from_ints([5, 6]), num_samples=3, sampling_params=params).result()
seen["sampled"] = [list(s.tokens) for s in drawn.sequences]
seen["logprobs"] = [len(s.logprobs) == len(s.tokens) for s in drawn.sequences]
seen["prompt"] = sampler.compute_logprobs(types.ModelInput.from_ints(sequences[0])).result()
seen["trained"] = logprobs[0]
topk = sampler.sample(
    types.ModelInput.from_ints(sequences[0]), 1, params, include_prompt_logprobs=True, topk_prompt_logprobs=3
).result()
seen["topk"] = [row and [[int(token), float(logprob)] for token, logprob in row] for row in topk.topk_prompt_logprobs]
seen["greedy"] = [
    list(sampler.sample(types.ModelInput.from_ints(sequences[0][:n]), 1, params).result().sequences[0].tokens)[0]
    for n in range(1, len(sequences[0]))
]
tokenizer = training.get_tokenizer()
seen["words"] = tokenizer.decode(tokenizer.encode("get 1 oak log"))

saved = training.save_state("kept").result().path
seen["saved"] = saved
training.forward_backward(supervised, loss_fn="cross_entropy").result()
training.optim_step(types.AdamParams(learning_rate=1e-2)).result()
training.load_state(saved).result()
back = training.forward(supervised, loss_fn="cross_entropy").result()
seen["back"] = -sum(sum(map(float, out["logprobs"].data)) for out in back.loss_fn_outputs)
again = service.create_training_client_from_state_with_optimizer(saved)
reloaded = again.forward(supervised, loss_fn="cross_entropy").result()
seen["reloaded"] = -sum(sum(map(float, out["logprobs"].data)) for out in reloaded.loss_fn_outputs)
named = training.save_weights_for_sampler("for-others").result().path
other = service.create_sampling_client(model_path=named)
same = other.sample(types.ModelInput.from_ints([5, 6]), num_samples=1, sampling_params=params).result()
seen["named"] = [list(s.tokens) for s in same.sequences]
base = service.create_sampling_client(base_model=model)
seen["base"] = base.compute_logprobs(types.ModelInput.from_ints(sequences[0])).result()

rest = service.create_rest_client()
seen["runs"] = [run.user_metadata for run in rest.list_training_runs().result().training_runs]
run_id = saved.split("/")[2]
seen["checkpoints"] = sorted(c.tinker_path.split("/", 3)[3] for c in rest.list_checkpoints(run_id).result().checkpoints)
rest.delete_checkpoint_from_tinker_path(saved).result()
seen["left"] = sorted(c.tinker_path.split("/", 3)[3] for c in rest.list_checkpoints(run_id).result().checkpoints)

errors = {}
for name, call in {
    "vocabulary": lambda: training.forward_backward([datum([1, 2, 10**6], weights=[1.0, 1.0])], "cross_entropy").result(),
    "loss": lambda: training.forward_backward(supervised, "no_such_loss").result(),
    "length": lambda: training.forward_backward([datum([1, 2, 3], weights=[1.0])], "cross_entropy").result(),
    "taken": lambda: training.save_weights_for_sampler("for-others").result(),
    "missing": lambda: service.create_training_client_from_state(saved),
    "model": lambda: service.create_lora_training_client(base_model="someone/else", rank=4),
    "publish": lambda: rest.publish_checkpoint_from_tinker_path(named).result(),
    "ttl": lambda: rest.set_checkpoint_ttl_from_tinker_path(named, 60).result(),
    "archive": lambda: rest.get_checkpoint_archive_url_from_tinker_path(named).result(),
    "topk": lambda: base.sample(types.ModelInput.from_ints([5, 6]), 1, params, topk_prompt_logprobs=21).result(),
    "prompt": lambda: base.sample(types.ModelInput.from_ints([10**6]), 1, params).result(),
}.items():
    try:
        call()
        errors[name] = None
    except Exception as error:  # what it is called differs between versions
        errors[name] = str(error)
seen["errors"] = errors
seen["after"] = training.forward_backward(supervised, loss_fn="cross_entropy").result().metrics["loss:sum"]
print(json.dumps(seen))
