# Adapters by the official PEFT, installed in the folder given first. Reads one JSON request a line, answers with one line:
# {"score": folder, "tokens": [...]} loads the model that an adapter names and the adapter, and gives the log-probability of every token but the first;
# {"write": folder, "base": folder, "lora": {...}} writes an adapter of that model whose numbers are not those it begins with.
import json
import sys

sys.path.append(sys.argv[1])
try:
    import torch
    from peft import LoraConfig, PeftConfig, PeftModel, get_peft_model
    from transformers import AutoModelForCausalLM
except ImportError as error:
    print(json.dumps({"missing": str(error)}), flush=True)
    sys.exit()
print(json.dumps({}), flush=True)


def base(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


for line in sys.stdin:
    request = json.loads(line)
    with torch.no_grad():
        if "write" in request:
            torch.manual_seed(7)
            model = get_peft_model(base(request["base"]), LoraConfig(task_type="CAUSAL_LM", **request["lora"]))
            for name, parameter in model.named_parameters():
                if "lora_" in name:
                    parameter.add_(torch.randn_like(parameter) * 0.2)
            model.save_pretrained(request["write"])
            answer = {}
        else:
            folder = request["score"]
            model = PeftModel.from_pretrained(base(PeftConfig.from_pretrained(folder).base_model_name_or_path), folder).eval()
            tokens = torch.tensor([request["tokens"]])
            logprobs = model(tokens).logits[0, :-1].log_softmax(-1)
            answer = {"scores": logprobs.gather(1, tokens[0, 1:, None])[:, 0].tolist()}
    print(json.dumps(answer), flush=True)
