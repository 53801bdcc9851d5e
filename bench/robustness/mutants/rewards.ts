import { changes } from './change.ts';

export const rewards = [
  ...changes('rewards', {
    'open.ts': [
      ['total += part.weight * reward;', 'total += reward;', 'weights do nothing'],
      ['total += part.weight * reward;', 'total = part.weight * reward;', 'the last part alone is paid'],
      ['success ??= said;', 'success = said;', 'the last part says what is solved'],
      ['i === last ? { ...turn', 'i === 0 ? { ...turn', 'the breakdown stands in the first turn'],
      ['!Number.isFinite(reward)) {', 'false) {', 'NaN is paid'],
      [
        "if (typeof value === 'object' && 'failed' in value) return failed(trajectory, value.failed);",
        '',
        'a reward that threw is paid',
      ],
      [
        '{ ...outcome, reward: total, success: success ?? outcome.success }',
        '{ ...outcome, reward: total }',
        'what a reward says of success is not heard',
      ],
      [
        "outcome: { kind: 'failed', by, error }",
        "outcome: { kind: 'failed', by: 'environment', error }",
        'the environment is blamed',
      ],
      ['values.length === trajectories.length) return', 'values.length > 0) return', 'a short list of rewards is taken'],
      [
        'only.weight === 1 && second === undefined) return undefined;',
        'second === undefined) return undefined;',
        'a weighed environment is not weighed',
      ],
      ["manager === 'naive' ? 1 : concurrency", 'concurrency', 'the naive manager asks many at once'],
      [
        "const source = `${base.source}${heldObject(part.use) ? await hashOfOwn(part.use) : await readFile(part.use, 'utf8')}`;",
        'const source = base.source;',
        'a changed file is the same reward',
      ],
      ['breakdown[part.name] = reward;', 'breakdown[part.name] = part.weight * reward;', 'parts are shown weighed'],
      ['if (twice !== undefined)', 'if (false)', 'two parts of one name'],
      [
        "const played = trajectories.filter(({ outcome }) => outcome.kind !== 'failed');",
        'const played = trajectories;',
        'failed episodes are scored',
      ],
    ],
    'by-task.ts': [
      ['results[place] = rewarded[i] as Trajectory', 'results[i] = rewarded[i] as Trajectory', 'rewards of other episodes'],
      ['if (reward.grouped) all.push(one);', 'if (false) all.push(one);', 'samples are not compared'],
    ],
    'judge.ts': [
      ['score >= 0 && score <= 10 ? score / 10', 'score >= 0 ? score / 10', 'eleven of ten'],
      ['].at(-1)?.[1];\n  const score', '].at(0)?.[1];\n  const score', 'the first score counts'],
      ['attempt <= retries', 'attempt < retries', 'one try fewer'],
      ['score.catch(() => known.delete(key));', 'score.catch(() => undefined);', 'a failure is remembered'],
    ],
  }),
  ...changes('scores', {
    'gsm8k.ts': [
      ['].at(-1)?.[1];\n  return last', '].at(0)?.[1];\n  return last', 'the first answer counts'],
      ['score: correct ? 1 : format', 'score: correct ? 1 : 0', 'the form is worth nothing'],
      ["last?.replaceAll(',', '')", 'last', 'commas count'],
      ["number !== '.'", 'true', 'a full stop is a number'],
      ['const seen = 300;', 'const seen = 3000;', 'an early answer counts'],
    ],
    'qa.ts': [
      ['.at(-1)?.[1];', '.at(0)?.[1];', 'the first answer counts'],
      ['> fishing', '> 10 * fishing', 'fishing is not seen'],
      ['many ? 1 / 4 : 1', '1', 'fishing is paid in full'],
      ['(2 * common) / (a.length + b.length)', 'common / (a.length + b.length)', 'half of F1'],
      ['left.set(word, more - 1);', '', 'a word that is repeated counts each time'],
      ['Math.max(...truths.map', 'Math.min(...truths.map', 'the worst of the answers'],
      ['ours.includes(normalise(truth))', 'normalise(truth).includes(ours)', 'containment the wrong way round'],
      ['(a|an|the)', '(a|the)', 'an article counts'],
    ],
    'countdown.ts': [
      ['Math.abs(value - target) < 1e-5', 'Math.abs(value - target) < 1', 'nearly the target'],
      ['sameNumbers(used, numbers) ? arithmetic(answer) : undefined', 'arithmetic(answer)', 'any numbers may be used'],
      ['{ format = 0.1 }', '{ format = 0 }', 'the form is worth nothing'],
    ],
    'boxed.ts': [
      ['--open === 0) return at;', '--open <= 1) return at;', 'the first brace closes'],
      ["boxed < 0 ? text.lastIndexOf('\\\\fbox') : boxed", 'boxed', 'fbox is not seen'],
      ["text.lastIndexOf('\\\\boxed{');\n  const end", "text.indexOf('\\\\boxed{');\n  const end", 'the first box counts'],
    ],
    'math-dapo.ts': [
      ['score: correct ? 1 : -1', 'score: correct ? 1 : 0', 'wrong is worth nothing'],
      ['lastCharacters(tail, 100)', 'lastCharacters(tail, 300)', 'an early box counts'],
      ["answer.split('=').at(-1)", "answer.split('=').at(0)", 'the left side of an equation'],
    ],
  }),
];
