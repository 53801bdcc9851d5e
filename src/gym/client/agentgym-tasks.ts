/**
 * What is known of an environment of AgentGym whose tasks do not ship here (the tool servers ask about live services): how many items its server has, and the actions that
 * its agents may take. Facts of the originals; the words are ours. `items` says the number for a server with other data.
 */
import { AgogeError } from '../../core/error.ts';
import type { ActionForm, TaskSet } from '../../envs/environment.ts';
import type { Settings } from '../../envs/registry.ts';
import { unknownTask } from '../../envs/unknown.ts';
import type { KnownTasks } from './agentgym-client.ts';
import { wireFacts } from '../wire-facts.ts';

/** Tasks 0 to `items` − 1 in the split `all`; throws where nobody says how many there are. */
export function agentGymTasks(name: string, settings: Settings): KnownTasks {
  for (const key of Object.keys(settings)) {
    if (key !== 'items')
      throw new AgogeError(
        'ENV_UNKNOWN_SETTING',
        `${name} is on a server of its own and has only the setting "items", not "${key}": give it to the server`,
      );
  }
  const size = itemsOf(name, settings['items']);
  const task = `You act in ${name}, step by step. Each turn you are given an observation and reply with one action.`;
  return {
    version: `items${size}`,
    splits: ['all'],
    instructions: { task, actions: forms[name] ?? [] },
    tasks: (split) => tasksOf(name, split, size),
  };
}

function itemsOf(name: string, given: string | undefined): number {
  const items = given === undefined ? wireFacts(name).items : Number(given);
  if (items !== undefined && Number.isSafeInteger(items) && items > 0) return items;
  throw new AgogeError(
    'GYM_ITEMS_UNKNOWN',
    `how many items the server of ${name} has is not known: say so with --set ${name}.items=200 (in a recipe: settings: { items: 200 })`,
  );
}

function tasksOf(name: string, split: string, size: number): TaskSet {
  if (split !== 'all') throw new AgogeError('ENV_UNKNOWN_SPLIT', `${name} has no split "${split}" here: choose all`);
  return {
    size,
    info: (index) => {
      if (Number.isInteger(index) && index >= 0 && index < size) return { category: name, itemId: `${name}_${index}` };
      throw unknownTask(name, { split, index }, size);
    },
  };
}

function form(template: string, description: string, parameters: Readonly<Record<string, string>> = {}): ActionForm {
  return { name: template.replace(/[^\w].*$/s, ''), template, description, parameters };
}

const element = { id: 'number of the element in the observation' };

const browser: readonly ActionForm[] = [
  form('click [{id}]', 'Click an element.', element),
  form('hover [{id}]', 'Hover over an element.', element),
  form('type [{id}] [{text}] [{enter}]', 'Type into a field.', { ...element, text: 'what to type', enter: '1 presses Enter' }),
  form('press [{keys}]', 'Press a combination of keys.', { keys: 'such as Ctrl+v' }),
  form('scroll [{direction}]', 'Scroll the page.', { direction: 'up or down' }),
  form('goto [{url}]', 'Open an address.', { url: 'the address' }),
  form('new_tab', 'Open a new tab.'),
  form('tab_focus [{number}]', 'Go to a tab.', { number: 'its number' }),
  form('close_tab', 'Close this tab.'),
  form('go_back', 'Go to the page before.'),
  form('go_forward', 'Undo go_back.'),
  form('stop [{answer}]', 'End the task, with the answer where one is asked for.', { answer: 'the answer, or empty' }),
];

const moves = ['left', 'right', 'up', 'down'].map((way) => ({
  ...form(`move ${way}`, `Move one field ${way}.`),
  name: `move_${way}`,
}));

/** Tools are called by name with a Python dictionary; `check_valid_actions` lists them with what they take. */
function tools(names: string): readonly ActionForm[] {
  return [...names.split(' '), 'check_valid_actions', 'finish'].map((tool) =>
    form(`${tool} with Action Input: {input}`, toolMeaning[tool] ?? 'A tool of this environment.', {
      input: 'its parameters as a dictionary, such as {"name": "value"}',
    }),
  );
}

const toolMeaning: Readonly<Record<string, string>> = {
  check_valid_actions: 'List the tools and what they take.',
  finish: 'End with the answer: {"answer": …}.',
};

const forms: Readonly<Record<string, readonly ActionForm[]>> = {
  webarena: browser,
  maze: moves,
  wordle: [
    {
      ...form('{letters}', 'Guess a five-letter word.', { letters: 'its letters, separated by blanks: s h i r e' }),
      name: 'guess',
    },
  ],
  weather: tools(
    'get_user_current_date get_user_current_location get_historical_temp get_historical_rain get_historical_snow get_temp_forecast get_rain_forecast get_snow_forecast get_current_temp get_current_rain get_current_snow get_latitude_longitude get_elevation get_distance get_historical_air_quality_index get_current_air_quality_index get_air_quality_level',
  ),
  movie: tools(
    'get_search_movie get_movie_details get_movie_production_companies get_movie_production_countries get_movie_cast get_movie_crew get_movie_keywords get_search_person get_person_details get_person_cast get_person_crew get_person_external_ids get_movie_alternative_titles get_movie_translation',
  ),
  academia: tools('loadPaperNet loadAuthorNet neighbourCheck paperNodeCheck authorNodeCheck authorEdgeCheck paperEdgeCheck'),
  todo: tools(
    'get_user_current_date get_user_current_location get_projects update_project get_tasks get_task_description get_task_duration complete_task update_task delete_task',
  ),
  sheet: tools(
    'open_sheet del_sheet freeze_data get_A1_annotation insert_cols insert_rows delete_batch_data update_cell update_cell_by_formula update_range sort_sheet_by_col merge_cells update_note get_all_values get_range_values get_cell_value get_value_by_formula filter_cells get_note',
  ),
};
