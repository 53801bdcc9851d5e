/**
 * The samples of a run whose trainer is here, drawn by a server elsewhere. Whenever the weights have changed, the server gets them before
 * it samples again; replies that are being drawn end first, so each comes from one version of the weights and says which. A server that
 * was started anew has other weights: what it drew with them is thrown away, and it gets the right ones again.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linked } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine, Sample, SampleRequest } from '../../engine/engine.ts';
import { TokenEndpoint } from '../../policy/endpoint/token-endpoint.ts';
import type { Sampler } from '../../policy/engine-policy.ts';
import { adapting, ourLabels, reloading, type Handover } from './handover.ts';

export interface RemoteSamplerOptions {
  /** Its weights are what the server is to sample from. */
  readonly engine: Engine;
  /** It trains adapters, and these alone travel. */
  readonly adapters: boolean;
  /** Up to and including /v1. */
  readonly url: string;
  /** The server's name of the model. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Where weights lie on their way: both machines see it. Default: a temporary folder of this one. */
  readonly folder?: string | undefined;
  /** Milliseconds to wait for a server that is away. */
  readonly patience: number;
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** What the server has been given. */
interface Given {
  readonly version: number;
  readonly label: string;
  /** The name to ask the server for. */
  readonly name: string;
  readonly folder: string;
}

export class RemoteSampler implements Sampler {
  readonly model: Engine['model'];
  private given: Given | undefined;
  private giving: Promise<void> | undefined;
  private drawing = 0;
  private idle: (() => void) | undefined;
  private readonly run = `${ourLabels}${randomBytes(4).toString('hex')}`;
  private readonly closed = linked();

  private constructor(
    private readonly options: RemoteSamplerOptions,
    private readonly handover: Handover,
    private readonly folder: string,
    private endpoint: TokenEndpoint,
  ) {
    this.model = endpoint.model;
  }

  static async open(options: RemoteSamplerOptions): Promise<RemoteSampler> {
    const { url, model, apiKey, patience } = options;
    const base = url.replace(/\/$/, '');
    const handover = (options.adapters ? adapting : reloading)({ url: base, model, apiKey, patience });
    const endpoint = await openEndpoint(options);
    return new RemoteSampler(options, handover, await ownFolder(options.folder), endpoint);
  }

  async sample(request: SampleRequest): Promise<Sample> {
    for (;;) {
      const given = await this.present();
      this.drawing++;
      try {
        const sample = await this.drawn(request, given);
        if (sample) return { ...sample, version: given.version };
      } finally {
        if (--this.drawing === 0) this.idle?.();
      }
      if (this.given === given) this.given = undefined;
      this.options.onNotice?.(`${this.options.url} has been started anew: it gets the weights again`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed.abort(new AgogeError('TRAIN_ENDED', 'the run has ended'));
    await this.giving?.catch(() => undefined);
    if (this.given) await this.handover.forget(this.given.label);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Undefined: drawn from other weights than these, or not at all because it has lost them. */
  private async drawn(request: SampleRequest, { name, label }: Given): Promise<Sample | undefined> {
    try {
      const sample = await this.endpoint.sample(request, name);
      if (!(await this.handover.holds(label))) return undefined;
      sample.tokens.forEach((token, at) => request.onToken?.(token, sample.logprobs[at] ?? NaN));
      return sample;
    } catch (thrown) {
      const unknown = thrown instanceof AgogeError && thrown.code === 'POLICY_UNKNOWN_MODEL';
      if (!unknown || (await this.handover.holds(label))) throw thrown;
      this.endpoint = await openEndpoint(this.options); // this one remembers that the name was unknown
      return undefined;
    }
  }

  /** Waits until the server has the weights of now. */
  private async present(): Promise<Given> {
    for (;;) {
      const { given } = this;
      if (given?.version === this.options.engine.version) return given;
      this.giving ??= this.give().finally(() => (this.giving = undefined));
      await this.giving;
    }
  }

  private async give(): Promise<void> {
    const { engine } = this.options;
    if (this.drawing > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    this.idle = undefined;
    const last = this.given;
    this.given = undefined;
    const { version, folder } = await this.saved(engine);
    const label = `${this.run}-${version}`;
    const name = await this.handover.give(folder, label, this.closed.signal);
    this.given = { version, label, name, folder };
    if (!last || last.folder === folder) return;
    await this.handover.forget(last.label);
    await rm(last.folder, { recursive: true, force: true });
  }

  /** The weights in a folder, and which version they are: one that was trained on while they were written is written again. */
  private async saved(engine: Engine): Promise<Pick<Given, 'version' | 'folder'>> {
    for (;;) {
      const { version } = engine;
      const folder = join(this.folder, String(version));
      await engine.save(folder);
      if (engine.version === version) return { version, folder };
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function openEndpoint({ engine, url, model, apiKey, patience }: RemoteSamplerOptions): Promise<TokenEndpoint> {
  const { tokenizer, chatTemplate } = engine.model;
  const words = { config: engine.model, tokenizer, chatTemplate };
  return TokenEndpoint.open({ baseUrl: url, model, apiKey, words, patience });
}

/** In a folder that others see it has their rights, in a temporary one it is ours alone. */
async function ownFolder(parent: string | undefined): Promise<string> {
  if (parent === undefined) return mkdtemp(join(tmpdir(), 'agoge-weights-'));
  const own = join(parent, `agoge-weights-${randomBytes(4).toString('hex')}`);
  await mkdir(own, { recursive: true });
  return own;
}
