/** What a request says about the form of its reply, as a constraint of the engine: response_format, tool_choice, strict tools, vLLM's fields. */
import { AgogeError } from '../../core/error.ts';
import type { Constraint } from '../../engine/engine.ts';
import type { ChatRequest, CompletionRequest } from './schema.ts';

type Forms = Pick<ChatRequest, 'guided_json' | 'guided_choice' | 'structured_outputs'>;
type ChatForms = Forms & Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'response_format'>;

/** The constraint of a chat request, undefined where any text will do. */
export function constraintOf(request: ChatForms): Constraint | undefined {
  const found = [formatOf(request.response_format), ...guided(request), calls(request)].filter((one) => one !== undefined);
  return single(found);
}

/** The same for a completion. */
export function completionConstraint(request: CompletionRequest): Constraint | undefined {
  return single(guided(request));
}

function single(found: readonly Constraint[]): Constraint | undefined {
  if (found.length > 1)
    throw new AgogeError(
      'ENGINE_BAD_REQUEST',
      'a reply can have one form: send one of response_format, required tools, guided_…',
    );
  return found[0];
}

function formatOf(format: ChatRequest['response_format']): Constraint | undefined {
  if (!format || format.type === 'text') return undefined;
  return format.type === 'json_object' ? { kind: 'json' } : { kind: 'schema', schema: format.json_schema.schema };
}

function guided({ guided_json: json, guided_choice: choice, structured_outputs: outputs }: Forms): Constraint[] {
  const schema = json ?? outputs?.json;
  const texts = choice ?? outputs?.choice;
  return [...(schema ? [{ kind: 'schema', schema } as const] : []), ...(texts ? [{ kind: 'choice', texts } as const] : [])];
}

/** Where a call is required, or tools are strict: their arguments are held to their schemas. */
function calls({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
  response_format: format,
}: ChatForms): Constraint | undefined {
  const offered = (tools ?? []).map((tool) => tool.function);
  if (offered.length === 0) {
    if (choice == null || choice === 'none' || choice === 'auto') return undefined;
    throw new AgogeError('ENGINE_BAD_REQUEST', 'tool_choice asks for a tool and none is offered: send tools');
  }
  if (choice === 'none') return undefined;
  const named = typeof choice === 'object' && choice ? offered.filter(({ name }) => name === choice.function.name) : offered;
  if (named.length === 0)
    throw new AgogeError('ENGINE_BAD_REQUEST', 'tool_choice names a tool that is not offered: name one of tools');
  const required = choice === 'required' || typeof choice === 'object';
  // Beside a form for texts, an unforced call would break it: the form decides.
  if (!required && (format?.type === 'json_object' || format?.type === 'json_schema')) return undefined;
  if (!required && !named.every(({ strict }) => strict === true)) return undefined;
  const forms = named.map(({ name, parameters }) => ({ name, parameters: parameters ?? undefined }));
  return { kind: 'calls', tools: forms, several: parallel !== false && typeof choice !== 'object', text: !required };
}
