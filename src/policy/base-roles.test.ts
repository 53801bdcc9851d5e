/** The templates of the policies that ship: what they were trained on is rendered as it was, every other role is refused. */
import { Template } from '@huggingface/jinja';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { examineTemplate, rulesTemplate, turnTemplate, type Message } from './chat-template.ts';

const file = (path: string): string => readFileSync(new URL(`../../models/${path}`, import.meta.url), 'utf8');
const conversation: readonly Message[] = [
  { role: 'system', text: 'Rules.' },
  { role: 'user', text: 'Goal' },
  { role: 'assistant', text: 'look' },
  { role: 'user', text: 'A room' },
];

it.each([
  ['base', turnTemplate, 'Goal<|act|>look<|end|>A room<|act|>', ['system', 'tool']],
  ['reader', rulesTemplate, 'Rules.<|rules|>Goal<|act|>look<|end|>A room<|act|>', ['tool']],
])('%s', (name, template, trained, refused) => {
  expect(file(`${name}/chat_template.jinja`)).toBe(template);
  expect((JSON.parse(file(`${name}/tokenizer_config.json`)) as { chat_template: string }).chat_template).toBe(template);
  // Our own play: as in training.
  expect(examineTemplate(template).render(conversation, true)).toBe(trained);
  // Whoever uses the folder: told.
  const whole = new Template(template);
  for (const role of refused) {
    const messages = [
      { role: 'user', content: 'x' },
      { role, content: 'y' },
    ];
    expect(() => whole.render({ messages })).toThrow(`this model was trained without ${role} messages: leave them out`);
  }
});
