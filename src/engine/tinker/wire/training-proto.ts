/** ForwardBackwardRequest and ForwardBackwardOutput in protobuf. What is read and written again gives the same bytes. */
import { bytesOf, numbersOf, type ArrayType } from './arrays.ts';
import type { LossConfig, Tensor, TrainingOutput, TrainingRequest, WireDatum } from './messages.ts';
import { broken, entryOf, integersOf, protoFields, ProtoWriter, textOf, wholeOf, type ProtoField } from './protobuf.ts';

const dtypes = [undefined, 'float32', 'int64', 'int32', 'bfloat16'] as const;
/** A sparse tensor may claim any shape: this many cells at most are made of one. */
const mostCells = 1 << 26;
const mostSides = 8;

export function encodeTrainingRequest(request: TrainingRequest): Uint8Array {
  const writer = new ProtoWriter().string(1, request.modelId);
  if (request.seqId !== 0) writer.varint(2, request.seqId);
  for (const datum of request.data) writer.message(3, (inner) => writeDatum(inner, datum));
  writer.string(4, request.lossFn);
  for (const [key, value] of Object.entries(request.config)) {
    if (typeof value === 'number') writer.message(5, (entry) => entry.string(1, key).double(2, value));
  }
  if (request.forwardOnly) writer.varint(6, 1);
  for (const [key, value] of Object.entries(request.config2 ?? {})) {
    writer.message(7, (entry) => {
      entry.string(1, key).message(2, (inner) => {
        if (typeof value === 'number') inner.double(1, value);
        else inner.string(2, value);
      });
    });
  }
  return writer.finish();
}

export function decodeTrainingRequest(bytes: Uint8Array): TrainingRequest {
  let [modelId, seqId, lossFn, forwardOnly] = ['', 0, '', false];
  const data: WireDatum[] = [];
  // Keys come from outside: a map takes every one for a key.
  const config = new Map<string, number>();
  const config2 = new Map<string, number | string>();
  for (const field of protoFields(bytes)) {
    if (field.number === 1) modelId = textOf(field);
    else if (field.number === 2) seqId = wholeOf(field);
    else if (field.number === 3) data.push(readDatum(field.bytes));
    else if (field.number === 4) lossFn = textOf(field);
    else if (field.number === 5) {
      const { key, value } = entryOf(field);
      config.set(key, value?.value ?? 0); // proto3 leaves a zero out
    } else if (field.number === 6) forwardOnly = field.value !== 0;
    else if (field.number === 7) {
      const { key, value } = entryOf(field);
      for (const inner of protoFields(value?.bytes ?? new Uint8Array()))
        config2.set(key, inner.number === 1 ? inner.value : textOf(inner));
    }
  }
  const second: { config2?: LossConfig } = config2.size > 0 ? { config2: Object.fromEntries(config2) } : {};
  return { modelId, seqId, data, lossFn, config: Object.fromEntries(config), forwardOnly, ...second };
}

export function encodeTrainingOutput({ type, outputs, metrics }: TrainingOutput): Uint8Array {
  const writer = new ProtoWriter();
  if (type !== '') writer.string(1, type);
  if (outputs.length > 0) writer.message(2, (record) => writeRecord(record, outputs));
  for (const [key, value] of Object.entries(metrics)) writer.message(3, (entry) => entry.string(1, key).double(2, value));
  return writer.finish();
}

export function decodeTrainingOutput(bytes: Uint8Array): TrainingOutput {
  let type = '';
  const outputs: Record<string, Tensor>[] = [];
  const metrics: Record<string, number> = {};
  for (const field of protoFields(bytes)) {
    if (field.number === 1) type = textOf(field);
    else if (field.number === 2) outputs.push(...readRecord(field.bytes));
    else if (field.number === 3) {
      const { key, value } = entryOf(field);
      metrics[key] = value?.value ?? 0; // proto3 leaves a zero out
    }
  }
  return { type, outputs, metrics };
}

function writeDatum(writer: ProtoWriter, { chunks, inputs }: WireDatum): void {
  for (const tokens of chunks) writer.message(1, (chunk) => chunk.message(1, (text) => text.bytes(1, bytesOf('int32', tokens))));
  for (const [key, { dtype, data, shape }] of Object.entries(inputs)) {
    writer.message(2, (entry) => {
      entry.string(1, key).message(2, (tensor) => {
        tensor.bytes(1, bytesOf(dtype, data)).varint(3, dtypes.indexOf(dtype)).packed(4, shape);
      });
    });
  }
}

function readDatum(bytes: Uint8Array): WireDatum {
  const chunks: Float64Array[] = [];
  const inputs = new Map<string, Tensor>();
  for (const field of protoFields(bytes)) {
    if (field.number === 1) chunks.push(readChunk(field.bytes));
    else if (field.number === 2) {
      const { key, value } = entryOf(field);
      inputs.set(key, readTensor(value?.bytes ?? new Uint8Array()));
    }
  }
  return { chunks, inputs: Object.fromEntries(inputs) };
}

function readChunk(bytes: Uint8Array): Float64Array {
  for (const field of protoFields(bytes)) {
    if (field.number !== 1) throw broken(`a chunk of ${field.number === 2 ? 'an image' : 'audio'}; only text can be taken`);
    for (const inner of protoFields(field.bytes)) if (inner.number === 1) return numbersOf(inner.bytes, 'int32');
  }
  return new Float64Array();
}

function readTensor(bytes: Uint8Array): Tensor {
  let dense: Uint8Array = new Uint8Array();
  let sparse: ProtoField | undefined;
  let dtype: ArrayType = 'float32';
  const shape: number[] = [];
  for (const field of protoFields(bytes)) {
    if (field.number === 1) dense = field.bytes;
    else if (field.number === 2) sparse = field;
    else if (field.number === 3) dtype = dtypeOf(field.value);
    else if (field.number === 4) addSides(shape, field);
  }
  const wide = dtype === 'int32' || dtype === 'int64' ? 'int64' : 'float32';
  if (sparse) return { dtype: wide, data: readSparse(sparse.bytes, dtype, shape), shape };
  const data = numbersOf(dense, dtype);
  return { dtype: wide, data, shape: shape.length === 0 ? [data.length] : shape };
}

function readSparse(bytes: Uint8Array, dtype: ArrayType, shape: readonly number[]): Float64Array {
  const [rows, columns] = shape;
  if (shape.length !== 2 || rows === undefined || columns === undefined || rows * columns > mostCells)
    throw broken(`a sparse tensor of shape [${shape.join(', ')}]`);
  const parts: Uint8Array[] = [new Uint8Array(), new Uint8Array(), new Uint8Array()];
  for (const field of protoFields(bytes)) if (field.number <= 3) parts[field.number - 1] = field.bytes;
  const [values, starts, ids] = parts.map((part, i) => numbersOf(part, i === 0 ? dtype : 'int64'));
  if (!values || !starts || !ids || starts.length !== rows + 1 || values.length !== ids.length || starts[rows] !== ids.length)
    throw broken('the parts of a sparse tensor do not fit each other');
  const dense = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let i = starts[row] as number; i < (starts[row + 1] as number); i++) {
      const column = ids[i] as number;
      if (!(column >= 0 && column < columns)) throw broken('a sparse tensor has a cell outside its shape');
      dense[row * columns + column] = values[i] as number;
    }
  }
  return dense;
}

/** One record holds all data; each of their fields must be of one type and shape but for its length. */
function writeRecord(writer: ProtoWriter, outputs: readonly Readonly<Record<string, Tensor>>[]): void {
  for (const key of Object.keys(outputs[0] ?? {})) {
    const tensors = outputs.map((output) => {
      const tensor = output[key];
      if (!tensor) throw broken(`not every datum has "${key}"`);
      return tensor;
    });
    const [first] = tensors;
    const dtype = first?.dtype ?? 'float32';
    const data = new Float64Array(tensors.reduce((sum, tensor) => sum + tensor.data.length, 0));
    const offsets = [0];
    let filled = 0;
    for (const tensor of tensors) {
      data.set(Array.from(tensor.data), filled);
      filled += tensor.data.length;
      offsets.push(filled * (dtype === 'int64' ? 8 : 4));
    }
    writer.message(2, (entry) => {
      entry.string(1, key).message(2, (batched) => {
        batched
          .bytes(1, bytesOf(dtype, data))
          .bytes(2, bytesOf('int64', offsets))
          .varint(3, dtypes.indexOf(dtype))
          .packed(4, first?.shape.slice(1) ?? []);
      });
    });
  }
  writer.varint(3, outputs.length);
}

function readRecord(bytes: Uint8Array): Record<string, Tensor>[] {
  let count = 0;
  const columns: { key: string; rows: Tensor[] }[] = [];
  for (const field of protoFields(bytes)) {
    if (field.number === 3) count = field.value;
    else if (field.number === 2) {
      const { key, value } = entryOf(field);
      columns.push({ key, rows: readBatched(value?.bytes ?? new Uint8Array()) });
    }
  }
  if (count === 0 && columns[0]) count = columns[0].rows.length;
  if (count > mostCells) throw broken(`an answer for ${count} data`);
  for (const { key, rows } of columns) if (rows.length !== count) throw broken(`"${key}" has ${rows.length} data of ${count}`);
  return Array.from({ length: count }, (_, i) => Object.fromEntries(columns.map(({ key, rows }) => [key, rows[i] as Tensor])));
}

function readBatched(bytes: Uint8Array): Tensor[] {
  let data: Uint8Array = new Uint8Array();
  let offsets: Uint8Array = new Uint8Array();
  let dtype: ArrayType = 'float32';
  const trailing: number[] = [];
  for (const field of protoFields(bytes)) {
    if (field.number === 1) data = field.bytes;
    else if (field.number === 2) offsets = field.bytes;
    else if (field.number === 3) dtype = dtypeOf(field.value);
    else if (field.number === 4) addSides(trailing, field);
  }
  const bounds = numbersOf(offsets, 'int64');
  const each = trailing.reduce((product, side) => product * side, 1);
  const wide = dtype === 'int32' || dtype === 'int64' ? 'int64' : 'float32';
  const rows: Tensor[] = [];
  for (let i = 0; i + 1 < bounds.length; i++) {
    const [from, to] = [bounds[i] as number, bounds[i + 1] as number];
    if (from < 0 || to < from || to > data.length) throw broken('the offsets of an answer lie outside its data');
    const values = numbersOf(data.subarray(from, to), dtype);
    rows.push({ dtype: wide, data: values, shape: [values.length / Math.max(1, each), ...trailing] });
  }
  return rows;
}

function addSides(shape: number[], field: ProtoField): void {
  const sides = integersOf(field);
  if (shape.length + sides.length > mostSides) throw broken(`a tensor of more than ${mostSides} dimensions`);
  shape.push(...sides);
}

function dtypeOf(value: number): ArrayType {
  const dtype = dtypes[value];
  if (dtype === undefined) throw broken(`a tensor of the unknown type ${value}`);
  return dtype;
}
