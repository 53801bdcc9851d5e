/** What the commands print in a run, a study, an evaluation and a check-up, made by the functions that make it: no English is left in it. */
import { describe, expect, it } from 'vitest';
import { shapeConfig } from '../../engine/embedded/network/shapes.ts';
import { presetConfig } from '../../engine/embedded/network/config.ts';
import '../../envs/builtin.ts';
import { causeText, type StopReason } from '../../run/cause.ts';
import type { StudyTable } from '../../study/gains.ts';
import { tablesText } from '../../study/page.ts';
import type { Checkup } from '../../train/checkup/checkup.ts';
import { rewardLine, sftLine, stepLine } from '../../train/run/lines.ts';
import { cardFindings, cardModelFindings } from '../commands/doctor/examine-card.ts';
import { modelFindings } from '../commands/doctor/examine-model.ts';
import { checkupLines } from '../commands/doctor/print-checkup.ts';
import { endText } from '../terminal/training-progress.ts';
import { inChinese, learnErrors } from './catalogue.ts';

await learnErrors();

/** Names, commands and units: they read the same in every language. */
const names = [
  /agoge (?:train|sft|doctor|recipes|gpu install|new env)/g,
  /(?:RECIPE|seed_[^\s：]+|gguf:(?:FILE)?|openai:|\.ts|policy=\S+|--(?:policy|split|set)|hf:\w*|gguf:\w+|(?:train|sft)\.yaml|docs\/[\w.-]+|rollout\.samples|optimizer\.lr|engine\.\w+|solve)/g,
  /\b(?:GRPO|LoRA|bfloat16|float32|token|ln p|pass@\w+|GiB|MiB|CPU|ONNX Runtime|CUDA|NVIDIA H200|CUDA_VISIBLE_DEVICES|libonnx)\b/g,
  /\[CLI_INTERRUPTED\]|^agoge: |@best|\bllama\b|\bp\(|\b(?:textcraft|base|reader|train|maze|openai|imitation|rl|seed_\d|env|nowhere|Spearman|start|validation-name|craft N|get N)\b/g,
];
const englishIn = (text: string): string[] =>
  names.reduce((left, name) => left.replaceAll(name, ''), inChinese(text)).match(/[A-Za-z]{2,}/g) ?? [];
const isChinese = (text: string): void => expect(englishIn(text), inChinese(text)).toEqual([]);

describe('a run', () => {
  const metrics = {
    ...{ 'critic/score/mean': 0.5, 'train/success': 0.25, 'num_turns/mean': 3, 'actor/grad_norm': 0.009 },
    ...{ 'timing_s/step': 1.41, 'timing_s/gen': 0.54, 'timing_s/update_actor': 0.58, 'train/loss': 6.5, 'perf/throughput': 497 },
    ...{
      'train/token_accuracy': 0.1,
      'train/reply_accuracy': 0.2,
      'train/difficulty': 0.3,
      'val/loss': 1.5,
      'train/accuracy': 0.9,
    },
  };
  it.each([
    stepLine(1, 3, metrics),
    stepLine(1, null, metrics),
    sftLine(2, metrics),
    rewardLine(3, { ...metrics, 'val/accuracy': 0.5 }),
    'textcraft base: 74/200 success 0.977 so far, shortest first · 18 s left at most',
    'textcraft base: 200/200 success 0.440',
  ])('%s', isChinese);

  const causes: StopReason[] = [
    { kind: 'no-signal', steps: 8 },
    { kind: 'success', score: 0.9 },
    { kind: 'patience', evaluations: 4 },
    { kind: 'fall', evaluations: 3, from: 0.8, to: 0.4 },
    { kind: 'minutes', minutes: 12 },
    { kind: 'minutes', minutes: 0.5 },
  ];
  const bests = [
    undefined,
    { score: 0.5, step: 3, by: 'success' },
    { score: 0.5, step: 3, by: 'loss' },
    { score: 0.5, step: 0, by: 'success' },
  ];
  const ends = [undefined, ...causes.map(causeText)].flatMap((reason) =>
    bests.map((best) =>
      endText({ status: reason === undefined ? 'finished' : 'stopped', reason, step: 6, saved: 6, best } as Parameters<
        typeof endText
      >[0]),
    ),
  );
  it.each(ends)('%s', isChinese);
  it('keeps the lines below its end apart', () => {
    expect(inChinese('finished after step 6\nsee it with: agoge view outputs/a, or open outputs/a/report.html')).toBe(
      '已完成，共 6 步\n查看：agoge view outputs/a，或打开 outputs/a/report.html',
    );
  });
});

describe('a check-up', () => {
  const kinds = [{ kind: 'craft N', turns: 40, probability: 0.0123, right: 0.2 }];
  const scores = { probability: 0.5, nats: 3.21, right: 0.5, episodes: 0.1, kinds };
  const probe = { seconds: 12.4, steps: 30, tokens: 10_000 };
  const expert = { episodes: 20, turns: 5.25, tokens: 300, longest: 800, before: scores, after: scores, curve: [], probe };
  const play = {
    ...{ tasks: 32, episodes: 256, failures: { env: 3 }, pass1: 0.125, pass8: 0.5, signal: 0.25, spread: 0.111 },
    ...{ tokensPerTurn: 8.6, tokensPerEpisode: 210.4, longest: 512, contextFull: 0.2, cut: 0.2, unreadable: 0.2 },
  };
  const elsewhere = { missing: 'the policy runs elsewhere: it is scored, not taught', scores, turns: 5 };
  const mute = {
    missing: 'the policy runs elsewhere and does not score replies (it tells no log-probabilities): its own alone are seen',
  };
  const cases: readonly object[] = [
    { forecast: { verdict: 'there', success: 0.8 } },
    { forecast: { verdict: 'there', success: 0.8 }, environment: './textcraft.ts' },
    { forecast: { verdict: 'there', success: 1 }, play: { ...play, signal: 0 } },
    { forecast: { verdict: 'learns', minutes: 3, level: 0.5 }, environment: './nowhere/maze.ts' },
    {
      forecast: { verdict: 'no', because: 'context' },
      policy: 'reader',
      expert: { ...expert, probe: { ...expert.probe, steps: 0 } },
    },
    { forecast: { verdict: 'learns', minutes: 3, level: 0.5 }, words: { mean: 1.25, broken: [{ word: 'maze', pieces: 3 }] } },
    { forecast: { verdict: 'may-learn', because: 'signal' }, expert: { missing: 'textcraft has no expert (solve)' } },
    { forecast: { verdict: 'no', because: 'context' } },
    { forecast: { verdict: 'no', because: 'flat' } },
    { forecast: { verdict: 'no', because: 'slow', minutes: 90 }, policy: 'reader' },
    { forecast: { verdict: 'no', because: 'no-signal' }, expert: { missing: 'textcraft has no expert (solve)' } },
    { forecast: { verdict: 'no', because: 'no-signal' }, expert: elsewhere, policy: 'openai:base' },
    { forecast: { verdict: 'there', success: 1 }, expert: mute, play: { ...play, longest: 0 }, context: Infinity },
  ];
  const base = {
    environment: 'textcraft',
    policy: 'base',
    split: 'train',
    level: 0.5,
    context: 2048,
    limits: { turns: 10 },
    expert,
    play,
    words: null,
  };
  const lines = cases.flatMap((one) => checkupLines({ ...base, ...one } as unknown as Checkup));
  it.each([...new Set(lines)])('%s', isChinese);
  it.each(['the expert plays', 'the policy plays', "the expert's replies are scored", 'imitation is tried'])('… %s', (stage) =>
    isChinese(`… ${stage}`),
  );
});

describe('a machine', () => {
  const gibibyte = 2 ** 30;
  const card = {
    index: 0,
    identity: 'GPU-1',
    name: 'NVIDIA H200',
    driver: '580.95',
    capability: 9,
    total: 140 * gibibyte,
    free: 139 * gibibyte,
    holders: [],
  };
  const runtime = { library: '/1', version: '1.31', cuda: 13, preload: [], from: 'agoge gpu install' };
  const findings = [
    ...cardFindings(card, runtime, 'note'),
    ...cardFindings(card, runtime, 'note', 2),
    ...cardModelFindings(shapeConfig('llama-8b'), 80 * gibibyte),
    ...cardModelFindings(shapeConfig('llama-8b'), 140 * gibibyte),
    ...cardModelFindings(shapeConfig('llama-8b'), 2000 * gibibyte),
    ...modelFindings(presetConfig('m', { vocabulary: 49152, context: 2048 }), 64 * gibibyte, 2),
    ...modelFindings(presetConfig('m', { vocabulary: 49152, context: 2048 }), gibibyte / 4, 2),
  ];
  it.each(findings.map(({ what, found, remedy }) => `ok  ${what}  ${found}${remedy === undefined ? '' : `\n  → ${remedy}`}`))(
    '%s',
    isChinese,
  );
});

describe('a study', () => {
  const cost = { episodes: 7680, tokens: 327_000, updates: 60, core_minutes: 7.8, processor_minutes: 3.2 };
  const bounds = { mean: 0.2, low: 0.1, high: 0.3, bootstrap: { low: 0.1, high: 0.3 } };
  const arm = { arm: 'imitation', after: null, seeds: [1], planned: 3, failed: [], k: 8, missing: 0, curves: [] };
  const table = (change: object): StudyTable =>
    ({
      panels: [
        {
          ...{ environment: 'maze', panel: 'train', split: 'train', tasks: 100, samples: 8, temperature: 1, hash: 'a446' },
          arms: [
            { ...arm, start: 0.1, end: { ...bounds, seeds: 1 }, gain: { ...bounds, seeds: 1 }, cost },
            {
              ...arm,
              arm: 'rl',
              after: 'imitation',
              failed: [{ seed: 2, reason: 'its start, imitation with seed 2, did not end; read the log of that one' }],
              missing: 3,
            },
            {
              ...arm,
              arm: 'start',
              chosen: { chosen: { 'optimizer.lr': '1' }, tried: [{ settings: { 'optimizer.lr': '1' }, success: 0.5, seeds: 1 }] },
            },
          ],
          pairs: [
            { from: 'imitation', to: 'rl', seeds: 3, difference: { ...bounds, seeds: 3 } },
            { from: 'rl', to: 'imitation', seeds: 3, difference: { ...bounds, low: -0.1, seeds: 3 } },
            { from: 'rl', to: 'imitation', seeds: 3, difference: { ...bounds, low: -0.3, high: -0.1, seeds: 3 } },
          ],
          ...change,
        },
      ],
      study: { threshold: 0.8 },
      learning: [{ environment: 'maze', arm: 'rl', runs: [{ seed: 1, played: 900, needed: Infinity, noise: 200 }] }],
      foretold: [
        { by: 'noise scale', what: 'episodes to the threshold', n: 9, cells: 3, correlation: 0.5, interval: { low: 0, high: 1 } },
        {
          environment: 'maze',
          by: 'pass@k − pass@1 at start',
          what: 'gain',
          n: 9,
          cells: 3,
          correlation: 0.5,
          interval: { low: 0, high: 1 },
        },
      ],
    }) as unknown as StudyTable;
  it.each([...tablesText(table({})).split('\n\n'), tablesText(table({ hash: '', arms: [], pairs: [] }))])('%s', isChinese);
  it('never translates what somebody called an arm', () => {
    const told = inChinese(tablesText(table({})));
    expect(told).toContain('| imitation | 1/3 | 0.100 | 0.200（一个种子） |');
    expect(told).toContain('| rl（在 imitation 之后） | 1/3，失败 1 |');
    expect(told).toMatch(/^\| start \| 1\/3 \|/m);
    expect(told).toMatch(/^\| 做法 \| 种子 \| 起点 \| 终点 \[95 %\]/m);
  });

  it.each([
    'maze imitation seed_1: begins',
    'maze rl seed_1_optimizer.lr=0.0001: goes on after step 3',
    'maze rl seed_2: trained',
    'maze rl: optimizer.lr=0.0001 (0.000 on validation)',
    'time is up: 3 of 4 runs are left; go on with: agoge train',
    'agoge: interrupted: 3 of 4 runs are left; go on with: agoge train [CLI_INTERRUPTED]',
    '4 of 4 runs to do, 1 at once on cores, 2 at once on the card; runs in 1, results in 2',
    'training takes about 4 minutes, and 33 runs whose time is not known; evaluations come on top',
  ])('%s', isChinese);
});
