/**
 * A card: memory and copies through CUDA's own library, sessions on the runtime's CUDA provider. All sessions share one stream of ours, so that
 * work goes on in the order it was asked for without anybody waiting, and one arena for what a graph needs while it runs.
 */
import { existsSync } from 'node:fs';
import { AgogeError } from '../../../core/error.ts';
import { cells, loadKept, nameTable, type Address, type Memory } from './library.ts';
import { cardFailed } from './card-failed.ts';
import { DeviceMemory, outOfMemory, type Device, type DeviceSessionSettings } from './device.ts';
import { Runtime } from './runtime.ts';
import { cardsHere, chosenCard } from './cuda/card.ts';
import { unmetDemands } from './cuda/demands.ts';
import { findCudaRuntime } from './cuda/find.ts';
import { holdCard } from './cuda/hold.ts';

type Call<Arguments extends readonly unknown[]> = ((...values: Arguments) => number) & {
  async: (...values: readonly unknown[]) => void;
};

/** The few functions of CUDA's library that the runtime does not offer. */
interface CudaLibrary {
  readonly malloc: Call<[out: Memory, bytes: number]>;
  readonly free: Call<[address: Address]>;
  readonly memGetInfo: Call<[free: Memory, total: Memory]>;
  readonly streamCreate: Call<[out: Memory, flags: number]>;
  readonly streamSynchronize: Call<[stream: Address]>;
  readonly copyTo: Call<[target: Address, source: Memory, bytes: number, kind: number, stream: Address]>;
  readonly copyFrom: Call<[target: Memory, source: Address, bytes: number, kind: number, stream: Address]>;
  readonly copyWithin: Call<[target: Address, source: Address, bytes: number, kind: number, stream: Address]>;
  readonly memset: Call<[target: Address, value: number, bytes: number, stream: Address]>;
  readonly errorText: (code: number) => string;
}

const kinds = { toDevice: 1, fromDevice: 2, within: 3 } as const;
const memoryError = 2;
/** Work on it does not wait for CUDA's default stream, nor that one for it. */
const nonBlocking = 1;

export class CudaDevice implements Device {
  readonly name = 'cuda';
  readonly runtime: Runtime;
  readonly memoryInfo: Address;
  /** Runs end when their work is on the stream; whoever needs a result waits for it. */
  readonly runEntries = { disable_synchronize_execution_providers: '1' };
  private readonly cuda: CudaLibrary;
  private readonly stream: Address;

  constructor() {
    takeCard();
    this.runtime = Runtime.open({ card: true });
    this.cuda = loadCuda(this.runtime.library.files.preload);
    const out = cells();
    this.check(this.cuda.streamCreate(out, nonBlocking), 'there is no card to be used');
    this.stream = out[0] as Address;
    const { library } = this.runtime;
    const arena = 1;
    library.check(library.createMemoryInfo('Cuda', arena, 0, 0, out));
    this.memoryInfo = out[0] as Address;
    this.shareArena();
  }

  allocate(bytes: number): DeviceMemory {
    // Not asked for where it cannot be: CUDA remembers the refusal, and the runtime would take it for a failure of its own.
    const { free } = this.memory();
    if (bytes > free) throw outOfMemory(bytes, free);
    const out = cells();
    const code = this.cuda.malloc(out, Math.max(bytes, 1));
    if (code === memoryError) throw outOfMemory(bytes, free);
    this.check(code, `cannot allocate ${bytes} bytes`);
    const place = out[0] as Address;
    return new DeviceMemory(this, bytes, place, () => this.check(this.cuda.free(place), 'cannot give memory back'));
  }

  memory(): { free: number; total: number } {
    const [free, total] = [cells(), cells()];
    this.check(this.cuda.memGetInfo(free, total), 'cannot ask for free memory');
    return { free: Number(free[0]), total: Number(total[0]) };
  }

  write(target: Address, source: ArrayBufferView): void {
    if (source.byteLength === 0) return;
    // Memory of JavaScript's is not pinned: CUDA stages it before it returns.
    this.check(this.cuda.copyTo(target, source, source.byteLength, kinds.toDevice, this.stream), 'a copy to the card failed');
  }

  read(source: Address, target: ArrayBufferView): Promise<void> {
    return this.runtime.inTurn(async () => {
      if (target.byteLength === 0) return;
      // Into memory that is not pinned, CUDA returns once the copy is complete.
      await this.inBackground(this.cuda.copyFrom, [target, source, target.byteLength, kinds.fromDevice, this.stream]);
    });
  }

  copy(target: Address, source: Address, bytes: number): void {
    if (bytes > 0)
      this.check(this.cuda.copyWithin(target, source, bytes, kinds.within, this.stream), 'a copy on the card failed');
  }

  zero(target: Address, bytes: number): void {
    if (bytes > 0) this.check(this.cuda.memset(target, 0, bytes, this.stream), 'clearing memory on the card failed');
  }

  settled(): Promise<void> {
    return this.runtime.inTurn(() => this.inBackground(this.cuda.streamSynchronize, [this.stream]));
  }

  prepareSession(options: Address, { capture, tf32 }: DeviceSessionSettings): void {
    const { library } = this.runtime;
    const out = cells();
    library.check(library.createCudaProviderOptions(out));
    const provider = out[0] as Address;
    try {
      const settings = {
        device_id: '0',
        use_tf32: tf32 ? '1' : '0',
        arena_extend_strategy: 'kSameAsRequested',
        enable_cuda_graph: capture ? '1' : '0',
      };
      const keys = nameTable(Object.keys(settings));
      const values = nameTable(Object.values(settings));
      library.check(library.updateCudaProviderOptions(provider, keys.pointers, values.pointers, keys.keep.length));
      library.check(library.updateCudaProviderOptionsWithValue(provider, 'user_compute_stream', this.stream));
      library.check(library.appendCudaProvider(options, provider));
    } finally {
      library.releaseCudaProviderOptions(provider);
    }
    library.check(library.disablePerSessionThreads(options));
    // A node without a kernel for the card fails here and now, by its name, instead of moving its tensors to and fro.
    library.check(library.addSessionConfigEntry(options, 'session.disable_cpu_ep_fallback', '1'));
  }

  /** Scratch memory of all sessions that do not record their steps. */
  private shareArena(): void {
    const { library, environment } = this.runtime;
    const names = nameTable(['max_mem', 'arena_extend_strategy']);
    const asRequested = 1n;
    const values = cells(2);
    values[0] = 0n;
    values[1] = asRequested;
    const out = cells();
    library.check(library.createArenaConfig(names.pointers, values, 2, out));
    const config = out[0] as Address;
    const none = nameTable([]);
    library.check(
      library.createAndRegisterProviderAllocator(
        environment,
        'CUDAExecutionProvider',
        this.memoryInfo,
        config,
        none.pointers,
        none.pointers,
        0,
      ),
    );
    library.releaseArenaConfig(config);
  }

  private async inBackground(call: Call<never>, values: readonly unknown[]): Promise<void> {
    const code = await new Promise<number>((resolve, reject) => {
      call.async(...values, (error: Error | null, result: number) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
    this.check(code, 'work on the card failed');
  }

  private check(code: number, what: string): void {
    if (code === 0) return;
    const said = `${what}: CUDA says "${this.cuda.errorText(code)}" (${code})`;
    if (code === memoryError) throw outOfMemory(0, 0);
    throw cardFailed(said);
  }
}

function loadCuda(preloaded: readonly string[]): CudaLibrary {
  const known = preloaded.find((path) => /libcudart|cudart64/.test(path));
  const handle = firstThatLoads(known === undefined ? ['libcudart.so.13', 'libcudart.so.12'] : [known]);
  const native = (prototype: string): never => handle.func(prototype) as never;
  return {
    malloc: native('int cudaMalloc(void* out, size_t bytes)'),
    free: native('int cudaFree(uint64_t address)'),
    memGetInfo: native('int cudaMemGetInfo(void* free, void* total)'),
    streamCreate: native('int cudaStreamCreateWithFlags(void* out, unsigned int flags)'),
    streamSynchronize: native('int cudaStreamSynchronize(uint64_t stream)'),
    copyTo: native('int cudaMemcpyAsync(uint64_t target, void* source, size_t bytes, int kind, uint64_t stream)'),
    copyFrom: native('int cudaMemcpyAsync(void* target, uint64_t source, size_t bytes, int kind, uint64_t stream)'),
    copyWithin: native('int cudaMemcpyAsync(uint64_t target, uint64_t source, size_t bytes, int kind, uint64_t stream)'),
    memset: native('int cudaMemsetAsync(uint64_t target, int value, size_t bytes, uint64_t stream)'),
    errorText: native('const char* cudaGetErrorString(int code)'),
  };
}

function firstThatLoads(names: readonly string[]): ReturnType<typeof loadKept> {
  for (const name of names) {
    try {
      return loadKept(name);
    } catch {
      // The next one, or the sentence below.
    }
  }
  throw new AgogeError('ENGINE_NO_RUNTIME', `CUDA's library cannot be loaded (${names.join(', ')}): see agoge doctor`);
}

/**
 * For the life of this process. What keeps a card from being used is said in a sentence before anything is loaded. A container may have
 * the driver and not nvidia-smi: then CUDA itself decides.
 */
function takeCard(): void {
  const card = chosenCard(cardsHere());
  if (!card && ['/dev/nvidiactl', '/dev/nvidia0', '/dev/dxg'].some((path) => existsSync(path))) return;
  const [lack] = unmetDemands(card, card ? findCudaRuntime() : { cuda: 13 }, 'float32');
  if (lack) throw lack;
  if (!card) return;
  const held = holdCard(card);
  process.once('exit', () => held[Symbol.dispose]());
}
