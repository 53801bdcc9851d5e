/** Bare products of two numbers ("37 * 42 ="): what a small policy cannot compute and a calculator can. Asked and scored as GSM8K's rows. */
import { Random } from '../../../core/random/random.ts';
import type { DataRow } from '../row.ts';

export function productRow(seed: number, split: string, index: number): DataRow {
  const random = Random.of(seed, 'products', split, index);
  const [a, b] = [11 + random.below(89), 11 + random.below(89)];
  const question = `${a} * ${b} =`;
  const solution = `#### ${a * b}`;
  return {
    dataSource: 'openai/gsm8k',
    prompt: [{ role: 'user', text: question }],
    groundTruth: String(a * b),
    extraInfo: { split, index, question, answer: solution },
    solution,
    calls: [{ name: 'calculator', arguments: { expression: `${a} * ${b}` } }],
    category: 'product',
  };
}
