/**
 * The border of Pyodide's WebAssembly. Whatever a Python program does, it leaves its interpreter only through the functions that WebAssembly
 * imports: once the border is closed, those of a list of plain ones (files in memory, clocks, random bytes) answer, and every other one,
 * all of the way to JavaScript, throws. It never opens again: each interpreter has a border of its own.
 */

/** What a program needs of the system: a file system in memory, clocks, random bytes, memory, calls within the module. */
const plain = new Set(
  `__syscall_chdir __syscall_chmod __syscall_dup __syscall_dup3 __syscall_faccessat __syscall_fadvise64 __syscall_fallocate __syscall_fchdir
   __syscall_fchmod __syscall_fchmodat2 __syscall_fchown32 __syscall_fchownat __syscall_fcntl64 __syscall_fdatasync __syscall_fstat64
   __syscall_fstatfs64 __syscall_ftruncate64 __syscall_getcwd __syscall_getdents64 __syscall_getuid32_js __syscall_ioctl __syscall_lstat64
   __syscall_mkdirat __syscall_newfstatat __syscall_openat __syscall_pipe __syscall_poll __syscall_readlinkat __syscall_renameat
   __syscall_rmdir __syscall_stat64 __syscall_statfs64 __syscall_symlinkat __syscall_truncate64 __syscall_umask_js __syscall_unlinkat
   __syscall_utimensat _try_fcntl64 _mmap_js _munmap_js _msync_js
   clock_res_get clock_time_get emscripten_date_now emscripten_get_now _tzset_js _timegm_js _mktime_js _localtime_js _gmtime_js
   environ_get environ_sizes_get _emscripten_get_progname random_get emscripten_get_heap_max emscripten_resize_heap
   fd_close fd_fdstat_get fd_pread fd_pwrite fd_read fd_seek fd_sync fd_write _PyEM_TrampolineCall_JS`.split(/\s+/),
);
/** Questions about the world outside, to which the answer is no. */
const never = new Set(['can_run_sync_js', '_Py_CheckEmscriptenSignals_Helper', '_maybe_poll_async']);

type Import = (...given: unknown[]) => unknown;
type Imports = Record<string, Record<string, unknown>>;

interface WasmNamespace {
  instantiate: (source: unknown, imports?: Imports) => Promise<unknown>;
  Instance: new (module: object, imports?: Imports) => object;
  Suspending?: unknown;
  promising?: unknown;
}

export interface Border {
  /** From now on nothing but plain functions answers. */
  close(): void;
}

/** Loads an interpreter behind a border: every WebAssembly instance that `load` makes gets guarded imports. */
export async function behindBorder<T>(load: () => Promise<T>): Promise<[T, Border]> {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmNamespace };
  // Stack switching would give a program a second way in and out.
  delete wasm.Suspending;
  delete wasm.promising;
  const { instantiate, Instance } = wasm;
  const state = { closed: false };
  const answers = new Set<unknown>();
  const guarded = (name: string, work: Import): Import => {
    if (plain.has(name)) {
      answers.add(work);
      return work;
    }
    // The functions of addresses in the table are wrapped without their names: they are known by what they are.
    const guard: Import = (...given) => {
      if (!state.closed || answers.has(work)) return work(...given);
      if (never.has(name)) return 0;
      throw new Error(`the program reached for ${name}`);
    };
    return Object.assign(guard, work);
  };
  const guardedImports = (imports: Imports | undefined): Imports | undefined =>
    imports && Object.fromEntries(Object.entries(imports).map(([from, module]) => [from, guardedModule(module, guarded)]));
  Object.assign(wasm, {
    instantiate: (source: unknown, imports?: Imports) => instantiate.call(wasm, source, guardedImports(imports)),
    Instance: function (module: object, imports?: Imports) {
      return new Instance(module, guardedImports(imports));
    },
  });
  try {
    return [await load(), { close: () => (state.closed = true) }];
  } finally {
    Object.assign(wasm, { instantiate, Instance });
  }
}

/** Emscripten finds some imports only when it is asked for them: so does this. */
function guardedModule(module: Record<string, unknown>, guarded: (name: string, work: Import) => Import): typeof module {
  return new Proxy(module, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      return typeof name === 'string' && typeof found === 'function' ? guarded(name, found as Import) : found;
    },
  });
}
