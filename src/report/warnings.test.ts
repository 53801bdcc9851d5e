import { describe, expect, it } from 'vitest';
import { trainingWarnings } from './warnings.ts';

const kinds = (metrics: Readonly<Record<string, readonly number[]>>): string[] =>
  trainingWarnings((name) => metrics[name] ?? [], {}).map(({ kind }) => kind);

describe('warnings about a run', () => {
  it('say when the halves of the last twenty steps hardly agree', () => {
    const noise = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.05 : -0.04));
    expect(kinds({ 'train/gradient_agreement': noise })).toEqual(['noise']);
    expect(kinds({ 'train/gradient_agreement': noise.slice(1) })).toEqual([]);
    expect(kinds({ 'train/gradient_agreement': [...noise, ...noise.map(() => 0.1)] })).toEqual([]);
  });
});
