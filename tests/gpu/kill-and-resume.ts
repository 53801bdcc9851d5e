/** A run on a device that is killed and resumed ends with the bytes of one that was not; and one that is repeated as well. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Checked } from './checks.ts';

const recipe = `
run: whole
seed: 1
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 4, samples: 4 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
optimizer: { lr: 1e-3 }
engine: { fixed_width: true }
steps: 6
evaluate: { at_end: false }
checkpoint: { every: 2 }
`;

export async function killAndResume(device: 'cuda' | 'resident'): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'agoge-gpu-'));
  try {
    writeFileSync(join(folder, 'rl.yaml'), recipe);
    const args = ['train', 'rl.yaml', '--no-view', '--device', device];
    const agoge = (...more: string[]): string | undefined => {
      const { status, stderr } = spawnSync(process.execPath, [cli(), ...more], { cwd: folder, encoding: 'utf8' });
      return status === 0 ? undefined : `agoge ${more.join(' ')}: ${stderr.trim().slice(-300)}`;
    };
    const failed = agoge(...args) ?? agoge(...args, 'run=again');
    if (failed !== undefined) return { holds: false, found: failed };
    const hit = await killed(folder, [...args, 'run=broken'], join(folder, 'outputs/broken/checkpoints/step_000002'));
    if (!hit) return { holds: false, found: 'the run ended before it could be killed' };
    const resumed = agoge('train', '--resume', 'outputs/broken', '--no-view');
    if (resumed !== undefined) return { holds: false, found: resumed };
    const bytes = (run: string): Buffer =>
      readFileSync(join(folder, 'outputs', run, 'checkpoints/step_000006/model.safetensors'));
    const [again, broken] = [bytes('again').equals(bytes('whole')), bytes('broken').equals(bytes('whole'))];
    return {
      holds: again && broken,
      found: `6 steps repeated: ${again ? 'the same bytes' : 'OTHER bytes'}; killed at step 2 and resumed: ${broken ? 'the same bytes' : 'OTHER bytes'}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a command and kills it as soon as the file is there; false when it ended by itself first. */
async function killed(folder: string, args: readonly string[], file: string): Promise<boolean> {
  const child = spawn(process.execPath, [cli(), ...args], { cwd: folder, stdio: 'ignore' });
  while (child.exitCode === null) {
    if (existsSync(file)) {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
      return true;
    }
    await pause(20);
  }
  return false;
}

/** The built command: two folders up from the sources, one from a bundle. */
function cli(): string {
  const places = ['../../dist/cli/main.js', '../dist/cli/main.js'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((path) => existsSync(path)) ?? 'dist/cli/main.js';
}
