/** Writes an ONNX model: the few protobuf messages that a graph needs, straight into bytes. */
export type ElementType = 'float32' | 'bfloat16' | 'uint8' | 'int8' | 'int32' | 'int64' | 'bool';
/** A number, or the name of an extent that is known only when the graph runs. */
export type Extent = number | string;
export type Attribute = number | string | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly operator: string;
  /** Empty for ONNX's own operators, `com.microsoft` for those of ONNX Runtime. */
  readonly domain: string;
  /** Names; an empty one is an optional input or output that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  /** Undefined: not known. */
  readonly shape: readonly Extent[] | undefined;
}

export interface OnnxWeight {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
}

export interface OnnxConstant extends OnnxWeight {
  readonly data: Float32Array | BigInt64Array | Int32Array | Uint8Array | Uint16Array;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly constants: readonly OnnxConstant[];
  /** Weights that the session is given as initializers (`SessionOptions.initializers`). */
  readonly external: readonly OnnxWeight[];
}

/** ONNX's number of each type. */
export const elementTypes: Readonly<Record<ElementType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  bfloat16: 16,
};
const opset = 18;
const irVersion = 9;

/** The bytes of a model with this graph. */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  const model = new Message();
  model.integer(1, irVersion);
  model.message(7, (body) => {
    for (const node of graph.nodes) body.message(1, (message) => writeNode(message, node));
    body.text(2, 'agoge');
    for (const constant of graph.constants) {
      const { data } = constant;
      body.message(5, (message) => {
        writeTensorHead(message, constant);
        message.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      });
    }
    for (const weight of graph.external) {
      body.message(5, (message) => {
        writeTensorHead(message, weight);
        const bytes = (weight.type === 'bfloat16' ? 2 : 4) * weight.shape.reduce((product, extent) => product * extent, 1);
        for (const [key, value] of [
          ['location', 'weights'],
          ['offset', '0'],
          ['length', String(bytes)],
        ] as const) {
          message.message(13, (entry) => {
            entry.text(1, key);
            entry.text(2, value);
          });
        }
        message.integer(14, 1);
      });
    }
    for (const value of graph.inputs) body.message(11, (message) => writeValue(message, value));
    for (const value of graph.outputs) body.message(12, (message) => writeValue(message, value));
  });
  for (const [domain, version] of [
    ['', opset],
    ['com.microsoft', 1],
  ] as const) {
    model.message(8, (message) => {
      message.text(1, domain);
      message.integer(2, version);
    });
  }
  return model.done();
}

function writeNode(message: Message, node: OnnxNode): void {
  for (const name of node.inputs) message.text(1, name);
  for (const name of node.outputs) message.text(2, name);
  message.text(3, node.outputs.find((name) => name !== '') ?? '');
  message.text(4, node.operator);
  for (const [name, value] of Object.entries(node.attributes)) {
    message.message(5, (attribute) => {
      attribute.text(1, name);
      if (typeof value === 'number') {
        attribute.integer(3, value);
        attribute.integer(20, 2);
      } else if (typeof value === 'string') {
        attribute.text(4, value);
        attribute.integer(20, 3);
      } else if ('float' in value) {
        attribute.float(2, value.float);
        attribute.integer(20, 1);
      } else {
        for (const item of value) attribute.integer(8, item);
        attribute.integer(20, 7);
      }
    });
  }
  if (node.domain !== '') message.text(7, node.domain);
}

function writeTensorHead(message: Message, tensor: OnnxWeight): void {
  for (const extent of tensor.shape) message.integer(1, extent);
  message.integer(2, elementTypes[tensor.type]);
  message.text(8, tensor.name);
}

function writeValue(message: Message, value: OnnxValue): void {
  message.text(1, value.name);
  message.message(2, (type) => {
    type.message(1, (tensor) => {
      tensor.integer(1, elementTypes[value.type]);
      const { shape } = value;
      if (!shape) return;
      tensor.message(2, (dimensions) => {
        for (const extent of shape) {
          dimensions.message(1, (dimension) => {
            if (typeof extent === 'number') dimension.integer(1, extent);
            else dimension.text(2, extent);
          });
        }
      });
    });
  });
}

/** A growing protobuf message. */
class Message {
  private buffer = new Uint8Array(256);
  private length = 0;

  integer(field: number, value: number): void {
    this.varint(field << 3);
    this.varint(value);
  }

  float(field: number, value: number): void {
    this.varint((field << 3) | 5);
    this.append(new Uint8Array(new Float32Array([value]).buffer));
  }

  text(field: number, value: string): void {
    this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): void {
    this.varint((field << 3) | 2);
    this.varint(value.length);
    this.append(value);
  }

  message(field: number, write: (message: Message) => void): void {
    const inner = new Message();
    write(inner);
    this.bytes(field, inner.done());
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.length);
  }

  private varint(value: number): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.append(Uint8Array.from(bytes));
  }

  private append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + bytes.length));
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }
}
