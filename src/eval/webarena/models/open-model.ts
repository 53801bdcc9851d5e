/** Which model the original's flags mean, and how it is asked. What they do not name is never contacted. */
import { stat } from 'node:fs/promises';
import { openPolicy } from '../../../agent/open-policy.ts';
import { AgogeError } from '../../../core/error.ts';
import { readWords } from '../../../engine/embedded/models/load.ts';
import { examineTemplate } from '../../../policy/chat-template.ts';
import { parsePolicy } from '../../../policy/spec.ts';
import { cutterOf, type PageCutter, type PromptModel } from './model.ts';
import { policyModel, promptText, spokenExamples, type PromptForm } from './policy-model.ts';
import { servedCutter } from './served-tokens.ts';
import { completionsModel, generationModel } from './text-endpoint.ts';

export interface ModelChoice {
  /** A policy's name; it takes the place of provider, model and endpoint. */
  readonly policy?: string | undefined;
  readonly provider: 'openai' | 'huggingface';
  readonly model: string;
  /** Empty where none is given. */
  readonly endpoint: string;
  readonly mode: 'chat' | 'completion';
  /** Folder or hub name of the tokenizer that pages are counted with. */
  readonly tokenizer?: string | undefined;
  /** Pages are to be cut, so somebody must count them. */
  readonly counts: boolean;
}

/** Throws CONFIG_WEBARENA, CONFIG_BAD_POLICY, POLICY_… and MODEL_… with what to do about it. */
export async function openModel(choice: ModelChoice): Promise<PromptModel> {
  const { model, endpoint, provider, mode } = choice;
  if (choice.policy === undefined && provider === 'huggingface' && endpoint !== '') return generation(choice);
  const name = choice.policy ?? (provider === 'huggingface' ? `hf:${model}` : `openai:${model}@${openAiAddress(endpoint)}`);
  const spec = parsePolicy(name);
  if (spec.kind === 'expert' || spec.kind === 'random' || spec.kind === 'human' || spec.kind === 'replay')
    throw new AgogeError('CONFIG_WEBARENA', `${name} is no model that a prompt can be given to: name one with openai:, hf:, run: or gguf:`);
  const named = choice.tokenizer === undefined ? undefined : cutterOf((await words(choice.tokenizer)).tokenizer);
  if (spec.kind !== 'openai') {
    const form: PromptForm = mode === 'completion' ? 'completion' : isLlama2(provider, model) ? 'llama2' : 'chat';
    const opened = policyModel(await openPolicy(name), form, named);
    if (!choice.counts || opened.cutter) return opened;
    await opened[Symbol.asyncDispose]();
    throw uncounted(name);
  }
  const served = { model: spec.model, baseUrl: spec.baseUrl, apiKey: process.env['OPENAI_API_KEY'] };
  // Opened first: a missing key is said before anything is sent.
  const policy = await openPolicy(name);
  const cutter = choice.counts ? (named ?? (await servedCutter(served))) : undefined;
  if (mode === 'chat') return policyModel(policy, 'chat', cutter);
  return completionsModel({ ...served, cutter, write: (instruction, current) => promptText('completion', instruction, current) });
}

/** A text-generation server: Llama 2 in its own form, as the original knows it; other chat models by the template of their folder. */
async function generation({ model, endpoint, mode, tokenizer, counts }: ModelChoice): Promise<PromptModel> {
  if (!/^https?:\/\//.test(endpoint))
    throw new AgogeError('CLI_USAGE_OPTION', `--model-endpoint ${endpoint} is no address: begin it with http://`);
  const llama2 = mode === 'chat' && isLlama2('huggingface', model);
  const known = counts || (mode === 'chat' && !llama2) ? await words(tokenizer ?? model) : undefined;
  const cutter: PageCutter | undefined = counts && known ? cutterOf(known.tokenizer) : undefined;
  const write = llama2 || mode === 'completion' ? textOf(llama2 ? 'llama2' : 'completion') : templated(known, model);
  return generationModel({ model, baseUrl: endpoint, cutter, write });
}

type Words = Awaited<ReturnType<typeof readWords>>;
type Write = Parameters<typeof generationModel>[0]['write'];

function textOf(form: 'llama2' | 'completion'): Write {
  return (instruction, current) => promptText(form, instruction, current);
}

function templated(known: Words | undefined, model: string): Write {
  if (known?.chatTemplate === undefined)
    throw new AgogeError(
      'CONFIG_WEBARENA',
      `${model} has no chat template, so its chat form is not known: use --mode completion, or name a folder that has one (--tokenizer)`,
    );
  const { bosToken, eosToken } = known.tokenizer;
  const { render } = examineTemplate(known.chatTemplate, { bosToken, eosToken });
  return (instruction, current) => render(spokenExamples(instruction, current), true);
}

/** A folder, or a name on the hub. */
async function words(name: string): Promise<Words> {
  const here = name.startsWith('hf:') || (await stat(name).then(() => true, () => false));
  return readWords(here ? name : `hf:${name}`);
}

/** Where OpenAI's Python package would go: the address that was given, else its variable, else OpenAI. */
function openAiAddress(endpoint: string): string {
  if (endpoint !== '') return endpoint;
  const { OPENAI_API_BASE: older, OPENAI_BASE_URL: newer } = process.env;
  return older || newer || 'https://api.openai.com/v1';
}

function isLlama2(provider: ModelChoice['provider'], model: string): boolean {
  return provider === 'huggingface' && model.includes('Llama-2');
}

function uncounted(name: string): AgogeError {
  return new AgogeError(
    'CONFIG_WEBARENA',
    `${name} does not tell its tokens, so --max-obs-length cannot be counted: name a tokenizer (--tokenizer), or set it to 0`,
  );
}
