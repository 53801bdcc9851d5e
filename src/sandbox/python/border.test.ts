/** The border with real WebAssembly: a module that calls what it imports. */
import { describe, expect, it } from 'vitest';
import { behindBorder } from './border.ts';

type Called = () => number;
interface Wasm {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(source: unknown, imports: object): Promise<unknown>;
  Instance: new (module: object, imports: object) => { exports: Record<string, Called> };
}
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm };

/** (module (import "env" NAME (func (result i32))) (export "call" (func 0))) */
function moduleThatCalls(name: string): Uint8Array {
  const text = (of: string): number[] => [of.length, ...Buffer.from(of)];
  const section = (id: number, body: number[]): number[] => [id, body.length, ...body];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(2, [1, ...text('env'), ...text(name), 0, 0]),
    ...section(7, [1, ...text('call'), 0, 0]),
  ]);
}

/** What the import answers before the border is closed and after; an error by its message. */
async function acrossBorder(name: string): Promise<readonly unknown[]> {
  const [call, border] = await behindBorder(async () => {
    const { instance } = (await wasm.instantiate(moduleThatCalls(name), { env: { [name]: () => 7 } })) as {
      instance: { exports: Record<string, Called> };
    };
    return instance.exports['call'] as Called;
  });
  const tried = (): unknown => {
    try {
      return call();
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  const before = tried();
  border.close();
  return [before, tried(), tried()];
}

describe('behindBorder', () => {
  it.each([
    'fd_write',
    'fd_read',
    '__syscall_openat',
    '__syscall_stat64',
    'clock_time_get',
    'random_get',
    'emscripten_resize_heap',
  ])('%s goes on answering: files in memory, clocks, chance and memory are the program’s own', async (name) =>
    expect(await acrossBorder(name)).toEqual([7, 7, 7]),
  );

  it.each([
    'hiwire_call',
    '_JsvObject_Keys_js',
    'emscripten_run_script',
    'emscripten_asm_const_int',
    'proc_exit',
    'call',
    '__syscall_socket',
    '__syscall_connect',
    '__syscall_sendto',
    '__syscall_bind',
    '_emscripten_fetch',
    'getaddrinfo',
    '_dlopen_js',
    'invoke_i',
  ])('%s answers until the border is closed, then throws for ever', async (name) => {
    const refused = `the program reached for ${name}`;
    expect(await acrossBorder(name)).toEqual([7, refused, refused]);
  });

  it.each(['can_run_sync_js', '_Py_CheckEmscriptenSignals_Helper', '_maybe_poll_async'])('%s is answered with no', async (name) =>
    expect(await acrossBorder(name)).toEqual([7, 0, 0]),
  );

  it('guards instances that are made without a promise too', async () => {
    const module = await wasm.compile(moduleThatCalls('hiwire_call'));
    const [instance, border] = await behindBorder(() =>
      Promise.resolve(new wasm.Instance(module, { env: { hiwire_call: () => 1 } })),
    );
    expect(instance.exports['call']?.()).toBe(1);
    border.close();
    expect(() => instance.exports['call']?.()).toThrow('the program reached for hiwire_call');
  });

  it('leaves WebAssembly as it was, also where loading fails', async () => {
    const before = { instantiate: Reflect.get(wasm, 'instantiate') as unknown, Instance: wasm.Instance };
    await expect(behindBorder(() => Promise.reject(new Error('no interpreter')))).rejects.toThrow('no interpreter');
    expect(Reflect.get(wasm, 'instantiate')).toBe(before.instantiate);
    expect(wasm.Instance).toBe(before.Instance);
  });

  it('takes away the second way in and out', async () => {
    const kept = { ...(wasm as unknown as Record<'Suspending' | 'promising', unknown>) };
    Object.assign(wasm, { Suspending: 1, promising: 1 });
    try {
      await behindBorder(() => Promise.resolve());
      expect(wasm).not.toHaveProperty('Suspending');
      expect(wasm).not.toHaveProperty('promising');
    } finally {
      Object.assign(wasm, kept);
    }
  });
});
