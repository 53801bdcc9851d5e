/**
 * Where the time goes: shares of a training step and of a decode step by kind of work, from ONNX Runtime's own profile. Everything is
 * computed on the bench's own thread. Shares hold on a busy machine too, but for what lies outside the kernels.
 *   npx tsx bench/engine/profile.ts [shapes, default xs,s,m] [--threads 1] [--rows 32]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { plainBatch, trainingBench, trainingShapes } from '../../src/engine/embedded/measure.ts';
import { Session } from '../../src/engine/embedded/runtime/session.ts';
import { computeHere } from '../../src/engine/embedded/workers/threads.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'string', default: '1' }, rows: { type: 'string', default: '32' } },
});
const threads = Number(values.threads);
const folder = mkdtempSync(join(tmpdir(), 'agoge-profile-'));

computeHere();

/** Every session that is compiled from now on writes a profile. */
const profiled: Session[] = [];
const compile = Session.compile.bind(Session);
Session.compile = (graph, options) => {
  const session = compile(graph, { ...options, profile: join(folder, `session-${profiled.length}-`) });
  profiled.push(session);
  return session;
};

/** Kinds of work, as docs/engine.md names them. */
const columns = [
  'dense products',
  'attention',
  'norms and the rest',
  'output products',
  'softmax and cross-entropy',
  'optimizer',
  'outside the kernels',
] as const;

type Part = 'blocks' | 'head' | 'optimizer' | 'decode';

function partOf({ inputs }: Session): Part {
  if (inputs.includes('lengths')) return 'decode';
  if (inputs.includes('gradient')) return 'optimizer';
  return ['rows', 'p', 'logits'].some((name) => inputs.includes(name)) ? 'head' : 'blocks';
}

function kindOf(
  part: Part,
  operation: string,
  outputs: readonly (readonly number[])[],
  vocabulary: number,
): (typeof columns)[number] {
  if (part === 'optimizer') return 'optimizer';
  if (part === 'head') return operation === 'Gemm' ? 'output products' : 'softmax and cross-entropy';
  if (operation === 'Gemm') return part === 'decode' && outputs[0]?.at(-1) === vocabulary ? 'output products' : 'dense products';
  if (part === 'decode') {
    if (operation === 'GroupQueryAttention') return 'attention';
    return operation === 'Softmax' ? 'softmax and cross-entropy' : 'norms and the rest';
  }
  // Only attention works on stacks of matrices: tiles by heads.
  return outputs.some((shape) => shape.length >= 4) || /^(MatMul|FusedMatMul|Softmax)$/.test(operation)
    ? 'attention'
    : 'norms and the rest';
}

interface Event {
  readonly cat: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: { readonly op_name?: string; readonly output_type_shape?: readonly Record<string, readonly number[]>[] };
}

/** Microseconds by kind of work after each session's first run, and prints them as shares of `wall` microseconds. */
function report(title: string, wall: number, since: ReadonlyMap<bigint, number>, vocabulary: number): void {
  const kinds = new Map<(typeof columns)[number], number>();
  for (const session of profiled.splice(0)) {
    const file = session.endProfiling();
    const events = JSON.parse(readFileSync(file, 'utf8')) as Event[];
    const runs = events.filter(({ name }) => name === 'model_run').sort((a, b) => a.ts - b.ts);
    const from = runs[since.get(session.address) ?? 0]?.ts ?? Infinity;
    for (const { cat, name, ts, dur, args } of events) {
      if (cat !== 'Node' || !name.endsWith('_kernel_time') || ts < from) continue;
      const outputs = (args?.output_type_shape ?? []).flatMap((one) => Object.values(one));
      const kind = kindOf(partOf(session), args?.op_name ?? '', outputs, vocabulary);
      kinds.set(kind, (kinds.get(kind) ?? 0) + dur);
    }
  }
  const inside = [...kinds.values()].reduce((a, b) => a + b, 0);
  kinds.set('outside the kernels', Math.max(0, wall - inside));
  const cells = columns.map((kind) => `${((100 * (kinds.get(kind) ?? 0)) / wall).toFixed(0)} %`);
  console.log(`| ${[title, ...cells].join(' | ')} |`);
}

/** Runs of each session so far, by its address: a lane has a session of its own over the one that was compiled. */
const counts = new Map<bigint, number>();
const prepare = Reflect.get<Session, 'prepare'>(Session.prototype, 'prepare');
Session.prototype.prepare = function (this: Session, inputs, outputs) {
  const call = prepare.call(this, inputs, outputs);
  const [run, runSync] = [call.run.bind(call), call.runSync.bind(call)];
  const count = (): void => void counts.set(this.address, (counts.get(this.address) ?? 0) + 1);
  call.run = (signal) => {
    count();
    return run(signal);
  };
  call.runSync = () => {
    count();
    runSync();
  };
  return call;
};

console.log(`| share of the time | ${columns.join(' | ')} |`);
console.log(`|${'---|'.repeat(columns.length + 1)}`);
for (const name of (positionals[0] ?? 'xs,s,m').split(',') as (keyof typeof trainingShapes)[]) {
  const shape = trainingShapes[name];
  {
    await using bench = await trainingBench(shape, plainBatch(shape), { threads });
    await bench.step();
    const since = new Map(counts);
    let wall = 0;
    for (let i = 0; i < (name === 'm' ? 1 : 5); i++) wall += 1e6 * (await bench.step()).seconds;
    report(`${name} training`, wall, since, shape.config.vocabulary);
  }
  {
    const rows = Number(values.rows);
    await using engine = await EmbeddedEngine.open({ config: shape.config, seed: 1, threads, sampling: { lanes: 1 } });
    const prompts = Array.from({ length: rows }, (_, row) =>
      Int32Array.from({ length: 128 }, (_, i) => (row * 31 + i * 17) % 500),
    );
    await Promise.all(prompts.map((prompt) => engine.sample({ prompt: prompt.subarray(0, 127), maxTokens: 1, seed: 1 })));
    const since = new Map(counts);
    const start = performance.now();
    await Promise.all(prompts.map((prompt, row) => engine.sample({ prompt, maxTokens: name === 'm' ? 16 : 64, seed: row })));
    report(`${name} decoding ${rows} sequences`, 1e3 * (performance.now() - start), since, shape.config.vocabulary);
  }
}
rmSync(folder, { recursive: true, force: true });
