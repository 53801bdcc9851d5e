/** What `agoge doctor <env>` found, as text: the forecast first, then what it stands on, then the next command. */
import type { Checkup, Untaught } from '../../../train/checkup/checkup.ts';
import type { ExpertScores } from '../../../train/checkup/score.ts';
import { print } from '../../terminal/print.ts';
import { nextCommand, nothingLeft } from './next-command.ts';

export function printCheckup(found: Checkup): void {
  for (const line of checkupLines(found)) print(line);
}

export function checkupLines(found: Checkup): string[] {
  const { environment, policy, play, expert, words, limits, context } = found;
  const room = Number.isFinite(context) ? ` of ${context}` : '';
  return [
    `${environment} with ${policy}: ${verdictText(found)}`,
    '',
    `plays now      pass@1 ${two(play.pass1)}, pass@8 ${two(play.pass8)} (${play.tasks} tasks of ${found.split}, ${play.episodes} episodes, at most ${limits.turns} turns)`,
    `signal         ${percent(play.signal)} of the groups have rewards that differ; spread within groups ${two(play.spread)}`,
    tokensLine(play, room),
    ...troubles(play),
    ...('missing' in expert ? untaughtLines(expert) : expertLines(expert)),
    ...(words === null ? [] : [wordsLine(words)]),
    '',
    `next           ${nextCommand(found)}`,
  ];
}

/** The forecast in one sentence. */
export function verdictText({ forecast, level, expert, play, context }: Checkup): string {
  switch (forecast.verdict) {
    case 'there':
      return `it solves ${percent(forecast.success)} of the tasks already${nothingLeft(forecast, play) ? ', and all tries at a task end alike: GRPO has nothing to learn from' : '; GRPO can go on from here'}`;
    case 'learns':
      return `${minutesText(forecast.minutes)} of imitation to ${percent(level)} success on this machine`;
    case 'may-learn':
      return `GRPO has something to learn from (${percent(play.signal)} of the groups have signal); how long it takes cannot be told from here`;
    case 'no': {
      const wall = 'missing' in expert ? undefined : expert.after.kinds[0];
      const because = {
        context: `because an expert's episode has ${'missing' in expert ? '?' : expert.tokens} tokens and the context ${context}`,
        flat: `because the expert's replies become no likelier by imitation${wall ? `; the wall is "${wall.kind}", right in ${percent(wall.right)} of its turns` : ''}`,
        slow: `because at this pace it would take ${minutesText(forecast.minutes ?? Infinity)}${wall ? `; the wall is "${wall.kind}", right in ${percent(wall.right)} of its turns` : ''}`,
        'no-signal': `because ${'missing' in expert && expert.scores ? 'a policy elsewhere cannot be taught' : 'there is no expert to imitate'}, and no group had rewards that differ`,
      }[forecast.because];
      return `not from here, ${because}`;
    }
  }
}

function expertLines(expert: Exclude<Checkup['expert'], { missing: string }>): string[] {
  const { before, after, probe } = expert;
  const then = (kind: string): string => {
    const known = before.kinds.find((one) => one.kind === kind);
    return known ? percent(known.right) : '';
  };
  const played = `expert         ${expert.turns.toFixed(1)} replies and ${expert.tokens} tokens an episode (longest ${expert.longest}), of ${expert.episodes} episodes`;
  if (probe.steps === 0) return [played, "imitation      not tried: none of the expert's episodes fits into the context"];
  return [
    played,
    `imitation      ${probe.steps} steps in ${probe.seconds.toFixed(0)} s: replies right ${percent(before.right)} → ${percent(after.right)}, −ln p of a reply ${before.nats.toFixed(1)} → ${after.nats.toFixed(1)}`,
    `  kind of turn                                 turns    right, before → after   p(reply)`,
    ...kindLines(after, ({ kind, right }) => `${then(kind).padStart(9)} → ${percent(right).padEnd(6)}`),
  ];
}

function untaughtLines({ missing, scores, turns }: Untaught): string[] {
  if (!scores) return [`expert         none: ${missing}`];
  return [
    `expert         ${(turns ?? NaN).toFixed(1)} replies an episode; ${missing}`,
    `replies right  ${percent(scores.right)}, −ln p of a reply ${scores.nats.toFixed(1)}`,
    `  kind of turn                                 turns     right   p(reply)`,
    ...kindLines(scores, ({ right }) => `${percent(right).padStart(9)}  `),
  ];
}

/** The worst kinds of turns, a line each. */
function kindLines({ kinds }: ExpertScores, right: (one: ExpertScores['kinds'][number]) => string): string[] {
  return kinds
    .slice(0, 5)
    .map(
      (one) =>
        `  ${one.kind.slice(0, 44).padEnd(44)} ${String(one.turns).padStart(5)} ${right(one)} ${one.probability.toPrecision(2)}`,
    );
}

/** An endpoint tells how long its replies are, and not how long an episode is. */
function tokensLine({ tokensPerTurn, tokensPerEpisode, longest }: Checkup['play'], room: string): string {
  const episode = longest === 0 ? '' : `, ${tokensPerEpisode.toFixed(0)} an episode, at most ${longest}${room}`;
  return `tokens         ${tokensPerTurn.toFixed(0)} a reply${episode}`;
}

function troubles({ contextFull, cut, unreadable, failures }: Checkup['play']): string[] {
  const said = [
    ...(contextFull > 0.05 ? [`${percent(contextFull)} of the episodes fill the context`] : []),
    ...(cut > 0.1 ? [`${percent(cut)} of the replies are cut off at the limit of tokens`] : []),
    ...(unreadable > 0.1 ? [`no action can be read from ${percent(unreadable)} of the replies`] : []),
    ...Object.entries(failures).map(([by, n]) => `${n} episodes failed (${by})`),
  ];
  return said.map((text) => `note           ${text}`);
}

function wordsLine({ mean, broken }: NonNullable<Checkup['words']>): string {
  const named = broken.slice(0, 5).map(({ word, pieces }) => `${word} (${pieces})`);
  const list = named.length === 0 ? '' : `; in three pieces or more: ${named.join(', ')}${broken.length > 5 ? ', …' : ''}`;
  return `words          ${mean.toFixed(1)} tokens a word in the expert's replies${list}`;
}

function minutesText(minutes: number): string {
  if (!Number.isFinite(minutes) || minutes > 600) return 'more than ten hours';
  return minutes < 1 ? 'less than a minute' : `about ${minutes < 10 ? minutes.toFixed(1) : minutes.toFixed(0)} minutes`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function two(value: number): string {
  return value.toFixed(2);
}
