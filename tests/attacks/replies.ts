/**
 * Attacks by what a model says: replies that make a search for a pattern start again at every letter. Every format and every score
 * reads forty thousand letters of each within a moment of the processor's time.
 */
import { createFormat, formatNames } from '../../src/agent/formats/index.ts';
import { lastAnswer, normalizeAnswer, readMove } from '../../src/envs/searchqa/scoring.ts';
import type { Instructions } from '../../src/envs/environment.ts';
import { scoreNames, scores } from '../../src/scores/registry.ts';
import { Harmed, type Attack } from './attack.ts';

/** Letters of each reply. */
const length = 40_000;
/** Microseconds of processor time; a search that starts anew at each letter takes more than a second, one that does not some milliseconds. */
const most = 750_000;

const pumps: readonly string[] = [
  ' ',
  '\n',
  '*',
  '"',
  '\\',
  '"\\',
  '`',
  '[[ ',
  '(',
  '{',
  '1',
  '1,',
  '$',
  '<think>',
  '<answer>',
  '<search>',
  '<tool_call>',
  '\\boxed{',
  '\\text{',
  '\\frac',
  'Action: ',
  'Thought: ',
  '#### ',
  'Answer: ',
];
/** In front of the letters, so that a reader gets as far as them. */
const openings = ['', 'Thought: x\nAction: ', '```python\n', '{"function_name": "', '<answer>', '\\boxed{', '#### '];

const instructions: Instructions = {
  task: 'Do it.',
  actions: [{ name: 'take', template: 'take {item}', description: 'takes', parameters: { item: 'what' } }],
};
const readers: Readonly<Record<string, (reply: string) => unknown>> = {
  ...Object.fromEntries(
    formatNames.map((name) => [`format ${name}`, (reply: string) => createFormat(name).read(reply, instructions)]),
  ),
  ...Object.fromEntries(
    scoreNames.map((name) => [`score ${name}`, (reply: string) => scores[name](reply, truths[name] ?? '42')]),
  ),
  'answer of searchqa': (reply) => [readMove(reply), lastAnswer(reply), normalizeAnswer(reply)],
};
const truths: Readonly<Record<string, unknown>> = { countdown: { target: 42, numbers: [40, 2] } };

export const replyAttacks: readonly Attack[] = Object.entries(readers).flatMap(([name, read]) =>
  openings.map((opening): Attack => ({
    area: 'replies',
    name: `${name} after ${JSON.stringify(opening)}`,
    attempt: () => {
      for (const pump of pumps) {
        const reply = `${opening}${pump.repeat(Math.ceil(length / pump.length))}`;
        // Other threads of this process count too: the quickest of some tries is its own.
        let user = Infinity;
        for (let tries = 0; tries < 3 && user > most; tries++) {
          const before = process.cpuUsage();
          read(reply);
          user = Math.min(user, process.cpuUsage(before).user);
        }
        if (user > most) throw new Harmed(`${user / 1e6} s for ${JSON.stringify(pump)}`);
      }
      return Promise.resolve();
    },
  })),
);
