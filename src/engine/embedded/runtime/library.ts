/**
 * ONNX Runtime's C functions through koffi, typed once. Only this folder sees an address; everybody else holds `Tensor`,
 * `Session` and `Call`. The function table is append-only and versioned, so positions in it never change.
 */
import { AgogeError } from '../../../core/error.ts';
import { cardFailed } from './card-failed.ts';
import { koffi, type Koffi } from './koffi.ts';
import { locateRuntime, setEnvironment, type RuntimeFiles } from './locate.ts';

/** An address in native memory; 0n is null. */
export type Address = bigint;
type Native<Arguments extends readonly unknown[], Result = Address> = ((...values: Arguments) => Result) & {
  async: (...values: readonly unknown[]) => void;
};
/** Native code writes here: typed arrays over their own ArrayBuffer, which the garbage collector never moves. */
export type Memory = ArrayBufferView;

export interface Library {
  readonly version: string;
  readonly files: RuntimeFiles;
  readonly getErrorMessage: Native<[status: Address], string>;
  readonly releaseStatus: Native<[status: Address], undefined>;
  readonly disableTelemetryEvents: Native<[env: Address]>;
  readonly createThreadingOptions: Native<[out: Memory]>;
  readonly setGlobalIntraOpNumThreads: Native<[options: Address, threads: number]>;
  readonly setGlobalInterOpNumThreads: Native<[options: Address, threads: number]>;
  readonly setGlobalSpinControl: Native<[options: Address, spin: number]>;
  readonly createEnvWithGlobalThreadPools: Native<[level: number, id: string, options: Address, out: Memory]>;
  readonly releaseThreadingOptions: Native<[options: Address], undefined>;
  readonly createAndRegisterAllocator: Native<[env: Address, memory: Address, arena: Address]>;
  readonly createMemoryInfo: Native<[name: string, kind: number, id: number, type: number, out: Memory]>;
  readonly createSessionOptions: Native<[out: Memory]>;
  readonly releaseSessionOptions: Native<[options: Address], undefined>;
  readonly disablePerSessionThreads: Native<[options: Address]>;
  readonly setIntraOpNumThreads: Native<[options: Address, threads: number]>;
  readonly disableMemPattern: Native<[options: Address]>;
  readonly setSessionGraphOptimizationLevel: Native<[options: Address, level: number]>;
  readonly enableProfiling: Native<[options: Address, prefix: string]>;
  readonly addSessionConfigEntry: Native<[options: Address, key: string, value: string]>;
  readonly addExternalInitializers: Native<[options: Address, names: Memory, values: Memory, count: number]>;
  readonly setDeterministicCompute: Native<[options: Address, value: number]>;
  readonly createCudaProviderOptions: Native<[out: Memory]>;
  readonly updateCudaProviderOptions: Native<[options: Address, keys: Memory, values: Memory, count: number]>;
  readonly updateCudaProviderOptionsWithValue: Native<[options: Address, key: string, value: Address]>;
  readonly releaseCudaProviderOptions: Native<[options: Address], undefined>;
  readonly appendCudaProvider: Native<[sessionOptions: Address, options: Address]>;
  readonly createArenaConfig: Native<[keys: Memory, values: Memory, count: number, out: Memory]>;
  readonly releaseArenaConfig: Native<[config: Address], undefined>;
  readonly createAndRegisterProviderAllocator: Native<
    [env: Address, provider: string, memory: Address, arena: Address, keys: Memory, values: Memory, count: number]
  >;
  readonly createSessionFromArray: Native<[env: Address, model: Memory, bytes: number, options: Address, out: Memory]>;
  readonly releaseSession: Native<[session: Address], undefined>;
  readonly getAllocatorWithDefaultOptions: Native<[out: Memory]>;
  /** The allocator that a session uses for a kind of memory. */
  readonly createAllocator: Native<[session: Address, memory: Address, out: Memory]>;
  readonly releaseAllocator: Native<[allocator: Address], undefined>;
  readonly allocatorGetStats: Native<[allocator: Address, out: Memory]>;
  readonly getKeyValue: Native<[pairs: Address, key: string], string>;
  readonly releaseKeyValuePairs: Native<[pairs: Address], undefined>;
  readonly sessionEndProfiling: Native<[session: Address, allocator: Address, out: Memory]>;
  readonly createRunOptions: Native<[out: Memory]>;
  readonly releaseRunOptions: Native<[options: Address], undefined>;
  readonly addRunConfigEntry: Native<[options: Address, key: string, value: string]>;
  readonly runOptionsSetTerminate: Native<[options: Address]>;
  readonly runOptionsUnsetTerminate: Native<[options: Address]>;
  readonly createTensorWithData: Native<
    [memory: Address, data: Memory, bytes: number, shape: Memory, rank: number, type: number, out: Memory]
  >;
  /** The same over memory that is known by its address alone. */
  readonly createTensorAt: Native<
    [memory: Address, data: Address, bytes: number, shape: Memory, rank: number, type: number, out: Memory]
  >;
  readonly releaseValue: Native<[value: Address], undefined>;
  readonly run: Native<
    [
      session: Address,
      options: Address,
      inputNames: Memory,
      inputs: Memory,
      inputCount: number,
      outputNames: Memory,
      outputCount: number,
      outputs: Memory,
    ]
  >;
  /** Throws what a status says; does nothing for success. */
  readonly check: (status: Address) => void;
}

const apiVersion = 23;
let loaded: Library | undefined;
/** Functions decoded from a pointer do not keep a library in memory; these references do. */
const keptHandles: unknown[] = [];

/**
 * ONNX Runtime's library, its telemetry off; loaded on first use and kept for the life of the process. There is one in a process:
 * whoever comes first decides whether it is the one that knows the card.
 */
export function library(files?: RuntimeFiles): Library {
  loaded ??= load(files ?? locateRuntime('host'));
  return loaded;
}

/** The library of this process, where one was loaded already. */
export function loadedLibrary(): Library | undefined {
  return loaded;
}

/** A further native library, kept for the life of the process. */
export function loadKept(path: string): ReturnType<Koffi['load']> {
  const handle = koffi().load(path);
  keptHandles.push(handle);
  return handle;
}

/** A new address cell, or several, to be filled by native code. */
export function cells(count = 1): BigUint64Array<ArrayBuffer> {
  return new BigUint64Array(new ArrayBuffer(Math.max(count, 8) * 8), 0, count);
}

/** Where a typed array's first element lies. The caller keeps the array alive for as long as the address is used. */
export function addressOf(memory: Memory): Address {
  return koffi().address(memory);
}

/** Text at an address, up to its terminating zero. */
export function textAt(address: Address): string {
  return koffi().decode(address, 'char', -1) as string;
}

/** Zero-terminated names and the array of pointers to them, both kept alive by the returned object. */
export function nameTable(names: readonly string[]): { readonly pointers: Memory; readonly keep: readonly Memory[] } {
  const keep = names.map((name) => new Uint8Array(new TextEncoder().encode(`${name}\0`.padEnd(72, '\0'))));
  const pointers = cells(names.length);
  keep.forEach((bytes, i) => (pointers[i] = addressOf(bytes)));
  return { pointers, keep };
}

/** What the runtime says, as one of ours: memory that ran out or a card that failed is the user's to mend, the rest is not. */
export function runtimeError(message: string): AgogeError {
  if (/failed to allocate memory|available memory of|out of memory|CUDA failure 2\b|CUBLAS_STATUS_ALLOC_FAILED/i.test(message)) {
    return new AgogeError(
      'ENGINE_OUT_OF_MEMORY',
      `the device has no memory left (${message.slice(0, 200)}): train on fewer tokens at once, sample fewer sequences at once, use adapters (engine.lora), or free the card; the run resumes from its last checkpoint`,
    );
  }
  const card = /(CUDA|CUBLAS|CUDNN) failure \d+[^;\n]{0,120}/.exec(message)?.[0];
  if (card !== undefined) return cardFailed(`work on the card failed: ${card.trim()}`);
  return new AgogeError('ENGINE_RUNTIME', `ONNX Runtime failed: ${message}; report it with the model and the command`);
}

/** ONNX Runtime's table of functions; throws ENGINE_NO_RUNTIME where the library is not there or too old. */
function functionsOf(files: RuntimeFiles): { readonly version: string; readonly table: BigUint64Array } {
  const bridge = koffi();
  setEnvironment();
  let handle: ReturnType<Koffi['load']>;
  for (const path of files.preload) {
    try {
      loadKept(path);
    } catch (thrown) {
      throw AgogeError.from(
        thrown,
        'ENGINE_NO_RUNTIME',
        `cannot load ${path}, which ONNX Runtime needs on a card; see agoge doctor`,
      );
    }
  }
  try {
    handle = loadKept(files.library);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'ENGINE_NO_RUNTIME', `cannot load ONNX Runtime from ${files.library}; install again`);
  }
  const base = handle.func('void* OrtGetApiBase()')() as Address;
  const [getApi = 0n, getVersion = 0n] = bridge.decode(base, bridge.array('uint64_t', 2)) as BigUint64Array;
  const api = bridge.call(getApi, bridge.proto('void*', ['uint32_t']), apiVersion) as Address;
  const version = bridge.call(getVersion, bridge.proto('str', []), ...[]) as string;
  if (!api) {
    throw new AgogeError('ENGINE_NO_RUNTIME', `ONNX Runtime ${version} does not offer API ${apiVersion}; install again`);
  }
  return { version, table: bridge.decode(api, bridge.array('uint64_t', 320)) as BigUint64Array };
}

function load(files: RuntimeFiles): Library {
  const bridge = koffi();
  const { version, table } = functionsOf(files);
  // Each function's type stands in Library; the compiler cannot know what lies at a position of the table.
  const native = (position: number, result: string, ...types: string[]): never =>
    bridge.decode(table[position] as Address, bridge.proto(result, types)) as never;
  const address = 'uint64_t';
  const memory = 'void*';
  const getErrorMessage: Library['getErrorMessage'] = native(2, 'str', address);
  const releaseStatus: Library['releaseStatus'] = native(93, 'void', address);
  const check = (status: Address): void => {
    if (!status) return;
    const message = getErrorMessage(status);
    releaseStatus(status);
    throw runtimeError(message);
  };
  return {
    version,
    files,
    check,
    getErrorMessage,
    releaseStatus,
    disableTelemetryEvents: native(6, address, address),
    createThreadingOptions: native(121, address, memory),
    setGlobalIntraOpNumThreads: native(147, address, address, 'int'),
    setGlobalInterOpNumThreads: native(148, address, address, 'int'),
    setGlobalSpinControl: native(149, address, address, 'int'),
    createEnvWithGlobalThreadPools: native(119, address, 'int', 'str', address, memory),
    releaseThreadingOptions: native(122, 'void', address),
    createAndRegisterAllocator: native(144, address, address, address, address),
    createMemoryInfo: native(68, address, 'str', 'int', 'int', 'int', memory),
    createSessionOptions: native(10, address, memory),
    releaseSessionOptions: native(100, 'void', address),
    disablePerSessionThreads: native(120, address, address),
    setIntraOpNumThreads: native(24, address, address, 'int'),
    disableMemPattern: native(17, address, address),
    setSessionGraphOptimizationLevel: native(23, address, address, 'int'),
    enableProfiling: native(14, address, address, 'str'),
    addSessionConfigEntry: native(130, address, address, 'str', 'str'),
    addExternalInitializers: native(210, address, address, memory, memory, 'size_t'),
    setDeterministicCompute: native(273, address, address, 'int'),
    createCudaProviderOptions: native(205, address, memory),
    updateCudaProviderOptions: native(206, address, address, memory, memory, 'size_t'),
    updateCudaProviderOptionsWithValue: native(263, address, address, 'str', address),
    releaseCudaProviderOptions: native(208, 'void', address),
    appendCudaProvider: native(204, address, address, address),
    createArenaConfig: native(164, address, memory, memory, 'size_t', memory),
    releaseArenaConfig: native(157, 'void', address),
    createAndRegisterProviderAllocator: native(259, address, address, 'str', address, address, memory, memory, 'size_t'),
    createSessionFromArray: native(8, address, address, memory, 'size_t', address, memory),
    releaseSession: native(95, 'void', address),
    getAllocatorWithDefaultOptions: native(78, address, memory),
    createAllocator: native(131, address, address, address, memory),
    releaseAllocator: native(132, 'void', address),
    allocatorGetStats: native(319, address, address, memory),
    getKeyValue: native(297, 'str', address, 'str'),
    releaseKeyValuePairs: native(300, 'void', address),
    sessionEndProfiling: native(110, address, address, address, memory),
    createRunOptions: native(39, address, memory),
    releaseRunOptions: native(97, 'void', address),
    addRunConfigEntry: native(165, address, address, 'str', 'str'),
    runOptionsSetTerminate: native(46, address, address),
    runOptionsUnsetTerminate: native(47, address, address),
    createTensorWithData: native(49, address, address, memory, 'size_t', memory, 'size_t', 'int', memory),
    createTensorAt: native(49, address, address, address, 'size_t', memory, 'size_t', 'int', memory),
    releaseValue: native(96, 'void', address),
    run: native(9, address, address, address, memory, memory, 'size_t', memory, 'size_t', memory),
  };
}
