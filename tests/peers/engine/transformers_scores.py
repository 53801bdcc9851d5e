# Log-probabilities by the official transformers. Reads one JSON request a line, answers with one line:
# {"score": folder, "tokens": [...]} loads a checkpoint and gives the log-probability of every token but the first;
# {"value": folder, "tokens": [...]} the same with the one number of a token classifier;
# {"classify": folder, "sequences": [[...], ...], "pad": id} the one number of a sequence classifier for each sequence, in one padded batch;
# {"write": folder, "config": {...}} writes a freshly initialised model, a classifier of one label with "labels": 1.
import json
import sys

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)


def load(kind, folder):
    # Gemma 2's caps are computed in this form of attention only.
    model, info = kind.from_pretrained(folder, dtype=torch.float32, output_loading_info=True, attn_implementation="eager")
    problems = {key: sorted(map(str, info[key])) for key in ("missing_keys", "unexpected_keys", "mismatched_keys")}
    return model.eval(), problems


def answer_to(request):
    with torch.no_grad():
        if "write" in request:
            torch.manual_seed(5)
            config = AutoConfig.for_model(**request["config"])
            kind = AutoModelForCausalLM
            if "labels" in request:
                config.num_labels = request["labels"]
                kind = AutoModelForSequenceClassification
            model = kind.from_config(config, dtype=torch.float32)
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter) * 0.1)
            model.save_pretrained(request["write"])
            answer = {}
        elif "classify" in request:
            model, answer = load(AutoModelForSequenceClassification, request["classify"])
            sequences, pad = request["sequences"], request["pad"]
            model.config.pad_token_id = pad
            longest = max(map(len, sequences))
            tokens = torch.tensor([one + [pad] * (longest - len(one)) for one in sequences])
            answer["scores"] = model(tokens, attention_mask=(tokens != pad).long()).logits[:, 0].tolist()
        elif "value" in request:
            model, answer = load(AutoModelForTokenClassification, request["value"])
            answer["scores"] = model(torch.tensor([request["tokens"]])).logits[0, :-1, 0].tolist()
        else:
            model, answer = load(AutoModelForCausalLM, request["score"])
            tokens = torch.tensor([request["tokens"]])
            logprobs = model(tokens).logits[0, :-1].log_softmax(-1)
            answer["scores"] = logprobs.gather(1, tokens[0, 1:, None])[:, 0].tolist()
    return answer


for line in sys.stdin:
    try:
        reply = answer_to(json.loads(line))
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
