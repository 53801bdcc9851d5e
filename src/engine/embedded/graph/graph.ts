/**
 * Tensor expressions, traced: each method adds a node and returns the value it makes. `compile` cuts out what is needed for
 * some of the values, given others, so that a forward and a backward graph come from one trace. Operations with a derivative
 * are in differentiate.ts.
 */
import {
  elementTypes,
  onnxModel,
  type Attribute,
  type ElementType,
  type Extent,
  type OnnxConstant,
  type OnnxNode,
} from './onnx.ts';

export interface Value {
  readonly name: string;
  readonly type: ElementType;
  /** Where known: needed for values that cross from one compiled graph to another. */
  readonly shape: readonly Extent[] | undefined;
}

export interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly domain?: string;
  readonly type?: ElementType;
  readonly shape?: readonly Extent[] | undefined;
}

/** A graph ready for `Session.compile`, with the values behind its names. */
export interface CompiledGraph {
  readonly model: Uint8Array;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly inputValues: readonly Value[];
  readonly outputValues: readonly Value[];
}

type WeightValue = Value & { readonly shape: readonly number[] };

export class Graph {
  private readonly nodes: OnnxNode[] = [];
  private readonly producers = new Map<string, OnnxNode>();
  private readonly inputValues = new Map<string, Value>();
  private readonly weights = new Map<string, WeightValue>();
  private readonly constants = new Map<string, OnnxConstant>();
  private readonly values = new Map<string, Value>();
  private count = 0;

  /** A tensor that the caller gives at each run. */
  input(name: string, type: ElementType, shape: readonly Extent[]): Value {
    const value = { name, type, shape };
    this.inputValues.set(name, value);
    this.values.set(name, value);
    return value;
  }

  /** A weight that the session is given once, as an initializer, and packs for speed. */
  weight(name: string, shape: readonly number[], type: ElementType = 'float32'): Value {
    const value: WeightValue = { name, type, shape };
    this.weights.set(name, value);
    this.values.set(name, value);
    return value;
  }

  /** The same numbers as float32. */
  widened(value: Value): Value {
    return this.as(value, 'float32');
  }

  /** The same numbers in another type. */
  as(value: Value, type: ElementType): Value {
    if (value.type === type) return value;
    return this.node('Cast', [value], { attributes: { to: elementTypes[type] }, type, shape: value.shape });
  }

  float(value: number): Value {
    return this.constant('float32', [], new Float32Array([value]));
  }

  /** A number of the type of another value, to compute with it. */
  numberLike({ type }: Value, value: number): Value {
    return type === 'bfloat16' ? this.constant('bfloat16', [], bfloat16Bits([value])) : this.float(value);
  }

  /** Equal numbers in a shape. */
  filled(type: 'float32' | 'bfloat16', shape: readonly number[], value: number): Value {
    const length = shape.reduce((product, extent) => product * extent, 1);
    const numbers = new Array<number>(length).fill(value);
    return this.constant(type, shape, type === 'bfloat16' ? bfloat16Bits(numbers) : Float32Array.from(numbers));
  }

  integers(values: readonly number[]): Value {
    return this.constant('int64', [values.length], BigInt64Array.from(values.map(BigInt)));
  }

  constant(type: ElementType, shape: readonly number[], data: OnnxConstant['data']): Value {
    const key = data.length <= 16 ? `${type}[${shape.join()}]${data.join()}` : `#${this.count++}`;
    let constant = this.constants.get(key);
    if (!constant) {
      constant = { name: `constant_${this.constants.size}`, type, shape, data };
      this.constants.set(key, constant);
      this.values.set(constant.name, constant);
    }
    return constant;
  }

  /** Any operator with one output. */
  node(operator: string, inputs: readonly (Value | null)[], options: NodeOptions = {}): Value {
    return this.nodeWithOutputs(operator, inputs, [options.shape], options)[0] as Value;
  }

  /** Any operator with several outputs; a shape of `null` leaves that output out. */
  nodeWithOutputs(
    operator: string,
    inputs: readonly (Value | null)[],
    shapes: readonly (readonly Extent[] | undefined | null)[],
    options: Omit<NodeOptions, 'shape' | 'type'> & { readonly type?: ElementType | readonly ElementType[] } = {},
  ): Value[] {
    const given = options.type ?? inputs.find((value) => value !== null)?.type ?? 'float32';
    const outputs = shapes.map((shape, i): Value => {
      const name = shape === null ? '' : `${operator}_${this.count++}`;
      const type = typeof given === 'string' ? given : (given[i] ?? 'float32');
      return { name, type, shape: shape ?? undefined };
    });
    const node: OnnxNode = {
      operator,
      domain: options.domain ?? '',
      inputs: inputs.map((value) => value?.name ?? ''),
      outputs: outputs.map((value) => value.name),
      attributes: options.attributes ?? {},
    };
    this.nodes.push(node);
    for (const output of outputs) {
      if (output.name === '') continue;
      this.producers.set(output.name, node);
      this.values.set(output.name, output);
    }
    return outputs;
  }

  add(a: Value, b: Value): Value {
    return this.node('Add', [a, b], { shape: a.shape });
  }

  subtract(a: Value, b: Value): Value {
    return this.node('Sub', [a, b], { shape: a.shape });
  }

  multiply(a: Value, b: Value): Value {
    return this.node('Mul', [a, b], { shape: a.shape });
  }

  divide(a: Value, b: Value): Value {
    return this.node('Div', [a, b], { shape: a.shape });
  }

  /** An elementwise operator of one input: Sigmoid, Sqrt, Log, Neg … */
  map(operator: string, value: Value): Value {
    return this.node(operator, [value], { shape: value.shape });
  }

  /** scale · op(a) · op(b) + c for matrices. `c` may be a row, a column or a whole matrix. */
  gemm(
    a: Value,
    b: Value,
    options: {
      readonly transposeA?: boolean;
      readonly transposeB?: boolean;
      readonly plus?: Value | undefined;
      readonly scale?: number;
    } = {},
  ): Value {
    const { transposeA = false, transposeB = false, plus, scale = 1 } = options;
    return this.node('Gemm', plus ? [a, b, plus] : [a, b], {
      attributes: { transA: Number(transposeA), transB: Number(transposeB), ...(scale !== 1 && { alpha: { float: scale } }) },
      shape: a.shape && b.shape ? [a.shape[transposeA ? 1 : 0] ?? 1, b.shape[transposeB ? 0 : 1] ?? 1] : undefined,
    });
  }

  /** scale · op(a) · op(b) for stacks of matrices. */
  batchedMatrixProduct(
    a: Value,
    b: Value,
    options: { readonly transposeA?: boolean; readonly transposeB?: boolean; readonly scale?: number } = {},
  ): Value {
    const { transposeA = false, transposeB = false, scale = 1 } = options;
    const rows = a.shape?.at(transposeA ? -1 : -2);
    const columns = b.shape?.at(transposeB ? -2 : -1);
    return this.node('FusedMatMul', [a, b], {
      domain: 'com.microsoft',
      attributes: { transA: Number(transposeA), transB: Number(transposeB), alpha: { float: scale } },
      shape: a.shape && rows !== undefined && columns !== undefined ? [...a.shape.slice(0, -2), rows, columns] : undefined,
    });
  }

  /** `target` as ONNX's Reshape reads it (0 keeps an extent, -1 is what is left); `shape` is what comes out. */
  reshape(value: Value, target: readonly number[] | Value, shape?: readonly Extent[]): Value {
    return this.node('Reshape', [value, Array.isArray(target) ? this.integers(target as number[]) : (target as Value)], {
      shape,
    });
  }

  transpose(value: Value, permutation: readonly number[]): Value {
    const { shape } = value;
    return this.node('Transpose', [value], {
      attributes: { perm: permutation },
      shape: shape && permutation.map((axis) => shape[axis] ?? 1),
    });
  }

  /** Rows of `table` (its first axis) at the indices. */
  gather(table: Value, indices: Value): Value {
    const shape = table.shape && indices.shape ? [...indices.shape, ...table.shape.slice(1)] : undefined;
    return this.node('Gather', [table, indices], { shape });
  }

  concat(values: readonly Value[], axis: number, shape?: readonly Extent[]): Value {
    return this.node('Concat', values, { attributes: { axis }, shape });
  }

  softmax(value: Value): Value {
    return this.node('Softmax', [value], { attributes: { axis: -1 }, shape: value.shape });
  }

  /** Sum, Mean or Max over axes, which stay with extent 1 unless `keep` is false. */
  reduce(kind: 'Sum' | 'Mean' | 'Max' | 'SumSquare', value: Value, axes: readonly number[], keep = true): Value {
    const { shape } = value;
    const reduced = new Set(axes.map((axis) => (shape && axis < 0 ? axis + shape.length : axis)));
    return this.node(`Reduce${kind}`, [value, this.integers(axes)], {
      attributes: { keepdims: Number(keep) },
      shape: shape && (keep ? shape.map((extent, i) => (reduced.has(i) ? 1 : extent)) : shape.filter((_, i) => !reduced.has(i))),
    });
  }

  /**
   * The model that makes `outputs` (by the names they shall have) from the graph's inputs and the values in `given`, which
   * become inputs under their names there. Whatever else is needed is computed again.
   */
  compile(outputs: Readonly<Record<string, Value>>, given: Readonly<Record<string, Value>> = {}): CompiledGraph {
    const boundary = new Map(Object.entries(given).map(([name, value]) => [value.name, name]));
    const needed = new Set<OnnxNode>();
    const sources = new Set<string>();
    const visit = (name: string): void => {
      const stack = [name];
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        if (next === '' || sources.has(next)) continue;
        const producer = boundary.has(next) ? undefined : this.producers.get(next);
        if (!producer) sources.add(next);
        else if (!needed.has(producer)) {
          needed.add(producer);
          stack.push(...producer.inputs);
        }
      }
    };
    for (const value of Object.values(outputs)) visit(value.name);
    const names = new Map(Object.entries(outputs).map(([name, value]) => [value.name, name]));
    const copies: OnnxNode[] = [];
    const renamed = (name: string): string => names.get(name) ?? boundary.get(name) ?? name;
    for (const [name, value] of Object.entries(outputs)) {
      // A value that is an input, or wanted under two names, is handed over by a copy.
      if (sources.has(value.name) || names.get(value.name) !== name) {
        copies.push({ operator: 'Identity', domain: '', inputs: [value.name], outputs: [name], attributes: {} });
        if (sources.has(value.name)) names.delete(value.name);
      }
    }
    const fixedCopies = copies.map((copy) => ({ ...copy, inputs: copy.inputs.map(renamed) }));
    const nodes = this.nodes
      .filter((node) => needed.has(node))
      .map((node) => ({ ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) }));
    const valueOf = (name: string): Value => {
      const value = this.values.get(name);
      if (!value) throw new RangeError(`the graph has no value "${name}"`);
      return value;
    };
    const inputValues = [...sources]
      .filter((name) => this.inputValues.has(name) || boundary.has(name))
      .map((name) => ({ ...valueOf(name), name: boundary.get(name) ?? name }));
    const outputValues = Object.entries(outputs).map(([name, value]) => ({ ...value, name }));
    const model = onnxModel({
      nodes: [...nodes, ...fixedCopies],
      inputs: inputValues,
      outputs: outputValues,
      constants: [...this.constants.values()].filter((constant) => sources.has(constant.name)),
      external: [...this.weights.values()].filter((weight) => sources.has(weight.name)),
    });
    return {
      model,
      inputs: inputValues.map((value) => value.name),
      outputs: outputValues.map((value) => value.name),
      inputValues,
      outputValues,
    };
  }
}

/** Numbers as the upper halves of their float32 bits, rounded to the nearest. */
function bfloat16Bits(values: readonly number[]): Uint16Array<ArrayBuffer> {
  const words = new Uint32Array(Float32Array.from(values).buffer);
  return Uint16Array.from(words, (word) => (word + 0x7fff + ((word >>> 16) & 1)) >>> 16);
}
