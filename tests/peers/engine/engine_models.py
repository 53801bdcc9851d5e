"""What transformers, tokenizers and gguf say, as JSON on stdout, for engine-models.test.ts."""
import json
import sys

command, *arguments = sys.argv[1:]


def logprobs(folder, ids):
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        scores = torch.log_softmax(model(torch.tensor([ids])).logits[0].double(), -1)
    return [scores[t - 1, ids[t]].item() for t in range(1, len(ids))]


if command == "logprobs":
    print(json.dumps(logprobs(arguments[0], json.loads(arguments[1]))))

elif command == "tokenize":
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(arguments[0])
    texts = json.loads(arguments[1])
    print(json.dumps([tokenizer.encode(text, add_special_tokens=False) for text in texts]))

elif command == "chat":
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(arguments[0])
    messages = json.loads(arguments[1])
    print(json.dumps(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)))

elif command == "make":
    import torch
    import transformers
    from tokenizers import Tokenizer

    folder, family, ids = arguments[0], arguments[1], json.loads(arguments[2])
    torch.manual_seed(1)
    shared = dict(
        vocab_size=300, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        intermediate_size=96, max_position_embeddings=128, rms_norm_eps=1e-5,
    )
    kinds = {
        "llama": lambda: transformers.LlamaConfig(**shared),
        "llama3": lambda: transformers.LlamaConfig(**shared, tie_word_embeddings=True, rope_parameters={
            "rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
            "high_freq_factor": 4.0, "original_max_position_embeddings": 32}),
        "qwen2": lambda: transformers.Qwen2Config(**shared, tie_word_embeddings=True),
        "yarn": lambda: transformers.Qwen2Config(**shared, rope_parameters={
            "rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 32}),
        "qwen3": lambda: transformers.Qwen3Config(**shared, head_dim=32),
    }
    model = transformers.AutoModelForCausalLM.from_config(kinds[family]())
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.add_(torch.randn_like(weight) * (0.1 if weight.dim() == 1 else 0.03))
    shards = {"max_shard_size": "100KB"} if family == "qwen3" else {}
    (model.bfloat16() if family == "qwen2" else model).save_pretrained(folder, **shards)
    tokenizer = Tokenizer.from_file(arguments[3])
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>").save_pretrained(folder)
    print(json.dumps(logprobs(folder, ids)))

elif command == "dequantise":
    import base64
    import numpy
    from gguf import GGMLQuantizationType
    from gguf.quants import dequantize

    def unpack(kind, data):
        blocks = numpy.frombuffer(base64.b64decode(data), dtype=numpy.uint8)
        values = dequantize(blocks, GGMLQuantizationType[kind]).astype(float).ravel()
        return [value if numpy.isfinite(value) else None for value in values.tolist()]

    print(json.dumps({kind: unpack(kind, data) for kind, data in json.loads(arguments[0]).items()}))

elif command == "openai":
    from openai import OpenAI

    client = OpenAI(base_url=arguments[0], api_key="none", max_retries=0)
    model = client.models.list().data[0].id
    messages = [{"role": "user", "content": "What is the capital of France?"}]
    options = dict(model=model, messages=messages, max_tokens=24, seed=7, temperature=0)
    whole = client.chat.completions.create(**options, logprobs=True)
    streamed = "".join(
        chunk.choices[0].delta.content or "" for chunk in client.chat.completions.create(**options, stream=True) if chunk.choices
    )
    legacy = client.completions.create(model=model, prompt="The capital of France is", max_tokens=4, temperature=0, n=2)
    print(json.dumps({
        "text": whole.choices[0].message.content, "streamed": streamed, "finish": whole.choices[0].finish_reason,
        "logprobs": [token.logprob for token in whole.choices[0].logprobs.content],
        "usage": whole.usage.total_tokens, "legacy": [choice.text for choice in legacy.choices],
    }))
