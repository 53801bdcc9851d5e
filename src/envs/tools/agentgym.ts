/**
 * The tool environments as AgentGym's five servers speak: `/create` takes a task, the reward is a running value, `/observation` is always the
 * opening, and an instance goes on after its end. Beyond the original: `/close` frees an instance.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { indexFamily } from '../agentgym/wire.ts';
import type { ActionForm } from '../environment.ts';
import type { ToolEnvironment } from './core/environment.ts';
import type { ToolEpisode } from './core/episode.ts';
import { integer, optional, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play } from '../agentgym/dialect.ts';

interface ToolPlay extends Play {
  item: number;
  episode: ToolEpisode;
}

function toolDialect(env: string): Dialect<ToolEnvironment, ToolPlay> {
  return new Dialect<ToolEnvironment, ToolPlay>({
    env,
    greeting: 'ok',
    key: 'env_idx',
    errors: 'status',
    ids: 'counter',
    cors: false,
  })
    .on('GET', '/list_envs', null, ({ sessions }) => sessions.ids())
    .on('POST', '/create', { id: integer() }, async ({ input, sessions, environment }) => {
      const session = await sessions.open(() => ({ item: input.id, episode: environment.openItem(input.id) }));
      return session.id;
    })
    .onSession('POST', '/reset', { id: optional(integer(), null) }, async ({ input, session: { play }, environment }) => {
      play.item = input.id ?? play.item;
      return (await begin(play, environment.openItem(play.item))).observation;
    })
    .onSession('POST', '/step', { action: text() }, ({ input, session: { play } }) => play.episode.send(input.action))
    .onSession('GET', '/observation', {}, ({ session: { play } }) => play.episode.observation)
    .on('POST', '/close', { env_idx: integer() }, ({ input, sessions }) => sessions.close(input.env_idx));
}

/** The five tool environments towards AgentGym: `items` questions about live services, which are others than ours. */
const servers = {
  weather: {
    items: 343,
    tools:
      'get_user_current_date get_user_current_location get_historical_temp get_historical_rain get_historical_snow get_temp_forecast get_rain_forecast get_snow_forecast get_current_temp get_current_rain get_current_snow get_latitude_longitude get_elevation get_distance get_historical_air_quality_index get_current_air_quality_index get_air_quality_level',
  },
  movie: {
    items: 238,
    tools:
      'get_search_movie get_movie_details get_movie_production_companies get_movie_production_countries get_movie_cast get_movie_crew get_movie_keywords get_search_person get_person_details get_person_cast get_person_crew get_person_external_ids get_movie_alternative_titles get_movie_translation',
  },
  academia: {
    items: 20,
    tools: 'loadPaperNet loadAuthorNet neighbourCheck paperNodeCheck authorNodeCheck authorEdgeCheck paperEdgeCheck',
  },
  todo: {
    items: 155,
    tools:
      'get_user_current_date get_user_current_location get_projects update_project get_tasks get_task_description get_task_duration complete_task update_task delete_task',
  },
  sheet: {
    items: 20,
    tools:
      'open_sheet del_sheet freeze_data get_A1_annotation insert_cols insert_rows delete_batch_data update_cell update_cell_by_formula update_range sort_sheet_by_col merge_cells update_note get_all_values get_range_values get_cell_value get_value_by_formula filter_cells get_note',
  },
} as const;

export type ToolServer = keyof typeof servers;

export function toolAgentGym(env: ToolServer): AgentGym {
  const { items, tools } = servers[env];
  return {
    dialect: toolDialect(env),
    wire: {
      ...indexFamily,
      items,
      asksOthers: true,
      // The server looks for the word itself.
      send: (action) => (/Action:/.test(action.replace(/Action Input:/g, '')) ? action : `Action: ${action}`),
      create: { id: 0 },
      reset: (item) => ({ id: item }),
      step: (answer) => ({ ...indexFamily.step(answer), running: true }),
    },
    actions: [...tools.split(' '), 'check_valid_actions', 'finish'].map(toolForm),
  };
}

const meanings: Readonly<Record<string, string>> = {
  check_valid_actions: 'List the tools and what they take.',
  finish: 'End with the answer: {"answer": …}.',
};

/** Tools are called by name with a Python dictionary; `check_valid_actions` lists them with what they take. */
function toolForm(name: string): ActionForm {
  return {
    name,
    template: `${name} with Action Input: {input}`,
    description: meanings[name] ?? 'A tool of this environment.',
    parameters: { input: 'its parameters as a dictionary, such as {"name": "value"}' },
  };
}
