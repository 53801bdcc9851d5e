/**
 * Prompts of a lane on a device, as keys and values alone. `single`: a long piece of one prompt, by the kernel, in its slot. `batch`: pieces of
 * many prompts at once, by plain products; those of one fixed shape are recorded on a card.
 */
import { AgogeError } from '../../../../core/error.ts';
import { Session, type AnyTensor, type Call } from '../../runtime/session.ts';
import { Tensor } from '../../runtime/tensor.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Seat } from '../seating.ts';
import { attentionShapes } from './attention.ts';
import { promptGraph, promptShapes, singlePromptGraph } from './graphs.ts';
import { Passing, type LaneMemory } from './lane-memory.ts';

/** Positions of a slot that are computed next: `count` of its prompt from `start` on. */
export interface Piece {
  readonly slot: Seat;
  readonly start: number;
  readonly count: number;
}

/** Each piece is filled up to `tokens` tokens; rows of a batch without a piece compute nothing of use. */
export type PromptWork =
  | { readonly kind: 'single'; readonly pieces: readonly [Piece]; readonly tokens: number }
  | {
      readonly kind: 'batch';
      readonly pieces: readonly Piece[];
      readonly rows: number;
      readonly tokens: number;
      /** Positions that attention looks at. */
      readonly span: number;
      /** Batches of this span always have these rows and tokens. */
      readonly fixed: boolean;
    };

type Batch = Extract<PromptWork, { kind: 'batch' }>;

export class PromptCalls implements Disposable {
  private readonly sessions = new Map<string, { session: Session; weights: readonly string[] }>();
  private readonly singles = new Map<number, { call: Call; views: readonly DeviceTensor[] }>();
  private readonly recordings = new Map<string, { call: Call; views: readonly DeviceTensor[] }>();
  private batches: Call | undefined;

  constructor(private readonly memory: LaneMemory) {}

  async compute(work: PromptWork): Promise<void> {
    const { scratch } = this.memory.device;
    try {
      await this.run(work);
    } catch (thrown) {
      if (!(thrown instanceof AgogeError) || thrown.code !== 'ENGINE_OUT_OF_MEMORY') throw thrown;
      // What the runtime keeps for prompts of other shapes may be what is missing; the same work writes the same keys and values again.
      await scratch.empty();
      await this.run(work);
    }
    await scratch.trim();
    for (const { slot, start, count } of work.pieces) slot.ready = start + count;
  }

  [Symbol.dispose](): void {
    for (const { views } of [...this.singles.values(), ...this.recordings.values()])
      for (const view of views) view[Symbol.dispose]();
    for (const { session } of this.sessions.values()) session[Symbol.dispose]();
    this.sessions.clear();
  }

  private async run(work: PromptWork): Promise<void> {
    if (work.kind === 'single') await this.single(work.pieces[0], work.tokens);
    else if (work.fixed) await this.recorded(work);
    else await this.batch(work);
  }

  private async single({ slot, start, count }: Piece, tokens: number): Promise<void> {
    const { memory } = this;
    let kept = this.singles.get(slot.index);
    if (!kept) this.singles.set(slot.index, (kept = this.prepareSingle(slot.index)));
    using passing = new Passing();
    const ids = new Int32Array(tokens);
    ids.set(slot.tokens.subarray(start, start + count));
    const sent = passing.keep(memory.room('single', 'int32', tokens).part([1, tokens]));
    sent.upload(ids);
    const length = passing.keep(memory.room('length', 'int32', 1).part([1]));
    length.upload(Int32Array.of(start + tokens - 1));
    kept.call.set('tokens', sent);
    kept.call.set('lengths', length);
    kept.call.set('total', passing.keep(Tensor.over(Int32Array.of(start + tokens), [])));
    await kept.call.run();
  }

  private async batch(work: Batch): Promise<void> {
    const { memory } = this;
    const { rows, tokens, span } = work;
    const { session, weights } = this.sessionOf('batch', () => promptGraph(memory.config, memory.graphOptions));
    const shapes = promptShapes(memory.config);
    this.batches ??= this.prepareBatch(session, weights, { shapes: shapes.map(([, input]) => input) });
    const call = this.batches;
    using passing = new Passing();
    /** A network of one block needs no attention for its keys and values. */
    const set = (name: string, tensor: AnyTensor): void => {
      if (session.places.has(name)) call.set(name, tensor);
    };
    for (const { name, type, data, shape } of this.numbersOf(work)) {
      const tensor = passing.keep(memory.room(name, type, rows * tokens).part(shape));
      tensor.upload(data);
      set(name, tensor);
    }
    set('range', passing.keep(memory.range.part([span])));
    for (const [name, input] of shapes) {
      const shape = BigInt64Array.from(attentionShapes(memory.config, tokens, name), BigInt);
      set(input, passing.keep(Tensor.over(shape, [shape.length])));
    }
    await call.run();
  }

  /** The same with tensors that stay where they are. */
  private async recorded(work: Batch): Promise<void> {
    const { memory } = this;
    const { rows, tokens, span } = work;
    const { session, weights } = this.sessionOf(`batch of ${tokens}`, () =>
      promptGraph(memory.config, memory.graphOptions, tokens),
    );
    const numbers = this.numbersOf(work);
    const key = `${rows} ${tokens} ${span}`;
    let kept = this.recordings.get(key);
    if (!kept) {
      const given = Object.fromEntries(
        numbers.map(({ name, type, data, shape }) => {
          const room = memory.create(type, [data.length]);
          return [name, room.part(shape)] as const;
        }),
      );
      const range = memory.range.part([span]);
      const call = this.prepareBatch(session, weights, { given: { ...given, range }, graphId: span });
      kept = { call, views: [...Object.values(given), range] };
      this.recordings.set(key, kept);
    }
    const { views } = kept;
    numbers.forEach(({ data }, i) => views[i]?.upload(data));
    await kept.call.run();
  }

  /** What a batch is told, by input. */
  private numbersOf({ pieces, rows, tokens }: Batch): SentNumbers[] {
    const { memory } = this;
    const ids = new Int32Array(rows * tokens);
    const positions = new BigInt64Array(rows * tokens);
    const nowhere = BigInt(memory.baseOf(memory.slots));
    const places = new BigInt64Array(rows * tokens).fill(nowhere);
    const bases = new BigInt64Array(rows).fill(nowhere);
    pieces.forEach(({ slot, start, count }, row) => {
      const base = memory.baseOf(slot.index);
      bases[row] = BigInt(base);
      for (let i = 0, at = row * tokens; i < count; i++, at++) {
        const position = start + i;
        ids[at] = slot.tokens[position] as number;
        positions[at] = BigInt(position);
        places[at] = BigInt(base + position);
      }
    });
    return [
      { name: 'tokens', type: 'int32', data: ids, shape: [rows, tokens] },
      { name: 'positions', type: 'int64', data: positions, shape: [rows, tokens] },
      { name: 'places', type: 'int64', data: places, shape: [rows, tokens] },
      { name: 'bases', type: 'int64', data: bases, shape: [rows] },
    ];
  }

  private prepareSingle(slot: number): { call: Call; views: readonly DeviceTensor[] } {
    const { memory } = this;
    const { config, length } = memory;
    const { session, weights } = this.sessionOf('single', () => singlePromptGraph(config, memory.graphOptions));
    const views: DeviceTensor[] = [];
    const inputs: Record<string, AnyTensor> = { ...memory.tables };
    const outputs: Record<string, AnyTensor> = {};
    memory.addCaches(inputs, outputs, (cache) => {
      const view = cache.part([1, config.keyValueHeads, length, config.headSize], memory.baseOf(slot) * config.headSize);
      views.push(view);
      return view;
    });
    memory.addWeights(inputs, weights);
    for (const name of ['tokens', 'lengths', 'total']) inputs[name] = memory.range;
    return { call: session.prepare(inputs, outputs), views };
  }

  private prepareBatch(
    session: Session,
    weights: readonly string[],
    {
      shapes = [],
      given = {},
      graphId,
    }: { shapes?: readonly string[]; given?: Readonly<Record<string, DeviceTensor>>; graphId?: number },
  ): Call {
    const { memory } = this;
    const inputs: Record<string, AnyTensor> = { ...memory.tables };
    // Those that are not given here are set before each run.
    for (const name of ['tokens', 'positions', 'places', 'bases', 'range', ...shapes]) inputs[name] = given[name] ?? memory.range;
    memory.addWeights(inputs, weights);
    const outputs: Record<string, AnyTensor> = {};
    memory.addCaches(inputs, outputs);
    return session.prepare(inputs, outputs, { graphId });
  }

  private sessionOf(key: string, build: () => ReturnType<typeof promptGraph>): { session: Session; weights: readonly string[] } {
    let kept = this.sessions.get(key);
    if (!kept) {
      const { device, capture, tf32 } = this.memory;
      const graph = build();
      const recorded = capture && key.startsWith('batch of');
      kept = { session: Session.compile(graph, { device, capture: recorded, tf32 }), weights: graph.weights };
      this.sessions.set(key, kept);
    }
    return kept;
  }
}

interface SentNumbers {
  readonly name: string;
  readonly type: 'int32' | 'int64';
  readonly data: Int32Array | BigInt64Array;
  readonly shape: readonly number[];
}
