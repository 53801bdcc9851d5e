import { changes } from './change.ts';

export const evaluation = changes('eval', {
  'score.ts': [
    ["records.filter(({ outcome }) => outcome.kind !== 'failed')", 'records.filter(() => true)', 'failed episodes are counted'],
    ['const planned = panel.tasks.length * perSample;', 'const planned = rewarded.length;', 'the denominator shrinks silently'],
    ['high: (successes + missing) / planned', 'high: successes / planned', 'what is missing could change nothing'],
    ["return outcome.kind === 'finished' && outcome.success;", "return outcome.kind === 'finished';", 'what ended is solved'],
    ['const perSample = repeats.samples * repeats.seeds;', 'const perSample = repeats.samples;', 'seeds are not counted'],
    ['success.length === 1);\n  return', 'success.length >= 1);\n  return', 'the interval of another method is named'],
    ['sum(success), k)', 'sum(success), 1)', 'pass@k is pass@1'],
    ['success.length >= k)', 'success.length > k)', 'tasks with just k samples are left out'],
    ['/ samples) === seed', '/ samples) >= seed', 'seeds share episodes'],
    ['turns.at(-1)?.breakdown', 'turns.at(0)?.breakdown', 'the parts of the first turn'],
    ["segment.role === 'assistant' ? segment.tokens.length : 0", 'segment.tokens.length', 'read tokens count as sampled'],
    ['action === null).length', 'action !== null).length', 'readable replies are unreadable'],
    ["outcome.kind === 'truncated' ? [outcome.limit]", "outcome.kind === 'finished' ? ['turns']", 'what was cut is not counted'],
  ],
  'compare.ts': [
    ['difference: mean(b) - mean(a)', 'difference: mean(a) - mean(b)', 'the sign of the difference'],
    ['p: single ? mcnemarExact(onlyA, onlyB) : boot.p', 'p: boot.p', 'another test than is named'],
    ['if (differences.length > 0) {', 'if (differences.length > 1) {', 'different questions are compared'],
    ['task.success.length > 0 && other.success.length > 0', 'task.success.length > 0', 'tasks without a score are paired'],
    ['leftOut: panelA.tasks.length - n', 'leftOut: 0', 'what was left out is not said'],
    ['if (success.p < 0.05) {', 'if (success.p < 0.5) {', 'chance is called better'],
    [
      'const better = success.difference > 0 ? b : a;',
      'const better = success.difference > 0 ? a : b;',
      'the worse one is called better',
    ],
    ['Math.max(fewestTasks, needed)', 'needed', 'one task would prove it'],
  ],
  'panel.ts': [
    ['version: environment.version,\n    split', 'split', 'panels of two versions are equal'],
    ['find((index) => index >= size)', 'find((index) => index > size)', 'a task behind the last one'],
    ['[...new Set(tasks)].sort((a, b) => a - b)', '[...tasks].sort((a, b) => a - b)', 'a task counts twice'],
    ['...(reward === undefined ? {} : { reward }),', '', 'panels of two rewards are equal'],
    ["differ('turns',", "differ('split',", 'the wrong thing is named'],
    ["differ('split', a.split, b.split);", '', 'two splits are compared'],
    ['if (!match || to < from)', 'if (!match)', 'a range that goes back is empty'],
    ['length: last - from + 1', 'length: last - from', 'ranges without their last task'],
  ],
  'episodes.ts': [
    ['Math.floor(sample / samples)', 'Math.floor(sample / 1)', 'samples are seeds'],
    ['formatTask(task), sample % samples).seed()', 'sample % samples).seed()', 'all tasks have the same seeds'],
    ['sample % samples).seed()', '0).seed()', 'all samples have one seed'],
  ],
  'evaluate.ts': [
    ["outcome.by === 'cancelled') continue;", "outcome.by === 'deadline') continue;", 'cancelled episodes are kept as failed'],
    ['score.policy !== baseline &&', '', 'a policy is compared with itself'],
  ],
  'store.ts': [
    ['if (fresh) await clearEvaluation(folder);', '', 'beginning anew keeps what was there'],
    ['await refuseForeign(folder);', '', 'folders of others are written to'],
    ['if (this.failure) throw this.failure;\n    this.waiting', 'this.waiting', 'a full disk is not told'],
    ["last.toString() !== '\\n'", "last.toString() === '\\n'", 'a torn journal goes on in its torn line'],
    ['await rm(join(this.folder, evaluationLayout.journal), { force: true });', '', 'a finished evaluation looks unfinished'],
  ],
  'evaluation-folder.ts': [
    [
      'if (names.length === 0 || (isEvaluation && !isRun)) return;',
      'if (names.length === 0 || isEvaluation) return;',
      'a run is taken for an evaluation',
    ],
    ['filter((name) => resultName.test(name))', 'filter(() => true)', 'files of others are removed'],
    ['if (logName.test(name)) files', 'files', 'logs of others are removed'],
  ],
});
