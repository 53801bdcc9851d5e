/** What a policy is beyond its name, so that an evaluation or a file of episodes that goes on is of the same one. */
import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePolicy } from '../policy/spec.ts';
import { hashOfOwn } from '../user-modules/load-file.ts';
import type { OpenPolicyOptions } from './open-policy.ts';
import { modelPath } from './policy-files.ts';

/** What a policy's answers depend on beyond its name: for models, a hash of the weights. */
export async function identifyPolicy(text: string, options: OpenPolicyOptions = {}): Promise<Record<string, string | number>> {
  const template = options.template === undefined ? {} : { template: shortHash(options.template) };
  const thinking = options.thinking === undefined ? {} : { thinking: String(options.thinking) };
  const spec = parsePolicy(text);
  switch (spec.kind) {
    case 'base':
    case 'reader':
    case 'run':
    case 'hf':
    case 'gguf': {
      const path = await modelPath(spec);
      const weights = await weightsHash(path);
      return { ...template, ...thinking, ...(weights === undefined ? {} : { weights }) };
    }
    case 'own':
      return { file: await hashOfOwn(spec.file) };
    case 'replay':
      return { recording: shortHash(await readFile(spec.file).catch(() => '')) };
    case 'openai':
      return options.tokenizer === undefined ? {} : { ...template, ...thinking, tokenizer: options.tokenizer };
    default:
      return {};
  }
}

/** A hash of the weights; of their ends and size where they are large. Undefined for a model that is not here yet. */
async function weightsHash(model: string): Promise<string | undefined> {
  const path = model.startsWith('hf:') ? model.slice(3) : model;
  for (const candidate of [
    path,
    join(path, 'adapter_model.safetensors'),
    join(path, 'model.safetensors'),
    join(path, 'model.safetensors.index.json'),
  ]) {
    const found = await stat(candidate).catch(() => undefined);
    if (!found?.isFile()) continue;
    const hash = createHash('sha256').update(String(found.size));
    await using file = await open(candidate, 'r');
    const whole = found.size <= 256 * 1024 * 1024;
    const piece = 1024 * 1024;
    for (const at of whole ? range(0, found.size, piece) : [0, found.size - piece]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(piece), 0, piece, at);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest('hex').slice(0, 16);
  }
  return undefined;
}

function* range(from: number, to: number, by: number): Generator<number> {
  for (let at = from; at < to; at += by) yield at;
}

function shortHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
