/**
 * The bridge to native code: koffi's prebuilt module for this platform, taken from the package that carries it. The package
 * `koffi` itself only chooses among these, and brings an install script that we do not want on a user's machine.
 */
import { createRequire } from 'node:module';
import { AgogeError } from '../../../core/error.ts';

type Callable = (...values: readonly unknown[]) => unknown;
type Type = object;

/** The part of koffi that we call. */
export interface Koffi {
  readonly version: string;
  config(settings: Readonly<Record<string, number>>): void;
  load(path: string | null): { func(prototype: string): Callable; unload(): void };
  proto(result: string, parameters: readonly string[]): Type;
  array(type: string, length: number): Type;
  call(address: bigint, type: Type, ...values: readonly unknown[]): unknown;
  decode(address: bigint, type: Type | string, length?: number): unknown;
  address(memory: ArrayBufferView): bigint;
  /** Memory at an address as a buffer, without a copy. */
  view(address: bigint, length: number): ArrayBuffer;
}

let loaded: Koffi | undefined;

/** Loaded on first use; throws ENGINE_NO_BRIDGE where there is none for this platform. */
export function koffi(): Koffi {
  return (loaded ??= load());
}

function load(): Koffi {
  const name = `@koromix/koffi-${process.platform}-${process.arch}`;
  try {
    const bridge = createRequire(import.meta.url)(name) as Koffi;
    // Deep graphs need deep stacks, and only the first library's loader may still say so.
    bridge.config({ sync_stack_size: 16 << 20, async_stack_size: 16 << 20 });
    return bridge;
  } catch (thrown) {
    throw new AgogeError(
      'ENGINE_NO_BRIDGE',
      `${name} cannot be loaded: install again without --omit=optional; environments and endpoints work without it`,
      { cause: thrown },
    );
  }
}
