# The peer of bench/engine/training.ts: a Llama-style network in PyTorch eager mode with scaled_dot_product_attention and fused AdamW, as
# one would write it by hand. Reads one JSON request a line: {"build": config} makes the network, {"step": rows, "targets": rows,
# "weights": rows} trains once on padded rows and answers with the loss and the seconds.
import json
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, h, kv, hd = c["hidden"], c["heads"], c["keyValueHeads"], c["headSize"]
        self.h, self.kv, self.hd = h, kv, hd
        self.n1, self.n2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.ones(d))
        self.q, self.k, self.v = (nn.Linear(d, n * hd, bias=False) for n in (h, kv, kv))
        self.o = nn.Linear(h * hd, d, bias=False)
        self.gate, self.up = nn.Linear(d, c["intermediate"], bias=False), nn.Linear(d, c["intermediate"], bias=False)
        self.down = nn.Linear(c["intermediate"], d, bias=False)

    def forward(self, x, cos, sin, eps):
        b, t, d = x.shape
        y = F.rms_norm(x, (d,), self.n1, eps)
        q = self.q(y).view(b, t, self.h, self.hd).transpose(1, 2)
        k = self.k(y).view(b, t, self.kv, self.hd).transpose(1, 2)
        v = self.v(y).view(b, t, self.kv, self.hd).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        repeat = self.h // self.kv
        k, v = k.repeat_interleave(repeat, 1), v.repeat_interleave(repeat, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, -1))
        y = F.rms_norm(x, (d,), self.n2, eps)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


class Network(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.embed = nn.Embedding(c["vocabulary"], c["hidden"])
        self.blocks = nn.ModuleList(Block(c) for _ in range(c["layers"]))
        self.norm = nn.Parameter(torch.ones(c["hidden"]))
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02)

    def forward(self, tokens):
        c = self.c
        half = c["headSize"] // 2
        angles = torch.arange(tokens.shape[1])[:, None] * c["theta"] ** (-torch.arange(half) / half)
        cos, sin = angles.cos(), angles.sin()
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x, cos, sin, c["eps"])
        return F.rms_norm(x, (c["hidden"],), self.norm, c["eps"]) @ self.embed.weight.T


network = optimizer = None
for line in sys.stdin:
    request = json.loads(line)
    if "build" in request:
        torch.set_num_threads(request.get("threads", 2))
        network = Network(request["build"])
        decay = [p for p in network.parameters() if p.dim() > 1]
        plain = [p for p in network.parameters() if p.dim() == 1]
        groups = [{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), fused=True)
        print(json.dumps({"parameters": sum(p.numel() for p in network.parameters())}), flush=True)
        continue
    tokens, targets, weights = (torch.tensor(request[k]) for k in ("step", "targets", "weights"))
    start, cpu = time.perf_counter(), time.process_time()
    logits = network(tokens)
    losses = F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1), reduction="none")
    loss = (losses * weights.view(-1)).sum()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    answer = {"loss": loss.item(), "seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu}
    print(json.dumps(answer), flush=True)
