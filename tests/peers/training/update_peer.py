"""One update of the policy (and the critic) in float64 with PyTorch, from checkpoints and episodes that update.test.ts wrote; JSON on stdout.

Nothing is taken over but weights, AdamW's moments, tokens, masks, the sampler's log-probabilities and what each episode earned: log-probabilities,
values, advantages, losses and the step are worked out here.
"""
import json
import math
import sys

import torch
from safetensors.torch import load_file

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
folder = sys.argv[1]
given = json.load(open(f"{folder}/given.json"))
config = json.load(open(f"{folder}/start/config.json"))
rows, algorithm, optimizer = given["rows"], given["algorithm"], given["optimizer"]


def weights(name):
    return {key: value.double() for key, value in load_file(f"{folder}/{name}/model.safetensors").items()}


def norm(x, weight):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + config["rms_norm_eps"]) * weight


def hidden(w, tokens):
    n, heads, kv, size = len(tokens), config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]
    angle = torch.arange(n)[:, None] / config["rope_theta"] ** (torch.arange(0, size, 2) / size)[None]
    cos, sin = torch.cat([angle, angle], -1).cos(), torch.cat([angle, angle], -1).sin()
    mask = torch.full((n, n), -math.inf).triu(1)

    def turned(x):
        half = size // 2
        return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin

    x = w["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        p = f"model.layers.{layer}."
        h = norm(x, w[p + "input_layernorm.weight"])
        q, k, v = (
            (h @ w[f"{p}self_attn.{name}_proj.weight"].T).view(n, count, size).transpose(0, 1)
            for name, count in (("q", heads), ("k", kv), ("v", kv))
        )
        k, v = turned(k).repeat_interleave(heads // kv, 0), v.repeat_interleave(heads // kv, 0)
        scores = (turned(q) @ k.transpose(1, 2)) / math.sqrt(size) + mask
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(n, heads * size)
        x = x + mixed @ w[p + "self_attn.o_proj.weight"].T
        h = norm(x, w[p + "post_attention_layernorm.weight"])
        inner = torch.nn.functional.silu(h @ w[p + "mlp.gate_proj.weight"].T) * (h @ w[p + "mlp.up_proj.weight"].T)
        x = x + inner @ w[p + "mlp.down_proj.weight"].T
    return norm(x, w["model.norm.weight"])


def scored(row):
    """Positions before the tokens that were sampled, and those tokens."""
    at = [i for i, flag in enumerate(row["mask"]) if flag]
    return torch.tensor(at) - 1, torch.tensor(row["tokens"])[at]


def logprobs(w, row):
    before, tokens = scored(row)
    logits = hidden(w, torch.tensor(row["tokens"]))[before] @ w["lm_head.weight"].T / given["temperature"]
    return logits.log_softmax(-1).gather(1, tokens[:, None])[:, 0]


def values(w, row):
    before, _ = scored(row)
    return hidden(w, torch.tensor(row["tokens"]))[before] @ w["score.weight"][0] + w["score.bias"][0]


def k3(logprob, reference):
    return torch.exp(reference - logprob) - (reference - logprob) - 1


def adamw(name, w, loss, lr, clip_norm):
    """One step from the saved moments; how far what we wrote is from it, as a share of the step's length."""
    for value in w.values():
        value.grad = None
    loss.backward()
    total = math.sqrt(sum((value.grad**2).sum().item() for value in w.values()))
    scale = clip_norm / total if 0 < clip_norm < total else 1
    state = {key: value.double() for key, value in load_file(f"{folder}/{name}/optimizer.safetensors").items()}
    step, (b1, b2) = state["step"].item() + 1, optimizer["betas"]
    after, wrong, length = weights(name.replace("before", "after")), 0.0, 0.0
    with torch.no_grad():
        for key, value in w.items():
            gradient = value.grad * scale
            first = b1 * state[f"exp_avg.{key}"] + (1 - b1) * gradient
            second = b2 * state[f"exp_avg_sq.{key}"] + (1 - b2) * gradient**2
            move = -lr * (first / (1 - b1**step)) / ((second / (1 - b2**step)).sqrt() + optimizer["epsilon"])
            if not key.endswith("norm.weight") and not key.endswith("bias"):
                move -= lr * optimizer["weight_decay"] * value
            wrong += ((after[key] - value - move) ** 2).sum().item()
            length += (move**2).sum().item()
    return {"norm": total, "error": math.sqrt(wrong / length)}


policy = {key: value.requires_grad_() for key, value in weights("before").items()}
start = weights("start")
old = [torch.tensor(row["logprobs"]) for row in rows]
with torch.no_grad():
    reference = [logprobs(start, row) for row in rows]
tokens = sum(len(row) for row in old)
result = {"tokens": tokens}

kl = algorithm["kl"]
if given["critic"]:
    critic = {key: value.requires_grad_() for key, value in weights("before/critic").items()}
    predicted = [values(critic, row) for row in rows]
    advantages, returns = [], []
    for row, before, anchor, value in zip(rows, old, reference, predicted):
        rewards = -kl["coefficient"] * k3(before, anchor)
        rewards[-1] += row["reward"]
        value, carried, following = value.detach(), 0.0, 0.0
        advantage = torch.zeros(len(rewards))
        for t in reversed(range(len(rewards))):
            carried = rewards[t] + algorithm["gamma"] * following - value[t] + algorithm["gamma"] * algorithm["lambda"] * carried
            following = value[t]
            advantage[t] = carried
        advantages.append(advantage)
        returns.append(advantage + value)
    flat = torch.cat(advantages)
    advantages = [(row - flat.mean()) / torch.sqrt(flat.var() + 1e-8) for row in advantages]
    # All values are those of collection time, so PPO's clip of the value does not act in the first pass.
    critic_loss = sum((0.5 * (value - target) ** 2).sum() for value, target in zip(predicted, returns)) / tokens
    result["critic"] = {"loss": critic_loss.item(), **adamw("before/critic", critic, critic_loss, given["criticRate"], given["criticClipNorm"])}
else:
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row["reward"])
    advantages = []
    for row, before in zip(rows, old):
        own = torch.tensor(groups[row["group"]], dtype=torch.float64)
        advantages.append(((row["reward"] - own.mean()) / (own.std() + 1e-6)).expand(len(before)))

low, high = algorithm["clip"]
loss, penalty, clipped = 0.0, 0.0, 0
for row, before, anchor, advantage in zip(rows, old, reference, advantages):
    now = logprobs(policy, row)
    ratio = (now - before).exp()
    free, bounded = -advantage * ratio, -advantage * ratio.clamp(1 - low, 1 + high)
    clipped += (bounded > free).sum().item()
    surrogate = torch.maximum(free, bounded)
    dual = torch.minimum(surrogate, -advantage * algorithm["dual_clip"])
    loss = loss + torch.where(advantage < 0, dual, surrogate).sum()
    penalty = penalty + k3(now, anchor).sum()
loss, penalty = loss / tokens, penalty / tokens
whole = loss + kl["coefficient"] * penalty if kl["in"] == "loss" else loss
result["policy"] = {"loss": loss.item(), "kl": penalty.item(), "clipped": clipped / tokens, **adamw("before", policy, whole, given["rate"], optimizer["clip_norm"])}
print(json.dumps(result))
