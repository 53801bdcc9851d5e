/** Chat templates as transformers renders them: conversations that grow here give the same text, token for token of it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { examineTemplate } from '../../../src/policy/chat-template.ts';
import { Conversation } from '../../../src/policy/conversation.ts';
import { createRenderer } from '../../../src/policy/renderer.ts';
import { toyTokenizer } from '../../fixtures/toy-tokenizer.ts';
import { peersMissing, python } from '../python.ts';

/** The behaviour of four families' templates, in our own words. */
const templates = {
  chatml:
    "{%- if messages[0].role != 'system' %}{{- '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}{%- endif %}\n{%- for message in messages %}\n    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}\n{%- endfor %}\n{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n{%- endif %}",
  trimming:
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n\\n' + message['content'] | trim + '<|im_end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n\\n' }}{% endif %}",
  plain:
    "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}\n> {% elif m.role == 'assistant' %}{{ m.content }}\n{% endif %}{% endfor %}",
} as const;

const script = `
import json, sys
from jinja2.sandbox import ImmutableSandboxedEnvironment
given = json.load(sys.stdin)
environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
print(json.dumps([environment.from_string(g["template"]).render(messages=g["messages"], add_generation_prompt=True) for g in given]))
`;

describe.skipIf(peersMissing())('chat templates', () => {
  const conversation = [
    { role: 'system', text: 'Play.' },
    { role: 'user', text: 'Goal: add 7 to the pile.' },
    { role: 'assistant', text: 'add 1' },
    { role: 'user', text: 'You have 1.\nGo on.' },
    { role: 'assistant', text: 'go on then' },
    { role: 'user', text: 'done' },
  ] as const;

  it('render as in Python, whole and growing', () => {
    const names = Object.keys(templates) as (keyof typeof templates)[];
    const input = names.map((name) => ({
      template: templates[name],
      messages: conversation.map(({ role, text }) => ({ role, content: text })),
    }));
    const { stdout, stderr } = spawnSync(python, ['-c', script], { input: JSON.stringify(input), encoding: 'utf8' });
    expect(stderr).toBe('');
    const theirs = JSON.parse(stdout) as string[];
    names.forEach((name, at) => {
      expect(examineTemplate(templates[name]).render(conversation, true)).toBe(theirs[at]);
      const tokenizer = toyTokenizer({ endOfTurn: name === 'plain' ? ['\n'] : ['<|im_end|>'] });
      const growing = new Conversation(createRenderer(tokenizer, { template: templates[name] }));
      growing.open(conversation.slice(0, 2));
      for (const { role, text } of conversation.slice(2)) {
        if (role === 'user') growing.observe(text);
        else {
          const tokens = [...tokenizer.encode(text), tokenizer.endOfTurn[0]!];
          growing.reply(
            { role: 'assistant', text, tokens, logprobs: new Float32Array(tokens.length), policyVersion: 0 },
            'token',
          );
        }
      }
      expect(Array.from(growing.tokens)).toEqual(tokenizer.encode(theirs[at] ?? ''));
    });
  });
});
