import { describe, expect, it } from 'vitest';
import { actionOf, callOf } from '../../agent/formats/call.ts';
import { checkLaws } from '../../lint/laws.ts';
import { Inputs } from './core/kit.ts';
import { callLine, formatError, parseCall } from './core/grammar.ts';
import { equal, parseLiteral, str } from '../../core/python/values.ts';
import type { ToolEnvironment } from './core/environment.ts';
import { academia } from './academia/academia.ts';
import { movie } from './movie/movie.ts';
import { Grid } from './sheet/grid.ts';
import { sheet } from './sheet/sheet.ts';
import { SheetBox } from './sheet/tools.ts';
import { todo } from './todo/todo.ts';
import { geodesic } from './weather/distance.ts';
import { weather } from './weather/weather.ts';

const environments: readonly ToolEnvironment[] = [weather(), todo(), movie(), academia(), sheet()];

describe('the grammar of tool calls', () => {
  it('reads literals of Python and JSON, and never runs anything', () => {
    expect(str(parseLiteral(`{'a': [1, 2.0, True, None], "b": ("x",)}`) ?? null)).toBe("{'a': [1, 2.0, True, None], 'b': ['x']}");
    expect(str(parseLiteral('{"a": true, "b": null, "c": "it\\u0027s"}') ?? null)).toBe(`{'a': True, 'b': None, 'c': "it's"}`);
    for (const text of ['', '{', '__import__("os")', '[1,', '{"a" 1}', "'x", '1 2', '['.repeat(1e5)])
      expect(parseLiteral(text), text).toBeUndefined();
    expect(equal(parseLiteral('[1, 2]') ?? null, parseLiteral('[1.0, 2.0]') ?? null)).toBe(true);
  });
  it('finds the call as the original’s patterns do', () => {
    expect(callLine('Thought: hm\n\nAction: a with Action Input: {}')).toBe('Action: a with Action Input: {}');
    expect(callLine('Action:\na with Action Input: {}\n')).toBe('a with Action Input: {}');
    expect(callLine('Action: a with Action Input: {}\nObservation: none')).toBeUndefined();
    expect(() => parseCall('a with Action Input: {}')).toThrow('cannot unpack non-iterable NoneType object');
    expect(callLine(`${' '.repeat(1e5)}with Action Input`)).toBeUndefined();
  });
});

describe.each(environments.map((environment) => [environment.name, environment] as const))('%s', (name, environment) => {
  it('keeps the laws, expert and floor among them', async () => {
    for await (const { law, violation } of checkLaws(environment, { cases: 4, expertTasks: 12, memorySteps: 100 }))
      expect([law, violation]).toEqual([law, undefined]);
  });
  it('asks of a test nothing that training asks', () => {
    const goals = (split: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => environment.tasks(split).info(index).title ?? '');
    const train = new Set(goals('generated', 60));
    const same = goals('test', 20).filter((goal) => train.has(goal));
    expect(same).toEqual([]);
  });
  it('offers its tools as functions whose calls are the expert’s actions', () => {
    const forms = environment.instructions.actions;
    for (let index = 0; index < 10; index++) {
      const expert = environment.expert({ env: name, split: 'test', index });
      for (let action = expert.next(''); action !== null; action = expert.next('')) {
        const call = callOf(action, forms);
        expect(call && actionOf(call, forms).action).toBe(action);
      }
    }
  });
});

describe('weather', () => {
  const open = () => weather().open({ env: 'weather', split: 'test', index: 0 });
  it('answers in open-meteo’s shapes and refuses as the original does', () => {
    const episode = open();
    expect(episode.observation).toMatch(
      /^Now new trial starts\.\nYou should perform actions to accomplish the goal: .*\nGive me one action\.$/,
    );
    const say = (action: string): string => episode.step(action).observation;
    expect(say('nothing')).toBe(formatError);
    expect(say('get_latitude_longitude with Action Input: {"name": "Shanghai"}')).toBe(
      "Observation: {'results': [{'name': 'Shanghai', 'latitude': 31.22222, 'longitude': 121.45806, 'country_code': 'CN'}]}\nGive me one action.",
    );
    expect(say('get_latitude_longitude with Action Input: {"city": "Shanghai"}')).toContain("ERROR | KeyError('name')");
    expect(say('fly with Action Input: {}')).toContain('ERROR | Invalid action: fly.');
    expect(say('get_elevation with Action Input: {"latitude": 31.22222, "longitude": 121.45806}')).toContain(
      "{'elevation': [12.0]}",
    );
    const span = '"latitude": 31.2, "longitude": 121.5, "start_date": "2022-01-01", "end_date": "2022-01-02"';
    expect(say(`get_historical_temp with Action Input: {${span}}`)).toMatch(
      /^Observation: \{'latitude': 31\.2, 'longitude': 121\.5, 'daily_units': \{'time': 'iso8601', 'temperature_2m_max': '°C', .*'daily': \{'time': \['2022-01-01', '2022-01-02'\], 'temperature_2m_max': \[/,
    );
    expect(say(`get_temp_forecast with Action Input: {${span}}`)).toContain(
      'Error: start_date should be later than current_date',
    );
  });
  it('measures distances on the ellipsoid', () => {
    // Vincenty's own example: Flinders Peak to Buninyong, 54,972.271 m.
    expect(geodesic(-37.95103341666667, 144.42486788888888, -37.65282113888889, 143.92649552777777)).toBeCloseTo(54.972271, 4);
  });
});

describe('todo', () => {
  it('wants the account as the errand leaves it', () => {
    const index =
      Array.from({ length: 100 }, (_, at) => at).find((at) => todo().tasks('generated').info(at).category === 'complete') ?? -1;
    const task = { env: 'todo', split: 'generated', index };
    const done = 'finish with Action Input: {"answer": "done"}';
    expect(todo().open(task).step(done)).toMatchObject({ reward: 0, done: true, success: false });
    const expert = todo().expert(task);
    const episode = todo().open(task);
    const steps = [1, 2, 3, 4].map(() => episode.step(expert.next('') ?? ''));
    expect(steps[2]?.observation).toContain("{'message': 'Complete task successfully.', 'task': {'id': '22");
    expect(steps[3]).toMatchObject({ reward: 1, done: true, success: true });
  });
});

describe('sheet', () => {
  it('sorts below the titles, works out formulas, filters, and moves notes with their cells', () => {
    const grid = new Grid([
      ['Name', 'Mark'],
      ['b', '10'],
      ['a', '9.5'],
      ['c', ''],
    ]);
    grid.set(2, 1, { note: 'first' });
    const box = new SheetBox('Sheet1', grid);
    const call = (tool: string, input: string): string => {
      try {
        return str(box.call(tool, new Inputs(parseLiteral(input) ?? null)));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    expect(call('get_all_values', '{}')).toBe('Please open a sheet before operating it');
    expect(call('open_sheet', "{'name': 'Sheet1'}")).toBe("<Worksheet 'Sheet1' id:0>");
    expect(call('sort_sheet_by_col', "{'col_num': 2, 'order': 'asc'}")).toBe(
      "[['Name', 'Mark'], ['a', '9.5'], ['b', '10'], ['c', '']]",
    );
    expect(call('get_note', "{'position': 'A3'}")).toBe('first');
    expect(call('get_value_by_formula', "{'start_position': 'B2', 'end_position': 'B4', 'operator': 'AVERAGE'}")).toBe('9.75');
    expect(call('filter_cells', "{'query': '^(a|c)$'}")).toBe("['A2', 'A4']");
    expect(call('filter_cells', "{'query': '(a+)+$'}")).toContain('error');
    expect(call('insert_cols', "{'values_list': [['Rank', 1, '2']], 'col_idx': 2}")).toContain(
      "['Name', 'Rank', 'Mark'], ['a', '1', '9.5']",
    );
    expect(call('delete_batch_data', "{'dimension': 'row', 'index_list': [2, 4]}")).toBe(
      "[['Name', 'Rank', 'Mark'], ['b', '2', '10']]",
    );
    expect(call('update_cell', "{'position': 'AA1', 'value': 1}")).toContain('A1 notation');
  });
});
