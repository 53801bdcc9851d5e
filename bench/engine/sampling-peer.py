# The peer of bench/engine/sampling.ts: decoding in PyTorch with a static KV cache, packed projections and no graph breaks to
# speak of, as one would write it by hand. One JSON request a line: {"build": config, "threads": n}, then
# {"decode": rows, "past": p, "steps": n}, answered with the seconds of the steps, by the clock and of processor time.
import json
import sys
import time

import torch
import torch.nn.functional as F

network = None


class Network:
    def __init__(self, c):
        self.c = c
        d, h, kv, hd, f = c["hidden"], c["heads"], c["keyValueHeads"], c["headSize"], c["intermediate"]
        r = lambda *shape: torch.randn(*shape) * 0.02
        self.embed, self.norm = r(c["vocabulary"], d), torch.ones(d)
        self.layers = [
            dict(n1=torch.ones(d), n2=torch.ones(d), qkv=r((h + 2 * kv) * hd, d), o=r(d, h * hd), gu=r(2 * f, d), down=r(d, f))
            for _ in range(c["layers"])
        ]
        half = hd // 2
        angles = torch.arange(1024)[:, None] * c["theta"] ** (-torch.arange(half) / half)
        self.cos, self.sin = angles.cos(), angles.sin()

    def cache(self, rows, capacity):
        c = self.c
        return [torch.zeros(2, rows, c["keyValueHeads"], capacity, c["headSize"]) for _ in self.layers]

    def step(self, tokens, position, cache):
        c = self.c
        d, h, kv, hd = c["hidden"], c["heads"], c["keyValueHeads"], c["headSize"]
        rows = tokens.shape[0]
        cos, sin = self.cos[position], self.sin[position]
        x = F.embedding(tokens, self.embed)
        for w, kvs in zip(self.layers, cache):
            y = F.linear(F.rms_norm(x, (d,), w["n1"], c["eps"]), w["qkv"]).view(rows, h + 2 * kv, hd)
            a, b = y[:, : h + kv].chunk(2, -1)
            qk = torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
            kvs[0, :, :, position] = qk[:, h:]
            kvs[1, :, :, position] = y[:, h + kv :]
            y = F.scaled_dot_product_attention(
                qk[:, :h, None], kvs[0, :, :, : position + 1], kvs[1, :, :, : position + 1], enable_gqa=True
            )
            x = x + F.linear(y.reshape(rows, h * hd), w["o"])
            gate, up = F.linear(F.rms_norm(x, (d,), w["n2"], c["eps"]), w["gu"]).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, w["down"])
        return F.linear(F.rms_norm(x, (d,), self.norm, c["eps"]), self.embed)


for line in sys.stdin:
    request = json.loads(line)
    with torch.inference_mode():
        if "build" in request:
            torch.set_num_threads(request["threads"])
            network = Network(request["build"])
            print(json.dumps({}), flush=True)
            continue
        rows, past, steps = request["decode"], request["past"], request["steps"]
        cache = network.cache(rows, past + steps + 1)
        tokens = torch.zeros(rows, dtype=torch.long)
        start, cpu = time.perf_counter(), time.process_time()
        for i in range(steps):
            logits = network.step(tokens, past + i, cache)
            tokens = torch.multinomial(torch.softmax(logits, -1), 1)[:, 0]
        print(json.dumps({"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu}), flush=True)
