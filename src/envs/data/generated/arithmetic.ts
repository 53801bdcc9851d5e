/**
 * Word problems of one to four steps with small whole numbers, asked and answered as verl's GSM8K rows are. `level` bounds the steps;
 * level 0 is a bare sum ("3 + 4"), which a policy of a million weights can learn within minutes.
 */
import { Random } from '../../../core/random/random.ts';
import type { DataRow } from '../row.ts';

/** What verl appends to GSM8K's questions. */
const ask = 'Let\'s think step by step and output the final answer after "####".';

const people = ['Ada', 'Ben', 'Chen', 'Dora', 'Emil', 'Fatima', 'Goran', 'Hana', 'Ivo', 'June'];
const things = ['apples', 'books', 'coins', 'stamps', 'pencils', 'marbles', 'shells', 'cards'];

interface Story {
  readonly text: string[];
  readonly work: string[];
  readonly value: number;
}

export function arithmeticRow(seed: number, split: string, index: number, level: number): DataRow {
  const random = Random.of(seed, 'arithmetic', split, index, level);
  const { question, work, value } = level === 0 ? bareSum(random) : wordProblem(random, 1 + random.below(level));
  const steps = work.length;
  const solution = level === 0 ? `#### ${value}` : `${work.join('\n')}\n#### ${value}`;
  return {
    dataSource: 'openai/gsm8k',
    prompt: [{ role: 'user', text: level === 0 ? question : `${question} ${ask}` }],
    groundTruth: String(value),
    extraInfo: { split, index, question, answer: solution },
    solution,
    calls: work.map((line) => ({ name: 'calculator', arguments: { expression: line.split(' = ')[0] ?? line } })),
    category: `${steps} step${steps === 1 ? '' : 's'}`,
  };
}

function bareSum(random: Random): { question: string; work: string[]; value: number } {
  const [a, b] = [random.below(10), random.below(10)];
  return { question: `${a} + ${b} =`, work: [`${a} + ${b} = ${a + b}`], value: a + b };
}

function wordProblem(random: Random, steps: number): { question: string; work: string[]; value: number } {
  const [who, other] = random.shuffle([...people]) as [string, string];
  const thing = random.pick(things);
  const start = 2 + random.below(20);
  let story: Story = { text: [`${who} has ${start} ${thing}.`], work: [], value: start };
  for (let step = 0; step < steps; step++) story = further(random, story, who, other, thing);
  return { question: `${story.text.join(' ')} How many ${thing} does ${who} have now?`, work: story.work, value: story.value };
}

function further(random: Random, { text, work, value }: Story, who: string, other: string, thing: string): Story {
  const n = 1 + random.below(12);
  const ways: Story[] = [
    {
      text: [...text, `${other} gives ${who} ${n} more.`],
      work: [...work, `${value} + ${n} = ${value + n}`],
      value: value + n,
    },
  ];
  if (value > n) {
    const left = value - n;
    ways.push({ text: [...text, `${who} gives away ${n} of them.`], work: [...work, `${value} - ${n} = ${left}`], value: left });
  }
  const times = 2 + random.below(3);
  if (value * times <= 200) {
    const sentence = `Then ${who} finds a box that makes it ${times} times as many.`;
    ways.push({ text: [...text, sentence], work: [...work, `${value} * ${times} = ${value * times}`], value: value * times });
  }
  const parts = [2, 3, 4, 5].find((divisor) => value % divisor === 0);
  if (parts !== undefined && value > parts) {
    const share = value / parts;
    const sentence = `${who} shares the ${thing} equally among ${parts} people and keeps one share.`;
    ways.push({ text: [...text, sentence], work: [...work, `${value} / ${parts} = ${share}`], value: share });
  }
  return random.pick(ways);
}
