"""What transformers and gguf say of a Gemma 3 that was read from a GGUF file here and saved in Hugging Face layout.

Arguments: the saved folder, the GGUF file, a JSON file {"tokens": [...], "texts": [...]}. Prints JSON: log-probabilities of all tokens but
the first, the likeliest token after each, the ids of the texts, and by tensor the largest difference between the saved weights and those
that gguf unpacks (all of the first, sixth and last block, a part of the embedding).
"""
import json
import sys

import numpy
import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

folder, file, asked = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3]))
model, info = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
model.eval()
tokens = torch.tensor([asked["tokens"]])
scores, likeliest = [], []
with torch.no_grad():
    states = model.model(tokens).last_hidden_state[0]
    # In pieces: the scores of all tokens over this vocabulary would fill a gigabyte.
    for start in range(0, len(states) - 1, 64):
        rows = states[start : min(start + 64, len(states) - 1)]
        logits = model.lm_head(rows).log_softmax(-1)
        targets = tokens[0, start + 1 : start + 1 + len(rows), None]
        scores += logits.gather(1, targets)[:, 0].tolist()
        likeliest += logits.argmax(-1).tolist()

names = {
    "attn_norm": "input_layernorm", "post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}
state = model.state_dict()
differences = {}
for tensor in GGUFReader(file).tensors:
    parts = tensor.name.split(".")
    if tensor.name == "token_embd.weight":
        name, rows = "model.embed_tokens.weight", slice(100000, 101000)
    elif tensor.name == "output_norm.weight":
        name, rows = "model.norm.weight", slice(None)
    elif parts[1] in ("0", "5", "17"):
        name, rows = f"model.layers.{parts[1]}.{names[parts[2]]}.weight", slice(None)
    else:
        continue
    theirs = dequantize(tensor.data[rows], tensor.tensor_type).astype(numpy.float32) - ("norm" in tensor.name)
    differences[name] = float(numpy.abs(theirs - state[name][rows].numpy()).max())

tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
print(json.dumps({
    "problems": {key: sorted(map(str, info[key])) for key in ("missing_keys", "unexpected_keys", "mismatched_keys")},
    "type": [type(model).__name__, model.config.model_type],
    "scores": scores,
    "likeliest": likeliest,
    "differences": differences,
    "ids": [tokenizer.encode(text, add_special_tokens=False).ids for text in asked["texts"]],
}))
