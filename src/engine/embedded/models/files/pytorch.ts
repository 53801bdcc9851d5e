/** Checkpoints of PyTorch (`pytorch_model.bin`) as a model is loaded from: plain tensors, read in place like those of safetensors. */
import { open } from 'node:fs/promises';
import { AgogeError } from '../../../../core/error.ts';
import { readTensor, type SafetensorsFile, type TensorInfo } from './safetensors.ts';
import { isContiguous, malformed, readTorchTable } from './torch-file.ts';

/** Opens a .bin file and checks that every tensor lies inside it. */
export async function openPytorch(path: string): Promise<SafetensorsFile> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot open ${path} (check the path)`);
  });
  try {
    const tensors = new Map<string, TensorInfo>();
    for (const [name, tensor] of await readTorchTable(file, path)) {
      if (tensor.kind !== 'plain')
        throw malformed(path, `tensor "${name}" is one rank's part of a distributed one (agoge model convert puts them together)`);
      if (!isContiguous(tensor)) throw malformed(path, `tensor "${name}" is stored transposed (agoge model convert writes it anew)`);
      const { dtype, width, shape, begin } = tensor;
      tensors.set(name, { dtype, shape, begin, end: begin + width * shape.reduce((product, extent) => product * extent, 1) });
    }
    return {
      path,
      tensors,
      metadata: {},
      read: (tensor, target) => readTensor(file, path, tensor, tensors.get(tensor), target),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}
