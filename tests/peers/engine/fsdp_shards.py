"""Checkpoints as verl's workers write them, from real FSDP on three ranks (gloo, CPU), and what transformers makes of ours.

make <folder>        writes <folder>/original and one checkpoint per kind of shard; an adapter of PEFT and its own merge
compare <a> <b> …    prints the largest difference of the logits of each pair of folders as JSON
"""
import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import ShardedStateDictConfig, StateDictType, fully_shard
from transformers import AutoModelForCausalLM, Qwen3Config

# Three do not divide the rows of any matrix: every rank but the last gets one more.
WORLD = 3


def original(folder):
    return AutoModelForCausalLM.from_pretrained(os.path.join(folder, "original"), dtype=torch.float32)


def save(folder, kind, rank, state, config):
    actor = os.path.join(folder, kind, "global_step_7", "actor")
    os.makedirs(os.path.join(actor, "huggingface"), exist_ok=True)
    torch.save(state, os.path.join(actor, f"model_world_size_{WORLD}_rank_{rank}.pt"))
    if rank == 0:
        config.save_pretrained(os.path.join(actor, "huggingface"))
        with open(os.path.join(folder, kind, "latest_checkpointed_iteration.txt"), "w") as file:
            file.write("7")


def sharded(model, **options):
    wrapped = FSDP(model, device_id=torch.device("cpu"), **options)
    with FSDP.state_dict_type(wrapped, StateDictType.SHARDED_STATE_DICT, ShardedStateDictConfig(offload_to_cpu=True)):
        return wrapped.state_dict()


def work(rank, folder, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE=str(WORLD))
    dist.init_process_group("gloo", rank=rank, world_size=WORLD)
    mesh = init_device_mesh("cpu", (WORLD,), mesh_dim_names=("fsdp",))
    model = original(folder)
    config = model.config
    for layer in model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    save(folder, "fsdp2", rank, model.state_dict(), config)
    hybrid = init_device_mesh("cpu", (WORLD, 1), mesh_dim_names=("ddp", "fsdp"))
    model = original(folder)
    fully_shard(model, mesh=hybrid)
    save(folder, "hybrid", rank, model.state_dict(), config)
    save(folder, "fsdp1-mesh", rank, sharded(original(folder), device_mesh=mesh), config)
    save(folder, "fsdp1", rank, sharded(original(folder)), config)
    flat = {name: tensor.chunk(WORLD, dim=0)[rank].clone() for name, tensor in original(folder).state_dict().items()}
    save(folder, "flat", rank, flat, config)
    dist.destroy_process_group()


def make(folder):
    import socket

    torch.manual_seed(0)
    # An odd vocabulary: the ranks get different numbers of rows.
    config = Qwen3Config(vocab_size=131, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, head_dim=16, max_position_embeddings=64, tie_word_embeddings=False)
    model = AutoModelForCausalLM.from_config(config)
    model.save_pretrained(os.path.join(folder, "original"))
    os.makedirs(os.path.join(folder, "bin"))
    torch.save(model.state_dict(), os.path.join(folder, "bin", "pytorch_model.bin"))
    config.save_pretrained(os.path.join(folder, "bin"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mp.spawn(work, args=(folder, port), nprocs=WORLD)
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError:
        return
    lora = LoraConfig(r=4, lora_alpha=9, target_modules=["q_proj", "v_proj", "down_proj", "embed_tokens"],
                      modules_to_save=["lm_head"], alpha_pattern={"v_proj": 3}, init_lora_weights=False)
    adapted = get_peft_model(original(folder), lora)
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "modules_to_save" in name:
                parameter.add_(0.01)
    adapted.save_pretrained(os.path.join(folder, "adapter"))
    torch.save(adapted.state_dict(), os.path.join(folder, "adapter", "whole.pt"))
    adapted.merge_and_unload().save_pretrained(os.path.join(folder, "merged"))


def logits(folder):
    model, report = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", output_loading_info=True)
    problems = [key for kind in ("missing_keys", "unexpected_keys", "mismatched_keys") for key in report[kind]]
    assert not problems, problems
    return model(torch.arange(40).reshape(2, 20) * 3 % 131).logits.float()


def compare(folders):
    pairs = zip(folders[::2], folders[1::2])
    print(json.dumps([(logits(one) - logits(other)).abs().max().item() for one, other in pairs]))


if __name__ == "__main__":
    make(sys.argv[2]) if sys.argv[1] == "make" else compare(sys.argv[2:])
