/** Licences of what ONNX Runtime's library is linked with. Its npm package comes without them, its wheel of the same version has them. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackWheel } from '../../src/engine/embedded/runtime/cuda/unpack.ts';
import { runtimePackage, runtimePlatforms } from '../../src/engine/embedded/runtime/platforms.ts';
import type { Staged } from './stage.ts';

const inWheel = 'onnxruntime/ThirdPartyNotices.txt';

/** Puts them into the packages that carry the library; throws where pip cannot give them. */
export async function addNotices(staged: readonly Staged[]): Promise<void> {
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const { version } = JSON.parse(readFileSync(runtime, 'utf8')) as { version: string };
  const folder = mkdtempSync(join(tmpdir(), 'agoge-notices-'));
  try {
    const asked = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder];
    const { status, stderr } = spawnSync('python3', [...asked, `onnxruntime==${version}`], { encoding: 'utf8' });
    const wheel = status === 0 ? readdirSync(folder).find((name) => name.endsWith('.whl')) : undefined;
    if (wheel === undefined)
      throw new Error(
        `pip gives no onnxruntime ${version}, whose notices belong beside its library: install pip, or look at\n${stderr}`,
      );
    await unpackWheel(join(folder, wheel), folder, (path) => path === inWheel);
    const carriers = new Set(runtimePlatforms.map(runtimePackage));
    for (const { name, folder: into } of staged)
      if (carriers.has(name)) copyFileSync(join(folder, inWheel), join(into, 'ThirdPartyNotices.txt'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
