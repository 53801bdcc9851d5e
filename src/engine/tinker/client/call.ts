/** Calls of the Tinker API: a submission, then its future until it is done; answers read with schemas, failures told apart. */
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { accepted, failed, notYet, metadataOnly, sampleOutput, trainingOutput } from '../wire/answers.ts';
import type { SampleOutput, TrainingOutput } from '../wire/messages.ts';
import { decodeSampleOutput } from '../wire/sample-proto.ts';
import { decodeTrainingOutput } from '../wire/training-proto.ts';
import { LostError, wordsOf, type Reply, type Transport } from './transport.ts';

/** Asked before anything is known to the server: there is nothing that it could have lost. */
const firstRoutes = ['create_session', 'client/config', 'get_server_capabilities'];

/** An answer that comes at once. */
export async function ask<Schema extends z.ZodType>(
  transport: Transport,
  route: string,
  body: object | undefined,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const reply = await (body ? transport.json(route, body) : transport.get(route));
  refuse(reply, route);
  return read(schema, reply, route);
}

/** The id of accepted work, and whether the server is SkyRL (it says the id twice). */
export function ticketOf(reply: Reply, route: string): { readonly id: string; readonly skyrl: boolean } {
  refuse(reply, route);
  const ticket = read(accepted, reply, route);
  return { id: ticket.request_id, skyrl: ticket.future_id !== undefined };
}

export async function resultOf<Schema extends z.ZodType>(
  transport: Transport,
  route: string,
  id: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return read(schema, await retrieve(transport, route, id), route);
}

export async function trainingResult(transport: Transport, route: string, id: string): Promise<TrainingOutput> {
  const reply = await retrieve(transport, route, id);
  return isProto(reply) ? decodeTrainingOutput(reply.bytes) : read(trainingOutput, reply, route);
}

export async function sampleResult(transport: Transport, id: string): Promise<SampleOutput> {
  const reply = await retrieve(transport, 'asample', id);
  return isProto(reply) ? decodeSampleOutput(reply.bytes) : read(sampleOutput, reply, 'asample');
}

/** Asks for a future until it is done; what it failed with is thrown. */
async function retrieve(transport: Transport, route: string, id: string): Promise<Reply> {
  for (;;) {
    const reply = await transport.json('retrieve_future', { request_id: id, allow_metadata_only: false });
    if (reply.status === 404 || reply.status === 410) throw new LostError(`the result of ${route}`);
    refuse(reply, route);
    if (isProto(reply)) return reply;
    const body = jsonOf(reply, route);
    if (notYet.safeParse(body).success || metadataOnly.safeParse(body).success) continue;
    const failure = failed.safeParse(body);
    if (!failure.success) return reply;
    if (isLoss(failure.data.error)) throw new LostError(`the model of ${route}`);
    throw new AgogeError(
      'ENGINE_TINKER_FAILED',
      `${route} failed on the server (${failure.data.category}): ${failure.data.error}; mend what it names, then resume the run`,
    );
  }
}

/** The server will not do what was asked; its status says why. */
export class RefusedError extends AgogeError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super('ENGINE_TINKER_REFUSED', message);
  }
}

function refuse(reply: Reply, route: string): void {
  if (reply.status >= 200 && reply.status < 300) return;
  const words = wordsOf(reply);
  if (reply.status === 401 || reply.status === 403)
    throw new AgogeError(
      'ENGINE_TINKER_KEY',
      `the server refuses ${route} (${reply.status})${words}; set TINKER_API_KEY to a key that it takes`,
    );
  const lasting = /not served|checkpoint/i.test(words) || firstRoutes.includes(route);
  if (!lasting && (reply.status === 404 || isLoss(words))) throw new LostError(`what ${route} is about`);
  if (reply.status === 404 && /checkpoint/i.test(words))
    throw new AgogeError(
      'ENGINE_TINKER_REFUSED',
      `the server has lost weights it saved${words}; start it with the database and the folder of checkpoints it had, then resume the run`,
    );
  throw new RefusedError(reply.status, `the server refuses ${route} (${reply.status})${words}; see docs/cluster.md`);
}

/** SkyRL and we say in words that a model, a session or a sampler went with the server's last life. */
function isLoss(words: string): boolean {
  return /(model|session|sampler|future)[^.]*(not loaded|not found)|no (model|session|sampling session) "/i.test(words);
}

function isProto({ type }: Reply): boolean {
  return type.includes('application/x-protobuf');
}

function jsonOf(reply: Reply, route: string): unknown {
  try {
    return JSON.parse(Buffer.from(reply.bytes).toString('utf8'));
  } catch (cause) {
    throw strange(route, 'no JSON', cause);
  }
}

function read<Schema extends z.ZodType>(schema: Schema, reply: Reply, route: string): z.infer<Schema> {
  const parsed = schema.safeParse(jsonOf(reply, route));
  if (parsed.success) return parsed.data;
  throw strange(route, z.prettifyError(parsed.error).replaceAll('\n', ' '), parsed.error);
}

function strange(route: string, what: string, cause: unknown): AgogeError {
  return new AgogeError(
    'ENGINE_TINKER_ANSWER',
    `the server's answer to ${route} cannot be read: ${what}; is it a Tinker server?`,
    {
      cause,
    },
  );
}
