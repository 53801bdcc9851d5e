/**
 * Matrices with their adapters in them: W + scale · B A, in float32, as a sampling session packs them. They exist while a session is
 * built and no longer; one thread computes them, so their bits are the same everywhere.
 */
import { Graph } from '../graph/graph.ts';
import type { ModelConfig } from '../network/config.ts';
import { loraScale } from '../network/lora.ts';
import type { WeightPlaces } from '../network/weights.ts';
import { Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import { runOnce } from '../train/sessions.ts';
import { widenBfloat16 } from '../models/files/half.ts';

/** Matrices that lie side by side and are one product in a session, by the name of the whole. */
const packed: Readonly<Record<string, readonly string[]>> = {
  qkv_proj: ['q_proj', 'k_proj', 'v_proj'],
  gate_up_proj: ['gate_proj', 'up_proj'],
};

/** The modules whose adapters change a weight; none where it stays as it is stored. */
export function adaptedModules({ lora }: ModelConfig, weight: string): string[] {
  const [, parent = '', name = ''] = /^(.*\.)(\w+)\.weight$/.exec(weight) ?? [];
  return (packed[name] ?? [name]).filter((part) => lora?.targets.some((target) => target === part)).map((part) => parent + part);
}

export class Merging implements Disposable {
  private readonly session: Session;

  constructor(
    private readonly config: ModelConfig,
    private readonly places: WeightPlaces,
  ) {
    const graph = new Graph();
    const w = graph.input('w', config.frozen ?? 'float32', ['out', 'in']);
    const [a, b] = [graph.input('a', 'float32', ['rank', 'in']), graph.input('b', 'float32', ['out', 'rank'])];
    const scale = config.lora ? loraScale(config.lora) : 1;
    const merged = { ...graph.gemm(b, a, { plus: graph.widened(w), scale }), shape: ['out', 'in'] };
    this.session = Session.compile(graph.compile({ merged }), { alone: true });
  }

  /** A weight with the adapters of all its modules. */
  merged(weight: string): Float32Array {
    const whole = this.places.slotOf(weight);
    const result = new Float32Array(new ArrayBuffer(4 * whole.length));
    widen(this.places.dataOf(weight), result);
    for (const module of adaptedModules(this.config, weight)) {
      const { offset, length, shape } = this.places.slotOf(`${module}.weight`);
      const from = offset - whole.offset;
      const over = (name: string): Tensor => Tensor.over(this.places.dataOf(name), [...this.places.slotOf(name).shape]);
      const tensors = {
        w: over(`${module}.weight`),
        a: over(`${module}.lora_A.weight`),
        b: over(`${module}.lora_B.weight`),
        merged: Tensor.over(result.subarray(from, from + length), [...shape]),
      };
      runOnce(this.session, tensors);
      for (const tensor of Object.values(tensors)) tensor[Symbol.dispose]();
    }
    return result;
  }

  [Symbol.dispose](): void {
    this.session[Symbol.dispose]();
  }
}

function widen(source: ReturnType<WeightPlaces['dataOf']>, target: Float32Array): void {
  if (source instanceof Float32Array) target.set(source);
  else widenBfloat16(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), target);
}
