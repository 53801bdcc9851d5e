import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgogeError } from '../../../core/error.ts';
import { ticketOf } from './call.ts';
import { LostError, type Reply } from './transport.ts';

const reply = (status: number, body: unknown): Reply => ({
  status,
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(body)),
});

function thrown(route: string, status: number, body: unknown): AgogeError {
  try {
    ticketOf(reply(status, body), route);
  } catch (error) {
    if (error instanceof AgogeError) return error;
    throw error;
  }
  throw new Error('it was taken for an answer');
}

/** SkyRL's refusals in their shapes. What went with a server's last life is lost and built again; the rest is an error in its words. */
const refusals = [
  ['asample', 404, { detail: 'Sampling session not found' }, 'lost'],
  ['optim_step', 404, { detail: 'Model not found' }, 'lost'],
  [
    'save_weights',
    409,
    { detail: "Checkpoint 'c1' already exists for model 'model_1'" },
    /\(409\): Checkpoint 'c1' already exists/,
  ],
  ['forward_backward', 409, { detail: 'Training request sequence number was reused' }, /\(409\): Training request/],
  ['forward_backward', 422, { detail: [{ msg: 'Value error, no such setting' }] }, /\(422\): .*Value error, no such setting/],
  ['load_weights', 400, { detail: 'LoadWeights is not permitted with seq_id 21' }, /\(400\): LoadWeights is not permitted/],
  ['forward_backward', 400, { detail: "Loss functions ['gspo'] are not supported by the JAX backend" }, /gspo/],
  ['optim_step', 400, { detail: 'Model model_1 not loaded' }, 'lost'],
] as const;

test.each(refusals)('%s answered with %i', (route, status, body, what) => {
  const error = thrown(route, status, body);
  if (what === 'lost') expect(error).toBeInstanceOf(LostError);
  else {
    expect(error.code).toBe('ENGINE_TINKER_REFUSED');
    expect(error.message).toMatch(what);
  }
});

const folder = join(import.meta.dirname, '../../../../../shared/data/tinker/wire');
test.skipIf(!existsSync(folder))('every recorded refusal of a real server is told apart (skipped without ../shared/data)', () => {
  let seen = 0;
  for (const name of readdirSync(folder)) {
    const { status, path, response } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      status: number;
      path: string;
      response: { detail: unknown };
    };
    if (status < 400) continue;
    seen++;
    const error = thrown(path.replace(/^.*\/api\/v1\//, ''), status, response);
    if (status === 404) expect(error, name).toBeInstanceOf(LostError);
    else expect(error, name).toMatchObject({ code: 'ENGINE_TINKER_REFUSED' });
    if (status !== 404 && typeof response.detail === 'string') expect(error.message, name).toContain(response.detail);
  }
  expect(seen).toBe(20);
});
