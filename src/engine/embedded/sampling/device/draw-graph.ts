/**
 * Drawing on a device: from rows of logits and one uniform number per row to token ids and their log-probabilities, by the inverse of the
 * cumulative sum. The order is that of draw.ts, so a seed draws what it draws on the CPU; min-p alone goes by ids, since nothing is sorted
 * then. Sums run in two levels: the runtime's cumulative sum reads every number before each.
 */
import type { Graph, Value } from '../../graph/graph.ts';

/**
 * Which draws a graph can make. `plain`: the model's own distribution alone. `cut`: temperatures, greedy rows and min-p as well. A number:
 * also top-k and top-p, among so many likeliest tokens.
 */
export type DrawKind = 'plain' | 'cut' | number;

/** Rows of the control tensor [controls, rows], float32: whole numbers up to 2²⁴ are exact in it. */
export const controls = ['token', 'length', 'uniform', 'inverseTemperature', 'minP', 'topK', 'topP', 'truncated'] as const;
export type Control = (typeof controls)[number];

/** Rows of the result [3, rows]. */
export interface Drawn {
  readonly token: Value;
  readonly logprob: Value;
  readonly rawLogprob: Value;
}

/**
 * Draws for rows of float32 logits [rows, vocabulary]; `control` gives a column [rows, 1], `rows` are their numbers, int64 [rows, 1].
 *
 * A graph that is captured must not hold what the runtime copies from the host while it runs: no GatherND, and no Concat of unequal parts.
 */
export function draw(
  graph: Graph,
  kind: DrawKind,
  logits: Value,
  vocabulary: number,
  control: (name: Control) => Value,
  rows: Value,
): Drawn {
  const raw = graph.softmax(logits);
  const uniform = control('uniform');
  const logOf = (value: Value): Value => graph.map('Log', value);
  if (kind === 'plain') {
    const { token, weight } = drawInOrder(graph, raw, vocabulary, uniform, rows);
    const logprob = logOf(weight);
    return { token, logprob, rawLogprob: logprob };
  }
  const hot = graph.softmax(graph.multiply(logits, control('inverseTemperature')));
  const floor = graph.multiply(control('minP'), graph.reduce('Max', hot, [-1]));
  const zero = graph.float(0);
  const where = (condition: Value, value: Value): Value => graph.node('Where', [condition, value, zero], { type: 'float32' });
  const atLeast = (a: Value, b: Value): Value => graph.node('GreaterOrEqual', [a, b], { type: 'bool' });
  const free = drawInOrder(graph, where(atLeast(hot, floor), hot), vocabulary, uniform, rows);
  let { token } = free;
  let logprob = logOf(graph.divide(free.weight, free.total));
  if (kind !== 'cut') {
    const best = drawFromLikeliest(graph, hot, kind, floor, control);
    const truncated = graph.node('Greater', [control('truncated'), zero], { type: 'bool' });
    const either = (a: Value, b: Value): Value => graph.node('Where', [truncated, a, b], { type: a.type });
    token = either(best.token, token);
    logprob = either(logOf(graph.divide(best.weight, best.total)), logprob);
  }
  return { token, logprob, rawLogprob: logOf(picked(graph, raw, token)) };
}

interface Picked {
  /** int64 [rows, 1] */
  readonly token: Value;
  readonly weight: Value;
  readonly total: Value;
}

/** The first token at which the sum of weights passes the uniform share of their total. A token without weight is never drawn. */
function drawInOrder(graph: Graph, weights: Value, width: number, uniform: Value, rows: Value): Picked {
  const [blocks, size] = blocksOf(width);
  const padded = blocks * size === width ? weights : padTo(graph, weights, width, blocks * size);
  const table = graph.reshape(padded, [-1, size]);
  const sums = graph.reshape(graph.reduce('Sum', table, [1]), [-1, blocks]);
  const outer = cumulated(graph, sums);
  const total = column(graph, outer, blocks - 1);
  const target = graph.multiply(uniform, total);
  const block = passed(graph, outer, target, blocks);
  const before = graph.subtract(picked(graph, outer, block), picked(graph, sums, block));
  const index = graph.add(graph.multiply(rows, integer(graph, blocks)), block);
  const inBlock = graph.gather(table, graph.reshape(index, [-1]));
  const inner = cumulated(graph, inBlock);
  const last = column(graph, inner, size - 1);
  // What is left may be below zero, or above the block's own sum, by a rounding.
  const most = graph.multiply(last, graph.float(1 - 2 ** -22));
  const left = graph.node('Min', [graph.node('Max', [graph.subtract(target, before), graph.float(0)]), most]);
  const place = passed(graph, inner, left, size);
  const token = graph.add(graph.multiply(block, integer(graph, size)), place);
  return { token, weight: picked(graph, inBlock, place), total };
}

/** Top-k, top-p and min-p among the `keep` likeliest tokens, as draw.ts cuts them. */
function drawFromLikeliest(graph: Graph, hot: Value, keep: number, floor: Value, control: (name: Control) => Value): Picked {
  const [values, ids] = graph.nodeWithOutputs('TopK', [hot, graph.integers([keep])], [undefined, undefined], {
    attributes: { axis: -1, largest: 1, sorted: 1 },
  }) as [Value, Value];
  const ranks = graph.constant(
    'float32',
    [1, keep],
    Float32Array.from({ length: keep }, (_, rank) => rank),
  );
  const bool = (operator: string, a: Value, b: Value): Value => graph.node(operator, [a, b], { type: 'bool' });
  const where = (condition: Value, a: Value, b: Value): Value => graph.node('Where', [condition, a, b], { type: 'float32' });
  const zero = graph.float(0);
  const likely = bool('And', bool('Less', ranks, control('topK')), bool('GreaterOrEqual', values, floor));
  const first = where(likely, values, zero);
  // Top-p is a share of what top-k left, or of everything where there is no top-k (then it is larger than any vocabulary).
  const limited = bool('Less', control('topK'), graph.float(2 ** 24));
  const all = where(limited, graph.reduce('Sum', first, [1]), graph.float(1));
  const cumulative = cumulatedInBlocks(graph, first, keep);
  const before = graph.subtract(cumulative, first);
  const kept = where(bool('Less', before, graph.multiply(control('topP'), all)), first, zero);
  const sums = cumulatedInBlocks(graph, kept, keep);
  const total = column(graph, sums, keep - 1);
  const place = passed(graph, sums, graph.multiply(control('uniform'), total), keep);
  return { token: picked(graph, { ...ids, type: 'int64' }, place), weight: picked(graph, kept, place), total };
}

/** How many of the sums in each row are at most the target, int64 [rows, 1]; the last place for rows that nobody sits in. */
function passed(graph: Graph, sums: Value, target: Value, width: number): Value {
  const below = graph.node('LessOrEqual', [sums, target], { type: 'bool' });
  const count = graph.reduce('Sum', graph.as(below, 'float32'), [1]);
  return graph.as(graph.node('Min', [count, graph.float(width - 1)]), 'int64');
}

/** One number of each row. */
function picked(graph: Graph, rows: Value, place: Value): Value {
  return graph.node('GatherElements', [rows, place], { attributes: { axis: 1 }, type: rows.type });
}

function cumulated(graph: Graph, rows: Value): Value {
  return graph.node('CumSum', [rows, graph.constant('int64', [], BigInt64Array.of(1n))]);
}

/** The same in two levels. */
function cumulatedInBlocks(graph: Graph, rows: Value, width: number): Value {
  const [blocks, size] = blocksOf(width);
  if (blocks === 1) return cumulated(graph, rows);
  const padded = blocks * size === width ? rows : padTo(graph, rows, width, blocks * size);
  const inner = cumulated(graph, graph.reshape(padded, [-1, size]));
  const last = column(graph, inner, size - 1);
  const sums = graph.reshape(last, [-1, blocks]);
  const before = graph.reshape(graph.subtract(cumulated(graph, sums), sums), [-1, 1]);
  const all = graph.reshape(graph.add(inner, before), [-1, blocks * size]);
  return blocks * size === width
    ? all
    : graph.node('Slice', [all, graph.integers([0]), graph.integers([width]), graph.integers([1])]);
}

/** Zeros behind each row. */
function padTo(graph: Graph, rows: Value, width: number, wanted: number): Value {
  return graph.node('Pad', [rows, graph.integers([0, 0, 0, wanted - width])]);
}

/** [rows, 1] */
function column(graph: Graph, rows: Value, index: number): Value {
  return graph.node('Slice', [rows, graph.integers([index]), graph.integers([index + 1]), graph.integers([1])]);
}

function integer(graph: Graph, value: number): Value {
  return graph.constant('int64', [], BigInt64Array.of(BigInt(value)));
}

/** A row as blocks × size, both near its root; without a remainder where the width has such divisors. */
export function blocksOf(width: number): [blocks: number, size: number] {
  const root = Math.sqrt(width);
  for (let blocks = Math.floor(root); blocks >= 1 && blocks * 16 >= root; blocks--)
    if (width % blocks === 0) return [blocks, width / blocks];
  const blocks = Math.ceil(root);
  return [blocks, Math.ceil(width / blocks)];
}
