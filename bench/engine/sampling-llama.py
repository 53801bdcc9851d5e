# The other peer of bench/engine/sampling.ts: decoding in llama.cpp, float32 weights, through the C interface of the library inside
# the npm package @node-llama-cpp/linux-x64 (installed by the bench into .cache/llama). One JSON request a line, as in
# sampling-peer.py. The model is written as a GGUF file first, with random weights. To llama.cpp's favour: only llama_decode is
# timed, as in its own llama-batched-bench, with its defaults (half-precision cache, flash attention where it thinks it pays); nothing
# is sampled.
import ctypes
import glob
import json
import os
import sys
import time

import gguf
import numpy


class Settings(ctypes.Structure):
    """Parameters that are passed by value: larger than the library's, of which only the first fields are changed."""

    _fields_ = [("fields", ctypes.c_int32 * 64)]


class Batch(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_int32),
        ("tokens", ctypes.POINTER(ctypes.c_int32)),
        ("embeddings", ctypes.c_void_p),
        ("positions", ctypes.POINTER(ctypes.c_int32)),
        ("sequence_counts", ctypes.POINTER(ctypes.c_int32)),
        ("sequences", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
        ("scored", ctypes.POINTER(ctypes.c_int8)),
    ]


def open_library(folder):
    library = ctypes.CDLL(glob.glob(os.path.join(folder, "libllama.v*.so"))[0])
    base = ctypes.CDLL(glob.glob(os.path.join(folder, "libggml.v*.so"))[0])
    base.ggml_backend_load_all_from_path(folder.encode())  # picks the variant for this processor
    pointer, whole = ctypes.c_void_p, ctypes.c_int32
    for name, result, arguments in [
        ("llama_log_set", None, [pointer, pointer]),
        ("llama_model_default_params", Settings, []),
        ("llama_context_default_params", Settings, []),
        ("llama_model_load_from_file", pointer, [ctypes.c_char_p, Settings]),
        ("llama_init_from_model", pointer, [pointer, Settings]),
        ("llama_free", None, [pointer]),
        ("llama_model_free", None, [pointer]),
        ("llama_set_n_threads", None, [pointer, whole, whole]),
        ("llama_get_memory", pointer, [pointer]),
        ("llama_memory_seq_rm", ctypes.c_bool, [pointer, whole, whole, whole]),
        ("llama_batch_init", Batch, [whole, whole, whole]),
        ("llama_batch_free", None, [Batch]),
        ("llama_decode", whole, [pointer, Batch]),
        ("llama_synchronize", None, [pointer]),
        ("llama_get_logits_ith", ctypes.POINTER(ctypes.c_float), [pointer, whole]),
        ("llama_print_system_info", ctypes.c_char_p, []),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def write_model(path, c):
    d, h, kv, hd, f = c["hidden"], c["heads"], c["keyValueHeads"], c["headSize"], c["intermediate"]
    random = numpy.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(c["context"])
    writer.add_embedding_length(d)
    writer.add_block_count(c["layers"])
    writer.add_feed_forward_length(f)
    writer.add_head_count(h)
    writer.add_head_count_kv(kv)
    writer.add_rope_dimension_count(hd)
    writer.add_rope_freq_base(c["theta"])
    writer.add_layer_norm_rms_eps(c["eps"])
    writer.add_vocab_size(c["vocabulary"])
    writer.add_tokenizer_model("none")
    weight = lambda *shape: (random.standard_normal(shape, dtype=numpy.float32) * 0.02).astype(numpy.float32)
    ones = numpy.ones(d, dtype=numpy.float32)
    writer.add_tensor("token_embd.weight", weight(c["vocabulary"], d))
    writer.add_tensor("output_norm.weight", ones)
    for i in range(c["layers"]):
        writer.add_tensor(f"blk.{i}.attn_norm.weight", ones)
        writer.add_tensor(f"blk.{i}.ffn_norm.weight", ones)
        for name, *shape in [
            ("attn_q", h * hd, d),
            ("attn_k", kv * hd, d),
            ("attn_v", kv * hd, d),
            ("attn_output", d, h * hd),
            ("ffn_gate", f, d),
            ("ffn_up", f, d),
            ("ffn_down", d, f),
        ]:
            writer.add_tensor(f"blk.{i}.{name}.weight", weight(*shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Decoder:
    """Sequences in one context; the prompts are computed once, and each measurement goes on from them."""

    def __init__(self, library, model, threads, rows, past, steps):
        self.library, self.rows, self.past = library, rows, past
        settings = library.llama_context_default_params()
        if list(settings.fields[:4]) != [512, 2048, 512, 1]:
            raise RuntimeError("this llama.cpp orders its parameters differently: use the version that the bench names")
        length = -(-(past + steps) // 256) * 256
        settings.fields[0], settings.fields[1], settings.fields[3] = rows * length, 2048, rows
        self.context = library.llama_init_from_model(model, settings)
        library.llama_set_n_threads(self.context, threads, threads)
        self.batch = library.llama_batch_init(max(past, rows), 0, 1)
        for row in range(rows):
            self.decode([(row, i, (row * 31 + i * 17) % 1000) for i in range(past)])

    def decode(self, entries):
        batch = self.batch
        batch.count = len(entries)
        for i, (row, position, token) in enumerate(entries):
            batch.tokens[i], batch.positions[i], batch.sequence_counts[i], batch.scored[i] = token, position, 1, 1
            batch.sequences[i][0] = row
        if self.library.llama_decode(self.context, batch) != 0:
            raise RuntimeError("llama_decode failed")

    def measure(self, steps):
        memory = self.library.llama_get_memory(self.context)
        for row in range(self.rows):
            self.library.llama_memory_seq_rm(memory, row, self.past, -1)
        start = time.perf_counter()
        for i in range(steps):
            self.decode([(row, self.past + i, (row * 7 + i) % 1000) for row in range(self.rows)])
            self.library.llama_synchronize(self.context)
        seconds = time.perf_counter() - start
        if not numpy.isfinite(self.library.llama_get_logits_ith(self.context, self.rows - 1)[0]):
            raise RuntimeError("llama.cpp gave no finite logits")
        return seconds

    def free(self):
        self.library.llama_batch_free(self.batch)
        self.library.llama_free(self.context)


folder, cache = sys.argv[1:3]
library = open_library(folder)
quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
library.llama_log_set(ctypes.cast(quiet, ctypes.c_void_p), None)
model = decoder = shape = threads = None
for line in sys.stdin:
    request = json.loads(line)
    if "build" in request:
        c, threads = request["build"], request["threads"]
        path = os.path.join(cache, f"{c['layers']}x{c['hidden']}x{c['vocabulary']}-f32.gguf")
        if not os.path.exists(path):
            write_model(path + ".part", c)
            os.rename(path + ".part", path)
        model = library.llama_model_load_from_file(path.encode(), library.llama_model_default_params())
        if not model:
            raise RuntimeError(f"llama.cpp cannot load {path}")
        print(json.dumps({"system": library.llama_print_system_info().decode()}), flush=True)
        continue
    wanted = (request["decode"], request["past"], request["steps"])
    if shape != wanted:
        if decoder:
            decoder.free()
        decoder, shape = Decoder(library, model, threads, *wanted), wanted
    print(json.dumps({"seconds": decoder.measure(request["steps"])}), flush=True)
