/**
 * Models from the Hugging Face hub, through @huggingface/hub and its shared cache: what was fetched once is not fetched
 * again, and is found without a network.
 */
import { downloadFile, getHFHubCachePath, HubApiError, listFiles } from '@huggingface/hub';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AgogeError } from '../../../core/error.ts';

export interface HubOptions {
  /** Where models are kept. Default: the folder all Hugging Face tools share. */
  readonly cache?: string;
  readonly hubUrl?: string;
  readonly accessToken?: string;
  readonly signal?: AbortSignal;
  /** False: config and tokenizer alone, for a model whose weights are elsewhere. */
  readonly weights?: boolean;
  /** Told as bytes arrive. */
  readonly onProgress?: (progress: { readonly file: string; readonly done: number; readonly total: number }) => void;
}

/** `HF_ENDPOINT` (a mirror) and `HF_TOKEN` as every tool of the hub takes them; proxies are the process's (`HTTPS_PROXY`). */
function environmentOptions(): Pick<HubOptions, 'hubUrl' | 'accessToken'> {
  const { HF_ENDPOINT: hubUrl, HF_TOKEN: accessToken } = process.env;
  return { ...(hubUrl ? { hubUrl: hubUrl.replace(/\/+$/, '') } : {}), ...(accessToken ? { accessToken } : {}) };
}

const wanted =
  /^(config|generation_config|tokenizer|tokenizer_config)\.json$|^chat_template\.jinja$|^[^/]*\.safetensors(\.index\.json)?$|^pytorch_model[^/]*\.bin(\.index\.json)?$/;

const words = /^(config|generation_config|tokenizer|tokenizer_config)\.json$|^chat_template\.jinja$/;

/** The folder of `owner/name` or `owner/name@revision`, downloaded where it is not yet complete. */
export async function downloadFromHub(name: string, given: HubOptions = {}): Promise<string> {
  const options = { ...environmentOptions(), ...given };
  const [repository = name, revision = 'main'] = name.split('@');
  const cache = options.cache ?? getHFHubCachePath();
  const whole = join(cache, `agoge--${repository.replace('/', '--')}--${revision.replaceAll('/', '--')}`);
  if (existsSync(join(whole, 'config.json'))) return whole;
  const folder = options.weights === false ? `${whole}--words` : whole;
  if (existsSync(join(folder, 'config.json'))) return folder;
  const place = {
    repo: repository,
    revision,
    ...(options.hubUrl === undefined ? {} : { hubUrl: options.hubUrl }),
    ...(options.accessToken === undefined ? {} : { accessToken: options.accessToken }),
  };
  try {
    const files: { path: string; size: number }[] = [];
    for await (const file of listFiles(place)) if (file.type === 'file' && (options.weights === false ? words : wanted).test(file.path)) files.push(file);
    // The same weights in both forms: safetensors alone are fetched.
    if (files.some(({ path }) => path.endsWith('.safetensors')))
      for (let at = files.length - 1; at >= 0; at--) if (/\.bin(\.index\.json)?$/.test(files[at]?.path ?? '')) files.splice(at, 1);
    if (!files.some(({ path }) => path === 'config.json'))
      throw new AgogeError('MODEL_UNREADABLE', `hf:${name} has no config.json: name a repository with a transformers model`);
    await mkdir(folder, { recursive: true });
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    // config.json last: it marks the folder as complete.
    for (const { path, size } of files.sort((a, b) => Number(a.path === 'config.json') - Number(b.path === 'config.json'))) {
      await download({ ...place, path }, join(folder, path), options.signal, (bytes) => {
        options.onProgress?.({ file: path, done: done + bytes, total });
      });
      done += size;
    }
    return folder;
  } catch (cause) {
    if (cause instanceof AgogeError) throw cause;
    if (cause instanceof HubApiError && [401, 403, 404].includes(cause.statusCode)) throw refused(name, cause);
    throw AgogeError.from(
      cause,
      'MODEL_NOT_DOWNLOADED',
      `hf:${name} is not in ${cache} and the hub cannot be reached (connect, or copy the model's folder here and name its path)`,
    );
  }
}

/** The hub answers 401 for models that do not exist as well. */
function refused(name: string, cause: HubApiError): AgogeError {
  return new AgogeError(
    'MODEL_NOT_DOWNLOADED',
    `the hub does not give hf:${name} (status ${cause.statusCode}): check the name, or set HF_TOKEN to a token that may read it`,
    { cause },
  );
}

async function download(
  file: Parameters<typeof downloadFile>[0],
  target: string,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (existsSync(target)) return;
  const blob = await downloadFile(file);
  if (!blob) throw new AgogeError('MODEL_NOT_DOWNLOADED', `the hub has no file ${file.path}: check the name and your access`);
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.incomplete-${process.pid}`;
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, next) {
      bytes += chunk.length;
      onBytes(bytes);
      next(null, chunk);
    },
  });
  try {
    const stream = Readable.fromWeb(blob.stream());
    await pipeline(stream, count, createWriteStream(temporary), ...(signal ? [{ signal }] : []));
    await rename(temporary, target);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}
