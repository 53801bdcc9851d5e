/**
 * The kernels in TypeScript, over memory of the device for tests (runtime/resident.ts): what each of them computes, in float32. Slow and plain, so that it
 * can be read; the code around kernels is held to the CPU's learner through it, and the kernels on a card are held to it.
 */
import { koffi } from '../../../runtime/koffi.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import { partialRows, type HeadWeights, type Kernels, type MatrixProduct } from './kernels.ts';

type Of<Name extends keyof Kernels> = Parameters<Kernels[Name]>;

export class ReferenceKernels implements Kernels {
  constructor(private readonly headSize: number) {}

  multiply(product: MatrixProduct): void {
    const { rows, columns, inner, transposeA = false, transposeB = false, scale = 1, add = false, count = 1 } = product;
    const [a, b, target] = [floats(product.a), floats(product.b), floats(product.target)];
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          let sum = 0;
          for (let k = 0; k < inner; k++) {
            const left = a[n * rows * inner + (transposeA ? k * rows + i : i * inner + k)] as number;
            sum += left * (b[n * columns * inner + (transposeB ? j * inner + k : k * columns + j)] as number);
          }
          const place = n * rows * columns + i * columns + j;
          target[place] = scale * sum + (add ? (target[place] as number) : 0);
        }
      }
    }
  }

  addNorm({ x, delta, weight, sum, h, inverse, count, width, epsilon }: Of<'addNorm'>[0]): void {
    const [from, w, to, inverses] = [floats(x), floats(weight), floats(h), floats(inverse)];
    const [added, sums] = [delta && floats(delta), sum && floats(sum)];
    for (let row = 0; row < count; row++) {
      const values = from.slice(row * width, (row + 1) * width);
      if (added && sums) {
        values.forEach((value, i) => (values[i] = value + (added[row * width + i] as number)));
        sums.set(values, row * width);
      }
      const scale = 1 / Math.sqrt(values.reduce((total, value) => total + value * value, 0) / width + epsilon);
      inverses[row] = scale;
      values.forEach((value, i) => (to[row * width + i] = value * scale * (w[i] as number)));
    }
  }

  normBackward({ dh, x, inverse, weight, dy, dx, dxShort, partial, count, width }: Of<'normBackward'>[0]): void {
    const [g, v, w, inverses, sums] = [floats(dh), floats(x), floats(weight), floats(inverse), floats(partial).fill(0)];
    const [to, short, before] = [floats(dx), dxShort && floats(dxShort), dy && floats(dy)];
    for (let row = 0; row < count; row++) {
      const at = row * width;
      const scale = inverses[row] as number;
      let dot = 0;
      for (let i = 0; i < width; i++) dot += (g[at + i] as number) * (v[at + i] as number) * (w[i] as number);
      const share = (dot * scale * scale) / width;
      for (let i = 0; i < width; i++) {
        const [slope, value] = [g[at + i] as number, v[at + i] as number];
        const result = (slope * (w[i] as number) - value * share) * scale + (before ? (before[at + i] as number) : 0);
        to[at + i] = result;
        if (short) short[at + i] = result;
        addTo(sums, (row % partialRows) * width + i, slope * value * scale);
      }
    }
  }

  partialSums(source: DeviceTensor, partial: DeviceTensor, count: number, width: number): void {
    const [from, to] = [floats(source), floats(partial).fill(0)];
    for (let i = 0; i < count * width; i++)
      addTo(to, (Math.floor(i / width) % partialRows) * width + (i % width), from[i] as number);
  }

  columnSums(partial: DeviceTensor, target: DeviceTensor, { stride, first, width }: Of<'columnSums'>[2]): void {
    const [from, to] = [floats(partial), floats(target)];
    for (let i = 0; i < width; i++) {
      let sum = 0;
      for (let row = 0; row < partialRows; row++) sum += from[row * stride + first + i] as number;
      addTo(to, i, sum);
    }
  }

  swiglu(gateUp: DeviceTensor, result: DeviceTensor, count: number, width: number): void {
    const [from, to] = [floats(gateUp), floats(result)];
    for (let at = 0; at < count * width; at++) {
      const place = Math.floor(at / width) * 2 * width + (at % width);
      const gate = from[place] as number;
      to[at] = (gate / (1 + Math.exp(-gate))) * (from[place + width] as number);
    }
  }

  swigluBackward(dResult: DeviceTensor, gateUp: DeviceTensor, dGateUp: DeviceTensor, count: number, width: number): void {
    const [slopes, from, to] = [floats(dResult), floats(gateUp), floats(dGateUp)];
    for (let at = 0; at < count * width; at++) {
      const place = Math.floor(at / width) * 2 * width + (at % width);
      const [d, gate, up] = [slopes[at] as number, from[place] as number, from[place + width] as number];
      const sigmoid = 1 / (1 + Math.exp(-gate));
      to[place] = d * up * (sigmoid + gate * sigmoid * (1 - sigmoid));
      to[place + width] = d * gate * sigmoid;
    }
  }

  embed(table: DeviceTensor, tokens: DeviceTensor, x: DeviceTensor, count: number, width: number): void {
    const [from, ids, to] = [floats(table), whole(tokens), floats(x)];
    for (let row = 0; row < count; row++)
      to.set(from.subarray((ids[row] as number) * width, ((ids[row] as number) + 1) * width), row * width);
  }

  embedBackward({ dx, tokens, offsets, rows, gradient, distinct, width }: Of<'embedBackward'>[0]): void {
    const [from, ids, starts, items, to] = [floats(dx), whole(tokens), whole(offsets), whole(rows), floats(gradient)];
    for (let t = 0; t < distinct; t++) {
      for (let n = starts[t] as number; n < (starts[t + 1] as number); n++)
        for (let i = 0; i < width; i++)
          addTo(to, (ids[t] as number) * width + i, from[(items[n] as number) * width + i] as number);
    }
  }

  squares(values: DeviceTensor, partial: DeviceTensor, count: number): void {
    const [from, to] = [floats(values), floats(partial).fill(0)];
    for (let i = 0; i < count; i++) addTo(to, i % partialRows, (from[i] as number) ** 2);
  }

  adamw(buffers: Of<'adamw'>[0], { from, to }: Of<'adamw'>[1], factors: Of<'adamw'>[2]): void {
    const { weight, gradient, mean, square, narrowed } = buffers;
    const [w, g, m, s] = [floats(weight), floats(gradient), floats(mean), floats(square)];
    const { keepMean, addMean, keepSquare, addSquare, epsilon, decay, rate } = factors;
    for (let i = from; i < to; i++) {
      const slope = g[i] as number;
      m[i] = (m[i] as number) * keepMean + slope * addMean;
      s[i] = (s[i] as number) * keepSquare + slope * slope * addSquare;
      w[i] = (w[i] as number) * decay - ((m[i] as number) / (Math.sqrt(s[i] as number) + epsilon)) * rate;
      if (narrowed) floats(narrowed)[i] = w[i] as number;
    }
  }

  gatherTiles(of: Of<'gatherTiles'>[0], { tiles, heads, keyHeads, queries, keys }: Of<'gatherTiles'>[1]): void {
    const { headSize: size } = this;
    const from = floats(of.qkv);
    const parts = heads + 2 * keyHeads;
    const gather = (
      target: DeviceTensor,
      rowsOf: DeviceTensor,
      of_: { count: number; first: number; length: number; norm?: DeviceTensor | undefined; turned: boolean },
    ): void => {
      const [to, rows] = [floats(target), whole(rowsOf)];
      for (let cell = 0; cell < tiles * of_.count * of_.length; cell++) {
        const tile = Math.floor(cell / of_.length / of_.count);
        const part = of_.first + (Math.floor(cell / of_.length) % of_.count);
        const row = rows[tile * of_.length + (cell % of_.length)] as number;
        const values = row < 0 ? new Float32Array(size) : this.biased(from, of, row, part, parts);
        if (row >= 0 && of_.turned) turn(normed(values, of_.norm && floats(of_.norm), of.epsilon).values, of, row, 1, values);
        to.set(values, cell * size);
      }
    };
    gather(of.q, of.queryRows, { count: heads, first: 0, length: queries, norm: of.qNorm, turned: true });
    gather(of.k, of.keyRows, { count: keyHeads, first: heads, length: keys, norm: of.kNorm, turned: true });
    gather(of.v, of.keyRows, { count: keyHeads, first: heads + keyHeads, length: keys, turned: false });
  }

  softmaxTiles(of: Of<'softmaxTiles'>[0], { tiles, heads, queries, keys }: Of<'softmaxTiles'>[1]): void {
    const [from, to] = [floats(of.scores), floats(of.weights)];
    const [queryRows, keyRows, keyEnds] = [whole(of.queryRows), whole(of.keyRows), whole(of.keyEnds)];
    for (let cell = 0; cell < tiles * heads * queries; cell++) {
      const tile = Math.floor(cell / queries / heads);
      const row = queryRows[tile * queries + (cell % queries)] as number;
      const seen = (key: number): boolean =>
        row >= 0 && (keyRows[tile * keys + key] as number) <= row && row <= (keyEnds[tile * keys + key] as number);
      const scores = from.subarray(cell * keys, (cell + 1) * keys);
      const most = scores.reduce((top, score, key) => (seen(key) ? Math.max(top, score) : top), -Infinity);
      const powers = scores.map((score, key) => (seen(key) ? Math.exp(score - most) : 0));
      const sum = powers.reduce((total, power) => total + power, 0);
      powers.forEach((power, key) => (to[cell * keys + key] = row < 0 ? 0 : power / sum));
    }
  }

  softmaxBackward({ weights, dWeights, overlaps, dScores, cells, keys }: Of<'softmaxBackward'>[0]): void {
    const [p, d, sums, to] = [floats(weights), floats(dWeights), floats(overlaps), floats(dScores)];
    for (let i = 0; i < cells * keys; i++) to[i] = (p[i] as number) * ((d[i] as number) - (sums[Math.floor(i / keys)] as number));
  }

  tilesToRows({ tiles, base, stride, rows, count, heads }: Of<'tilesToRows'>[0]): void {
    const { headSize: size } = this;
    const [from, to, bases, strides] = [floats(tiles), floats(rows), whole(base), whole(stride)];
    for (let row = 0; row < count; row++) {
      for (let head = 0; head < heads; head++) {
        const cell = (bases[row] as number) + head * (strides[row] as number);
        to.set(from.subarray(cell * size, (cell + 1) * size), (row * heads + head) * size);
      }
    }
  }

  rowsToTiles(of: Of<'rowsToTiles'>[0], { tiles, heads, queries }: Of<'rowsToTiles'>[1]): void {
    const { headSize: size } = this;
    const [slopes, values, rows, to, sums] = [
      floats(of.dRows),
      floats(of.rows),
      whole(of.queryRows),
      floats(of.dTiles),
      floats(of.overlaps),
    ];
    for (let cell = 0; cell < tiles * heads * queries; cell++) {
      const head = Math.floor(cell / queries) % heads;
      const row = rows[Math.floor(cell / queries / heads) * queries + (cell % queries)] as number;
      let overlap = 0;
      for (let i = 0; i < size; i++) {
        const place = (row * heads + head) * size + i;
        to[cell * size + i] = row < 0 ? 0 : (slopes[place] as number);
        if (row >= 0) overlap += (slopes[place] as number) * (values[place] as number);
      }
      sums[cell] = overlap;
    }
  }

  qkvBackward(of: Of<'qkvBackward'>[0], { heads, keyHeads }: Of<'qkvBackward'>[1]): void {
    const { headSize: size } = this;
    const [dq, dk, dv, qkv, to] = [floats(of.dq), floats(of.dk), floats(of.dv), floats(of.qkv), floats(of.dqkv)];
    const [base, stride, offsets, cells, strides] = [
      whole(of.base),
      whole(of.stride),
      whole(of.offsets),
      whole(of.cells),
      whole(of.strides),
    ];
    const sums = of.partial && floats(of.partial).fill(0);
    const parts = heads + 2 * keyHeads;
    for (let unit = 0; unit < of.count * parts; unit++) {
      const [row, part] = [Math.floor(unit / parts), unit % parts];
      const kind = part < heads ? 'q' : part < heads + keyHeads ? 'k' : 'v';
      const slope = new Float32Array(size);
      const addCell = (source: Float32Array, cell: number): void =>
        slope.forEach((_, i) => addTo(slope, i, source[cell * size + i] as number));
      if (kind === 'q') addCell(dq, (base[row] as number) + part * (stride[row] as number));
      else {
        const head = kind === 'k' ? part - heads : part - heads - keyHeads;
        for (let n = offsets[row] as number; n < (offsets[row + 1] as number); n++)
          addCell(kind === 'k' ? dk : dv, (cells[n] as number) + head * (strides[n] as number));
      }
      if (kind !== 'v') {
        turn(slope.slice(), of, row, -1, slope);
        const norm = kind === 'q' ? of.qNorm : of.kNorm;
        if (norm) {
          const x = this.biased(qkv, of, row, part, parts);
          const w = floats(norm);
          const { inverse } = normed(x, w, of.epsilon);
          const first = (row % partialRows) * 2 * size + (kind === 'q' ? 0 : size);
          if (sums) slope.forEach((value, i) => addTo(sums, first + i, value * (x[i] as number) * inverse));
          const scaled = slope.map((value, i) => value * (w[i] as number));
          const share = (scaled.reduce((sum, value, i) => sum + value * (x[i] as number), 0) * inverse * inverse) / size;
          scaled.forEach((value, i) => (slope[i] = (value - (x[i] as number) * share) * inverse));
        }
      }
      to.set(slope, unit * size);
    }
  }

  crossEntropy(of: Of<'crossEntropy'>[0]): void {
    const { count, vocabulary, inverseTemperature } = of;
    const [from, targets, scores, lse, entropy] = [
      floats(of.logits),
      whole(of.targets),
      floats(of.scores),
      floats(of.lse),
      of.entropy && floats(of.entropy),
    ];
    for (let row = 0; row < count; row++) {
      const z = from.slice(row * vocabulary, (row + 1) * vocabulary).map((value) => value * inverseTemperature);
      const most = z.reduce((top, value) => Math.max(top, value), -Infinity);
      const all = most + Math.log(z.reduce((sum, value) => sum + Math.exp(value - most), 0));
      lse[row] = all;
      scores[row] = (z[targets[row] as number] as number) - all;
      if (entropy) entropy[row] = z.reduce((sum, value) => sum - Math.exp(value - all) * (value - all), 0);
    }
  }

  crossEntropyBackward(of: Of<'crossEntropyBackward'>[0]): void {
    const { count, vocabulary, inverseTemperature } = of;
    const [logits, targets, weight, lse] = [floats(of.logits), whole(of.targets), floats(of.weight), floats(of.lse)];
    const [slopes, entropies] = [of.entropyWeight && floats(of.entropyWeight), of.entropy && floats(of.entropy)];
    for (let i = 0; i < count * vocabulary; i++) {
      const row = Math.floor(i / vocabulary);
      const logp = (logits[i] as number) * inverseTemperature - (lse[row] as number);
      const g = weight[row] as number;
      const surprise = slopes && entropies ? (slopes[row] as number) * (logp + (entropies[row] as number)) : 0;
      logits[i] = (-Math.exp(logp) * (g + surprise) + (i % vocabulary === targets[row] ? g : 0)) * inverseTemperature;
    }
  }

  gatherSum({ source, offsets, items, target, count, width }: Of<'gatherSum'>[0]): void {
    const [from, starts, places, to] = [floats(source), whole(offsets), whole(items), floats(target)];
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < width; i++) {
        let sum = 0;
        for (let n = starts[row] as number; n < (starts[row + 1] as number); n++)
          sum += from[(places[n] as number) * width + i] as number;
        to[row * width + i] = sum;
      }
    }
  }

  /** One head of a row of [q | k | v], with its bias. */
  private biased(from: Float32Array, { bias }: HeadWeights, row: number, part: number, parts: number): Float32Array {
    const { headSize: size } = this;
    const values = from.slice((row * parts + part) * size, (row * parts + part + 1) * size);
    if (bias) values.forEach((value, i) => (values[i] = value + (floats(bias)[part * size + i] as number)));
    return values;
  }
}

function normed(
  values: Float32Array,
  weight: Float32Array | undefined,
  epsilon: number,
): { values: Float32Array; inverse: number } {
  const inverse = 1 / Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length + epsilon);
  return { values: weight ? values.map((value, i) => value * inverse * (weight[i] as number)) : values, inverse };
}

/** Turns pairs (i, i + half) by the row's position, or back. */
function turn(values: Float32Array, of: HeadWeights, row: number, direction: 1 | -1, to: Float32Array): void {
  const half = values.length / 2;
  const [cos, sin] = [floats(of.cos), floats(of.sin)];
  const first = (whole(of.positions)[row] as number) * half;
  for (let i = 0; i < half; i++) {
    const [a, b] = [values[i] as number, values[i + half] as number];
    const [c, s] = [cos[first + i] as number, direction * (sin[first + i] as number)];
    to[i] = a * c - b * s;
    to[i + half] = b * c + a * s;
  }
}

function addTo(values: Float32Array, place: number, value: number): void {
  values[place] = (values[place] as number) + value;
}

function floats(tensor: DeviceTensor): Float32Array {
  return new Float32Array(koffi().view(tensor.place, tensor.bytes), 0, tensor.elements);
}

function whole(tensor: DeviceTensor): Int32Array {
  return new Int32Array(koffi().view(tensor.place, tensor.bytes), 0, tensor.elements);
}
