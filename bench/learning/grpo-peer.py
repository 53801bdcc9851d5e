# The peer of bench/learning/grpo.ts: one GRPO step in plain PyTorch on a transformers model, as one would write it by hand. All episodes of a
# step are one batch: prompts padded on the left, a KV cache that is kept over the turns (new observations are appended with their
# padding masked out), finished episodes dropped from the batch; then the clipped loss on padded rows, gradients clipped, fused AdamW.
# With one update per batch the old log-probabilities are the new ones without gradient, so nothing is computed twice.
# On a card (settings "device": "cuda") products are bfloat16 by autocast, as one trains there; weights and AdamW stay float32.
# The environment lies on the other side of the pipe: {"act": [[episode, text], …]} is answered with one
# [observation, reward, done] each; the clock is stopped meanwhile.
import contextlib
import json
import sys
import time

import torch
import torch.nn.functional as F
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache


def ask(message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())


settings = json.loads(sys.stdin.readline())
device = settings.get("device", "cpu")
torch.set_num_threads(settings["threads"])
torch.manual_seed(1)
tokenizer = AutoTokenizer.from_pretrained(settings["model"])
model = AutoModelForCausalLM.from_pretrained(settings["model"], dtype=torch.float32, attn_implementation="sdpa").to(device).eval()
optimizer = torch.optim.AdamW(
    model.parameters(), lr=settings["lr"], betas=tuple(settings["betas"]), eps=settings["epsilon"], weight_decay=0.0, fused=True
)
closing_text = settings.get("end")
end, pad = tokenizer.eos_token_id if closing_text is None else tokenizer.encode(closing_text, add_special_tokens=False)[-1], 0


def short():
    return torch.autocast(device, dtype=torch.bfloat16) if device == "cuda" else contextlib.nullcontext()


def encode(observation):
    return tokenizer.encode(observation + settings["opening"], add_special_tokens=False)


def pad_left(rows):
    width = max(map(len, rows))
    tokens = torch.full((len(rows), width), pad)
    mask = torch.zeros(len(rows), width, dtype=torch.long)
    for i, row in enumerate(rows):
        tokens[i, width - len(row) :] = torch.tensor(row)
        mask[i, width - len(row) :] = 1
    return tokens.to(device), mask.to(device)


def sample(tokens, mask, cache):
    """One reply per row. Gives the replies and the mask of what is in the cache: all but the last drawn token."""
    replies, done = [[] for _ in tokens], torch.zeros(len(tokens), dtype=torch.bool, device=device)
    for _ in range(settings["tokensPerTurn"]):
        positions = (mask.cumsum(1) - 1).clamp(min=0)[:, -tokens.shape[1] :]
        with short():
            logits = model(
                tokens, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True, logits_to_keep=1
            ).logits[:, -1]
        drawn = torch.multinomial(torch.softmax(logits.float() / settings["temperature"], -1), 1)
        ended = done.tolist()
        for i, token in enumerate(drawn[:, 0].tolist()):
            if not ended[i]:
                replies[i].append(token)
        tokens = torch.where(done[:, None], pad, drawn)
        mask = torch.cat((mask, (~done).long()[:, None]), 1)
        done |= drawn[:, 0] == end
        if done.all():
            break
    return replies, mask[:, :-1]


@torch.inference_mode()
def play(observations):
    """Plays all episodes, turn by turn; gives their tokens, which of them were sampled, their rewards, and seconds of waiting."""
    feed = [encode(observation) for observation in observations]
    tokens_of, sampled, rewards = [list(piece) for piece in feed], [[0] * len(piece) for piece in feed], [0.0] * len(feed)
    alive, waited, cache, mask = list(range(len(feed))), 0.0, DynamicCache(), None
    for turn in range(settings["turns"]):
        tokens, new = pad_left(feed)
        replies, mask = sample(tokens, new if mask is None else torch.cat((mask, new), 1), cache)
        texts = [tokenizer.decode(reply, skip_special_tokens=True) for reply in replies]
        start = time.perf_counter()
        answers = ask({"act": list(zip(alive, texts))})
        waited += time.perf_counter() - start
        kept, feed, longest = [], [], max(map(len, replies))
        for i, (row, reply, (observation, reward, over)) in enumerate(zip(alive, replies, answers)):
            tokens_of[row] += reply
            sampled[row] += [1] * len(reply)
            rewards[row] += reward
            if over or turn + 1 == settings["turns"]:
                continue
            closing = ([] if reply[-1] == end else [end]) + encode(observation)
            tokens_of[row] += closing
            sampled[row] += [0] * len(closing)
            kept.append(i)
            # Only the longest replies lack their last token in the cache: the others' went in while those were drawn.
            feed.append((reply[-1:] if len(reply) == longest else []) + closing)
        if not kept:
            break
        if len(kept) < len(alive):
            cache.batch_select_indices(torch.tensor(kept, device=device))
            alive, mask = [alive[i] for i in kept], mask[kept]
    return tokens_of, sampled, rewards, waited


def update(tokens_of, sampled, rewards):
    """Group-relative advantages, the clipped loss (mean over tokens), one optimizer step."""
    grouped = torch.tensor(rewards).view(-1, settings["samples"])
    advantages = ((grouped - grouped.mean(1, keepdim=True)) / (grouped.std(1, keepdim=True) + 1e-6)).view(-1).to(device)
    total = sum(map(sum, sampled))
    for first in range(0, len(tokens_of), settings["microBatch"]):
        rows, flags = tokens_of[first : first + settings["microBatch"]], sampled[first : first + settings["microBatch"]]
        width = max(map(len, rows))
        tokens, mask, scored = torch.full((len(rows), width), pad), torch.zeros(len(rows), width), torch.zeros(len(rows), width)
        for i, (row, flag) in enumerate(zip(rows, flags)):
            tokens[i, : len(row)] = torch.tensor(row)
            mask[i, : len(row)] = 1
            scored[i, : len(row)] = torch.tensor(flag, dtype=torch.float32)
        tokens, mask, scored = tokens.to(device), mask.to(device), scored.to(device)
        with short():
            logits = model(tokens, attention_mask=mask.long(), use_cache=False).logits[:, :-1]
        logits = logits.float() / settings["temperature"]
        chosen = F.log_softmax(logits, -1).gather(-1, tokens[:, 1:, None])[..., 0]
        ratio = (chosen - chosen.detach()).exp()
        advantage = advantages[first : first + len(rows), None]
        clipped = ratio.clamp(1 - settings["clip"][0], 1 + settings["clip"][1])
        loss = -torch.minimum(ratio * advantage, clipped * advantage)
        ((loss * scored[:, 1:]).sum() / total).backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), settings["clipNorm"])
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return norm.item()


while True:
    request = ask({"ready": True})
    if "open" not in request:
        break
    start, busy = time.perf_counter(), time.process_time()
    tokens_of, sampled, rewards, waited = play(request["open"])
    played = time.perf_counter()
    norm = update(tokens_of, sampled, rewards)
    ended = time.perf_counter()
    answer = {
        "seconds": ended - start - waited,
        "processor": time.process_time() - busy,
        "sampling": played - start - waited,
        "update": ended - played,
        "environment": waited,
        "tokens": sum(map(len, tokens_of)),
        "sampled": sum(map(sum, sampled)),
        "reward": sum(rewards) / len(rewards),
        "gradientNorm": norm,
    }
    if device == "cuda":
        torch.cuda.empty_cache()  # what it keeps for itself would be missing on our side; its clock has stopped
    ask({"step": answer})
