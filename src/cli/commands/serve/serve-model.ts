/** `agoge serve --model`: a model behind the OpenAI API or, with --tinker, behind the Tinker API, until Ctrl-C or SIGTERM. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Engine, ModelInfo } from '../../../engine/engine.ts';
import { startBar, stopBar, type Bar } from '../../terminal/bar.ts';
import type { DeviceOption } from '../../options/device.ts';
import { endServer } from '../../program.ts';
import { interruption } from '../../terminal/signals.ts';
import { print, printJson } from '../../terminal/print.ts';

export interface ServeModelOptions {
  readonly model: string;
  /** That clients ask for; default: the model as it is given. */
  readonly name?: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly context?: number | undefined;
  readonly device?: DeviceOption | undefined;
  readonly cardMemory?: number | undefined;
  readonly tinker?: true | undefined;
  readonly checkpoints: string;
  readonly maxModels: number;
  readonly json?: true | undefined;
}

export async function serveModel(options: ServeModelOptions): Promise<void> {
  const stop = interruption();
  const { EmbeddedEngine } = await import('../../../engine/embedded/embedded.ts');
  const { model, name = model, host, port, token, allowHost: allowHosts, allowOrigin: allowOrigins } = options;
  const path = await modelPath(model);
  const bar = downloadBar();
  const open = (folder = path): Promise<Engine> =>
    EmbeddedEngine.open({
      model: folder,
      onDownload: bar.update,
      ...(options.context === undefined ? {} : { context: options.context }),
      ...(options.device === undefined ? {} : { device: options.device }),
      ...(options.cardMemory === undefined ? {} : { cardMemory: options.cardMemory }),
    });
  const listening = { name, host, port, token, allowHosts, allowOrigins };
  await using server = await (options.tinker ? tinkerServer() : openAiServer());
  bar.stop();
  const { parameters, context } = server.model;
  const size = `${(parameters / 1e6).toFixed(1)}M parameters, context ${context}`;
  if (options.json) printJson({ event: 'listening', url: server.url, model: name, parameters, context });
  else if (options.tinker)
    print(
      `serving ${name} (${size}, all weights trained) behind the Tinker API at ${server.url}, checkpoints in ${options.checkpoints}`,
    );
  else print(`serving ${name} (${size}) at ${server.url}`);
  await new Promise<void>((done) => {
    if (stop.aborted) done();
    stop.addEventListener('abort', () => done(), { once: true });
  });
  endServer(stop);

  async function tinkerServer(): Promise<Served> {
    const { startTinker } = await import('../../../engine/tinker/server/server.ts');
    const tokenizer = existsSync(join(path, 'tokenizer.json')) ? resolve(path) : undefined;
    return startTinker({ ...listening, open, tokenizer, folder: resolve(options.checkpoints), maxModels: options.maxModels });
  }

  async function openAiServer(): Promise<Served> {
    const { startOpenAi } = await import('../../../policy/openai/server.ts');
    const { trainedFormat } = await import('../../../library/serve.ts');
    const trained = await trainedFormat(path);
    const engine = await open();
    const { url, ...http } = await startOpenAi({ ...listening, engine, trained });
    return {
      url,
      model: engine.model,
      async [Symbol.asyncDispose]() {
        await http[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
      },
    };
  }
}

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly model: ModelInfo;
}

/** Where the weights lie: a path as it is, else what the policy's name stands for. */
async function modelPath(name: string): Promise<string> {
  if (existsSync(name)) return name;
  const { weightsOf } = await import('../../../train/run/open-parts.ts');
  return weightsOf(name);
}

function downloadBar(): { update: (file: string, loaded: number, total: number) => void; stop: () => void } {
  let bar: Bar | undefined;
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
