/**
 * Runs a plan: every run and every evaluation in a process of its own, as many at once as there are places. What is finished is in the
 * small files and never done again; a run that was stopped goes on from its checkpoint; one that failed is said and tried again next time.
 */
import { join } from 'node:path';
import { writeWhole } from '../run/files.ts';
import { takeFolder } from '../run/ownership.ts';
import { plannedRuns } from './arm-runs.ts';
import { checkPanels } from './check-panels.ts';
import { curvesSvg } from './curves.ts';
import { studyTable, type StudyTable } from './gains.ts';
import { checkMadeFrom } from './made-from.ts';
import { pageText } from './page.ts';
import { writeSmall, type StudyFacts } from './results.ts';
import { StudyWork, type StudyOptions } from './study-work.ts';

/** Does what is missing and gives the table; one that is interrupted has written the table of what was finished. */
export async function runStudy(options: StudyOptions): Promise<StudyTable> {
  const { plan, runs, results, output, signal } = options;
  const open = (await plannedRuns(plan, runs, results)).filter(({ state }) => state !== 'finished');
  const played = options.only.filter((name) => open.some(({ environment }) => environment === name));
  await checkPanels(plan, played);
  await checkMadeFrom(output, runs, plan.seeds);
  const owner = await takeFolder(output);
  try {
    const study = factsOf(options);
    await writeSmall(results, 'study.json', 'study.json', study);
    const now = runs.filter(({ environment }) => options.only.includes(environment));
    const work = new StudyWork(options, () => writeTable(results, study));
    await Promise.allSettled([
      ...now.flatMap((of) => plan.seeds.map((seed) => work.result(of, seed))),
      ...now.flatMap((of) => (of.policy === undefined ? [] : [work.start(of, of.policy)])),
    ]).then((ends) => {
      const broken = ends.find((end) => end.status === 'rejected' && !signal.aborted);
      if (broken?.status === 'rejected') throw broken.reason;
    });
    return await writeTable(results, study);
  } finally {
    await owner.release();
  }
}

/** The table of a folder, and its page and curves beside it. */
async function writeTable(results: string, study: StudyFacts): Promise<StudyTable> {
  const table = await studyTable(results, study);
  await writeWhole(join(results, 'page.md'), pageText(table));
  await writeWhole(join(results, 'curves.svg'), curvesSvg(table));
  return table;
}

function factsOf({ plan, runs }: StudyOptions): StudyFacts {
  return {
    v: 1,
    study: plan.study,
    question: plan.question,
    plan: plan.path,
    seeds: plan.seeds,
    threads: plan.threads,
    arms: Object.entries(plan.arms).map(([name, { after, recipe, set, checkpoint }]) => ({
      name,
      after,
      recipe,
      set,
      checkpoint,
    })),
    environments: Object.entries(plan.environments).map(([name, { panels }]) => {
      const here = runs.filter(({ environment }) => environment === name);
      const starts = Object.fromEntries(here.flatMap(({ arm, start }) => (start === undefined ? [] : [[arm, start]])));
      const order = Object.keys(plan.arms).filter((arm) => here.some((of) => of.arm === arm));
      const card = here.find(({ device }) => device !== 'host')?.device;
      return { name, panels: Object.keys(panels), arms: order, starts, ...(card === undefined ? {} : { device: card }) };
    }),
    compare: plan.compare,
    ...(plan.threshold === null ? {} : { threshold: plan.threshold }),
  };
}
