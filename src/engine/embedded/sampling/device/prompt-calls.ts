/** Prompts of a lane on a device, as keys and values alone: pieces of many prompts at once. */
import { Session, type AnyTensor, type Call } from '../../runtime/session.ts';
import { Tensor } from '../../runtime/tensor.ts';
import type { Seat } from '../seating.ts';
import { attentionShapes } from './attention.ts';
import { promptGraph, promptShapes } from './graphs.ts';
import { Passing, type LaneMemory } from './lane-memory.ts';

/** Positions of a slot that are computed next: `count` of its prompt from `start` on. */
export interface Piece {
  readonly slot: Seat;
  readonly start: number;
  readonly count: number;
}

/** Each piece is filled up to `tokens` tokens; rows without a piece compute nothing of use. */
export interface PromptBatch {
  readonly pieces: readonly Piece[];
  readonly rows: number;
  readonly tokens: number;
  /** Positions that attention looks at. */
  readonly span: number;
}

export class PromptCalls implements Disposable {
  private session: Session | undefined;
  private call: Call | undefined;

  constructor(private readonly memory: LaneMemory) {}

  async compute({ pieces, rows, tokens, span }: PromptBatch): Promise<void> {
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
    const call = (this.call ??= this.prepare());
    using passing = new Passing();
    /** A network of one block needs no attention for its keys and values. */
    const set = (name: string, tensor: AnyTensor): void => {
      if (this.session?.places.has(name) === true) call.set(name, tensor);
    };
    const send = (name: string, type: 'int32' | 'int64', data: Int32Array | BigInt64Array, shape: readonly number[]): void => {
      const tensor = passing.keep(memory.room(name, type, data.length).part(shape));
      tensor.upload(data);
      set(name, tensor);
    };
    send('tokens', 'int32', ids, [rows, tokens]);
    send('positions', 'int64', positions, [rows, tokens]);
    send('places', 'int64', places, [rows, tokens]);
    send('bases', 'int64', bases, [rows]);
    set('range', passing.keep(memory.range.part([span])));
    for (const [name, input] of promptShapes(memory.config)) {
      const shape = BigInt64Array.from(attentionShapes(memory.config, tokens, name), BigInt);
      set(input, passing.keep(Tensor.over(shape, [shape.length])));
    }
    await call.run();
    for (const { slot, start, count } of pieces) slot.ready = start + count;
  }

  [Symbol.dispose](): void {
    this.session?.[Symbol.dispose]();
  }

  private prepare(): Call {
    const { memory } = this;
    const { config, device, graphOptions, tf32 } = memory;
    const graph = promptGraph(config, graphOptions);
    this.session = Session.compile(graph, { device, tf32 });
    const inputs: Record<string, AnyTensor> = { ...memory.tables };
    // Set before each run.
    const later = ['tokens', 'positions', 'places', 'bases', 'range', ...promptShapes(config).map(([, input]) => input)];
    for (const name of later) inputs[name] = memory.range;
    memory.addWeights(inputs, graph.weights);
    const outputs: Record<string, AnyTensor> = {};
    memory.addCaches(inputs, outputs);
    return this.session.prepare(inputs, outputs);
  }
}
