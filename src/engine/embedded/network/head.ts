/**
 * From the last hidden states to scores, and back. The language head gives log-probabilities of chosen tokens and keeps the
 * probabilities; its gradient by the logits is a row weight times (p − onehot), so the backward graph takes p with 1 subtracted
 * at the chosen token, and never builds a one-hot matrix. Only scored rows enter. The value head gives one number per row.
 */
import { DifferentiableGraph } from '../graph/differentiate.ts';
import type { CompiledGraph } from '../graph/graph.ts';
import { bent, bentSlope, normWeight, type Numbers } from './block.ts';
import type { ModelConfig } from './config.ts';

export interface LanguageHeadGraphs {
  /** x, rows, targets, inverseTemperature → scores, p. */
  readonly forward: CompiledGraph;
  /** The same with entropy and the logits z. */
  readonly forwardEntropy: CompiledGraph;
  /** p, z, scoreWeight, entropyWeight, entropy, scores of the reference → dz before the one-hot part, in place of p. */
  readonly entropySlope: CompiledGraph;
  /** x, rows, p − onehot, weight → dx (of the scored rows), d.norm and d.output unless they are frozen. */
  readonly backward: CompiledGraph;
}

/** Extents: N rows of x, M scored rows. With `accumulate` gradients add to `sum.norm` and `sum.output`. */
export function languageHead(
  config: ModelConfig,
  accumulate: { readonly norm: boolean; readonly output: boolean },
): LanguageHeadGraphs {
  const graph = new DifferentiableGraph();
  const { hidden, vocabulary } = config;
  const x = graph.gather(graph.input('x', 'float32', ['N', hidden]), graph.input('rows', 'int32', ['M']));
  const frozen = config.frozen !== undefined;
  const norm = graph.widened(graph.input('norm', config.frozen ?? 'float32', [hidden]));
  const output = graph.widened(graph.input('output', config.frozen ?? 'float32', [vocabulary, hidden]));
  const inverseTemperature = graph.input('inverseTemperature', 'float32', []);
  const normed = graph.rmsNorm(x, normWeight(graph, config, norm), config.normEpsilon);
  const h = graph.multiply(normed, inverseTemperature);
  const cap = config.gemma?.caps?.logits;
  // A temperature divides what the cap has bent.
  const capped = cap === undefined ? undefined : bent(graph, graph.gemm(normed, output, { transposeB: true }), cap);
  const z = capped ? graph.multiply(capped, inverseTemperature) : graph.gemm(h, output, { transposeB: true });
  const p = graph.softmax(z);
  // log p(token) = z(token) − max z + log max p: exact even where p(token) is too small for a float.
  const highest = graph.reduce('Max', z, [-1]);
  const chosen = graph.node('GatherElements', [z, graph.input('targets', 'int32', ['M', 1])], {
    attributes: { axis: 1 },
    shape: ['M', 1],
  });
  const negativeLogSum = graph.subtract(graph.map('Log', graph.reduce('Max', p, [-1])), highest);
  const scores = graph.add(chosen, negativeLogSum);
  // H = log Σ exp z − Σ p z
  const entropy = graph.map('Neg', graph.add(graph.reduce('Sum', graph.multiply(p, z), [-1]), negativeLogSum));

  const pGiven = graph.input('p', 'float32', ['M', vocabulary]);
  const weight = graph.input('weight', 'float32', ['M', 1]);
  const slope = capped ? graph.multiply(pGiven, bentSlope(graph, capped, cap ?? 1)) : pGiven;
  const dh = graph.multiply(graph.multiply(graph.gemm(slope, output), weight), inverseTemperature);
  const dOutput = graph.gemm(slope, graph.multiply(h, weight), {
    transposeA: true,
    plus: accumulate.output && !frozen ? graph.input('sum.output', 'float32', [vocabulary, hidden]) : undefined,
  });
  const sums = accumulate.norm && !frozen ? ([[norm, graph.input('sum.norm', 'float32', [hidden])]] as const) : [];
  const gradients = graph.backward([[normed, dh]], sums);
  const dx = gradients.get(x);
  const dNorm = gradients.get(norm);
  if (!dx || !dNorm) throw new TypeError('the head has no gradient');
  return {
    forward: graph.compile({ scores, p }),
    forwardEntropy: graph.compile({ scores, p, entropy, z, negativeLogSum }),
    entropySlope: entropySlope(vocabulary),
    backward: graph.compile(frozen ? { dx } : { dx, 'd.norm': dNorm, 'd.output': dOutput }),
  };
}

/** dL/dz without the one-hot part: p ∘ (scoreWeight − entropyWeight · (z + negativeLogSum + entropy)). */
function entropySlope(vocabulary: number): CompiledGraph {
  const graph = new DifferentiableGraph();
  const wide = ['M', vocabulary];
  const narrow = ['M', 1];
  const p = graph.input('p', 'float32', wide);
  const z = graph.input('z', 'float32', wide);
  const negativeLogSum = graph.input('negativeLogSum', 'float32', narrow);
  const entropy = graph.input('entropy', 'float32', narrow);
  const entropyWeight = graph.input('entropyWeight', 'float32', narrow);
  const scoreWeight = graph.input('scoreWeight', 'float32', narrow);
  const surprise = graph.add(z, graph.add(negativeLogSum, entropy));
  return graph.compile({ dz: graph.multiply(p, graph.subtract(scoreWeight, graph.multiply(surprise, entropyWeight))) });
}

export interface ValueHeadGraphs {
  readonly forward: CompiledGraph;
  readonly backward: CompiledGraph;
}

/** With adapters its own weights are trained as well, and only the norm is frozen. */
export function valueHead(config: ModelConfig, accumulate: boolean, numbers?: Numbers): ValueHeadGraphs {
  const graph = new DifferentiableGraph();
  const { hidden } = config;
  if (numbers) graph.ones = graph.input('ones', 'float32', ['M', 1]);
  const x = graph.gather(graph.input('x', 'float32', ['N', hidden]), graph.input('rows', 'int32', ['M']));
  const frozen = config.frozen !== undefined;
  const norm = graph.widened(graph.input('norm', numbers ?? config.frozen ?? 'float32', [hidden]));
  const score = graph.widened(graph.input('score', numbers ?? 'float32', [1, hidden]));
  const bias = graph.widened(graph.input('bias', numbers ?? 'float32', [1]));
  const h = graph.rmsNorm(x, normWeight(graph, config, norm), config.normEpsilon);
  // A reduction, not a matrix product: for one column the kernel's bits depend on where threads cut the rows.
  const values = graph.add(graph.reduce('Sum', graph.multiply(h, score), [-1]), bias);
  graph.record([h, score, bias], [values], ([dy], [, presentScore, presentBias]) => {
    if (!dy) return [];
    return [
      graph.multiply(dy, score),
      { total: graph.gemm(dy, h, { transposeA: true, plus: presentScore }) },
      graph.columnSums(dy, presentBias),
    ];
  });
  const sums = accumulate
    ? ([
        ...(frozen ? [] : [[norm, graph.input('sum.norm', 'float32', [hidden])] as const]),
        [score, graph.input('sum.score', 'float32', [1, hidden])],
        [bias, graph.input('sum.bias', 'float32', [1])],
      ] as const)
    : [];
  const gradients = graph.backward([[values, graph.input('weight', 'float32', ['M', 1])]], sums);
  const [dx, dNorm, dScore, dBias] = [x, norm, score, bias].map((value) => gradients.get(value));
  if (!dx || !dNorm || !dScore || !dBias) throw new TypeError('the value head has no gradient');
  return {
    forward: graph.compile({ scores: values }),
    backward: graph.compile({ dx, ...(frozen ? {} : { 'd.norm': dNorm }), 'd.score': dScore, 'd.bias': dBias }),
  };
}
