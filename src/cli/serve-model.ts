/** `agoge serve --model`: a model behind the OpenAI API until Ctrl-C or SIGTERM. Part of the serve command. */
import type { SingleBar } from 'cli-progress';
import { existsSync } from 'node:fs';
import { startBar, stopBar } from './bar.ts';
import { endServer } from './program.ts';
import { interruption } from './signals.ts';
import { print, printJson } from './print.ts';

export interface ServeModelOptions {
  readonly model: string;
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly context?: number | undefined;
  readonly json?: true | undefined;
}

export async function serveModel(options: ServeModelOptions): Promise<void> {
  const stop = interruption();
  const [{ EmbeddedEngine }, { startOpenAi }] = await Promise.all([
    import('../engine/embedded/embedded.ts'),
    import('../engine/openai/server.ts'),
  ]);
  const { host, port, token, allowHost: allowHosts, allowOrigin: allowOrigins } = options;
  const path = await modelPath(options.model);
  const bar = downloadBar();
  await using engine = await EmbeddedEngine.open({
    model: path,
    onDownload: bar.update,
    ...(options.context === undefined ? {} : { context: options.context }),
  });
  bar.stop();
  await using server = await startOpenAi({ engine, name: options.model, host, port, token, allowHosts, allowOrigins });
  const { parameters, context } = engine.model;
  const sentence = `serving ${options.model} (${(parameters / 1e6).toFixed(1)}M parameters, context ${context}) at ${server.url}`;
  const facts = { event: 'listening', url: server.url, model: options.model, parameters, context };
  if (options.json) printJson(facts);
  else print(sentence);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  endServer(stop);
}

/** Where the weights lie: a path as it is, else what the policy's name stands for. */
async function modelPath(name: string): Promise<string> {
  if (existsSync(name)) return name;
  const { weightsOf } = await import('../train/open-parts.ts');
  return weightsOf(name);
}

function downloadBar(): { update: (file: string, loaded: number, total: number) => void; stop: () => void } {
  let bar: SingleBar | undefined;
  return {
    update(file, loaded, total) {
      if (!process.stderr.isTTY) return;
      bar ??= startBar({ format: '{bar} {percentage}% {file}' }, total, 0, { file });
      bar.update(loaded, { file });
    },
    stop() {
      stopBar(bar);
    },
  };
}
