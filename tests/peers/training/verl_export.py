"""verl's own classes on a folder of `agoge export verl`, against a real `agoge serve`: prints what they made of it as JSON.

interaction <folder> <wheel>   verl up to 0.7: its registry loads the interaction, which plays the actions of stdin
loop <folder> <wheel>          later: hydra builds the agent loop by its registry's configuration; a stub model says the replies of stdin
"""
import asyncio
import json
import os
import sys

mode, folder, wheel = sys.argv[1:4]
sys.path[:0] = [folder, wheel]
import pyarrow.parquet
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from transformers import AutoTokenizer

replies = json.load(sys.stdin)
rows = pyarrow.parquet.read_table(os.path.join(folder, "train.parquet")).to_pylist()


def composed():
    with initialize_config_dir(folder, version_base=None):
        config = compose("config")
    actor = config.actor_rollout_ref
    return config, {"estimator": config.algorithm.adv_estimator, "clip": [actor.actor.clip_ratio_low, actor.actor.clip_ratio_high],
                    "n": actor.rollout.n, "batch": config.data.train_batch_size, "loop": actor.rollout.agent.default_agent_loop}


def dataset(config):
    from verl.utils.dataset.rl_dataset import RLHFDataset

    tokenizer = AutoTokenizer.from_pretrained(os.environ["AGOGE_TOKENIZER"])
    data = RLHFDataset(data_files=config.data.train_files, tokenizer=tokenizer, config=config.data)
    return tokenizer, data


async def interaction():
    from agoge_reward import compute_score
    from verl.interactions.utils.interaction_registry import initialize_interactions_from_config

    config, said = composed()
    play = initialize_interactions_from_config(os.path.join(folder, "interaction.yaml"))["textcraft"]
    kwargs = rows[0]["extra_info"]["interaction_kwargs"]
    name = await play.start_interaction(None, **kwargs)
    messages, turns = list(rows[0]["prompt"]), []
    for reply in replies:
        messages.append({"role": "assistant", "content": reply})
        over, text, score, _ = await play.generate_response(name, messages, **kwargs)
        messages.append({"role": "user", "content": text})
        turns.append([over, text, score])
        if over:
            break
    reward = compute_score("textcraft", "", "", {"turn_scores": [turn[2] for turn in turns]})
    score = await play.calculate_score(name)
    await play.finalize_interaction(name)
    return {"config": said, "turns": turns, "reward": reward, "score": score, "agent": rows[0]["agent_name"]}


async def loop():
    import hydra
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap

    config, said = composed()
    tokenizer, data = dataset(config)
    row = data[0]
    prompts = []

    class Stub:
        """A model that says what it is told, token by token."""

        async def generate(self, request_id, prompt_ids, sampling_params, **kwargs):
            prompts.append(list(prompt_ids))
            ids = tokenizer.encode(replies[len(prompts) - 1], add_special_tokens=False) + [tokenizer.eos_token_id]
            return OmegaConf.create({"token_ids": ids, "log_probs": [-0.5] * len(ids), "num_preempted": None})

    entry = OmegaConf.create(yaml.safe_load(open(os.path.join(folder, "agent_loop.yaml")))[0])
    entry.pop("name")
    parts = dict(trainer_config=DictConfigWrap(config), server_manager=Stub(), tokenizer=tokenizer, processor=None, dataset_cls=type(data))
    agent = hydra.utils.instantiate(entry, data_config=DictConfigWrap(config.data), **parts)
    output = await agent.run({"temperature": 1.0, "logprobs": True}, raw_prompt=row["raw_prompt"], extra_info=row["extra_info"])
    whole = output.prompt_ids + output.response_ids
    sampled = [token for token, own in zip(output.response_ids, output.response_mask) if own]
    return {
        "config": said, "rows": len(data), "reward": output.reward_score, "turns": output.num_turns,
        "lengths": [len(output.response_ids), len(output.response_mask), len(output.response_logprobs)],
        "appends": all(whole[: len(prompt)] == prompt for prompt in prompts),
        "sampled": tokenizer.decode(sampled, skip_special_tokens=True), "text": tokenizer.decode(whole),
    }


print(json.dumps(asyncio.run(interaction() if mode == "interaction" else loop())))
