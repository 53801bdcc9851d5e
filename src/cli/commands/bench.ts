/** `agoge bench engine`: how fast this machine trains and samples the shapes of docs/engine.md; against PyTorch where it is found. */
import type { Command } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../../core/error.ts';
import { deviceHelp, deviceName } from '../options/device.ts';
import { print, printJson } from '../terminal/print.ts';

export function register(bench: Command): void {
  bench
    .command('engine')
    .description('tokens per second of training, plain and shaped like GRPO, and of sampling')
    .option('--shapes <list>', 'sizes, separated by commas: xs, s, m', 'xs,s')
    .option('--rounds <n>', 'steps to take the median of', '5')
    .option('--threads <n>', 'threads of the engine (default: all)')
    .option('--requests <list>', 'samples at once, separated by commas', '1,8,32,64')
    .option('--device <name>', deviceHelp, deviceName)
    .option('--spinning', 'let idle threads spin: faster on a quiet machine', false)
    .option(
      '--python <path>',
      'an interpreter with PyTorch, to measure it alternately (default: tests/peers/.venv where it exists)',
    )
    .option('--json', 'one JSON object per line', false)
    .addHelpText('after', '\nExample:\n  agoge bench engine --shapes xs,s --rounds 5\n')
    .action(async (options) => {
      const [{ measureSampling, measureTraining, trainingShapes }, { openTrainingPeer }, { Runtime }] = await Promise.all([
        import('../../engine/embedded/measure.ts'),
        import('../../engine/embedded/measure-peer.ts'),
        import('../../engine/embedded/runtime/runtime.ts'),
      ]);
      const { threads } = Runtime.open({
        threads: options.threads === undefined ? undefined : Number(options.threads),
        spinning: options.spinning,
        card: options.device === 'cuda',
      });
      const where = options.device === undefined ? {} : { device: options.device };
      const python = options.python ?? peerPython();
      const openPeer =
        python !== undefined && existsSync(peerScript)
          ? (...[shape, data]: [Parameters<typeof openTrainingPeer>[2], Parameters<typeof openTrainingPeer>[3]]) =>
              openTrainingPeer(python, peerScript, shape, data, threads)
          : undefined;
      for (const name of options.shapes.split(',')) {
        if (!(name in trainingShapes)) {
          throw new AgogeError('CLI_USAGE_SHAPE', `no shape is called "${name}": use ${Object.keys(trainingShapes).join(', ')}`);
        }
        const shape = name as keyof typeof trainingShapes;
        for (const batch of ['plain', 'grpo'] as const) {
          const measured = await measureTraining(shape, batch, Number(options.rounds), where, openPeer);
          const { tokensPerSecond, peerTokensPerSecond, ratio = 0 } = measured;
          const peer =
            peerTokensPerSecond === undefined ? '' : `   PyTorch ${peerTokensPerSecond.toFixed(0)}   ratio ${ratio.toFixed(2)}`;
          if (options.json) printJson(measured);
          else print(`${shape}  train ${batch.padEnd(6)} ${tokensPerSecond.toFixed(0).padStart(7)} tokens/s${peer}`);
        }
        for (const requests of options.requests.split(',').map(Number)) {
          const measured = await measureSampling(shape, requests, where);
          const rate = measured.tokensPerSecond.toFixed(0).padStart(7);
          if (options.json) printJson(measured);
          else print(`${shape}  sample ×${String(requests).padEnd(4)} ${rate} tokens/s`);
        }
      }
    });
}

const peerScript = fileURLToPath(new URL('../../../bench/engine/training-peer.py', import.meta.url));

function peerPython(): string | undefined {
  const path = fileURLToPath(new URL('../../tests/peers/.venv/bin/python', import.meta.url));
  return existsSync(path) ? path : undefined;
}
