/** The to-do tools: names and shapes of answers as in AgentGym, which asks Todoist; here a service of our own answers. */
import { dayNumber } from '../core/calendar.ts';
import { checkTool, Declined, finishTool, tool, type Inputs, type Toolbox, type ToolForm } from '../core/kit.ts';
import { str, type Plain, type Value } from '../../../core/python/values.ts';
import { copyOf, type Account, type TodoProject, type TodoTask } from './service.ts';

const taskId = { task_id: 'id of the task, a string' };

export const todoTools: readonly ToolForm[] = [
  tool('get_user_current_date', 'The date of today.'),
  tool('get_user_current_location', 'The city where the user is.'),
  tool('get_projects', 'All projects.'),
  tool('update_project', 'Mark a project as favourite or not.', {
    project_id: 'id of the project, a string',
    is_favorite: '"True" or "False"',
  }),
  tool('get_tasks', 'The open tasks of a project, with priority (1 normal to 4 urgent) and due date.', {
    project_id: 'id of the project, a string',
  }),
  tool('get_task_description', 'The description of a task: place, contact, tips.', taskId),
  tool('get_task_duration', 'How long a task takes, as number(unit).', taskId),
  tool('complete_task', 'Mark a task as completed.', taskId),
  tool('update_task', 'Give a task another due date.', { ...taskId, due_date: 'YYYY-MM-DD' }),
  tool('delete_task', 'Delete a task.', taskId),
  checkTool,
  { ...finishTool, description: 'End the task with the answer, or with "done" where something was to be done.' },
];

export class TodoBox implements Toolbox {
  private account: Account;

  constructor(account: Account) {
    this.account = copyOf(account);
  }

  /** Everything that can be changed, to compare two accounts by. */
  get status(): string {
    const { projects, tasks } = this.account;
    return JSON.stringify([
      projects.map(({ name, favourite }) => [name, favourite]),
      tasks.map(({ content, due, completed }) => [content, due, completed]),
    ]);
  }

  view(): Plain {
    const { date, projects, tasks } = this.account;
    return {
      date,
      projects: projects.map(({ id, name, favourite }) => ({
        name,
        favourite,
        tasks: tasks
          .filter(({ project }) => project === id)
          .map(({ content, due, completed, priority }) => ({ content, due, completed, priority })),
      })),
    };
  }

  call(name: string, input: Inputs): Value {
    const { account } = this;
    switch (name) {
      case 'get_user_current_date':
        return account.date;
      case 'get_user_current_location':
        return account.location;
      case 'get_projects':
        return account.projects.map(projectView);
      case 'update_project': {
        const project = this.project(input);
        const favourite = str(input.get('is_favorite')).toLowerCase();
        if (favourite !== 'true' && favourite !== 'false') throw new Declined('Invalid argument value');
        project.favourite = favourite === 'true';
        return { message: 'Update the project successfully.', project: projectView(project) };
      }
      case 'get_tasks': {
        const { id } = this.project(input);
        return account.tasks.filter(({ project, completed }) => project === id && !completed).map(taskView);
      }
      case 'get_task_description': {
        const { id, content, description } = this.task(input, 'Task not found');
        return { id, content, description };
      }
      case 'get_task_duration': {
        const { id, content, minutes } = this.task(input, 'Task not found');
        return { id, content, duration: `${minutes}(minute)` };
      }
      case 'update_task': {
        const task = this.task(input, 'Task not found');
        const due = str(input.get('due_date'));
        if (dayNumber(due) === undefined) throw new Declined('Date is invalid');
        task.due = due;
        return { message: 'Update the task successfully', task: taskView(task) };
      }
      case 'complete_task': {
        const task = this.task(input);
        const { id, order, content, priority, due } = task;
        task.completed = true;
        return { message: 'Complete task successfully.', task: { id, order, content, priority, due_date: due } };
      }
      case 'delete_task': {
        const task = this.task(input);
        this.account = { ...account, tasks: account.tasks.filter((other) => other !== task) };
        return { message: 'Delete the task successfully.', task: taskView(task) };
      }
      default:
        return null;
    }
  }

  private project(input: Inputs): TodoProject {
    const id = str(input.get('project_id'));
    const project = this.account.projects.find((one) => one.id === id);
    if (project) return project;
    throw new Declined('Project not found');
  }

  private task(input: Inputs, otherwise?: string): TodoTask {
    const id = str(input.get('task_id'));
    const task = this.account.tasks.find((one) => one.id === id);
    if (task) return task;
    throw new Declined(otherwise ?? `Task ${id} is not exists.`);
  }
}

function projectView({ id, order, name, favourite }: TodoProject): Value {
  return { id, order, color: 'charcoal', name, is_favorite: favourite };
}

function taskView({ id, order, content, completed, priority, due }: TodoTask): Value {
  return { id, order, content, is_completed: completed, priority, due_date: due };
}
