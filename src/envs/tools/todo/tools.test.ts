import { describe, expect, it } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import { Declined, Inputs, PythonError } from '../core/kit.ts';
import { parseLiteral, str } from '../../../core/python/values.ts';
import { drawAccount, type Account } from './service.ts';
import { todo } from './todo.ts';
import { TodoBox } from './tools.ts';

const task = (id: string, project: string, content: string, due: string, order: number) => ({
  id,
  project,
  order,
  content,
  description: `- Place: Library\n- Contact: Ada\n- Tips: Ask twice.`,
  priority: order,
  minutes: 30,
  due,
  completed: false,
});
const account: Account = {
  date: '2023-06-15',
  location: 'Oslo',
  projects: [
    { id: '21', order: 1, name: 'Book Club', favourite: false },
    { id: '22', order: 2, name: 'Choir', favourite: false },
  ],
  tasks: [
    task('31', '21', 'Order the tickets', '2023-06-20', 1),
    task('32', '21', 'Pack the luggage', '2023-06-10', 2),
    task('33', '22', 'Draft the essay', '2023-07-01', 1),
  ],
};

function open(): { box: TodoBox; say: (tool: string, input?: string) => string } {
  const box = new TodoBox(account);
  const say = (tool: string, input = '{}'): string => {
    try {
      return str(box.call(tool, new Inputs(parseLiteral(input) ?? null)));
    } catch (error) {
      if (error instanceof PythonError || error instanceof Declined) return error.message;
      throw error;
    }
  };
  return { box, say };
}

describe('reading', () => {
  it.each([
    ['get_user_current_date', '{}', '2023-06-15'],
    ['get_user_current_location', '{}', 'Oslo'],
    [
      'get_projects',
      '{}',
      "[{'id': '21', 'order': 1, 'color': 'charcoal', 'name': 'Book Club', 'is_favorite': False}, {'id': '22', 'order': 2, 'color': 'charcoal', 'name': 'Choir', 'is_favorite': False}]",
    ],
    [
      'get_tasks',
      "{'project_id': '22'}",
      "[{'id': '33', 'order': 1, 'content': 'Draft the essay', 'is_completed': False, 'priority': 1, 'due_date': '2023-07-01'}]",
    ],
    ['get_tasks', "{'project_id': '23'}", 'Project not found'],
    ['get_tasks', '{}', "'project_id'"],
    [
      'get_task_description',
      "{'task_id': '33'}",
      "{'id': '33', 'content': 'Draft the essay', 'description': '- Place: Library\\n- Contact: Ada\\n- Tips: Ask twice.'}",
    ],
    ['get_task_duration', "{'task_id': '33'}", "{'id': '33', 'content': 'Draft the essay', 'duration': '30(minute)'}"],
    ['get_task_duration', "{'task_id': '99'}", 'Task not found'],
    ['get_task_description', "{'task_id': ''}", 'Task not found'],
  ])('%s %s', (tool, input, answer) => expect(open().say(tool, input)).toBe(answer));
  it('takes an id that is a number for the text of it', () => {
    expect(open().say('get_task_duration', "{'task_id': 33}")).toBe(open().say('get_task_duration', "{'task_id': '33'}"));
  });
  it('changes nothing', () => {
    const { box, say } = open();
    const before = box.status;
    for (const tool of ['get_projects', 'get_tasks', 'get_task_description', 'get_user_current_date'])
      say(tool, "{'project_id': '21', 'task_id': '31'}");
    expect(box.status).toBe(before);
  });
});

describe('changing', () => {
  it('a completed task is told without its state, leaves the list, and can still be asked for', () => {
    const { say } = open();
    expect(say('complete_task', "{'task_id': '32'}")).toBe(
      "{'message': 'Complete task successfully.', 'task': {'id': '32', 'order': 2, 'content': 'Pack the luggage', 'priority': 2, 'due_date': '2023-06-10'}}",
    );
    expect(say('get_tasks', "{'project_id': '21'}")).not.toContain('Pack the luggage');
    expect(say('get_task_description', "{'task_id': '32'}")).toContain('Pack the luggage');
  });
  it('a deleted task is gone', () => {
    const { say } = open();
    expect(say('delete_task', "{'task_id': '32'}")).toContain("{'message': 'Delete the task successfully.'");
    expect(say('get_task_description', "{'task_id': '32'}")).toBe('Task not found');
    expect(say('delete_task', "{'task_id': '32'}")).toBe('Task 32 is not exists.');
    expect(say('complete_task', "{'task_id': '32'}")).toBe('Task 32 is not exists.');
  });
  it.each([
    ["'2023-06-30'", "'due_date': '2023-06-30'"],
    ["'2023-02-30'", 'Date is invalid'],
    ["'tomorrow'", 'Date is invalid'],
    ['20230630', 'Date is invalid'],
  ])('a due date %s: %s', (due, answer) => {
    const { box, say } = open();
    const before = box.status;
    expect(say('update_task', `{'task_id': '31', 'due_date': ${due}}`)).toContain(answer);
    expect(box.status === before).toBe(answer === 'Date is invalid');
  });
  it.each([
    ["'True'", "'is_favorite': True"],
    ['True', "'is_favorite': True"],
    ["'false'", "'is_favorite': False"],
    ["'yes'", 'Invalid argument value'],
    ['1', 'Invalid argument value'],
  ])('a favourite %s: %s', (value, answer) => {
    expect(open().say('update_project', `{'project_id': '21', 'is_favorite': ${value}}`)).toContain(answer);
  });
  it('touches the account of this play alone', () => {
    const { say } = open();
    const before = JSON.stringify(account);
    for (const tool of ['complete_task', 'delete_task']) say(tool, "{'task_id': '31'}");
    say('update_project', "{'project_id': '21', 'is_favorite': 'True'}");
    expect(JSON.stringify(account)).toBe(before);
  });
  it('to and fro leaves the account as it was', () => {
    const { box, say } = open();
    const before = box.status;
    say('update_task', "{'task_id': '31', 'due_date': '2024-01-01'}");
    expect(box.status).not.toBe(before);
    say('update_task', "{'task_id': '31', 'due_date': '2023-06-20'}");
    expect(box.status).toBe(before);
  });
});

describe('accounts', () => {
  it('have ids of their own and tasks in projects that are there', () => {
    for (const side of ['train', 'validation', 'test'] as const)
      for (let at = 0; at < 10; at++) {
        const { projects, tasks } = drawAccount(side, Random.of(at, side));
        const ids = [...projects, ...tasks].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => /^\d{10}$/.test(id))).toBe(true);
        expect(new Set(tasks.map(({ content }) => content)).size).toBe(tasks.length);
        for (const { project } of tasks) expect(projects.some(({ id }) => id === project)).toBe(true);
      }
  });
});

describe('the score at the end', () => {
  /** The first errand of a kind, with what its expert does. */
  const errand = (category: string): { task: { env: string; split: string; index: number }; plan: string[] } => {
    const tasks = todo().tasks('generated');
    const index = Array.from({ length: 200 }, (_, at) => at).find((at) => tasks.info(at).category === category) ?? -1;
    const ref = { env: 'todo', split: 'generated', index };
    const expert = todo().expert(ref);
    const plan: string[] = [];
    for (let action = expert.next(''); action !== null; action = expert.next('')) plan.push(action);
    return { task: ref, plan };
  };
  it('is taken back where the account is not as the errand leaves it', () => {
    const { task: ref, plan } = errand('count');
    const right = plan.at(-1) ?? '';
    expect(todo().open(ref).step(right)).toMatchObject({ reward: 1, success: true });
    const careless = todo().open(ref);
    for (const action of plan.slice(0, -1)) careless.step(action);
    const tasks = /'id': '(\d{10})', 'order': \d, 'content'/.exec(careless.state.last?.answer ?? '')?.[1] ?? '';
    careless.step(`delete_task with Action Input: {"task_id": "${tasks}"}`);
    expect(careless.step(right)).toMatchObject({ done: true, success: false });
  });
  it('is 0 for the right word without the deed', () => {
    const { task: ref, plan } = errand('clear expired');
    expect(
      todo()
        .open(ref)
        .send(`Action: ${plan.at(-1) ?? ''}`),
    ).toMatchObject({ reward: 0, done: true });
  });
});
