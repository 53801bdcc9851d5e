/**
 * A small Llama in plain TypeScript, for a page: weights from a safetensors file, one token at a time, keys and values kept. It gives the
 * numbers of the embedded engine up to rounding; that engine itself calls a native library, which a page cannot.
 */
interface Config {
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly num_key_value_heads: number;
  readonly head_dim: number;
  readonly rms_norm_eps: number;
  readonly rope_theta: number;
}

type Weights = ReadonlyMap<string, Float32Array>;

export class Llama {
  private readonly keys: Float32Array[][];
  private readonly values: Float32Array[][];
  private at = 0;

  constructor(
    private readonly config: Config,
    private readonly weights: Weights,
  ) {
    this.keys = Array.from({ length: config.num_hidden_layers }, () => []);
    this.values = Array.from({ length: config.num_hidden_layers }, () => []);
  }

  /** Appends a token; returns a score for each that may follow it. */
  next(token: number): Float32Array {
    const { config } = this;
    const width = config.hidden_size;
    const x = this.weight('model.embed_tokens.weight').slice(token * width, (token + 1) * width);
    for (let layer = 0; layer < config.num_hidden_layers; layer++) {
      const name = `model.layers.${layer}`;
      add(x, this.attend(layer, norm(x, this.weight(`${name}.input_layernorm.weight`), config.rms_norm_eps)));
      const inner = norm(x, this.weight(`${name}.post_attention_layernorm.weight`), config.rms_norm_eps);
      const gate = times(this.weight(`${name}.mlp.gate_proj.weight`), inner);
      const up = times(this.weight(`${name}.mlp.up_proj.weight`), inner);
      const hidden = gate.map((g, i) => (g / (1 + Math.exp(-g))) * (up[i] as number));
      add(x, times(this.weight(`${name}.mlp.down_proj.weight`), hidden));
    }
    this.at++;
    const last = norm(x, this.weight('model.norm.weight'), config.rms_norm_eps);
    return times(this.weights.get('lm_head.weight') ?? this.weight('model.embed_tokens.weight'), last);
  }

  private attend(layer: number, x: Float32Array): Float32Array {
    const { num_attention_heads: heads, num_key_value_heads: shared, head_dim: size } = this.config;
    const name = `model.layers.${layer}.self_attn`;
    const query = this.turn(times(this.weight(`${name}.q_proj.weight`), x));
    const keys = this.keys[layer] as Float32Array[];
    const values = this.values[layer] as Float32Array[];
    keys.push(this.turn(times(this.weight(`${name}.k_proj.weight`), x)));
    values.push(times(this.weight(`${name}.v_proj.weight`), x));
    const mixed = new Float32Array(heads * size);
    for (let head = 0; head < heads; head++) {
      const own = head * size;
      const theirs = Math.floor((head * shared) / heads) * size;
      const scores = keys.map((key) => dot(query, own, key, theirs, size) / Math.sqrt(size));
      const highest = scores.reduce((a, b) => Math.max(a, b));
      const shares = scores.map((score) => Math.exp(score - highest));
      const total = shares.reduce((a, b) => a + b);
      values.forEach((value, t) => {
        const share = (shares[t] as number) / total;
        for (let i = 0; i < size; i++) mixed[own + i] = (mixed[own + i] as number) + share * (value[theirs + i] as number);
      });
    }
    return times(this.weight(`${name}.o_proj.weight`), mixed);
  }

  /** Rotary positions: the first half of each head against its second half. */
  private turn(x: Float32Array): Float32Array {
    const { head_dim: size, rope_theta: theta } = this.config;
    const turned = new Float32Array(x.length);
    for (let start = 0; start < x.length; start += size) {
      for (let i = 0; i < size / 2; i++) {
        const angle = this.at / theta ** ((2 * i) / size);
        const [a, b] = [x[start + i] as number, x[start + i + size / 2] as number];
        turned[start + i] = a * Math.cos(angle) - b * Math.sin(angle);
        turned[start + i + size / 2] = b * Math.cos(angle) + a * Math.sin(angle);
      }
    }
    return turned;
  }

  private weight(name: string): Float32Array {
    const found = this.weights.get(name);
    if (!found) throw new Error(`the file of weights has no ${name}: this page plays Llamas as Agoge saves them`);
    return found;
  }
}

/** The tensors of a safetensors file: its length, a header of names and places, then the numbers (float32). */
export function readSafetensors(file: ArrayBuffer): Weights {
  const length = Number(new DataView(file).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length))) as Record<string, Tensor>;
  const tensors = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return new Map(
    tensors.map(
      ([
        name,
        {
          dtype,
          data_offsets: [from, to],
        },
      ]) => {
        if (dtype !== 'F32') throw new Error(`${name} is ${dtype}: this page reads F32`);
        return [name, new Float32Array(file.slice(8 + length + from, 8 + length + to))];
      },
    ),
  );
}

interface Tensor {
  readonly dtype: string;
  readonly data_offsets: readonly [number, number];
}

function times(matrix: Float32Array, x: Float32Array): Float32Array {
  const result = new Float32Array(matrix.length / x.length);
  for (let row = 0; row < result.length; row++) result[row] = dot(matrix, row * x.length, x, 0, x.length);
  return result;
}

function dot(a: Float32Array, fromA: number, b: Float32Array, fromB: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (a[fromA + i] as number) * (b[fromB + i] as number);
  return sum;
}

function norm(x: Float32Array, weight: Float32Array, epsilon: number): Float32Array {
  const scale = 1 / Math.sqrt(dot(x, 0, x, 0, x.length) / x.length + epsilon);
  return x.map((value, i) => value * scale * (weight[i] as number));
}

function add(x: Float32Array, more: Float32Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] as number) + (more[i] as number);
}
