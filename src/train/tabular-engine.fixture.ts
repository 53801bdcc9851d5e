/**
 * The smallest honest engine: a table of logits per context (the last few tokens), exact gradients, Adam, seeds that decide every
 * draw. For tests of the trainer: learning is real, runs in milliseconds, and nothing is mocked.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../core/random/random.ts';
import type {
  AdamParams,
  Datum,
  Engine,
  ForwardOptions,
  Loss,
  LossReport,
  ModelInfo,
  OptimReport,
  Sample,
  SampleRequest,
  TokenScores,
  Tokenizer,
} from '../engine/engine.ts';

interface Cell {
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

export interface TabularOptions {
  readonly words: readonly string[];
  readonly head?: 'language' | 'value';
  readonly seed?: number;
  /** Tokens of context that decide. */
  readonly reach?: number;
  /** Milliseconds that each sampled reply takes. */
  readonly latency?: number;
}

export class TabularEngine implements Engine {
  readonly model: ModelInfo;
  version = 0;
  private cells = new Map<string, Cell>();
  private steps = 0;
  private marked: number[] = [];

  constructor(private readonly options: TabularOptions) {
    const tokenizer = new WordTokenizer(options.words);
    this.model = {
      family: 'llama',
      head: options.head ?? 'language',
      parameters: 0,
      layers: 1,
      hidden: 1,
      vocabulary: tokenizer.size,
      context: 4096,
      tokenizer,
    };
  }

  async sample(request: SampleRequest): Promise<Sample> {
    const random = Random.of(request.seed);
    const { temperature = 1, stopTokens = [], stopStrings = [] } = request;
    const all = [...request.prompt];
    const tokens: number[] = [];
    const logprobs: number[] = [];
    let stop: Sample['stop'] = 'length';
    const { version } = this;
    if (this.options.latency !== undefined) await new Promise((resolve) => setTimeout(resolve, this.options.latency));
    while (tokens.length < request.maxTokens) {
      const distribution = softmax(this.cell(all, all.length).weights, temperature === 0 ? 1 : temperature);
      const token = temperature === 0 ? distribution.indexOf(Math.max(...distribution)) : draw(distribution, random.float());
      tokens.push(token);
      logprobs.push(Math.log(distribution[token] ?? 1));
      all.push(token);
      request.onToken?.(token, logprobs.at(-1) ?? 0);
      if (stopTokens.includes(token)) stop = 'token';
      else if (stopStrings.some((text) => this.model.tokenizer.decode(tokens).includes(text))) stop = 'string';
      else continue;
      break;
    }
    return {
      tokens: Int32Array.from(tokens),
      logprobs: Float32Array.from(logprobs),
      rawLogprobs: Float32Array.from(logprobs),
      stop,
      version,
    };
  }

  async forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    return batch.map((datum) => this.score(datum, options));
  }

  async forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    const scores = batch.map((datum) => this.score(datum, options));
    const result = loss(scores);
    const temperature = options.temperature ?? 1;
    batch.forEach((datum, d) => {
      let k = 0;
      const { tokens } = datum;
      datum.mask.forEach((scored, t) => {
        if (scored === 0) return;
        const slope = result.gradient[d]?.[k] ?? 0;
        const entropySlope = result.entropyGradient?.[d]?.[k] ?? 0;
        k++;
        const { weights, gradient } = this.cell(tokens, t);
        if (this.model.head === 'value') {
          gradient[0] = (gradient[0] ?? 0) + slope;
          return;
        }
        const p = softmax(weights, temperature);
        const entropy = -p.reduce((sum, x) => sum + x * Math.log(x), 0);
        p.forEach((x, v) => {
          const one = v === tokens[t] ? 1 : 0;
          gradient[v] = (gradient[v] ?? 0) + (slope * (one - x) - entropySlope * x * (Math.log(x) + entropy)) / temperature;
        });
      });
    });
    const tokens = batch.reduce((sum, datum) => sum + datum.tokens.length, 0);
    return { loss: result.loss, scores, metrics: result.metrics ?? {}, computedTokens: tokens, tokens };
  }

  async markGradient(): Promise<void> {
    this.marked = this.gradient();
  }

  async agreement(): Promise<number | undefined> {
    let [product, before, since] = [0, 0, 0];
    this.gradient().forEach((now, i) => {
      const a = this.marked[i] ?? 0; // the table grows while it is played
      product += a * (now - a);
      before += a * a;
      since += (now - a) ** 2;
    });
    return before === 0 || since === 0 ? undefined : product / Math.sqrt(before * since);
  }

  /** Of all cells, in the order in which they were first seen. */
  private gradient(): number[] {
    return [...this.cells.values()].flatMap(({ gradient }) => [...gradient]);
  }

  async optimStep(adam: AdamParams): Promise<OptimReport> {
    const { learningRate, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, clipNorm = 0 } = adam;
    let squares = 0;
    for (const { gradient } of this.cells.values()) for (const g of gradient) squares += g * g;
    const gradientNorm = Math.sqrt(squares);
    const factor = clipNorm > 0 && gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
    this.steps++;
    this.version++;
    for (const { weights, gradient, first, second } of this.cells.values()) {
      gradient.forEach((raw, i) => {
        const g = raw * factor;
        first[i] = beta1 * (first[i] ?? 0) + (1 - beta1) * g;
        second[i] = beta2 * (second[i] ?? 0) + (1 - beta2) * g * g;
        const m = (first[i] ?? 0) / (1 - beta1 ** this.steps);
        const v = (second[i] ?? 0) / (1 - beta2 ** this.steps);
        weights[i] = (weights[i] ?? 0) - (learningRate * m) / (Math.sqrt(v) + epsilon);
        gradient[i] = 0;
      });
    }
    return { gradientNorm, step: this.steps };
  }

  async save(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'model.json'), this.text());
  }

  async load(folder: string): Promise<void> {
    const { steps, cells } = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as {
      steps: number;
      cells: [string, number[], number[], number[]][];
    };
    this.steps = steps;
    this.version++;
    this.cells = new Map(
      cells.map(([key, weights, first, second]) => [
        key,
        {
          weights: Float64Array.from(weights),
          first: Float64Array.from(first),
          second: Float64Array.from(second),
          gradient: new Float64Array(weights.length),
        },
      ]),
    );
  }

  async mix(other: TabularEngine, share: number): Promise<void> {
    this.version++;
    for (const key of new Set([...this.cells.keys(), ...other.cells.keys()])) {
      const mine = this.cellOf(key).weights;
      const towards = other.cells.get(key)?.weights ?? this.fresh(key);
      mine.forEach((weight, i) => (mine[i] = weight + share * ((towards[i] ?? 0) - weight)));
    }
  }

  /** Everything that decides what comes next, as text: equal texts are equal engines. */
  text(): string {
    const cells = [...this.cells]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { weights, first, second }]) => [key, [...weights], [...first], [...second]]);
    return JSON.stringify({ steps: this.steps, cells });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cells.clear();
  }

  private score(datum: Datum, { temperature = 1, entropy = false }: ForwardOptions): TokenScores {
    const scores: number[] = [];
    const entropies: number[] = [];
    const { tokens } = datum;
    datum.mask.forEach((scored, t) => {
      if (scored === 0) return;
      const { weights } = this.cell(tokens, t);
      const p = softmax(weights, temperature);
      if (entropy) entropies.push(-p.reduce((sum, x) => sum + x * Math.log(x), 0));
      scores.push(this.model.head === 'value' ? (weights[0] ?? 0) : Math.log(p[tokens[t] ?? 0] ?? 1));
    });
    return { scores: Float32Array.from(scores), ...(entropy ? { entropy: Float32Array.from(entropies) } : {}) };
  }

  private cell(tokens: ArrayLike<number>, end: number): Cell {
    let key = '';
    for (let t = Math.max(0, end - (this.options.reach ?? 4)); t < end; t++) key += ` ${tokens[t] ?? 0}`;
    return this.cellOf(key);
  }

  private cellOf(key: string): Cell {
    let cell = this.cells.get(key);
    if (!cell) {
      const weights = this.fresh(key);
      const size = weights.length;
      cell = { weights, gradient: new Float64Array(size), first: new Float64Array(size), second: new Float64Array(size) };
      this.cells.set(key, cell);
    }
    return cell;
  }

  private fresh(key: string): Float64Array {
    const size = this.model.head === 'value' ? 1 : this.model.vocabulary;
    const random = Random.of(this.options.seed ?? 0, key);
    return Float64Array.from({ length: size }, () => 0.02 * random.normal());
  }
}

/** Words, spaces kept as their own tokens; `\n` ends a turn. Unknown text becomes the token 0. */
class WordTokenizer implements Tokenizer {
  readonly endOfTurn: readonly number[];
  private readonly pieces: readonly string[];
  private readonly ids: ReadonlyMap<string, number>;

  constructor(words: readonly string[]) {
    this.pieces = ['?', '\n', ' ', '>', ...words];
    this.ids = new Map(this.pieces.map((piece, id) => [piece, id]));
    this.endOfTurn = [1];
  }

  get size(): number {
    return this.pieces.length;
  }

  encode(text: string): number[] {
    return (text.match(/\n| |>|[^\s>]+/g) ?? []).map((piece) => this.ids.get(piece) ?? 0);
  }

  decode(ids: ArrayLike<number>): string {
    return Array.from(ids, (id) => this.pieces[id] ?? '?').join('');
  }
}

function softmax(logits: Float64Array, temperature: number): Float64Array {
  const highest = Math.max(...logits);
  const p = logits.map((x) => Math.exp((x - highest) / temperature));
  const total = p.reduce((a, b) => a + b, 0);
  return p.map((x) => x / total);
}

function draw(p: Float64Array, at: number): number {
  let left = at;
  for (let i = 0; i < p.length; i++) if ((left -= p[i] ?? 0) < 0) return i;
  return p.length - 1;
}
