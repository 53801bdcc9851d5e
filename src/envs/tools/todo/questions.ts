/** Questions and errands about a to-do account, from three calls to a dozen. */
import type { Random } from '../../../core/random/random.ts';
import { later } from '../core/calendar.ts';
import type { Question, Side, Use } from '../core/kit.ts';
import { str, type Value } from '../../../core/python/values.ts';
import { highest, numberOf, row, rows, textOf, type Row } from '../core/read.ts';
import { drawAccount, type Account, type TodoProject, type TodoTask } from './service.ts';
import { TodoBox } from './tools.ts';

interface Draft {
  readonly category: string;
  readonly goal: string;
  readonly solve: (use: Use) => Value | undefined;
}

interface Drawn {
  readonly random: Random;
  readonly account: Account;
  readonly task: TodoTask;
  readonly project: TodoProject;
  readonly other: TodoProject;
}

const asList = "Please answer in the form of a list ['task1', 'task2', ...].";
const asNumber = 'Please answer in the form of a number.';

export function askTodo(_seed: number, side: Side, random: Random): Question {
  const account = drawAccount(side, random);
  const task = random.pick(account.tasks);
  const project = account.projects.find(({ id }) => id === task.project) ?? random.pick(account.projects);
  const other = random.pick(account.projects);
  const draft = random.pick(drafts)({ random, account, task, project, other });
  return { ...draft, open: () => new TodoBox(account) };
}

const drafts: readonly ((drawn: Drawn) => Draft)[] = [
  ({ task, project }) => ({
    category: 'due date',
    goal: `When is the due date of "${task.content}" in ${project.name}? Please provide the answer in the YYYY-MM-DD format.`,
    solve: (use) => textOf(find(use, project, task), 'due_date'),
  }),
  ({ task, project }) => ({
    category: 'priority',
    goal: `What is the priority level of the task "${task.content}" in the ${project.name} project? ${asNumber}`,
    solve: (use) => numberOf(find(use, project, task), 'priority'),
  }),
  ({ task, project }) => ({
    category: 'duration',
    goal: `How long does the task "${task.content}" in the ${project.name} project take? Please answer in the format of 'number(unit)'.`,
    solve: (use) => textOf(row(use('get_task_duration', { task_id: textOf(find(use, project, task), 'id') })), 'duration'),
  }),
  ({ random, task, project }) => {
    const field = random.pick(['Place', 'Contact']);
    const asked = field === 'Place' ? 'Where does it take place' : 'Whom do I contact';
    return {
      category: 'description',
      goal: `I forgot the details of the task "${task.content}" in ${project.name}. ${asked}? Please answer with the words of its description, as a string.`,
      solve(use) {
        const text = textOf(row(use('get_task_description', { task_id: textOf(find(use, project, task), 'id') })), 'description');
        return new RegExp(`^- ${field}: (.*)$`, 'm').exec(text)?.[1];
      },
    };
  },
  ({ other }) => ({
    category: 'count',
    goal: `How many tasks are there in the "${other.name}" project? ${asNumber}`,
    solve: (use) => tasksOf(use, other).length,
  }),
  ({ task }) => ({
    category: 'find project',
    goal: `What is the name of the project that includes the task "${task.content}"? Please answer in the form of a string.`,
    solve(use) {
      for (const project of rows(use('get_projects')))
        if (rows(use('get_tasks', { project_id: textOf(project, 'id') })).some((one) => one['content'] === task.content))
          return textOf(project, 'name');
      return undefined;
    },
  }),
  ({ random, account, other }) => {
    const date = later(account.date, random.between(1, 12));
    return {
      category: 'due before',
      goal: `Which tasks of the ${other.name} project are due before ${date}? ${asList}`,
      solve: (use) => nonEmpty(tasksOf(use, other).filter((task) => textOf(task, 'due_date') < date)),
    };
  },
  ({ other }) => ({
    category: 'total duration',
    goal: `How many minutes in total are required to complete all tasks in the ${other.name} project? ${asNumber}`,
    solve: (use) => tasksOf(use, other).reduce((sum, task) => sum + minutes(use, task), 0),
  }),
  ({ other }) => ({
    category: 'longest task',
    goal: `Which task of the ${other.name} project takes the longest time? Please answer with its name as a string.`,
    solve: (use) => name(highest(tasksOf(use, other), (task) => minutes(use, task))),
  }),
  () => ({
    category: 'largest project',
    goal: 'Which project has the highest number of tasks? Please answer with the project name.',
    solve(use) {
      const best = highest(rows(use('get_projects')), (one) => rows(use('get_tasks', { project_id: textOf(one, 'id') })).length);
      return best && textOf(best, 'name');
    },
  }),
  ({ task, project }) => ({
    category: 'complete',
    goal: `Please mark the task "${task.content}" in the "${project.name}" project as completed. Finish with "done".`,
    solve: (use) => done(use('complete_task', { task_id: textOf(find(use, project, task), 'id') })),
  }),
  ({ task, project }) => ({
    category: 'delete',
    goal: `Please delete the task "${task.content}" of the "${project.name}" project. Finish with "done".`,
    solve: (use) => done(use('delete_task', { task_id: textOf(find(use, project, task), 'id') })),
  }),
  ({ random, task, project }) => {
    const days = random.pick([-3, -2, -1, 1, 2, 3, 7]);
    const way = `${Math.abs(days)} day${Math.abs(days) === 1 ? '' : 's'} ${days < 0 ? 'earlier' : 'later'}`;
    return {
      category: 'reschedule',
      goal: `Could you update the due date of the task "${task.content}" in the "${project.name}" project to be ${way}? Finish with "done".`,
      solve(use) {
        const found = find(use, project, task);
        return done(use('update_task', { task_id: textOf(found, 'id'), due_date: later(textOf(found, 'due_date'), days) }));
      },
    };
  },
  ({ task }) => ({
    category: 'favourite',
    goal: `Please mark the project that includes the task "${task.content}" as a favorite. Finish with "done".`,
    solve(use) {
      for (const project of rows(use('get_projects'))) {
        const id = textOf(project, 'id');
        if (rows(use('get_tasks', { project_id: id })).some((one) => one['content'] === task.content))
          return done(use('update_project', { project_id: id, is_favorite: 'True' }));
      }
      return undefined;
    },
  }),
  ({ other }) => ({
    category: 'clear expired',
    goal: `Please delete all tasks of the "${other.name}" project that were due before today. Finish with "done".`,
    solve(use) {
      const today = str(use('get_user_current_date'));
      const late = tasksOf(use, other).filter((task) => textOf(task, 'due_date') < today);
      for (const task of late) use('delete_task', { task_id: textOf(task, 'id') });
      return late.length > 0 ? 'done' : undefined;
    },
  }),
  ({ random, other }) => {
    const level = random.between(1, 4);
    return {
      category: 'complete by priority',
      goal: `Please mark all tasks in the "${other.name}" project with priority ${level} as completed and give me their names. ${asList}`,
      solve(use) {
        const some = tasksOf(use, other).filter((task) => numberOf(task, 'priority') === level);
        for (const task of some) use('complete_task', { task_id: textOf(task, 'id') });
        return nonEmpty(some);
      },
    };
  },
];

function tasksOf(use: Use, project: TodoProject): readonly Row[] {
  const found = rows(use('get_projects')).find((one) => one['name'] === project.name);
  return rows(use('get_tasks', { project_id: textOf(found, 'id') }));
}

function find(use: Use, project: TodoProject, task: TodoTask): Row {
  return row(tasksOf(use, project).find((one) => one['content'] === task.content));
}

function minutes(use: Use, task: Row): number {
  return Number.parseInt(textOf(row(use('get_task_duration', { task_id: textOf(task, 'id') })), 'duration'), 10);
}

function name(task: Row | undefined): string | undefined {
  return task && textOf(task, 'content');
}

function nonEmpty(tasks: readonly Row[]): Value | undefined {
  return tasks.length > 0 ? tasks.map((task) => textOf(task, 'content')) : undefined;
}

function done(_result: Value): Value {
  return 'done';
}
