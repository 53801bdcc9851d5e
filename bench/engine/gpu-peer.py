# The peer of bench/engine/gpu.ts: PyTorch and transformers on the same card (bfloat16, scaled_dot_product_attention, fused AdamW on float32 masters).
# Reads one JSON request a line and answers with one line:
# {"build": config, "train": bool}                makes the model with random weights
# {"load": folder}                                loads a model in bfloat16, to generate
# {"step": rows, "targets": rows, "weights": rows, "micro": n}   one update on padded rows, in micro-batches of n: loss and seconds
# {"generate": [batch, prompt, new]}              seconds of decoding alone: a whole generation less one of a single token
# {"score": folder, "tokens": [...], "dtype": d}  log-probabilities of every token but the first
# {"free": true}                                  gives the model's memory back
import gc
import json
import sys
import time

import torch
import torch.nn.functional as F
from transformers import AutoConfig, AutoModelForCausalLM

device = "cuda" if torch.cuda.is_available() else "cpu"
model = optimizer = micro = None


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


def build(config, train):
    global model, optimizer, micro
    micro = None
    torch.manual_seed(0)
    settings = {k: v for k, v in config.items() if k not in ("architectures", "torch_dtype", "dtype")}
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**settings), attn_implementation="sdpa").to(device)
    if not train:
        model = model.to(torch.bfloat16).eval()
        return {"parameters": sum(p.numel() for p in model.parameters())}
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), fused=True)
    return {"parameters": sum(p.numel() for p in model.parameters())}


def load(folder):
    global model
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, attn_implementation="sdpa").to(device).eval()
    return {"parameters": sum(p.numel() for p in model.parameters())}


def step(request):
    """One update, in the largest micro-batches that fit: where memory runs out, they are halved and the update is made again."""
    global micro
    tokens, targets, weights = (torch.tensor(request[k], device=device) for k in ("step", "targets", "weights"))
    micro = min(micro or len(tokens), request.get("micro", len(tokens)))
    while True:
        try:
            return update(tokens, targets, weights)
        except torch.OutOfMemoryError:
            if micro == 1:
                raise
        micro = (micro + 1) // 2
        optimizer.zero_grad(set_to_none=True)
        gc.collect()
        torch.cuda.empty_cache()


def update(tokens, targets, weights):
    wait()
    start = time.perf_counter()
    total = 0.0
    for at in range(0, len(tokens), micro):
        part = slice(at, at + micro)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = model(tokens[part], use_cache=False).logits
        losses = F.cross_entropy(logits.float().flatten(0, 1), targets[part].flatten(), reduction="none")
        loss = (losses * weights[part].flatten()).sum()
        loss.backward()
        total += loss.detach()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    wait()
    return {"loss": float(total), "seconds": time.perf_counter() - start, "cpuSeconds": 0, "micro": micro}


def generate(batch, prompt, new):
    ids = torch.randint(0, model.config.vocab_size, (batch, prompt), device=device)

    def timed(count):
        wait()
        start = time.perf_counter()
        with torch.inference_mode():
            model.generate(
                ids, attention_mask=torch.ones_like(ids), do_sample=True, top_k=0, top_p=1.0, temperature=1.0,
                min_new_tokens=count, max_new_tokens=count, pad_token_id=0, eos_token_id=None,
            )
        wait()
        return time.perf_counter() - start

    whole, first = timed(new), timed(1)
    return {"seconds": whole - first, "tokens": batch * (new - 1), "prompt": first}


def score(folder, tokens, dtype):
    scorer = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype), attn_implementation="eager").to(device).eval()
    ids = torch.tensor([tokens], device=device)
    with torch.inference_mode():
        logprobs = scorer(ids).logits[0, :-1].float().log_softmax(-1)
    return {"scores": logprobs.gather(1, ids[0, 1:, None])[:, 0].tolist()}


for line in sys.stdin:
    request = json.loads(line)
    try:
        if "build" in request:
            answer = build(request["build"], request["train"])
        elif "load" in request:
            answer = load(request["load"])
        elif "step" in request:
            answer = step(request)
        elif "generate" in request:
            answer = generate(*request["generate"])
        elif "score" in request:
            answer = score(request["score"], request["tokens"], request["dtype"])
        else:
            model = optimizer = None
            gc.collect()
            torch.cuda.empty_cache()
            answer = {}
    except Exception as error:  # the bench says what the peer could not do and goes on
        answer = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
    print(json.dumps(answer), flush=True)
