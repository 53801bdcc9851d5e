/** The embedding table on a device: rows of it into the first block, and their gradients back, each token's in one sum. */
import { Graph } from '../../graph/graph.ts';
import { embeddingScale, type ModelConfig } from '../../network/config.ts';
import type { Numbers } from '../../network/block.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Pack } from '../packing.ts';
import type { DeviceArena } from './arena.ts';
import type { DeviceSessions } from './sessions.ts';

/** Distinct tokens whose gradients are summed in one call, and rows they are summed over: a matrix of ones and zeros has both extents. */
const tokensAtOnce = 2048;

export interface EmbeddingParts {
  readonly config: ModelConfig;
  readonly sessions: DeviceSessions;
  readonly arena: DeviceArena;
}

export async function embed(
  { config, sessions, arena }: EmbeddingParts,
  pack: Pack,
  table: DeviceTensor,
  x: DeviceTensor,
): Promise<void> {
  const mark = arena.mark();
  const tokens = arena.take('int32', [pack.rows]);
  tokens.upload(pack.tokens);
  await sessions.run('embed', () => embedGraph(config, sessions.numbers), { table, tokens, x });
  arena.rewind(mark);
}

/** Adds the rows' gradients to those of their tokens. */
export async function embedBackward(
  { config, sessions, arena }: EmbeddingParts,
  pack: Pack,
  dx: DeviceTensor,
  gradient: DeviceTensor,
): Promise<void> {
  const mark = arena.mark();
  const tokens = arena.take('int32', [1, pack.rows]);
  tokens.upload(pack.tokens);
  const distinct = Int32Array.from(new Set(pack.tokens)).sort();
  for (let from = 0; from < distinct.length; from += tokensAtOnce) {
    const some = distinct.slice(from, from + tokensAtOnce);
    const wanted = arena.take('int32', [some.length, 1]);
    wanted.upload(some);
    const places = arena.take('int64', [some.length, 1]);
    places.upload(BigInt64Array.from(some, BigInt));
    await sessions.run('embed backward', () => embedBackwardGraph(config), {
      wanted,
      places,
      tokens,
      dx,
      sum: gradient,
      gradient,
    });
  }
  arena.rewind(mark);
}

function embedGraph(config: ModelConfig, numbers: Numbers): ReturnType<Graph['compile']> {
  const { hidden, vocabulary } = config;
  const graph = new Graph();
  const rows = graph.gather(graph.input('table', numbers, [vocabulary, hidden]), graph.input('tokens', 'int32', ['N']));
  const scale = embeddingScale(config);
  const wide = graph.widened(rows);
  return graph.compile({ x: scale === 1 ? wide : graph.multiply(wide, graph.float(scale)) });
}

/** Each row is one of the distinct tokens, so its sum is a product with a matrix of ones and zeros; no two sums go to the same place. */
function embedBackwardGraph(config: ModelConfig): ReturnType<Graph['compile']> {
  const { hidden, vocabulary } = config;
  const graph = new Graph();
  const wanted = graph.input('wanted', 'int32', ['U', 1]);
  const tokens = graph.input('tokens', 'int32', [1, 'N']);
  const equal = graph.node('Equal', [wanted, tokens], { type: 'bool', shape: ['U', 'N'] });
  const sums = graph.gemm(graph.as(equal, 'float32'), graph.input('dx', 'float32', ['N', hidden]), {
    scale: embeddingScale(config),
  });
  const sum = graph.input('sum', 'float32', [vocabulary, hidden]);
  const places = graph.input('places', 'int64', ['U', 1]);
  const gradient = graph.node('ScatterND', [sum, places, sums], { attributes: { reduction: 'add' }, shape: sum.shape });
  return graph.compile({ gradient });
}
