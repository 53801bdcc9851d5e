/**
 * Sampling, measured. `npx tsx bench/engine/sampling.ts decode|episodes|conversations|width [options]`
 *   decode         tokens per second at batch 8 and 32 against PyTorch with a static KV cache and, for m, llama.cpp with float32
 *                  weights, in turns (--shapes s,m --batches 8,32 --rounds 5 --steps n)
 *   episodes       groups of 8 that share a prompt of 150 tokens, 5 turns of 9 tokens: episodes per minute (xs, vocabulary 1,534)
 *   conversations  64 at once, 10 turns: prefill work and idle time
 *   width          what it costs to compute every slot in every step (fixedWidth)
 */
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/random/random.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../../src/engine/embedded/embedded.ts';
import { presetConfig, type ModelConfig } from '../../src/engine/embedded/network/config.ts';
import { openLlama, openTorch, type DecodeTime } from './decode-peers.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    shapes: { type: 'string', default: 's,m' },
    batches: { type: 'string', default: '8,32' },
    rounds: { type: 'string', default: '5' },
    steps: { type: 'string' },
    threads: { type: 'string', default: '2' },
    spinning: { type: 'boolean', default: false },
    lanes: { type: 'string' },
    int8: { type: 'boolean', default: false },
    slots: { type: 'string' },
    solo: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const threads = Number(values.threads);
const shapes: Record<string, ModelConfig> = {
  xs: presetConfig('xs', { vocabulary: 1534, context: 1024 }),
  s: presetConfig('s', { vocabulary: 2048, context: 1024 }),
  m: presetConfig('m', { vocabulary: 49152, context: 1024, rope: { kind: 'default', theta: 100_000 } }),
};
const sampling = {
  ...(values.int8 ? { numbers: 'int8' as const } : {}),
  ...(values.lanes === undefined ? {} : { lanes: Number(values.lanes) }),
  ...(values.slots === undefined ? {} : { slots: Number(values.slots) }),
};

function open(config: ModelConfig, more: EmbeddedOptions['sampling'] = {}): Promise<EmbeddedEngine> {
  return EmbeddedEngine.open({ config, seed: 1, threads, spinning: values.spinning, sampling: { ...sampling, ...more } });
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
const leastCpu = (times: readonly DecodeTime[]): number => Math.min(...times.map((time) => time.cpuSeconds));
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** The prompts are computed, all but their last token; then `steps` tokens of each are decoded, which is what counts. */
async function decodeTime(engine: EmbeddedEngine, rows: number, past: number, steps: number, seed: number): Promise<DecodeTime> {
  const prompts = Array.from({ length: rows }, (_, row) =>
    Int32Array.from({ length: past }, (_, i) => (row * 31 + i * 17 + seed) % engine.model.vocabulary),
  );
  await Promise.all(prompts.map((prompt) => engine.sample({ prompt: prompt.subarray(0, past - 1), maxTokens: 1, seed })));
  const [start, cpu] = [performance.now(), cpuSeconds()];
  await Promise.all(prompts.map((prompt, row) => engine.sample({ prompt, maxTokens: steps, seed: seed + row })));
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSeconds() - cpu };
}

/** The table of docs/engine.md: every contender on every batch, in turns; medians of the rounds. */
async function decode(): Promise<void> {
  const batches = values.batches.split(',').map(Number);
  for (const name of values.shapes.split(',')) {
    const config = shapes[name]!;
    const [past, steps] = [128, Number(values.steps ?? (name === 'm' ? 32 : 128))];
    const peers = values.solo ? [] : [openTorch(), name === 'm' ? openLlama() : undefined].filter((peer) => peer !== undefined);
    await using engine = await open(config);
    for (const peer of peers) await peer.build(config, threads);
    for (const rows of batches) {
      const ours: DecodeTime[] = [];
      const theirs = peers.map((): DecodeTime[] => []);
      for (let round = -1; round < rounds; round++) {
        const mine = await decodeTime(engine, rows, past, steps, 1000 + round * 7);
        const others: DecodeTime[] = [];
        for (const peer of peers) others.push(await peer.decode(rows, past, steps));
        if (round < 0) continue;
        ours.push(mine);
        others.forEach((time, i) => theirs[i]!.push(time));
      }
      const rate = (seconds: number): string => ((rows * steps) / seconds).toFixed(0).padStart(6);
      const columns = peers.map((peer, i) => {
        const [mine, other] = [ours.map(({ seconds }) => seconds), theirs[i]!.map(({ seconds }) => seconds)];
        const [ratio, best] = [median(other) / median(mine), Math.min(...other) / Math.min(...mine)];
        const cpu = leastCpu(theirs[i]!) / leastCpu(ours);
        return `${peer.name} ${rate(median(other))}  ratio ${ratio.toFixed(2)} (fastest rounds ${best.toFixed(2)}; processor time ${cpu.toFixed(2)})`;
      });
      console.log(
        [
          `${name}  batch ${String(rows).padStart(2)}: ours ${rate(median(ours.map(({ seconds }) => seconds)))} tokens/s, ${rate(leastCpu(ours)).trim()} per second of processor time`,
          ...columns,
        ].join('   '),
      );
    }
    for (const peer of peers) peer[Symbol.dispose]();
  }
}

async function play(engine: EmbeddedEngine, group: number, member: number, turns: number): Promise<void> {
  const opening = Random.of(group, 'prompt');
  const prompt = Array.from({ length: 150 }, () => opening.below(engine.model.vocabulary));
  for (let turn = 0; turn < turns; turn++) {
    const { tokens } = await engine.sample({ prompt, maxTokens: 9, seed: group * 1000 + member * 10 + turn });
    prompt.push(...tokens);
    for (let i = 0; i < 5; i++) prompt.push((turn * 7 + i * 3 + member) % engine.model.vocabulary);
  }
}

async function episodes(): Promise<void> {
  await using engine = await open(shapes['xs']!);
  for (let round = -1; round < rounds; round++) {
    const [start, cpu] = [performance.now(), cpuSeconds()];
    await Promise.all(Array.from({ length: 256 }, (_, i) => play(engine, (round + 2) * 100 + (i >> 3), i & 7, 5)));
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `256 episodes in ${seconds.toFixed(2)} s: ${((256 / seconds) * 60).toFixed(0)} per minute; ${(((cpuSeconds() - cpu) / 256) * 1000).toFixed(2)} ms of CPU each`,
    );
  }
  console.log(engine.samplerStatistics);
}

async function conversations(): Promise<void> {
  await using engine = await open(shapes[values.shapes.split(',')[0]!]!);
  await Promise.all(Array.from({ length: 64 }, (_, i) => play(engine, i, 0, 10)));
  const { prefilledTokens, sampledTokens, openTime, busyTime, lanes } = engine.samplerStatistics!;
  const once = 64 * (150 + 10 * 14 - 5);
  console.log(
    `64 conversations of 10 turns: ${prefilledTokens + sampledTokens} tokens computed, ${once} in one pass (${((prefilledTokens + sampledTokens) / once).toFixed(3)}); idle ${(100 - (100 * busyTime) / (lanes * openTime)).toFixed(1)} % of the time`,
  );
}

async function width(): Promise<void> {
  for (const fixedWidth of [false, true]) {
    await using engine = await open(shapes['xs']!, { fixedWidth });
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const cpu = cpuSeconds();
      await Promise.all(Array.from({ length: 256 }, (_, i) => play(engine, (round + 2) * 100 + (i >> 3), i & 7, 5)));
      if (round >= 0) times.push(cpuSeconds() - cpu);
    }
    console.log(`fixed width ${fixedWidth}: ${((median(times) / 256) * 1000).toFixed(2)} ms of CPU per episode`);
  }
}

const modes: Record<string, () => Promise<void>> = { decode, episodes, conversations, width };
await modes[positionals[0] ?? 'decode']?.();
