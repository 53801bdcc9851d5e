/**
 * The language head on a device. Logits are made once for the scores and once more for the gradient, so that no matrix over the vocabulary
 * outlives a call; log-softmax and everything after it is float32. The chosen token's own part is written into its one place of a row.
 */
import { DifferentiableGraph } from '../graph/differentiate.ts';
import type { CompiledGraph } from '../graph/graph.ts';
import { bent, bentSlope, normWeight, type Numbers } from './block.ts';
import type { ModelConfig } from './config.ts';

export interface DeviceHeadGraphs {
  /** x, rows, targets, inverseTemperature → scores. */
  readonly forward: CompiledGraph;
  /** The same and entropy. */
  readonly forwardEntropy: CompiledGraph;
  /** Also weight (dL/dscore) → dx of the scored rows, d.norm and d.output unless they are frozen. */
  readonly backward: CompiledGraph;
  /** Also entropyWeight (dL/dentropy). */
  readonly backwardEntropy: CompiledGraph;
}

/** Extents: N rows of x, M scored rows. Gradients add to `sum.norm` and `sum.output`. `places` are pairs (row of M, token). */
export function deviceLanguageHead(config: ModelConfig, numbers: Numbers): DeviceHeadGraphs {
  const graph = new DifferentiableGraph();
  const { hidden, vocabulary } = config;
  const x = graph.gather(graph.input('x', 'float32', ['N', hidden]), graph.input('rows', 'int32', ['M']));
  const norm = graph.widened(graph.input('norm', numbers, [hidden]));
  const output = graph.input('output', numbers, [vocabulary, hidden]);
  const inverseTemperature = graph.input('inverseTemperature', 'float32', []);
  const normed = graph.rmsNorm(x, normWeight(graph, config, norm), config.normEpsilon);
  const h = graph.multiply(normed, inverseTemperature);
  const cap = config.gemma?.caps?.logits;
  const product = (value: typeof x): typeof x =>
    graph.widened(graph.gemm(graph.as(value, numbers), output, { transposeB: true }));
  // A temperature divides what the cap has bent.
  const capped = cap === undefined ? undefined : bent(graph, product(normed), cap);
  const z = capped ? graph.multiply(capped, inverseTemperature) : product(h);
  const logp = graph.node('LogSoftmax', [z], { attributes: { axis: -1 }, shape: z.shape });
  const targets = graph.input('targets', 'int32', ['M', 1]);
  const chosen = (value: typeof z): typeof z =>
    graph.node('GatherElements', [value, targets], { attributes: { axis: 1 }, shape: ['M', 1] });
  const p = graph.map('Exp', logp);
  const entropy = graph.map('Neg', graph.reduce('Sum', graph.multiply(p, logp), [-1]));

  const weight = graph.input('weight', 'float32', ['M', 1]);
  const entropyWeight = graph.input('entropyWeight', 'float32', ['M', 1]);
  const places = graph.input('places', 'int64', ['M', 2]);
  const withChosen = (value: typeof z, added: typeof z): typeof z => {
    const there = graph.reshape(graph.add(chosen(value), added), [-1], ['M']);
    return graph.node('ScatterND', [value, places, there], { shape: value.shape });
  };
  const backward = (slope: typeof z, rowWeight: typeof z | undefined): CompiledGraph => {
    const narrow = graph.as(capped ? graph.multiply(slope, bentSlope(graph, capped, cap ?? 1)) : slope, numbers);
    const weighted = (value: typeof z): typeof z => (rowWeight ? graph.multiply(value, rowWeight) : value);
    const dh = graph.multiply(weighted(graph.widened(graph.gemm(narrow, output))), inverseTemperature);
    const frozen = config.frozen !== undefined;
    const sums = frozen ? [] : ([[norm, graph.input('sum.norm', 'float32', [hidden])]] as const);
    const gradients = graph.backward([[normed, dh]], sums);
    const [dx, dNorm] = [gradients.get(x), gradients.get(norm)];
    if (!dx || !dNorm) throw new TypeError('the head has no gradient');
    if (frozen) return graph.compile({ dx });
    const sum = graph.input('sum.output', 'float32', [vocabulary, hidden]);
    const dOutput = graph.weightGradient(narrow, graph.as(weighted(h), numbers), sum).total;
    return graph.compile({ dx, 'd.norm': dNorm, 'd.output': dOutput });
  };
  // dL/dz = g · (onehot − p) − e · p ∘ (log p + H)
  const minusOne = withChosen(p, graph.float(-1));
  const surprise = graph.multiply(graph.add(logp, entropy), entropyWeight);
  const withEntropy = withChosen(graph.map('Neg', graph.multiply(p, graph.add(surprise, weight))), weight);
  return {
    forward: graph.compile({ scores: chosen(logp) }),
    forwardEntropy: graph.compile({ scores: chosen(logp), entropy }),
    backward: backward(minusOne, graph.map('Neg', weight)),
    backwardEntropy: backward(withEntropy, undefined),
  };
}
