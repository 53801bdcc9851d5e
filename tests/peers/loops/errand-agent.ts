/** The errand as an agent that is trained with `agoge sft`: a plain loop of tools over fetch, and the expert that shows the calls. */
import { defineAgent } from 'agoge';
import { argumentOf, errandOf, type Errand } from './errand.ts';

export default defineAgent({
  name: 'errand',
  splits: { train: Infinity, validation: 20, test: 20 },
  run: async (_task, model, random) => {
    const errand = errandOf(random);
    return (await plainLoop(errand, model)) === errand.answer ? 1 : 0;
  },
  solve: (_task, shown, turn, random) => {
    const call = errandOf(random).calls[turn];
    if (!call) return shown;
    const [name, argument] = call;
    return JSON.stringify({ name, arguments: { [argumentOf[name as keyof typeof argumentOf]]: argument } });
  },
});

/** The loop of the training: what every client does, in a few lines. */
async function plainLoop({ system, question, tools, facts }: Errand, { baseURL, model, signal }: Model): Promise<string> {
  const messages: object[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  for (let turn = 0; turn < 5; turn++) {
    const offered = tools.map((one) => ({ type: 'function', function: one }));
    const body = JSON.stringify({ model, messages, tools: offered });
    const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body, signal });
    const { choices } = (await response.json()) as { choices: [{ message: Said }] };
    const { message } = choices[0];
    if (!message.tool_calls) return message.content ?? '';
    messages.push(message);
    for (const { id, function: called } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: used(facts, called.name, JSON.parse(called.arguments)) });
  }
  return '';
}

interface Model {
  readonly baseURL: string;
  readonly model: string;
  readonly signal: AbortSignal;
}

interface Said {
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** What a tool answers. */
function used(facts: Errand['facts'], tool: string, given: unknown): string {
  const [argument] = Object.values(given as Record<string, string>);
  return facts[tool]?.[argument ?? ''] ?? 'unknown';
}
