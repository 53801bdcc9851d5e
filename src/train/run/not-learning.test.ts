/**
 * Real short runs that have each reason not to learn are told so, and healthy ones are told nothing: runs of every kind on the tabular
 * engine, and the numbers of real runs of the shipped policy (fixtures/healthy-runs.json).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../agent/formats/index.ts';
import { rlRecipe, sftRecipe } from '../../config/recipe/recipe.ts';
import { Random } from '../../core/random/random.ts';
import type { Environment, Step } from '../../envs/environment.ts';
import { createRenderer } from '../../policy/renderer.ts';
import type { DiagnosisKind } from '../../run/diagnosis/diagnosis.ts';
import { diagnose, type Logged } from '../../run/diagnosis/find.ts';
import { diagnosisText, remedies } from '../../run/diagnosis/words.ts';
import { readRunInfo } from '../../run/run-info.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { trainRl } from '../rl/trainer.ts';
import { Demonstrations } from '../sft/demonstrations.ts';
import { ExpertSource } from '../sft/expert-source.ts';
import { trainSft } from '../sft/trainer.ts';
import type { TrainResult } from './events.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-not-learning-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let runs = 0;
const words = corridorWords;

/** What a game answers to an action after so many turns. */
type Rules = (action: string, turn: number) => Partial<Step> & { readonly success?: boolean };

function game(rules: Rules, observation: () => string = () => 'room'): Environment {
  return {
    name: 'game',
    version: '1',
    splits: ['train'],
    instructions: { task: 'Play.', actions: [] },
    tasks: () => ({ size: Infinity, info: (index) => ({ category: '', itemId: `game_${index}` }) }),
    open: () => {
      let turn = 0;
      return {
        observation: observation(),
        step: (action) => ({
          observation: observation(),
          reward: 0,
          done: false,
          ...rules(action.trim().split(' ')[0] ?? '', ++turn),
        }),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
    expert: () => ({ follows: true, next: () => 'left' }),
  };
}

interface Told {
  readonly kinds: readonly DiagnosisKind[];
  readonly notes: readonly string[];
  readonly result: TrainResult;
}

async function reinforced(environment: Environment, given: Record<string, unknown> = {}): Promise<Told> {
  const run = `run${++runs}`;
  const recipe = rlRecipe({
    run,
    tasks: [{ env: 'game' }],
    agent: { max_turns: 1, tokens_per_turn: 1 },
    rollout: { groups: 4, samples: 12 },
    steps: 15,
    optimizer: { lr: 0.3 },
    evaluate: { at_end: false },
    checkpoint: { every: 0, at_end: false },
    log: { episodes: 0, agreement: false },
    stop: { no_signal: 1000, unreadable: false },
    ...given,
  });
  const parts = {
    engine: new TabularEngine({ words, seed: 1 }),
    reference: new TabularEngine({ words, seed: 1 }),
    ...(recipe.algorithm.estimator === 'gae' ? { critic: new TabularEngine({ words, head: 'value' }) } : {}),
    environment: async () => environment,
  };
  return told(run, recipe.steps, (directory, events) =>
    trainRl(recipe, parts, directory, { signal: new AbortController().signal, events }),
  );
}

async function imitated(environment: Environment, given: Record<string, unknown> = {}): Promise<Told> {
  const run = `run${++runs}`;
  const recipe = sftRecipe({
    run,
    data: { source: 'experts', experts: [{ env: 'game' }], max_turns: 4, curriculum: { levels: 1 } },
    batch_tokens: 200,
    optimizer: { lr: 0.1 },
    steps: 240,
    evaluate: { at_end: false },
    checkpoint: { every: 0, at_end: false },
    ...given,
  });
  const engine = new TabularEngine({ words });
  const pools = recipe.data.experts.map((entry) => ({ entry, environment }));
  const format = createFormat('direct');
  const drawing = new Demonstrations({
    decks: pools,
    format,
    renderer: createRenderer(engine.model.tokenizer),
    seed: 1,
    maxTurns: 4,
  });
  const parts = { engine, source: new ExpertSource(drawing, recipe, 500), environment: async () => environment };
  return told(run, recipe.steps, (directory, events) =>
    trainSft(recipe, parts, directory, { signal: new AbortController().signal, events }),
  );
}

async function told(
  run: string,
  steps: number | null,
  train: (directory: RunDirectory, events: { onNote: (text: string) => void }) => Promise<TrainResult>,
): Promise<Told> {
  const path = join(folder, run);
  const facts = { name: run, kind: 'rl' as const, title: run, seed: 1, steps, versions: {}, environments: {} };
  const notes: string[] = [];
  const result = await train(await RunDirectory.create(path, '', facts), { onNote: (text) => notes.push(text) });
  const kinds = result.diagnosis.map(({ kind }) => kind);
  expect((await readRunInfo(path)).diagnosis?.map(({ kind }) => kind)).toEqual(kinds);
  return { kinds, notes, result };
}

/** One word, once. */
const once = (pays: (action: string) => Partial<Step> & { readonly success?: boolean }): Environment =>
  game((action) => ({ done: true, ...pays(action) }));

/** A coin decides, whatever is said. */
function tossed(): Environment {
  const random = Random.of(1);
  return once(() => {
    const success = random.float() < 0.5;
    return { reward: success ? 1 : 0, success };
  });
}

const brief = { agent: { max_turns: 8, tokens_per_turn: 1 } };

const ill: Readonly<Record<DiagnosisKind, () => Promise<Told>>> = {
  'no-signal': () => reinforced(once(() => ({ reward: 0, success: false }))),
  'reward-up-success-down': () =>
    reinforced(
      once((action) => ({ reward: { left: 0.6, right: 1 }[action] ?? 0.5, success: action === 'left' })),
      { steps: 25, optimizer: { lr: 0.15 }, rollout: { groups: 8, samples: 16 } },
    ),
  // Two steps to the left solve it, and each costs more than that is worth; a step to the right ends it.
  'giving-up': () => {
    let lefts = 0;
    return reinforced(
      game((action, turn) => {
        lefts = (turn === 1 ? 0 : lefts) + (action === 'left' ? 1 : 0);
        const success = lefts === 2;
        return { reward: action === 'right' ? 0.1 : (success ? 1 : 0) - 1, done: success || action === 'right', success };
      }),
      { ...brief, rollout: { groups: 8, samples: 16, concurrency: 1 }, steps: 20 },
    );
  },
  // What was right is wrong from one step to the next.
  collapsed: () => {
    let played = 0;
    return reinforced(
      once((action) => {
        const success = action === (played++ < 20 * 48 ? 'left' : 'right');
        return { reward: success ? 1 : 0, success };
      }),
      { steps: 26, optimizer: { lr: 0.5 } },
    );
  },
  'entropy-gone': () =>
    reinforced(
      once((action) => ({ reward: action === 'right' ? 1 : 0, success: false })),
      { steps: 30, optimizer: { lr: 4 } },
    ),
  'replies-cut': () => reinforced(once((action) => ({ reward: action === 'left' ? 1 : 0, success: false }))),
  'context-full': () =>
    reinforced(
      game(() => ({ reward: 0, success: false })),
      { agent: { max_turns: 30, tokens_per_turn: 1, context: 20 } },
    ),
  unreadable: () =>
    reinforced(
      game(() => ({ reward: 0 })),
      { agent: { max_turns: 2, tokens_per_turn: 4, format: 'react' } },
    ),
  'rate-too-high': () => reinforced(tossed(), { optimizer: { lr: 3, clip_norm: 0 }, steps: 3 }),
  'success-flat': () => reinforced(tossed(), { steps: 62, rollout: { groups: 2, samples: 8 } }),
  // Which word is right cannot be read anywhere.
  'replies-flat': () => {
    const random = Random.of(1);
    const environment = once((action) => ({ reward: action === 'left' ? 1 : 0 }));
    return imitated({ ...environment, expert: () => ({ follows: true, next: () => random.pick(words) }) });
  },
  // The expert does what is wrong: what was solved by chance is solved no more.
  unlearned: () => {
    const environment = once((action) => ({ reward: 0, success: action !== 'left' }));
    return imitated(environment, {
      steps: 40,
      agent: { max_turns: 1, tokens_per_turn: 1 },
      evaluate: { at_start: true, tasks: 60 },
    });
  },
};

describe('a run that does not learn is told why', () => {
  it.each(Object.keys(ill) as DiagnosisKind[])('%s', async (kind) => {
    const { kinds, notes, result } = await ill[kind]();
    expect(kinds).toContain(kind);
    const found = result.diagnosis.find((one) => one.kind === kind);
    const said = notes.filter((note) => note.startsWith('not learning') && note.includes(remedies[kind]));
    expect(said).toHaveLength(1);
    expect(found && diagnosisText(found)).not.toMatch(/NaN|undefined/);
  });
});

describe('a healthy run is told nothing', () => {
  const learns = once((action) => ({ reward: action === 'left' ? 1 : 0, success: action === 'left' }));
  const wide = { rollout: { groups: 8, samples: 12 }, optimizer: { lr: 0.6 }, steps: 30 };
  const healthy: Readonly<Record<string, () => Promise<Told>>> = {
    'grpo on a bandit': () => reinforced(learns, { steps: 30, optimizer: { lr: 0.3 } }),
    'ppo on a bandit': () => reinforced(learns, { steps: 30, algorithm: { name: 'ppo' } }),
    'rloo in a corridor': () =>
      reinforced(corridor(), { ...wide, agent: { max_turns: 4, tokens_per_turn: 2 }, algorithm: { name: 'rloo' } }),
    'grpo with longer and longer horizons': () =>
      reinforced(corridor(), {
        ...wide,
        agent: { max_turns: [3, 4, 6], every: 10, tokens_per_turn: 2 },
      }),
    'imitation of a corridor': () => imitated(corridor()),
    'imitation that is evaluated before and after': () =>
      imitated(corridor(), { agent: { max_turns: 4, tokens_per_turn: 2 }, evaluate: { at_start: true, tasks: 60 } }),
  };
  it.each(Object.keys(healthy))('%s', async (name) => {
    const { kinds, notes } = (await healthy[name]?.()) ?? { kinds: ['missing'], notes: [] };
    expect(kinds).toEqual([]);
    expect(notes.filter((note) => note.startsWith('not learning'))).toEqual([]);
  });

  it('nor are real runs of the shipped policy, at any of their steps', async () => {
    const text = await readFile(new URL('../fixtures/healthy-runs.json', import.meta.url), 'utf8');
    const recorded = JSON.parse(text) as Record<string, Logged[]>;
    expect(Object.keys(recorded).length).toBeGreaterThanOrEqual(2);
    for (const [name, rows] of Object.entries(recorded))
      for (let end = 1; end <= rows.length; end++) expect(diagnose(rows.slice(0, end)), `${name} ${end}`).toEqual([]);
  });
});
