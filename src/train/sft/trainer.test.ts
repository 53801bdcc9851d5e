import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../agent/formats/index.ts';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import { formatNamed } from '../../data/formats/formats.ts';
import { RowWriter } from '../../data/write.ts';
import type { Environment } from '../../envs/environment.ts';
import { createRenderer } from '../../policy/renderer.ts';
import { readEvaluations, readMetrics } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { conversationDatum, fitDatum } from './conversation-datum.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { Curriculum } from './curriculum.ts';
import { Demonstrations } from './demonstrations.ts';
import { ExpertSource } from './expert-source.ts';
import { checkFiles, FileSource } from './file-source.ts';
import type { SftSource } from './source.ts';
import { trainSft } from './trainer.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { practiceWorld } from '../../envs/textcraft/practice.ts';
import { Random } from '../../core/random/random.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-sft-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const renderer = createRenderer(new TabularEngine({ words: corridorWords }).model.tokenizer);

function recipeOf(run: string, more: Record<string, unknown> = {}): SftRecipe {
  return sftRecipe({
    run,
    data: { source: 'experts', experts: [{ env: 'corridor' }], max_turns: 8, curriculum: { window: 5, levels: 4 } },
    batch_tokens: 200,
    optimizer: { lr: 0.1 },
    steps: 40,
    evaluate: { panels: [{ env: 'corridor', split: 'validation' }], samples: 4, max_turns: 4 },
    checkpoint: { every: 10 },
    log: { every: 5 },
    ...more,
  });
}

function expertSource(recipe: SftRecipe, environment: Environment = corridor()): ExpertSource {
  const decks = recipe.data.experts.map((entry) => ({ entry, environment }));
  return new ExpertSource(
    new Demonstrations({ decks, format: createFormat('direct'), renderer, seed: recipe.seed, maxTurns: 8 }),
    recipe,
    500,
  );
}

/** The corridor with worlds of a difficulty. */
function practised(): Environment {
  const walk = corridor();
  return {
    ...walk,
    tasks: (split) => walk.tasks(split),
    open: (task) => walk.open(task),
    practice: async (random) => {
      const task = { env: 'corridor', split: 'train', index: random.below(100) };
      return { episode: await walk.open(task), expert: walk.expert!(task) };
    },
  };
}

async function train(
  recipe: SftRecipe,
  setting: { stopAt?: number; stopAtPart?: number; resume?: string; source?: SftSource } = {},
) {
  const left: (number | null)[] = [];
  const notes: string[] = [];
  const path = setting.resume ?? join(folder, recipe.run);
  const info = {
    name: recipe.run,
    kind: 'sft',
    title: 'corridor',
    seed: 1,
    steps: recipe.steps,
    versions: {},
    environments: {},
  } as const;
  const { directory, step } =
    setting.resume === undefined
      ? { directory: await RunDirectory.create(path, '', info), step: 0 }
      : await RunDirectory.resume(path);
  const engine = new TabularEngine({ words: corridorWords });
  const controller = new AbortController();
  const learn = engine.forwardBackward.bind(engine);
  let parts = 0;
  engine.forwardBackward = (...given) => {
    if (++parts === setting.stopAtPart) controller.abort(new Error('Ctrl-C'));
    return learn(...given);
  };
  const environment = corridor();
  const result = await trainSft(
    recipe,
    { engine, source: setting.source ?? expertSource(recipe), environment: async () => environment },
    directory,
    {
      signal: controller.signal,
      from: step,
      events: {
        onNote: (text) => void notes.push(text),
        onStep(summary) {
          left.push(summary.left);
          if (summary.step === setting.stopAt) controller.abort(new Error('Ctrl-C'));
        },
      },
    },
  );
  return { path, engine, result, left, notes, parts };
}

describe('supervised training', () => {
  it('learns to play from an expert', async () => {
    const evaluate = { panels: [{ env: 'corridor', split: 'validation' }], samples: 4, max_turns: 4, at_start: true };
    const { path, result } = await train(recipeOf('learns', { evaluate }));
    expect(result.status).toBe('finished');
    const evaluations = await readEvaluations(path);
    expect(evaluations.map(({ step }) => step)).toEqual([0, 40]);
    expect(evaluations.at(-1)!.success).toBeGreaterThanOrEqual(0.95);
    const metrics = await readMetrics(path);
    expect(metrics.at(-1)!.data['train/loss']).toBeLessThan(metrics[0]!.data['train/loss']!);
    expect(metrics.at(-1)!.data['train/difficulty']).toBeGreaterThan(0);
  });

  it('says when learning waits for demonstrations', async () => {
    const slowly = (recipe: SftRecipe): SftSource => {
      const source = expertSource(recipe);
      const next = source.next.bind(source);
      source.next = async (tokens) => {
        await setTimeout(20);
        return next(tokens);
      };
      return source;
    };
    const told = async (run: string, source: (recipe: SftRecipe) => SftSource): Promise<readonly string[]> => {
      const recipe = recipeOf(run, { steps: 25 });
      const { notes, path } = await train(recipe, { source: source(recipe) });
      const shares = (await readMetrics(path)).map(({ data }) => data['perf/data_wait_share'] ?? Number.NaN);
      if (source === slowly) expect(Math.min(...shares)).toBeGreaterThan(0.5);
      expect(Math.max(...shares)).toBeLessThanOrEqual(1);
      return notes.filter((note) => note.includes('waits for demonstrations'));
    };
    expect(await told('waits', slowly)).toHaveLength(availableParallelism() > 1 ? 1 : 0);
  });

  it('says when experts demonstrate what is evaluated, not when they play generated worlds', async () => {
    const told = async (run: string, expert: object): Promise<readonly string[]> => {
      const data = { source: 'experts', experts: [{ env: 'corridor', ...expert }], max_turns: 8 };
      const evaluate = { panels: [{ env: 'corridor', split: 'train', to: 2 }], max_turns: 4 };
      const recipe = recipeOf(run, { data, evaluate, steps: 1 });
      const { notes } = await train(recipe, { source: expertSource(recipe, practised()) });
      return notes.filter((note) => note.includes('demonstrate'));
    };
    expect(await told('the-same', {})).toEqual(['experts demonstrate tasks that are evaluated on: demonstrate another split']);
    expect(await told('generated', { generated: true })).toEqual([]);
  });
  it('goes on exactly after an interruption, curriculum included', async () => {
    const whole = await train(recipeOf('whole'));
    const cut = await train(recipeOf('cut'), { stopAt: 15 });
    expect(cut.result.status).toBe('interrupted');
    const resumed = await train(recipeOf('cut'), { resume: cut.path });
    expect(resumed.engine.text()).toBe(whole.engine.text());
  });

  it('goes on exactly where every line has a level of its own, and logs each', async () => {
    const experts = [
      { env: 'corridor', generated: true, name: 'near' },
      { env: 'corridor', generated: true, name: 'far', weight: 2 },
    ];
    const curriculum = { window: 3, levels: 6, threshold: 0.5, each: 'source' };
    const data = { source: 'experts', experts, max_turns: 8, curriculum };
    const of = (run: string) => recipeOf(run, { data });
    const environment = practised();
    const whole = await train(of('whole of lines'), { source: expertSource(of('x'), environment) });
    const cut = await train(of('cut of lines'), { source: expertSource(of('x'), environment), stopAt: 15 });
    expect(cut.result.status).toBe('interrupted');
    const resumed = await train(of('cut of lines'), { resume: cut.path, source: expertSource(of('x'), environment) });
    expect(resumed.engine.text()).toBe(whole.engine.text());
    const last = (await readMetrics(whole.path)).at(-1)!.data;
    expect(last['train/difficulty/near']).toBeGreaterThan(0);
    expect(last['train/difficulty']).toBeCloseTo((last['train/difficulty/near']! + last['train/difficulty/far']!) / 2, 12);
  });

  it('leaves a step in its middle, and goes on exactly', async () => {
    const small = { micro_tokens: 20 };
    const whole = await train(recipeOf('whole of parts', small));
    expect(whole.parts).toBeGreaterThan(3 * 40);
    const cut = await train(recipeOf('cut in a step', small), { stopAtPart: 20 });
    expect([cut.result.status, cut.parts]).toEqual(['interrupted', 20]);
    const resumed = await train(recipeOf('cut in a step', small), { resume: cut.path });
    expect(resumed.engine.text()).toBe(whole.engine.text());
  });
});

describe('a run that ends by its epochs', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    messages: [
      { role: 'user', content: `room ${corridorWords[i % 4]!}` },
      { role: 'assistant', content: corridorWords[i % 6]! },
    ],
  }));
  it.each([
    { warmup: 0.2, name: 'a share' },
    { warmup: 5, name: 'steps' },
  ])('warms up over $name, peaks and falls, and knows how much is left', async ({ warmup }) => {
    const path = join(folder, 'epochs.jsonl');
    await writeFile(path, rows.map((row) => JSON.stringify(row)).join('\n'));
    const recipe = recipeOf(`epochs-${warmup}`, {
      data: { train: path, epochs: 2, hold_out: 0.1 },
      batch_tokens: 20,
      optimizer: { lr: 0.1, schedule: 'cosine', warmup },
      steps: null,
      log: { every: 1 },
      evaluate: {},
    });
    const { conversations, held } = await checkFiles([path], recipe);
    expect(held).toBeGreaterThan(0);
    const options = { paths: [path], renderer, recipe, maxTokens: 500, part: 'training' as const, epochs: 2 };
    const source = new FileSource({ ...options, rows: conversations - held });
    const { path: run, left } = await train(recipe, { source });
    const metrics = await readMetrics(run);
    const rates = metrics.map(({ data }) => data['train/lr']!);
    expect(rates.length).toBeGreaterThan(20);
    expect(metrics.at(-1)!.data['train/sequences']).toBe(2 * (conversations - held));
    const peak = rates.indexOf(Math.max(...rates));
    expect(rates[0]).toBeGreaterThan(0.1 / 20);
    expect(rates[peak]).toBeGreaterThan(0.09);
    expect(rates.slice(0, peak)).toEqual([...rates.slice(0, peak)].sort((a, b) => a - b));
    expect(rates.slice(peak)).toEqual([...rates.slice(peak)].sort((a, b) => b - a));
    expect(rates.at(-1)).toBeLessThan(0.005);
    expect(left.every((seconds) => seconds !== null)).toBe(true);
    expect(left.at(-1)).toBeLessThan(1e-9);
  });
});

describe('conversations of files', () => {
  const messages = [
    { role: 'user', content: 'room red' },
    { role: 'assistant', content: 'left' },
    { role: 'user', content: 'room blue' },
    { role: 'assistant', content: 'right' },
  ] as const;
  const row = { kind: 'conversation', messages } as const;

  it('are learned on replies only, end of turn included, as they are sampled', () => {
    const datum = conversationDatum(row, renderer, 'all')!;
    const { tokenizer } = renderer;
    const learned = [...datum.tokens].filter((_, t) => datum.mask[t] === 1);
    expect(tokenizer.decode(learned)).toBe('left\nright\n');
    expect(tokenizer.decode(datum.tokens)).toBe('room red\n> left\nroom blue\n> right\n');
    expect(datum.turnEnds).toEqual([2, 4]);
  });

  it('learn the last reply, or leave out what the file says', () => {
    const text = (datum: ReturnType<typeof conversationDatum>) =>
      renderer.tokenizer.decode([...datum!.tokens].filter((_, t) => datum!.mask[t] === 1));
    expect(text(conversationDatum(row, renderer, 'last'))).toBe('right\n');
    const canned = { ...row, messages: [messages[0], { ...messages[1], loss: false }, ...messages.slice(2)] };
    expect(text(conversationDatum(canned, renderer, 'all'))).toBe('right\n');
    expect(conversationDatum({ ...row, messages: messages.slice(0, 1) }, renderer, 'all')).toBeUndefined();
  });

  it('are cut after a whole turn, left out, or refused when too long', () => {
    const datum = conversationDatum(row, renderer, 'all')!;
    const cut = fitDatum(datum, datum.tokens.length - 1, 'cut', 'row')!;
    expect(renderer.tokenizer.decode(cut.tokens)).toBe('room red\n> left\n');
    expect(cut.turnEnds).toEqual([2]);
    expect(fitDatum(datum, 3, 'skip', 'row')).toBeUndefined();
    expect(() => fitDatum(datum, 3, 'error', 'row 7')).toThrow(/row 7 has \d+ tokens/);
  });

  it('stream in another order each epoch, and go on where they were', async () => {
    const path = join(folder, 'rows.jsonl');
    const lines = Array.from({ length: 40 }, (_, i) => ({
      messages: [
        { role: 'user', content: `room ${corridorWords[i % 4]!}` },
        { role: 'assistant', content: corridorWords[i % 6]! },
      ],
    }));
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await checkFiles([path])).toMatchObject({ conversations: 40, held: 0, replies: 40 });
    const recipe = recipeOf('files', { data: { train: path, shuffle: 16 } });
    const source = () => new FileSource({ paths: [path], renderer, recipe, maxTokens: 500, part: 'all', epochs: 2 });
    const all: string[] = [];
    const first = source();
    let position = first.position;
    let batches = 0;
    for (let batch = await first.next(40); batch; batch = await first.next(40)) {
      all.push(...batch.data.map((datum) => renderer.tokenizer.decode(datum.tokens)));
      if (++batches === 3) position = first.position;
    }
    expect(all).toHaveLength(80);
    expect(all.slice(0, 40).sort()).toEqual(all.slice(40).sort());
    expect(all.slice(0, 40)).not.toEqual(all.slice(40));
    const again = source();
    await again.restore(position);
    const next = await again.next(40);
    expect(all.slice(position.drawn, position.drawn + next!.data.length)).toEqual(
      next!.data.map((datum) => renderer.tokenizer.decode(datum.tokens)),
    );
  });

  it('end with a reason where nothing fits', async () => {
    const path = join(folder, 'long.jsonl');
    await writeFile(path, `${JSON.stringify({ messages })}\n`.repeat(5));
    const recipe = recipeOf('long', { data: { train: path } });
    // However often they were read, and a single epoch of nothing is no finished run either.
    for (const epochs of [null, 1, 3]) {
      const source = new FileSource({ paths: [path], renderer, recipe, maxTokens: 2, part: 'all', epochs });
      await expect(source.next(40)).rejects.toThrow(/none of 5 conversations .* within 2 tokens/);
    }
  });

  it('name a bad row before anything is trained', async () => {
    const path = join(folder, 'bad.jsonl');
    const good = JSON.stringify({ messages });
    await writeFile(path, `${good}\n{"messages": 7}\n`);
    await expect(checkFiles([path])).rejects.toThrow(/bad\.jsonl: row 2/);
    await writeFile(path, `${good}\n${good}\nnot JSON\n`);
    await expect(checkFiles([path])).rejects.toThrow(/bad\.jsonl: row 3/);
    const table = join(folder, 'bad.parquet');
    await using writer = await RowWriter.open(table, formatNamed('verl-sft'));
    for (let i = 1; i <= 5; i++) {
      const role = (i === 3 ? 'robot' : 'assistant') as 'assistant';
      await writer.add({ kind: 'conversation', messages: [...messages, { role, content: 'right' }] });
    }
    await writer.finish();
    await expect(checkFiles([table])).rejects.toThrow(/bad\.parquet: row 3/);
  });
});

describe('curriculum', () => {
  it('grows when mastered, not before, and can be restored', () => {
    const config = recipeOf('x').data.curriculum;
    const curriculum = new Curriculum({ ...config, threshold: 0.9, window: 3, levels: 3 });
    expect([0.95, 0.8, 0.9, 0.95, 0.95].map((a) => curriculum.note(a))).toEqual([false, false, false, false, true]);
    expect(curriculum.difficulty).toBe(0.5);
    const copy = new Curriculum(config);
    copy.restore(curriculum.state);
    expect(copy.state).toEqual(curriculum.state);
  });
  it('of TextCraft starts with one recipe and is always solvable', () => {
    for (const level of [0, 0.3, 0.6, 1]) {
      for (let i = 0; i < 20; i++) {
        const { episode, expert } = practiceWorld(Random.of(1, level, i), level, i % 2 === 0 ? 'exact' : 'stack');
        if (level === 0) expect(episode.observation.match(/using/g)).toHaveLength(1);
        let done = false;
        for (let turn = 0; turn < 60 && !done; turn++) ({ done } = episode.step(expert.next('') ?? '') as { done: boolean });
        expect(done).toBe(true);
      }
    }
  });
});
