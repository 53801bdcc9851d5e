/**
 * A card: memory and copies through CUDA's own library, sessions on the runtime's CUDA provider. All sessions share one stream of ours, so that
 * work goes on in the order it was asked for without anybody waiting, and one arena for what a graph needs while it runs.
 */
import { AgogeError } from '../../../core/error.ts';
import { cells, loadKept, nameTable, type Address, type Memory } from './library.ts';
import { cardFailed } from './card-failed.ts';
import { DeviceMemory, makeRoom, outOfMemory, type Device, type DeviceSessionSettings, type Landing } from './device.ts';
import { koffi } from './koffi.ts';
import { MemoryLedger, type MemoryOwner, type Room } from './ledger.ts';
import { Runtime } from './runtime.ts';
import { RuntimeScratch } from './scratch.ts';
import { Blas } from './cuda/blas.ts';
import { compileProgram, type Program } from './cuda/program.ts';
import { usableCard } from './cuda/usable.ts';
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
  readonly hostAlloc: Call<[out: Memory, bytes: number, flags: number]>;
  readonly freeHost: Call<[address: Address]>;
  readonly eventCreate: Call<[out: Memory, flags: number]>;
  readonly eventRecord: Call<[event: Address, stream: Address]>;
  readonly eventSynchronize: Call<[event: Address]>;
  readonly eventDestroy: Call<[event: Address]>;
  readonly errorText: (code: number) => string;
  readonly lastError: () => number;
  readonly attribute: Call<[out: Memory, attribute: number, device: number]>;
}

const kinds = { toDevice: 1, fromDevice: 2, within: 3 } as const;
const memoryError = 2;
/** Of a bound: CUDA's context and what its libraries load. */
const contextBytes = 2 ** 30;
const [computeMajor, computeMinor] = [75, 76];
/** Work on it does not wait for CUDA's default stream, nor that one for it. */
const nonBlocking = 1;
/** Who waits for it sleeps; it tells no times. */
const eventKind = 1 | 2;

export class CudaDevice implements Device {
  readonly name = 'cuda';
  readonly runtime: Runtime;
  readonly memoryInfo: Address;
  /** Runs end when their work is on the stream; whoever needs a result waits for it. */
  readonly runEntries = { disable_synchronize_execution_providers: '1' };
  private readonly cuda: CudaLibrary;
  private readonly stream: Address;
  private ownBlas: Blas | undefined;
  readonly scratch: RuntimeScratch = new RuntimeScratch(this, 'gpu:0');
  readonly ledger: MemoryLedger = new MemoryLedger(() => this.scratch.bytes, contextBytes);

  /** `bound`: bytes of the card that this process may take. */
  constructor(bound?: number) {
    if (bound !== undefined) this.ledger.limit(bound);
    takeCard(bound !== undefined);
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

  allocate(bytes: number, owner: MemoryOwner = 'other'): DeviceMemory {
    // Not asked for where it cannot be: CUDA remembers the refusal, and the runtime would take it for a failure of its own.
    makeRoom(this, bytes);
    const out = cells();
    const code = this.cuda.malloc(out, Math.max(bytes, 1));
    if (code === memoryError) {
      this.cuda.lastError();
      throw outOfMemory(bytes, { free: this.memory().free, byBound: false });
    }
    this.check(code, `cannot allocate ${bytes} bytes`);
    const place = out[0] as Address;
    const giveBack = this.ledger.take(owner, bytes);
    return new DeviceMemory(this, bytes, place, () => {
      giveBack();
      this.check(this.cuda.free(place), 'cannot give memory back');
    });
  }

  memory(): Room {
    const [free, total] = [cells(), cells()];
    this.check(this.cuda.memGetInfo(free, total), 'cannot ask for free memory');
    return this.ledger.within({ free: Number(free[0]), total: Number(total[0]) });
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

  landing(bytes: number): Landing {
    const { cuda } = this;
    const out = cells();
    // Copies into pinned memory are asked for and return: the event says when they have ended.
    this.check(cuda.hostAlloc(out, bytes, 0), `cannot pin ${bytes} bytes`);
    const place = out[0] as Address;
    this.check(cuda.eventCreate(out, eventKind), 'cannot make an event');
    const event = out[0] as Address;
    const view = koffi().view(place, bytes);
    return {
      bring: async (source, count) => {
        this.check(cuda.copyWithin(place, source, count, kinds.fromDevice, this.stream), 'a copy from the card failed');
        this.check(cuda.eventRecord(event, this.stream), 'cannot mark the work on the card');
        await this.inBackground(cuda.eventSynchronize, [event]);
        return view;
      },
      [Symbol.dispose]: () => {
        this.check(cuda.eventDestroy(event), 'cannot give an event back');
        this.check(cuda.freeHost(place), 'cannot give memory back');
      },
    };
  }

  settled(): Promise<void> {
    return this.runtime.inTurn(() => this.inBackground(this.cuda.streamSynchronize, [this.stream]));
  }

  /** Compiles kernels of our own; undefined where CUDA's compiler is not there. */
  program(source: string, defines: Readonly<Record<string, string | number>>): Program | undefined {
    const library = this.runtime.library.files.preload.find((path) => path.includes('libnvrtc'));
    if (library === undefined) return undefined;
    const architecture = 10 * this.attribute(computeMajor) + this.attribute(computeMinor);
    return compileProgram(source, { library, architecture, stream: this.stream, defines });
  }

  /** Products by cuBLAS on the same stream. */
  get blas(): Blas {
    const library = this.runtime.library.files.preload.find((path) => /libcublas\.so/.test(path)) ?? 'libcublas.so.13';
    return (this.ownBlas ??= new Blas(library, this.stream, (bytes) => this.allocate(bytes).address));
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
        ...(this.ledger.isBound && { gpu_mem_limit: String(this.ledger.runtimeBound) }),
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
    values[0] = BigInt(this.ledger.runtimeBound);
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

  private attribute(number: number): number {
    const out = new Int32Array(new ArrayBuffer(64));
    this.check(this.cuda.attribute(out, number, 0), 'the card does not say what it can do');
    return out[0] as number;
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
    // CUDA remembers a failure until it is asked, and the runtime would take it for its own.
    this.cuda.lastError();
    if (code === memoryError) throw outOfMemory(0, { free: 0, byBound: false });
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
    hostAlloc: native('int cudaHostAlloc(void* out, size_t bytes, unsigned int flags)'),
    freeHost: native('int cudaFreeHost(uint64_t address)'),
    eventCreate: native('int cudaEventCreateWithFlags(void* out, unsigned int flags)'),
    eventRecord: native('int cudaEventRecord(uint64_t event, uint64_t stream)'),
    eventSynchronize: native('int cudaEventSynchronize(uint64_t event)'),
    eventDestroy: native('int cudaEventDestroy(uint64_t event)'),
    errorText: native('const char* cudaGetErrorString(int code)'),
    lastError: native('int cudaGetLastError()'),
    attribute: native('int cudaDeviceGetAttribute(void* out, int attribute, int device)'),
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

/** For the life of this process. `shares`: the run says how much it takes. */
function takeCard(shares: boolean): void {
  const card = usableCard();
  if (!card) return;
  const held = holdCard(card, undefined, shares);
  process.once('exit', () => held[Symbol.dispose]());
}
