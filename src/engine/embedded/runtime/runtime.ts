/**
 * The one ONNX Runtime environment of the process: a thread pool and a memory arena that every session shares, whichever
 * engine made it. Calls that use the pool take turns, so that two engines do not fight for the same cores. The engine's own
 * threads (workers/) see the same environment.
 */
import { availableParallelism } from 'node:os';
import { AgogeError } from '../../../core/error.ts';
import { cells, library, loadedLibrary, type Address, type Library } from './library.ts';
import { locateRuntime, type RuntimeFiles } from './locate.ts';

/** The environment as one thread tells another. */
export interface RuntimeHandle {
  readonly files: RuntimeFiles;
  readonly environment: Address;
  readonly memoryInfo: Address;
  readonly threads: number;
  readonly spinning: boolean;
}

export interface RuntimeSettings {
  /** Threads that compute. Default: as many as the machine runs at once. */
  readonly threads?: number | undefined;
  /** Idle pool threads wait by spinning: a few percent faster on a quiet machine, half the speed on a busy one. Default off. */
  readonly spinning?: boolean | undefined;
  /** The runtime that knows a card as well. One process has one runtime, so this is for whoever comes first. Default: not. */
  readonly card?: boolean | undefined;
}

export class Runtime {
  private static instance: Runtime | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly library: Library,
    readonly environment: Address,
    readonly memoryInfo: Address,
    readonly threads: number,
    readonly spinning: boolean,
  ) {}

  /** The runtime of this process. Its settings are fixed by whoever comes first; asking for others later is an error. */
  static open(settings: RuntimeSettings = {}): Runtime {
    const present = Runtime.instance;
    if (settings.card === true) refuseWithoutCard(present?.library ?? loadedLibrary());
    if (!present) return (Runtime.instance = Runtime.create(settings));
    const wanted = { threads: settings.threads ?? present.threads, spinning: settings.spinning ?? present.spinning };
    if (wanted.threads !== present.threads || wanted.spinning !== present.spinning) {
      throw new AgogeError(
        'ENGINE_RUNTIME_SETTINGS',
        `the engine already runs with ${present.threads} threads (spinning ${present.spinning}) and cannot change to ${wanted.threads} (spinning ${wanted.spinning}): set both before the first model is opened`,
      );
    }
    return present;
  }

  /** Takes part in the environment that another thread of this process opened. */
  static attach({ files, environment, memoryInfo, threads, spinning }: RuntimeHandle): Runtime {
    return (Runtime.instance = new Runtime(library(files), environment, memoryInfo, threads, spinning));
  }

  get handle(): RuntimeHandle {
    const { environment, memoryInfo, threads, spinning } = this;
    return { files: this.library.files, environment, memoryInfo, threads, spinning };
  }

  /** Runs native work when all work asked for earlier has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.turn.then(work);
    this.turn = next.catch(() => undefined);
    return next;
  }

  private static create(settings: RuntimeSettings): Runtime {
    const { threads = availableParallelism(), spinning = false } = settings;
    if (!Number.isInteger(threads) || threads < 1 || threads > 1024) {
      throw new AgogeError('ENGINE_RUNTIME_SETTINGS', `threads must be a whole number from 1 to 1024, not ${threads}`);
    }
    const native = library(settings.card === true ? locateRuntime('cuda') : undefined);
    const out = cells();
    const made = (status: Address): Address => {
      native.check(status);
      return out[0] as Address;
    };
    const options = made(native.createThreadingOptions(out));
    native.check(native.setGlobalIntraOpNumThreads(options, threads));
    native.check(native.setGlobalInterOpNumThreads(options, 1));
    native.check(native.setGlobalSpinControl(options, spinning ? 1 : 0));
    const quiet = 4; // failures come back as statuses; the library itself prints nothing
    const environment = made(native.createEnvWithGlobalThreadPools(quiet, 'agoge', options, out));
    native.check(native.disableTelemetryEvents(environment));
    native.releaseThreadingOptions(options);
    const arena = 1;
    const memoryInfo = made(native.createMemoryInfo('Cpu', arena, 0, 0, out));
    native.check(native.createAndRegisterAllocator(environment, memoryInfo, 0n));
    return new Runtime(native, environment, memoryInfo, threads, spinning);
  }
}

function refuseWithoutCard(present: Library | undefined): void {
  if (present === undefined || present.files.card === true) return;
  throw new AgogeError(
    'ENGINE_RUNTIME_SETTINGS',
    'the engine already runs with the library for processors, and a process has one: open what runs on the card first',
  );
}
