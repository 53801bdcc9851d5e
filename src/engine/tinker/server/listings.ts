/** The routes that tell what a Tinker server has: samplers, runs and their checkpoints. */
import type { Hono } from 'hono';
import { AgogeError } from '../../../core/error.ts';
import { formatPath, parsePath, type CheckpointPath } from '../wire/paths.ts';
import * as requests from '../wire/requests.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { TinkerService } from './service.ts';

export function listings(app: Hono, service: TinkerService): void {
  /** What a sampler samples from. */
  app.get('/samplers/:id', (context) => {
    const { id, path } = service.samplingOf(context.req.param('id'));
    return context.json({ sampler_id: id, base_model: service.name, ...(path && { model_path: formatPath(path) }) });
  });
  /** What saved weights are. */
  app.post('/weights_info', async (context) => {
    const { tinker_path: path } = requests.weightsInfo.parse(await context.req.json());
    const { record } = await service.found(parsePath(path));
    // The SDK loads nothing that does not claim to be an adapter.
    return context.json({ base_model: record.base_model, is_lora: true, lora_rank: record.rank || 32, full_weights: true });
  });
  /** All training runs. */
  app.get('/training_runs', async (context) => {
    const limit = Math.min(1000, Math.max(0, Number(context.req.query('limit') ?? 20) || 0));
    const offset = Math.max(0, Number(context.req.query('offset') ?? 0) || 0);
    const runs = await allRuns(service);
    const cursor = { offset, limit, total_count: runs.length };
    return context.json({ training_runs: runs.slice(offset, offset + limit), cursor });
  });
  /** One training run. */
  app.get('/training_runs/:run', async (context) => {
    const run = (await allRuns(service)).find((one) => one.training_run_id === context.req.param('run'));
    return run ? context.json(run) : context.json({ detail: 'Training run not found' }, 404);
  });
  /** Its checkpoints. */
  app.get('/training_runs/:run/checkpoints', async (context) => {
    const found = await service.checkpoints.list(parsePath(`tinker://${context.req.param('run')}/any`).run);
    return context.json({ checkpoints: found.map(checkpointBody) });
  });
  /** All checkpoints. */
  app.get('/checkpoints', async (context) => {
    const runs = await service.checkpoints.runs();
    const found = (await Promise.all(runs.map(({ run }) => service.checkpoints.list(run)))).flat();
    const cursor = { offset: 0, limit: found.length, total_count: found.length };
    return context.json({ checkpoints: found.map(checkpointBody), cursor });
  });
  /** Removes a checkpoint. */
  app.delete('/training_runs/:run/checkpoints/:kind/:name', async (context) => {
    const { run, kind, name } = context.req.param();
    const path: CheckpointPath = parsePath(`tinker://${run}/${kind}/${name}`);
    await service.found(path);
    await service.checkpoints.remove(path);
    return context.body(null, 204);
  });
  const local = (what: string): never => {
    throw new AgogeError('ENGINE_TINKER_LOCAL', what);
  };
  /** Refused with a reason: checkpoints of this server belong to this machine. */
  for (const method of ['POST', 'DELETE'])
    app.on(method, '/training_runs/:run/checkpoints/:kind/:name/publish', () =>
      local(
        'checkpoints are not published from here: they lie as Hugging Face folders in the checkpoint folder of the server, upload one from there',
      ),
    );
  /** Refused with a reason: how long a checkpoint is kept is said when it is saved. */
  app.put('/training_runs/:run/checkpoints/:kind/:name/ttl', () =>
    local('the lifetime of a checkpoint is set when it is saved: pass ttl_seconds to save_state, or delete the checkpoint'),
  );
  /** Refused with a reason: archives are not served. */
  app.get('/training_runs/:run/checkpoints/:rest{.+}', (context) => {
    throw new AgogeError(
      'ENGINE_TINKER_ARCHIVE',
      `${context.req.path} has no archive: the weights lie as a Hugging Face folder in the server's checkpoint folder, copy them from there`,
    );
  });
}

interface RunBody {
  readonly training_run_id: string;
  readonly last_request_time: string;
  readonly [key: string]: unknown;
}

/** Models that are open, and runs of which only checkpoints are left; latest first. */
async function allRuns(service: TinkerService): Promise<RunBody[]> {
  const body = (id: string, time: string, metadata: Readonly<Record<string, unknown>> | null): RunBody => ({
    training_run_id: id,
    base_model: service.name,
    model_owner: 'local',
    is_lora: false,
    corrupted: false,
    last_request_time: time,
    user_metadata: metadata,
  });
  const open = service.open.map(({ facts, used }) => body(facts.id, used, facts.metadata));
  const kept = (await service.checkpoints.runs())
    .filter(({ run }) => !open.some((one) => one.training_run_id === run))
    .map(({ run, record }) => body(run, record.time, record.user_metadata));
  return [...open, ...kept].sort((a, b) => b.last_request_time.localeCompare(a.last_request_time));
}

function checkpointBody({ run, kind, name, record, bytes }: Checkpoint): object {
  return {
    checkpoint_id: `${kind}/${name}`,
    checkpoint_type: kind === 'weights' ? 'training' : 'sampler',
    time: record.time,
    tinker_path: formatPath({ run, kind, name }),
    size_bytes: bytes,
    public: false,
    expires_at: record.expires_at,
  };
}
