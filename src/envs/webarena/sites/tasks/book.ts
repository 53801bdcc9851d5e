/** The shipped tasks as a book: its splits, and an expert for each task. */
import { listOf, type TaskBook } from '../../tasks/book.ts';
import type { SiteAddresses } from '../../tasks/sites.ts';
import type { WebTask } from '../../tasks/task.ts';
import { planExpert } from './expert.ts';
import { FIRST_ID, planOf, siteSplits, siteTasks, tasksOf, webTask, type SiteTask } from './index.ts';

export interface BookChoice {
  /** Only tasks that need no other site than these. */
  readonly sites?: readonly string[] | undefined;
  /** Only tasks that the expert solves in so many actions. */
  readonly longest?: number | undefined;
  /** Leave out the reference actions, where pages are numbered otherwise than `plain`. */
  readonly unnumbered?: boolean;
}

export function siteBook(addresses: SiteAddresses, { sites, longest = Infinity, unnumbered = false }: BookChoice = {}): TaskBook {
  const lists = siteSplits.map((split) => {
    const kept = tasksOf(split).filter(
      ({ template, instance }) =>
        instance.plan.length <= longest && (!sites || template.sites.every((site) => sites.includes(site))),
    );
    return [split, kept] as const;
  });
  const chosen = [
    ...(sites ? [[...sites].sort().join('+')] : []),
    ...(Number.isFinite(longest) ? [`longest${String(longest)}`] : []),
  ];
  const told = (task: SiteTask): WebTask =>
    unnumbered ? { ...webTask(task, addresses), reference_action_sequence: null } : webTask(task, addresses);
  return {
    source: ['sites', String(siteTasks().length), ...chosen].join('-'),
    splits: new Map(lists.map(([split, tasks]) => [split, listOf(tasks.map(told))])),
    find(item) {
      for (const [split, tasks] of lists) {
        const index = tasks.findIndex(({ id }) => id === item);
        if (index >= 0) return { split, index };
      }
      return undefined;
    },
    expert({ task_id }) {
      const task = siteTasks()[task_id - FIRST_ID];
      return task && planExpert(planOf(task, addresses));
    },
  };
}
