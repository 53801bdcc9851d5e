/** The shipped tasks as a book: its splits, and an expert for each task. */
import { listOf, type TaskBook } from '../../tasks/book.ts';
import type { SiteAddresses } from '../../tasks/sites.ts';
import { planExpert } from './expert.ts';
import { FIRST_ID, planOf, siteSplits, siteTasks, tasksOf, webTask } from './index.ts';

export function siteBook(addresses: SiteAddresses): TaskBook {
  const lists = siteSplits.map((split) => [split, tasksOf(split)] as const);
  return {
    source: `sites-${String(siteTasks().length)}`,
    splits: new Map(lists.map(([split, tasks]) => [split, listOf(tasks.map((task) => webTask(task, addresses)))])),
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
