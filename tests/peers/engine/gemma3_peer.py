"""What transformers says of a Gemma 3 that was read from a GGUF file here and saved in Hugging Face layout.

Arguments: the saved folder, a JSON file {"tokens": [...], "texts": [...]}. Prints JSON: log-probabilities of all tokens but the first, the
likeliest token after each, and the ids of the texts.
"""
import json
import sys

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

folder, asked = sys.argv[1], json.load(open(sys.argv[2]))
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

tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
print(json.dumps({
    "problems": {key: sorted(map(str, info[key])) for key in ("missing_keys", "unexpected_keys", "mismatched_keys")},
    "type": [type(model).__name__, model.config.model_type],
    "scores": scores,
    "likeliest": likeliest,
    "ids": [tokenizer.encode(text, add_special_tokens=False).ids for text in asked["texts"]],
}))
