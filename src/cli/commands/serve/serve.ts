/** `agoge serve`: environments over HTTP until Ctrl-C or SIGTERM, which drain. Says where it listens and what was left. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { chaosHelp, serveUnderChaos } from '../chaos.ts';
import { cardMemoryHelp, deviceHelp, deviceName, gibibytes } from '../../options/device.ts';
import { collect, generatedHelp } from '../../options/settings.ts';
import { whole } from '../../options/values.ts';
import { print, printJson } from '../../terminal/print.ts';
import type { ServeOptions } from './serve-environments.ts';

export function register(command: Command): void {
  command
    .argument('[environments...]', 'names or files (./my-env.ts); one is served at / and /<name>, several each under /<name>')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on (0: any free one)', whole(0, 65_535), 36_001)
    .option('--model <policy>', 'serve this model behind the OpenAI API instead: base, run:…, hf:…, gguf:…')
    .option('--name <name>', 'with --model: the name that clients ask for (default: the policy as it is given)')
    .option(
      '--tinker',
      'with --model: serve it behind the Tinker API, to be trained and sampled by its SDK and by other machines',
    )
    .option('--checkpoints <folder>', 'with --tinker: where weights are saved', 'outputs/tinker')
    .option('--max-models <number>', 'with --tinker: models that clients may have open at once', whole(1, 1000), 8)
    .option('--context <tokens>', 'with --model: longest sequence (memory grows with it)', whole(16, 1_000_000))
    .option('--device <name>', `with --model: ${deviceHelp}`, deviceName)
    .option('--card-memory <gib>', `with --device cuda: ${cardMemoryHelp}`, gibibytes)
    .option('--token <secret>', 'ask for this token (better: set AGOGE_GYM_TOKEN)')
    .option('--allow-host <name>', 'a further name this server is reached by, * for any (repeatable)', collect, [])
    .option(
      '--allow-origin <origin>',
      'a page that may use this server, such as https://app.example.org (repeatable)',
      collect,
      [],
    )
    .option('--processes <number>', 'processes that play; each session stays with one', whole(1, 1024), 1)
    .option('--max-sessions <number>', 'sessions open at once; more are answered 503', whole(1, 10_000_000), 10_000)
    .option('--idle-timeout <seconds>', 'close a session that nobody used for so long', whole(1, 10_000_000), 3600)
    .option('--set <env.key=value>', 'a setting of an environment (repeatable)', collect, [])
    .option('--generated', generatedHelp)
    .option('--chaos <seed[:profile]>', chaosHelp)
    .option('--background', 'go on without this terminal; see agoge serve status and agoge serve stop')
    .option('--json', 'print what happened as JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  agoge serve textcraft                                        AgentGym's routes at http://127.0.0.1:36001
  agoge serve textcraft babyai maze --port 8000                …/textcraft, …/babyai, …/maze
  agoge serve textcraft --set textcraft.edition=2024
  agoge serve webshop --generated --processes 8                on eight cores, for any number of clients
  agoge serve --model hf:HuggingFaceTB/SmolLM2-135M-Instruct --port 8000   base URL http://127.0.0.1:8000/v1
  agoge serve --model base --tinker --port 8000                TINKER_BASE_URL=http://127.0.0.1:8000 TINKER_API_KEY=tml-any python train.py
  AGOGE_GYM_TOKEN=secret agoge serve textcraft --host 0.0.0.0  clients: http://agoge:secret@host:36001
  agoge serve webshop --generated --port 36003 --background    returns when it listens
  agoge serve status                                           what runs in the background
  agoge serve stop 36003                                       end it (without a port: all)
`,
    )
    .action(serve);
}

/** What the words ask for: a server in the background, a model, or environments. */
async function serve(names: readonly string[], options: ServeOptions): Promise<void> {
  const [word, port, ...rest] = names;
  if ((word === 'status' && port === undefined) || (word === 'stop' && rest.length === 0)) {
    return background(word, port, options.json === true);
  }
  if (options.background === true) {
    const { startInBackground } = await import('./background.ts');
    const record = await startInBackground(process.argv.slice(2).filter((arg) => arg !== '--background' && arg !== '--json'));
    if (options.json) printJson(record);
    else print(`serving ${record.serves.join(', ')} at ${record.url} (process ${record.pid}, log ${record.log})`);
    return;
  }
  if (options.chaos !== undefined) return serveUnderChaos(options.chaos, options);
  const token = options.token ?? process.env['AGOGE_GYM_TOKEN'];
  if (token === '') throw new AgogeError('CLI_USAGE_TOKEN', 'the token is empty: give one, or leave the option out');
  const unique = [...new Set(names)];
  if (options.model !== undefined) {
    if (unique.length > 0)
      throw new AgogeError('CLI_USAGE_SERVE', 'one server serves environments or a model: start two, on two ports');
    const { serveModel } = await import('./serve-model.ts');
    return serveModel({ ...options, model: options.model, token });
  }
  if (options.tinker)
    throw new AgogeError('CLI_USAGE_SERVE', '--tinker serves a model: name it, for example --model base --tinker');
  if (unique.length === 0)
    throw new AgogeError('CLI_USAGE_SERVE', 'nothing to serve: name an environment, for example agoge serve textcraft');
  const { serveEnvironments } = await import('./serve-environments.ts');
  return serveEnvironments(unique, { ...options, token });
}

/** `agoge serve status` and `agoge serve stop [port]`. */
async function background(word: 'status' | 'stop', port: string | undefined, json: boolean): Promise<void> {
  const { runningServers, stopServers } = await import('./background.ts');
  const servers = word === 'status' ? await runningServers() : await stopServers(port);
  if (json) printJson(servers);
  else if (servers.length === 0) print('nothing runs in the background');
  else
    for (const { serves, url, pid, started } of servers)
      print(`${word === 'stop' ? 'stopped ' : ''}${serves.join(', ')} at ${url} (process ${pid}, since ${started})`);
}
