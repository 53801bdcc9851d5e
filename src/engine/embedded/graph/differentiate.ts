/**
 * Operations that know their derivative, and reverse-mode differentiation over them. A pullback gets the gradients of an
 * operation's outputs and adds nodes for the gradients of its inputs; where it can fold the gradient that an input already
 * has into its own product it returns `{ total }`.
 */
import { Graph, type Value } from './graph.ts';
import type { Extent } from './onnx.ts';

type Gradient = Value | { readonly total: Value } | undefined;
type Pullback = (gradients: readonly (Value | undefined)[], present: readonly (Value | undefined)[]) => readonly Gradient[];

interface Step {
  readonly inputs: readonly (Value | undefined)[];
  readonly outputs: readonly Value[];
  readonly pullback: Pullback;
}

export class DifferentiableGraph extends Graph {
  private readonly tape: Step[] = [];
  /** A column of ones as high as the rows: on a card sums over rows are products with it, since its own sums come in no fixed order. */
  ones: Value | undefined;

  /** Declares how to carry gradients back over an operation that was built from plain nodes. */
  record(inputs: readonly (Value | undefined)[], outputs: readonly Value[], pullback: Pullback): void {
    this.tape.push({ inputs, outputs, pullback });
  }

  /** Gradients of every value that the seeded ones depend on. `present` holds gradients to add to. */
  backward(seeds: readonly (readonly [Value, Value])[], present: readonly (readonly [Value, Value])[] = []): Map<Value, Value> {
    const gradients = new Map<Value, Value>([...present, ...seeds]);
    for (const step of [...this.tape].reverse()) {
      const outputs = step.outputs.map((value) => gradients.get(value));
      if (outputs.every((gradient) => gradient === undefined)) continue;
      const inputs = step.inputs.map((value) => value && gradients.get(value));
      const results = step.pullback(outputs, inputs);
      step.inputs.forEach((input, i) => {
        const result = results[i];
        if (!input || !result) return;
        if ('total' in result) gradients.set(input, result.total);
        else {
          const earlier = gradients.get(input);
          gradients.set(input, earlier ? this.add(earlier, result) : result);
        }
      });
    }
    return gradients;
  }

  /** A reshape and the target that undoes it. */
  reshaped(value: Value, target: readonly number[], back: readonly number[], shape?: readonly Extent[]): Value {
    const result = this.reshape(value, target, shape);
    this.record([value], [result], ([gradient]) => [gradient && this.reshape(gradient, back, value.shape)]);
    return result;
  }

  /** The same numbers in another type; gradients go back in the type they belong to. */
  cast(value: Value, type: Value['type']): Value {
    if (value.type === type) return value;
    const y = this.as(value, type);
    this.record([value], [y], ([dy]) => [dy && this.as(dy, value.type)]);
    return y;
  }

  /**
   * x · wᵀ, plus a bias or a residual matrix: a linear layer with weights [out, in]. All are of one type, and so is the result; gradients of
   * weights are float32 in any case.
   */
  linear(
    x: Value,
    weight: Value,
    options: { readonly bias?: Value | undefined; readonly residual?: Value | undefined } = {},
  ): Value {
    const { bias, residual } = options;
    const y = this.gemm(x, weight, { transposeB: true, plus: bias ?? residual });
    this.record([x, weight, bias, residual], [y], ([dy], [dx, dw, dbias]) => {
      if (!dy) return [];
      return [
        { total: this.gemm(dy, weight, { plus: dx }) },
        this.weightGradient(dy, x, dw),
        bias && this.columnSums(dy, dbias),
        residual && dy,
      ];
    });
    return y;
  }

  /** y + scale · (x · aᵀ) · bᵀ: what an adapter with a [rank, in] and b [out, rank] adds to the layer's result y. */
  adapted(y: Value, x: Value, a: Value, b: Value, scale: number): Value {
    const narrow = this.gemm(x, a, { transposeB: true, scale });
    const result = this.gemm(narrow, b, { transposeB: true, plus: y });
    this.record([y, x, a, b], [result], ([dy], [, dx, da, db]) => {
      if (!dy) return [];
      const dNarrow = this.gemm(dy, b, { scale });
      // The long side comes first: threads then cut rows, and never the blocks in which a sum is taken.
      const rows = this.widened(this.transpose(this.gemm(x, dNarrow, { transposeA: true }), [1, 0]));
      return [
        dy,
        { total: this.gemm(dNarrow, a, { plus: dx }) },
        { total: da ? this.add(da, rows) : rows },
        this.weightGradient(dy, narrow, db),
      ];
    });
    return result;
  }

  /** Two matrices side by side. */
  joined(left: Value, right: Value): Value {
    const [first, second] = [left.shape?.[1], right.shape?.[1]];
    if (typeof first !== 'number' || typeof second !== 'number')
      throw new TypeError('columns of unknown number cannot be joined');
    const y = this.concat([left, right], 1, left.shape && [left.shape[0] ?? 1, first + second]);
    this.record([left, right], [y], ([dy]) =>
      dy
        ? this.nodeWithOutputs('Split', [dy, this.integers([first, second])], [left.shape, right.shape], {
            attributes: { axis: 1 },
          })
        : [],
    );
    return y;
  }

  /** The first columns of a matrix, and the others. */
  parted(x: Value, first: number): [Value, Value] {
    const [rows = 1, width] = x.shape ?? [];
    if (typeof width !== 'number') throw new TypeError('columns of unknown number cannot be parted');
    const shapes = [
      [rows, first],
      [rows, width - first],
    ];
    const [left, right] = this.nodeWithOutputs('Split', [x, this.integers([first, width - first])], shapes, {
      attributes: { axis: 1 },
      type: x.type,
    }) as [Value, Value];
    this.record([x], [left, right], ([dLeft, dRight]) => (dLeft && dRight ? [this.concat([dLeft, dRight], 1, x.shape)] : []));
    return [left, right];
  }

  /** x / rms(x) · w over the last axis of a matrix. */
  rmsNorm(x: Value, weight: Value, epsilon: number): Value {
    const [y, inverse] = this.nodeWithOutputs(
      'SimplifiedLayerNormalization',
      [x, weight],
      [x.shape, x.shape && [...x.shape.slice(0, -1), 1]],
      { attributes: { axis: -1, epsilon: { float: epsilon }, stash_type: 1 }, type: [x.type, 'float32'] },
    ) as [Value, Value];
    const width = weight.shape?.[0];
    if (typeof width !== 'number') throw new TypeError('a norm needs a weight of known width');
    this.record([x, weight], [y], ([given], [present, presentWeight]) => {
      if (!given) return [];
      const [dy, wide] = [this.widened(given), this.widened(x)];
      const scale = this.widened(weight);
      const product = this.multiply(dy, wide);
      // dx = (dy∘w − x · (Σ dy∘x∘w) / (width · rms²)) / rms. The sum is a reduction and not a product with the column w: for
      // one column the matrix kernel's bits depend on where threads cut the rows.
      const share = this.multiply(
        this.multiply(this.reduce('Sum', this.multiply(product, scale), [-1]), this.multiply(inverse, inverse)),
        this.float(1 / width),
      );
      const dWide = this.multiply(this.subtract(this.multiply(dy, scale), this.multiply(wide, share)), inverse);
      const dx = this.as(dWide, x.type);
      const row = this.gemm(inverse, product, {
        transposeA: true,
        plus: presentWeight && this.reshape(presentWeight, [1, -1], [1, width]),
      });
      return [present ? { total: this.add(present, dx) } : dx, { total: this.reshape(row, [-1], [width]) }];
    });
    return y;
  }

  /** Rotates pairs of each head by its row's position. Rows [rows, heads · size]; the transpose of a rotation is its inverse. */
  rotary(
    x: Value,
    rope: { readonly positions: Value; readonly cos: Value; readonly sin: Value; readonly negativeSin: Value },
    heads: number,
  ): Value {
    const width = x.shape?.[1];
    if (typeof width !== 'number') throw new TypeError('rotary needs rows of known width');
    const rotate = (value: Value, sin: Value): Value => {
      const batch = this.reshape(value, [-1, 1, width]);
      const rotated = this.node('RotaryEmbedding', [batch, rope.positions, rope.cos, sin], {
        domain: 'com.microsoft',
        attributes: { interleaved: 0, num_heads: heads },
      });
      return this.reshape(rotated, [-1, width], x.shape);
    };
    const y = rotate(x, rope.sin);
    this.record([x], [y], ([dy]) => [dy && rotate(dy, rope.negativeSin)]);
    return y;
  }

  /** a + b of equal shape. */
  sum(a: Value, b: Value): Value {
    const y = this.add(a, b);
    this.record([a, b], [y], ([dy]) => [dy, dy]);
    return y;
  }

  /** 1 + x. */
  onePlus(x: Value): Value {
    const y = this.add(x, this.float(1));
    this.record([x], [y], ([dy]) => [dy]);
    return y;
  }

  /** gelu(gate) ∘ up with gelu(x) = x/2 · (1 + t), t = tanh(√(2/π) · (x + 0.044715 x³)). */
  gatedGelu(gate: Value, up: Value): Value {
    const gelu = this.node('FastGelu', [gate], { domain: 'com.microsoft', shape: gate.shape });
    const y = this.multiply(gelu, up);
    this.record([gate, up], [y], ([dy]) => {
      if (!dy) return [];
      const number = (value: number): Value => this.numberLike(gate, value);
      const [one, root, cubic] = [number(1), number(Math.sqrt(2 / Math.PI)), number(0.044715)];
      const square = this.multiply(this.multiply(gate, gate), cubic);
      const t = this.map('Tanh', this.multiply(this.multiply(gate, this.add(square, one)), root));
      // gelu' = (1 + t) / 2 · (1 + x · (1 − t) · √(2/π) · (1 + 3 · 0.044715 x²))
      const inner = this.multiply(this.add(this.multiply(square, number(3)), one), root);
      const outer = this.multiply(this.multiply(gate, this.subtract(one, t)), inner);
      const half = this.multiply(this.add(t, one), number(0.5));
      const slope = this.multiply(half, this.add(outer, one));
      return [this.multiply(this.multiply(dy, up), slope), this.multiply(dy, gelu)];
    });
    return y;
  }

  /** silu(gate) ∘ up. */
  gated(gate: Value, up: Value): Value {
    const sigmoid = this.map('Sigmoid', gate);
    const silu = this.multiply(gate, sigmoid);
    const y = this.multiply(silu, up);
    this.record([gate, up], [y], ([dy]) => {
      if (!dy) return [];
      // silu' = σ + silu · (1 − σ)
      const slope = this.add(sigmoid, this.multiply(silu, this.subtract(this.numberLike(gate, 1), sigmoid)));
      return [this.multiply(this.multiply(dy, up), slope), this.multiply(dy, silu)];
    });
    return y;
  }

  /** a ∘ b where b is broadcast over the rows of a ([rows, …] by [1, …]). */
  scaled(a: Value, b: Value): Value {
    const y = this.multiply(a, b);
    this.record([a, b], [y], ([dy]) => {
      if (!dy) return [];
      const product = this.multiply(dy, a);
      const sums = this.ones ? this.gemm(this.ones, product, { transposeA: true }) : this.reduce('Sum', product, [0]);
      return [this.multiply(dy, b), sums];
    });
    return y;
  }

  /** Sums over rows, in float32, added to what is there. */
  columnSums(dy: Value, present: Value | undefined): { readonly total: Value } {
    const row = this.ones && this.gemm(this.ones, dy, { transposeA: true });
    const sums = this.widened(row ? this.reshape(row, [-1], dy.shape?.slice(1)) : this.reduce('Sum', dy, [0], false));
    return { total: present ? this.add(present, sums) : sums };
  }

  /** dyᵀ · x in float32, added to what is there. */
  weightGradient(dy: Value, x: Value, present: Value | undefined): { readonly total: Value } {
    if (dy.type === 'float32') return { total: this.gemm(dy, x, { transposeA: true, plus: present }) };
    const product = this.widened(this.gemm(dy, x, { transposeA: true }));
    return { total: present ? this.add(present, product) : product };
  }
}
