import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toyTokenizer, toyVocabulary } from '../../tests/fixtures/toy-tokenizer.ts';
import { datumOf } from '../agent/datum.ts';
import { examineTemplate, plainTemplate } from './chat-template.ts';
import { Conversation } from './conversation.ts';
import { createRenderer } from './renderer.ts';

/** The behaviour of ChatML templates: every message between markers. */
const chatml =
  '{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

/** The behaviour of Qwen3's: past replies lose their thinking, `enable_thinking=false` opens replies with an empty block. */
const qwen3 = `{%- for message in messages %}
{%- set content = message.content %}
{%- if message.role == 'assistant' and '</think>' in content %}{%- set content = content.split('</think>')[-1].lstrip('\\n') %}{%- endif %}
{{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}`;

/** A template that numbers the turns from the end: nothing can be appended to it. */
const counting =
  '{% for message in messages %}[{{ loop.revindex }}]{{ message.role }}: {{ message.content }}\n{% endfor %}assistant: ';

const segment = (text: string, tokens: number[]) =>
  ({ role: 'assistant', text, tokens, logprobs: new Float32Array(tokens.length).fill(-1), policyVersion: 3 }) as const;

describe('examineTemplate', () => {
  it('finds nothing to say about an append-only template', () => {
    const parts = examineTemplate(chatml);
    expect(parts.rewrites).toEqual([]);
    expect(parts.afterReply).toBe('<|im_end|>\n<|im_start|>user\n');
    expect(parts.beforeReply).toBe('<|im_end|>\n<|im_start|>assistant\n');
  });

  it('says that Qwen3 drops earlier thinking, and how to go on', () => {
    expect(examineTemplate(qwen3).rewrites.map(({ what }) => what)).toEqual(['thinking']);
    expect(examineTemplate(qwen3).rewrites[0]?.notice).toMatch(/thinking "off"/);
    expect(examineTemplate(qwen3, { thinking: false }).rewrites.map(({ what }) => what)).toEqual([
      'generation prompt',
      'thinking',
    ]);
  });

  it('refuses a template that rewrites earlier turns, and says what to do', () => {
    expect(() => examineTemplate(counting)).toThrow(/--chat-template/);
  });

  it('puts the system text before the first message where a template has no system role', () => {
    const strict = `{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}${chatml}`;
    const rendered = examineTemplate(strict).render(
      [
        { role: 'system', text: 'Rules.' },
        { role: 'user', text: 'Go.' },
      ],
      true,
    );
    expect(rendered).toBe('<|im_start|>user\nRules.\n\nGo.<|im_end|>\n<|im_start|>assistant\n');
  });
});

describe('Conversation', () => {
  it('grows to what a full render gives, where the template is append-only', () => {
    const tokenizer = toyTokenizer();
    const conversation = new Conversation(createRenderer(tokenizer, { template: chatml }));
    conversation.open([
      { role: 'system', text: 'Play.' },
      { role: 'user', text: 'first' },
    ]);
    conversation.reply(segment('add 1', [...tokenizer.encode('add 1'), 1]), 'token');
    conversation.observe('second');
    const full = examineTemplate(chatml).render(
      [
        { role: 'system', text: 'Play.' },
        { role: 'user', text: 'first' },
        { role: 'assistant', text: 'add 1' },
        { role: 'user', text: 'second' },
      ],
      true,
    );
    expect([...conversation.tokens]).toEqual(tokenizer.encode(full));
    expect(conversation.segments.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('adds the end of turn that a cut reply lacks, as text of the environment', () => {
    const tokenizer = toyTokenizer();
    const conversation = new Conversation(createRenderer(tokenizer, { template: chatml }));
    conversation.open([{ role: 'user', text: 'first' }]);
    conversation.reply(segment('ad', tokenizer.encode('ad')), 'length');
    conversation.observe('second');
    expect(conversation.segments[2]?.tokens[0]).toBe(1);
    expect(datumOf(conversation)?.mask.at(-1)).toBe(1);
  });

  it('keeps thinking that a template would drop', () => {
    const tokenizer = toyTokenizer();
    const conversation = new Conversation(createRenderer(tokenizer, { template: qwen3 }));
    conversation.open([{ role: 'user', text: 'first' }]);
    const thought = [...tokenizer.encode('<think>hmm</think>go'), 1];
    conversation.reply(segment('<think>hmm</think>go', thought), 'token');
    conversation.observe('second');
    expect(tokenizer.decode(conversation.tokens)).toContain('hmm');
  });

  it('never lets text of the environment become a control token', () => {
    const conversation = new Conversation(createRenderer(toyTokenizer(), { template: chatml }));
    conversation.open([{ role: 'user', text: 'trap <|im_end|> here' }]);
    expect([...conversation.tokens].filter((token) => token === 1)).toHaveLength(1);
  });

  it('renders plain play in as few tokens as it can', () => {
    const tokenizer = toyTokenizer({ endOfTurn: ['\n'] });
    const conversation = new Conversation(createRenderer(tokenizer));
    conversation.open([
      { role: 'system', text: 'Not for small policies.' },
      { role: 'user', text: 'Goal' },
    ]);
    const newline = toyVocabulary.indexOf('\n');
    conversation.reply(segment('add 1', [toyVocabulary.indexOf('add 1'), newline]), 'token');
    conversation.observe('Got it');
    expect(tokenizer.decode(conversation.tokens)).toBe('Goal\n> add 1\nGot it\n> ');
    expect(conversation.segments[0]?.tokens).toHaveLength(0);
  });

  it('ends plain replies at a line end where the tokenizer has no such token', () => {
    const renderer = createRenderer(toyTokenizer({ endOfTurn: ['<|endoftext|>'] }), { template: plainTemplate });
    expect(renderer.stopStrings).toEqual(['\n']);
    expect(renderer.closed([50], 'string')).toBe(true);
    expect(renderer.closed([2], 'token')).toBe(false);
  });
});

describe('no retokenisation', () => {
  const tokenizer = toyTokenizer();
  const renderers = [chatml, qwen3, plainTemplate].map((template) => createRenderer(tokenizer, { template }));
  const reply = fc.array(fc.integer({ min: 3, max: toyVocabulary.length - 1 }), { minLength: 1, maxLength: 12 });
  const stop = fc.constantFrom('token' as const, 'length' as const, 'string' as const);
  const turn = fc.record({ ids: reply, stop, observation: fc.string({ maxLength: 20 }) });

  it('the toy tokenizer is one for which it would matter', () => {
    const ids = Array.from('add').map((character) => toyVocabulary.indexOf(character));
    expect(tokenizer.encode(tokenizer.decode(ids))).not.toEqual(ids);
  });

  it('training tokens are exactly the sampled ids', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...renderers),
        fc.string({ maxLength: 30 }),
        fc.array(turn, { minLength: 1, maxLength: 6 }),
        (renderer, first, turns) => {
          const conversation = new Conversation(renderer);
          conversation.open([{ role: 'user', text: first }]);
          const sampled: number[] = [];
          const prompts: number[][] = [];
          for (const { ids, stop, observation } of turns) {
            const tokens = stop === 'token' ? [...ids, 1] : ids;
            prompts.push([...conversation.tokens]);
            sampled.push(...tokens);
            conversation.reply(segment(tokenizer.decode(tokens), tokens), stop);
            conversation.observe(observation);
          }
          const datum = datumOf(conversation);
          expect(datum).toBeDefined();
          if (!datum) return;
          expect([...datum.tokens].filter((_, at) => datum.mask[at] === 1)).toEqual(sampled);
          expect(datum.logprobs).toHaveLength(sampled.length);
          // What each reply was conditioned on is a prefix of the training row.
          for (const prompt of prompts) expect([...datum.tokens.subarray(0, prompt.length)]).toEqual(prompt);
        },
      ),
      { numRuns: 300 },
    );
  });
});
