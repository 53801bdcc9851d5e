/**
 * The compiled graphs of a network, each made when it is first needed and kept: blocks by number of tile groups (one to six, see
 * tiles.ts), heads. Shapes are symbolic, so their number is bounded whatever batches come.
 */
import { AgogeError } from '../../../core/error.ts';
import type { CompiledGraph, Value } from '../graph/graph.ts';
import { blockGraphs, type BlockGraphs } from '../network/block.ts';
import type { ModelConfig } from '../network/config.ts';
import { languageHead, valueHead } from '../network/head.ts';
import { Session } from '../runtime/session.ts';
import type { Tensor } from '../runtime/tensor.ts';

export type BlockPart = 'score' | 'forward' | 'backwardLate' | 'backwardEarly';
export type HeadPart = 'forward' | 'forwardEntropy' | 'entropySlope' | 'backward';

export class NetworkSessions implements Disposable {
  private readonly graphs = new Map<string, BlockGraphs>();
  private readonly sessions = new Map<string, Session>();
  /** Threads that share each call of the sessions that are asked for from now on; only where they do not use the pool. */
  width = 1;

  /** `alone`: each call runs on the thread that makes it. */
  constructor(
    private readonly config: ModelConfig,
    private readonly alone: boolean,
  ) {}

  block(part: BlockPart, groups: number, accumulate: boolean): Session {
    return this.session(`${part} ${groups} ${accumulate}`, () => this.blockGraphs(groups, accumulate)[part]);
  }

  /** What a block's forward keeps for its backward. */
  kept(groups: number): readonly Value[] {
    return this.blockGraphs(groups, false).kept;
  }

  /** `accumulate`: whether the gradients of the final norm, and of the output matrix, add to what is there. */
  head(part: HeadPart, accumulate: { readonly norm: boolean; readonly output: boolean }): Session {
    return this.session(`head ${part} ${accumulate.norm} ${accumulate.output}`, () => {
      if (this.config.head === 'language') return languageHead(this.config, accumulate)[part];
      if (part === 'forward' || part === 'backward') return valueHead(this.config, accumulate.norm)[part];
      throw new AgogeError('ENGINE_NO_ENTROPY', 'a value head has no distribution and no entropy: ask for it on the policy');
    });
  }

  get size(): number {
    return this.sessions.size;
  }

  [Symbol.dispose](): void {
    for (const session of this.sessions.values()) session[Symbol.dispose]();
    this.sessions.clear();
    this.graphs.clear();
  }

  private blockGraphs(groups: number, accumulate: boolean): BlockGraphs {
    const key = `${groups} ${accumulate}`;
    const graphs = this.graphs.get(key) ?? blockGraphs(this.config, groups, accumulate);
    this.graphs.set(key, graphs);
    return graphs;
  }

  private session(name: string, graph: () => CompiledGraph): Session {
    const { alone, width } = this;
    const key = `${name} ${width}`;
    let session = this.sessions.get(key);
    if (!session) {
      session = Session.compile(graph(), { alone, width });
      this.sessions.set(key, session);
    }
    return session;
  }
}

/** Runs a session once, here and now; inputs and outputs are found in one set by their names. */
export function runOnce(session: Session, tensors: Readonly<Record<string, Tensor>>): void {
  const call = session.prepare(tensors, tensors);
  try {
    call.runSync();
  } finally {
    call[Symbol.dispose]();
  }
}
