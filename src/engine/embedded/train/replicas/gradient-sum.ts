/**
 * The gradients of several accumulators added up, slice by slice, in native code: one addition after the other, in their order, so the bits are
 * those of a plain loop (which takes four times as long).
 */
import { Graph } from '../../graph/graph.ts';
import { Session } from '../../runtime/session.ts';
import { Tensor } from '../../runtime/tensor.ts';
import type { Slice } from '../adamw.ts';
import { runOnce } from '../sessions.ts';

export class GradientSum implements Disposable {
  /** By the number of gradients. */
  private readonly sessions = new Map<number, Session>();

  /** Adds the other gradients to the first; gives the sum of its squares. */
  add(gradients: readonly Float32Array[], slice: Slice): number {
    const sum = firstOf(gradients).subarray(slice.from, slice.to);
    if (gradients.length > 1) this.write(gradients, slice, sum);
    let squares = 0;
    for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) * (sum[i] as number);
    return squares;
  }

  /** Writes the sum of a slice, which may be the first gradient's own place. */
  write(gradients: readonly Float32Array[], { from, to }: Slice, target: Float32Array): void {
    if (gradients.length === 1) {
      target.set(firstOf(gradients).subarray(from, to));
      return;
    }
    const over = (data: Float32Array): Tensor => Tensor.over(data, [to - from]);
    const tensors = Object.fromEntries(gradients.map((data, i) => [`g${i}`, over(data.subarray(from, to))]));
    const sum = over(target);
    runOnce(this.sessionOf(gradients.length), { ...tensors, sum });
    for (const tensor of [...Object.values(tensors), sum]) tensor[Symbol.dispose]();
  }

  /** With a = the mark and b = what the gradients add up to beyond it: a·b, a·a and b·b of a slice. */
  compare(gradients: readonly Float32Array[], slice: Slice, mark: Float32Array): [number, number, number] {
    const { from, to } = slice;
    let now = firstOf(gradients).subarray(from, to);
    if (gradients.length > 1) this.write(gradients, slice, (now = new Float32Array(to - from)));
    let [product, before, since] = [0, 0, 0];
    for (let i = 0; i < now.length; i++) {
      const a = mark[from + i] as number;
      const b = (now[i] as number) - a;
      product += a * b;
      before += a * a;
      since += b * b;
    }
    return [product, before, since];
  }

  [Symbol.dispose](): void {
    for (const session of this.sessions.values()) session[Symbol.dispose]();
  }

  private sessionOf(count: number): Session {
    const known = this.sessions.get(count);
    if (known) return known;
    const graph = new Graph();
    const [first, ...others] = Array.from({ length: count }, (_, i) => graph.input(`g${i}`, 'float32', ['n']));
    if (!first) throw new RangeError('there is no gradient to sum');
    const session = Session.compile(graph.compile({ sum: others.reduce((sum, other) => graph.add(sum, other), first) }), {
      alone: true,
    });
    this.sessions.set(count, session);
    return session;
  }
}

function firstOf([first]: readonly Float32Array[]): Float32Array {
  if (!first) throw new RangeError('there is no gradient to sum');
  return first;
}
