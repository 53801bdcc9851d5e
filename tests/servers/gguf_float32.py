"""Writes a GGUF file anew with all of its numbers in float32, so that two engines that read it differ by rounding alone."""

import sys

from gguf import GGUFReader, GGUFWriter
from gguf.quants import dequantize

source, target = sys.argv[1:]
reader = GGUFReader(source)
writer = GGUFWriter(target, reader.fields["general.architecture"].contents())
for name, field in reader.fields.items():
    if name.startswith("GGUF.") or name in ("general.architecture", "general.file_type"):
        continue
    kind, *inner = field.types
    writer.add_key_value(name, field.contents(), kind, inner[0] if inner else None)
writer.add_file_type(0)
for tensor in reader.tensors:
    writer.add_tensor(tensor.name, dequantize(tensor.data, tensor.tensor_type).astype("float32"))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
