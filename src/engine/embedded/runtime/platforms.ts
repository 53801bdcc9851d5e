/**
 * The platforms that the embedded engine runs on, each with the file of ONNX Runtime's library and the package that carries it. As
 * esbuild and koffi do it, a release has one package per platform, and npm installs the one that fits the machine.
 */
export interface RuntimePlatform {
  readonly platform: string;
  readonly arch: string;
  readonly file: string;
}

export const runtimePlatforms: readonly RuntimePlatform[] = [
  { platform: 'linux', arch: 'x64', file: 'libonnxruntime.so.1' },
  { platform: 'linux', arch: 'arm64', file: 'libonnxruntime.so.1' },
  { platform: 'darwin', arch: 'arm64', file: 'libonnxruntime.1.dylib' },
  { platform: 'win32', arch: 'x64', file: 'onnxruntime.dll' },
  { platform: 'win32', arch: 'arm64', file: 'onnxruntime.dll' },
];

export function runtimePackage({ platform, arch }: Pick<RuntimePlatform, 'platform' | 'arch'>): string {
  return `@agoge/runtime-${platform}-${arch}`;
}
