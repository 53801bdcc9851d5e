/**
 * A model's own Jinja chat template, taken apart once: what stands before a reply, what ends it, what stands between a
 * reply and the next one. With these parts a conversation grows by its new text only; nothing is rendered twice.
 * `examineTemplate` also says where a full render would differ from growing (Qwen3 drops earlier thinking).
 */
import { Template } from '@huggingface/jinja';
import { AgogeError } from '../core/error.ts';
import { bounded } from '../core/bounded.ts';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
  /** Whose words these are, for endpoints that know the field (OpenAI's `example_user`); chat templates do not. */
  readonly name?: string;
}

export interface TemplateOptions {
  readonly bosToken?: string | undefined;
  readonly eosToken?: string | undefined;
  /** Asks the template for replies without thinking (`enable_thinking: false`), where it knows the word. */
  readonly thinking?: boolean | undefined;
}

export interface TemplateParts {
  /** All messages, ready for the reply: what the first turn reads. */
  readonly render: (messages: readonly Message[], open: boolean) => string;
  /** From the end of a reply's text to the text of the next observation. */
  readonly afterReply: string;
  /** From the end of an observation to the start of the reply. */
  readonly beforeReply: string;
  /** The template removes white space around an observation. */
  readonly trims: boolean;
  /** Where a full render of the conversation differs from what grows here; empty for an append-only template. */
  readonly rewrites: readonly Rewrite[];
}

/** What a template does to earlier turns, and what happens here instead. */
export interface Rewrite {
  readonly what: 'thinking' | 'generation prompt';
  readonly notice: string;
}

/** The plainest rendering: the observation, a prompt sign, the action up to the end of the line. For policies trained on bare play. */
export const plainTemplate =
  "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}\n> {% elif m.role == 'assistant' %}{{ m.content }}\n{% endif %}{% endfor %}";

/** How a template refuses a role that its model never saw. Our own play leaves the rules out then, as the training did. */
const trainedWithout = 'this model was trained without';

/** Whoever sends something else is told; in our own play the rules are left out where a model was trained without them. */
const others = `{% else %}{{ raise_exception('${trainedWithout} ' + m.role + ' messages: leave them out') }}`;

export const turnTemplate = `{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}<|act|>{% elif m.role == 'assistant' %}{{ m.content }}<|end|>${others}{% endif %}{% endfor %}`;

/** The same with the system message in front. */
export const rulesTemplate = turnTemplate.replace(
  "{% if m.role == 'user' %}",
  "{% if m.role == 'system' %}{{ m.content }}<|rules|>{% elif m.role == 'user' %}",
);

/** Our own, which end with their messages: watching them would cost more than they do. */
const ours: ReadonlySet<string> = new Set([plainTemplate, turnTemplate, rulesTemplate]);

/** Milliseconds that a template may take. */
const patience = 2000;

/** Takes a template apart; throws POLICY_TEMPLATE where it cannot be used for conversations that grow. */
export function examineTemplate(source: string, options: TemplateOptions = {}): TemplateParts {
  const render = renderer(source, options);
  const probe: Message[] = [
    { role: 'user', text: 'Qfirst7' },
    { role: 'assistant', text: 'Qreply8' },
    { role: 'user', text: 'Qsecond9' },
  ];
  const grown = render(probe, true);
  const reply = grown.indexOf('Qreply8');
  const second = grown.indexOf('Qsecond9');
  if (reply < 0 || second < reply || !grown.startsWith(render(probe.slice(0, 1), false))) throw rewritesTurns();
  const afterReply = grown.slice(reply + 'Qreply8'.length, second);
  const beforeReply = grown.slice(second + 'Qsecond9'.length);
  const rewrites: Rewrite[] = [];

  const third: Message[] = [...probe, { role: 'assistant', text: 'Qagain' }, { role: 'user', text: 'Qthird' }];
  const expected = `${grown.slice(0, second)}Qsecond9${beforeReply}Qagain${afterReply}Qthird${beforeReply}`;
  if (render(third, true) !== expected) {
    // The only harmless difference: a generation prompt that is longer than what the template writes for past replies.
    const past = pastPrompt(render(third, true));
    if (past === undefined || !beforeReply.startsWith(past)) throw rewritesTurns();
    rewrites.push({
      what: 'generation prompt',
      notice: `the chat template opens each reply with ${JSON.stringify(beforeReply.slice(past.length))} and leaves it out of earlier turns; it stays in the conversation here, as it was when the reply was sampled`,
    });
  }
  const thought = '<think>\nQthought\n</think>\n\nQreply8';
  if (!render([probe[0] as Message, { role: 'assistant', text: thought }, probe[2] as Message], true).includes('Qthought')) {
    rewrites.push({
      what: 'thinking',
      notice:
        'the chat template drops the thinking of earlier turns; it stays in the conversation here, so that training sees what was sampled: choose thinking "off" for replies without it',
    });
  }
  const spaced = render([{ role: 'user', text: ' \n Qfirst7 \n ' }], true);
  return { render, afterReply, beforeReply, trims: !spaced.includes(' \n Qfirst7 \n '), rewrites };
}

function renderer(source: string, options: TemplateOptions): TemplateParts['render'] {
  let template: Template;
  try {
    template = new Template(source);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'POLICY_TEMPLATE', 'the chat template cannot be read; give another one with --chat-template');
  }
  const attempt = (messages: readonly Message[], open: boolean): string => {
    const work = (): string =>
      template.render({
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        add_generation_prompt: open,
        bos_token: options.bosToken ?? '',
        eos_token: options.eosToken ?? '',
        // A date in the prompt would make today's run differ from tomorrow's.
        date_string: '26 Jul 2024',
        ...(options.thinking === undefined ? {} : { enable_thinking: options.thinking }),
      });
    return ours.has(source.trimEnd()) ? work() : bounded(patience, work, 'POLICY_TEMPLATE', 'the chat template');
  };
  return (messages, open) => {
    try {
      return attempt(messages, open);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message.includes(`${trainedWithout} system`))
        return attempt(
          messages.filter(({ role }) => role !== 'system'),
          open,
        );
      const merged = withoutSystem(messages);
      if (!merged)
        throw AgogeError.from(
          thrown,
          'POLICY_TEMPLATE',
          'the chat template refused the conversation; give another one with --chat-template',
        );
      return attempt(merged, open);
    }
  };
}

/** For templates without a system role: its text goes before the first user message. */
function withoutSystem(messages: readonly Message[]): Message[] | undefined {
  const [system, user, ...rest] = messages;
  if (system?.role !== 'system' || user?.role !== 'user') return undefined;
  return [{ role: 'user', text: `${system.text}\n\n${user.text}` }, ...rest];
}

/** What the template writes between an observation and a past reply. */
function pastPrompt(rendered: string): string | undefined {
  const from = rendered.indexOf('Qsecond9');
  const to = rendered.indexOf('Qagain');
  return from < 0 || to < from ? undefined : rendered.slice(from + 'Qsecond9'.length, to);
}

function rewritesTurns(): AgogeError {
  return new AgogeError(
    'POLICY_TEMPLATE',
    'the chat template rewrites earlier turns, so what was sampled would not be what is trained on: give an append-only one with --chat-template <file>, or --chat-template plain',
  );
}
