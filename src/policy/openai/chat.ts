/**
 * A chat request as the policy reads it, and its reply as the API says it: messages and tools become a prompt, lines of JSON become tool
 * calls. A policy that was trained here reads exactly the tokens that it was trained with: the conversation grows as in an episode, and a
 * reply that was sampled here keeps its own tokens. Other models get their chat template, with tools where it knows them.
 */
import { Template } from '@huggingface/jinja';
import { bounded } from '../../core/bounded.ts';
import { AgogeError } from '../../core/error.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Constraint, ModelInfo } from '../../engine/engine.ts';
import type { Message } from '../chat-template.ts';
import { createRenderer, type Renderer } from '../renderer.ts';
import { callsIn, textWithCalls, withTools, type CalledTool } from '../tools-as-text.ts';
import { constraintOf } from './reply-form.ts';
import type { ChatRequest } from './schema.ts';
import { leavesOut } from './silent-roles.ts';

/** How a policy that was trained here reads and answers. */
export interface TrainedFormat {
  /** The action in a reply, by the format that it learned: what an agent's code gets as its model's answer. */
  read(reply: string): string;
  readonly thinking?: boolean | undefined;
}

/** What a request asks the engine for. */
export interface ChatTurn {
  readonly prompt: TokenIds;
  readonly constraint?: Constraint | undefined;
  readonly stopStrings: readonly string[];
  /** Does a reply that begins so turn out to be a call? Then it is held back until it is whole. */
  mayCall(text: string): boolean;
  /** The reply in the words of the API. */
  said(text: string): { readonly content: string; readonly calls: readonly CalledTool[] };
  /** Remembers the tokens of a reply, for the requests that go on from it. */
  remember(text: string, ids: TokenIds): void;
}

type ChatMessage = ChatRequest['messages'][number];

const rememberedReplies = 4096;

/** Makes turns for one model. */
export class ChatWriter {
  private readonly template: Template | undefined;
  private readonly renderer: Renderer | undefined;
  /** Tokens as sampled, by what stands before them and what they say. */
  private readonly replies = new Map<string, TokenIds>();

  constructor(
    private readonly model: ModelInfo,
    private readonly name: string,
    private readonly trained?: TrainedFormat,
  ) {
    if (model.chatTemplate === undefined) return;
    this.template = new Template(model.chatTemplate);
    if (trained) this.renderer = createRenderer(model.tokenizer, { template: model.chatTemplate, thinking: trained.thinking });
  }

  turn(request: ChatRequest): ChatTurn {
    const offered = request.tool_choice === 'none' ? [] : (request.tools ?? []);
    const names = new Set(offered.map((tool) => tool.function.name));
    const grown = this.renderer && request.chat_template_kwargs == null ? this.grow(this.renderer, request) : undefined;
    const prompt = grown?.tokens ?? tokensOf(this.model, this.written(request));
    const read = (text: string): string => (names.size > 0 && this.trained ? this.trained.read(text) : text);
    return {
      prompt,
      constraint: constraintOf(request),
      stopStrings: grown?.stopStrings ?? [],
      // What a format reads out of a reply is known at its end.
      mayCall: (text) => names.size > 0 && (this.trained !== undefined || /^\s*(\{|<|$)/.test(text)),
      said(text) {
        const calls = names.size > 0 ? callsIn(read(text), names) : undefined;
        if (!calls) return { content: read(text), calls: [] };
        return { content: '', calls: request.parallel_tool_calls === false ? calls.slice(0, 1) : calls };
      },
      remember: (text, ids) => {
        if (!grown) return;
        if (this.replies.size >= rememberedReplies) this.replies.clear();
        this.replies.set(keyOf(prompt, text), ids);
        const calls = callsIn(read(text), names);
        if (calls) this.replies.set(keyOf(prompt, sameCalls('', calls)), ids);
      },
    };
  }

  /** The text of messages by the model's own template. */
  written({ messages, chat_template_kwargs: given, tools, tool_choice: choice }: WrittenRequest, open = true): string {
    if (!this.template)
      throw new AgogeError(
        'MODEL_NO_CHAT_TEMPLATE',
        `${this.name} has no chat template: use /v1/completions, or a model that has one`,
      );
    const { template } = this;
    const { bosToken, eosToken } = this.model.tokenizer;
    const offered = choice === 'none' ? [] : (tools ?? []);
    // A template that never speaks of tools would leave them out without a word.
    const native = /\b(tools|tool_calls)\b/.test(this.model.chatTemplate ?? '');
    const plain = offered.length === 0 && !messages.some(({ role, tool_calls: calls }) => role === 'tool' || calls);
    const spoken = native || plain ? messages.map(nativeMessage) : plainMessages(messages, offered);
    const dropped = (spoken as readonly { readonly role: string }[]).find(({ role }) => leavesOut(template, role));
    if (dropped)
      throw new AgogeError(
        'MODEL_CHAT_TEMPLATE',
        `the model's chat template leaves ${dropped.role} messages out, so it would never see them: send user and assistant messages only`,
      );
    const render = (): string =>
      template.render({
        ...given,
        ...(native && offered.length > 0 ? { tools: offered } : {}),
        messages: spoken,
        add_generation_prompt: open,
        bos_token: bosToken ?? '',
        eos_token: eosToken ?? '',
      });
    try {
      return bounded(2000, render, 'MODEL_CHAT_TEMPLATE', 'the chat template');
    } catch (thrown) {
      throw AgogeError.from(
        thrown,
        'MODEL_CHAT_TEMPLATE',
        'the chat template refused the messages (check their roles and order)',
      );
    }
  }

  /** As an episode grows: the opening, then replies and what answered them. */
  private grow(renderer: Renderer, { messages, tools, tool_choice: choice }: ChatRequest): Grown {
    const offered = choice === 'none' ? [] : (tools ?? []).map((tool) => tool.function);
    const first = messages.findIndex(({ role }) => role === 'assistant');
    const opening = withTools((first < 0 ? messages : messages.slice(0, first)).map(plainMessage), offered);
    const tokens = renderer.open(opening).flatMap((part) => [...part]);
    for (let at = first; at >= 0 && at < messages.length;) {
      const reply = messages[at] as ChatMessage;
      const calls = (reply.tool_calls ?? []).map((one) => one.function);
      const text = textWithCalls(reply.content ?? '', calls);
      const known =
        this.replies.get(keyOf(tokens, text)) ?? this.replies.get(keyOf(tokens, sameCalls(reply.content ?? '', calls)));
      tokens.push(...(known ?? renderer.reply(text)));
      let next = at + 1;
      while (next < messages.length && messages[next]?.role !== 'assistant') next++;
      if (next === at + 1 && next < messages.length)
        throw new AgogeError(
          'MODEL_CHAT_TEMPLATE',
          'two messages of the assistant follow each other: put what answered the first between them',
        );
      const shown = messages
        .slice(at + 1, next)
        .map((one) => plainMessage(one).text)
        .join('\n');
      if (next > at + 1) tokens.push(...renderer.next(shown, true));
      at = next;
    }
    return { tokens, stopStrings: renderer.stopStrings };
  }
}

type WrittenRequest = Pick<ChatRequest, 'messages' | 'chat_template_kwargs' | 'tools' | 'tool_choice'>;

interface Grown {
  readonly tokens: TokenIds;
  readonly stopStrings: readonly string[];
}

/** The ids of a prompt as a model knows texts: after its first token, where it has one. */
export function tokensOf({ tokenizer }: ModelInfo, prompt: string | readonly number[]): TokenIds {
  if (typeof prompt !== 'string') return [...prompt];
  const ids = tokenizer.encode(prompt);
  const bos = tokenizer.bosToken === undefined ? [] : tokenizer.encode(tokenizer.bosToken);
  if (ids.length === 0) return bos;
  return tokenizer.addsBos === true && ids[0] !== bos[0] ? [...bos, ...ids] : ids;
}

/** For templates that know tools. They want arguments as objects. */
function nativeMessage({ role, content, tool_calls: calls, name }: ChatMessage): object {
  return {
    role: role === 'developer' ? 'system' : role,
    content: content ?? '',
    ...(name == null ? {} : { name }),
    ...(calls
      ? {
          tool_calls: calls.map((call) => ({
            ...call,
            function: { ...call.function, arguments: parsed(call.function.arguments) },
          })),
        }
      : {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function plainMessages(
  messages: readonly ChatMessage[],
  offered: readonly { readonly function: Parameters<typeof withTools>[1][number] }[],
): object[] {
  const said = withTools(
    messages.map(plainMessage),
    offered.map((tool) => tool.function),
  );
  return said.map(({ role, text }) => ({ role, content: text }));
}

/** In the three roles of a conversation; what a tool answered is read like any observation. */
function plainMessage({ role, content, tool_calls: calls }: ChatMessage): Message {
  const who = role === 'assistant' ? role : role === 'system' || role === 'developer' ? 'system' : 'user';
  return {
    role: who,
    text: textWithCalls(
      content ?? '',
      (calls ?? []).map((call) => call.function),
    ),
  };
}

function keyOf(before: TokenIds, text: string): string {
  return `${Array.from(before).join()}|${text}`;
}

/** Calls as clients send them back: they parse the arguments and write them anew. */
function sameCalls(text: string, calls: readonly CalledTool[]): string {
  return textWithCalls(
    text,
    calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(parsed(given)) })),
  );
}
