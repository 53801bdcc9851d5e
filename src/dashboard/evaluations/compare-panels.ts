/** Evaluations beside each other: the policies that played the same panel, each paired by task with one of them, as `agoge compare` does. */
import type { Sampling } from '../../agent/limits.ts';
import { AgogeError } from '../../core/error.ts';
import { compareScores } from '../../eval/compare.ts';
import { panelDifferences, type Panel } from '../../eval/panel.ts';
import { evaluationOf } from '../../eval/read.ts';
import { sampledName, type Sampled } from '../../eval/sampled-alike.ts';
import type { Score } from '../../eval/score.ts';
import { readInside } from '../../run/inside.ts';
import { evaluationLayout } from '../../run/layout.ts';
import { isYardstick } from './yardstick.ts';
import type { ComparedPanel, ComparedPolicy, RunComparison } from '../together-model.ts';

/** Bytes; an evaluation of 60,000 tasks has some ten megabytes. */
const most = 1 << 28;
/** Pairs are bootstrapped: of more policies than these the first ones are compared. */
const mostRows = 40;

export interface Played {
  readonly run: string;
  readonly panel: Panel;
  readonly score: Score;
  readonly sampling: Sampling;
}

/** What a run has played as an evaluation of its own; nothing where it is none, or has not ended. */
export async function readPlayed(folder: string, run: string): Promise<readonly Played[]> {
  try {
    const text = await readInside(folder, evaluationLayout.results, most);
    if (text === undefined) return [];
    const { scores, panels, sampling } = evaluationOf(JSON.parse(text), run);
    return scores.flatMap((score) => {
      const panel = panels.find(({ hash }) => hash === score.panel);
      return panel ? [{ run, panel, score, sampling }] : [];
    });
  } catch {
    return []; // the evaluation's own page says what is wrong with it
  }
}

/** `baseline` is a label of one of the rows; where it is none of them, the first policy that is tried. */
export function comparePanels(
  evaluations: readonly (readonly Played[])[],
  baseline?: string,
): Pick<RunComparison, 'panels' | 'unlike'> {
  const groups: Played[][] = [];
  for (const played of evaluations.flat()) {
    const same = groups.find(([first]) => first && panelDifferences(first.panel, played.panel).length === 0);
    if (same) same.push(played);
    else groups.push([played]);
  }
  return { panels: groups.map((group) => comparedPanel(group, baseline)), unlike: unlikeIn(groups) };
}

function comparedPanel(group: readonly Played[], baseline: string | undefined): ComparedPanel {
  const named = group.slice(0, mostRows).map((played) => ({ ...played, label: labelOf(played, group) }));
  const tried = named.find(({ score }) => !isYardstick(score.policy));
  const first = named.find(({ label }) => label === baseline) ?? tried ?? named[0];
  const rows = [...named].sort((a, b) => Number(b === first) - Number(a === first));
  const panel = group[0]?.panel;
  return {
    name: panel ? `${panel.env}/${panel.split}` : '',
    hash: panel?.hash ?? '',
    rows: rows.map((row): ComparedPolicy => {
      const { run, label, score } = row;
      const against = first && row !== first ? paired(first, row) : undefined;
      const { mean, low, high } = score.success;
      return {
        run,
        label,
        policy: score.policy,
        share: { n: score.scored, success: mean, low, high },
        reward: score.reward.mean,
        ...(against && { against }),
      };
    }),
  };
}

type Named = Played & { readonly label: string };

/** undefined where no task has a score in both. */
function paired(first: Named, second: Named): ComparedPolicy['against'] {
  try {
    const a = { ...first.score, policy: first.label };
    const b = { ...second.score, policy: second.label };
    const { n, success, reward, needed, verdict } = compareScores(a, first.panel, b, second.panel);
    return { n, success, reward, needed, sentence: verdict, low: success.low, high: success.high };
  } catch (thrown) {
    if (thrown instanceof AgogeError) return undefined;
    throw thrown;
  }
}

/** Its name; with its sampling where another of the panel was sampled differently, and with the run where another has the same name. */
function labelOf(played: Played, group: readonly Played[]): string {
  const twins = group.filter((other) => other.score.policy === played.score.policy);
  const name = sampledName(sampledOf(played), group.map(sampledOf));
  return twins.length > 1 ? `${name} · ${played.run}` : name;
}

function sampledOf({ score: { policy }, sampling }: Played): Sampled {
  return { policy, sampling };
}

/** Panels of one environment that differ in something else than the environment. */
function unlikeIn(groups: readonly (readonly Played[])[]): RunComparison['unlike'] {
  const firsts = groups.flatMap(([first]) => first ?? []);
  return firsts.flatMap((a, i) =>
    firsts.slice(i + 1).flatMap((b) =>
      a.panel.env === b.panel.env && a.run !== b.run
        ? [
            {
              runs: [a.run, b.run] as const,
              panel: `${a.panel.env}/${a.panel.split}`,
              differences: panelDifferences(a.panel, b.panel),
            },
          ]
        : [],
    ),
  );
}
