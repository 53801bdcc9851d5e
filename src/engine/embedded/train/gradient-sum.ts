/**
 * The gradients of several accumulators added up, slice by slice, in native code: one addition after the other, in their order, so the bits are
 * those of a plain loop (which takes four times as long).
 */
import { Graph } from '../graph/graph.ts';
import { Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import type { Slice } from './adamw.ts';
import { runOnce } from './sessions.ts';

export class GradientSum implements Disposable {
  /** By the number of gradients. */
  private readonly sessions = new Map<number, Session>();

  /** Adds the other gradients to the first; gives the sum of its squares. */
  add(gradients: readonly Float32Array[], { from, to }: Slice): number {
    const [sum] = gradients;
    if (!sum) throw new RangeError('there is no gradient to sum');
    if (gradients.length > 1) {
      const over = (data: Float32Array): Tensor => Tensor.over(data.subarray(from, to), [to - from]);
      const tensors = Object.fromEntries(gradients.map((data, i) => [`g${i}`, over(data)]));
      runOnce(this.sessionOf(gradients.length), { ...tensors, sum: tensors['g0'] as Tensor });
      for (const tensor of Object.values(tensors)) tensor[Symbol.dispose]();
    }
    let squares = 0;
    for (let i = from; i < to; i++) squares += (sum[i] as number) * (sum[i] as number);
    return squares;
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
