/** `agoge model`: checkpoints of other tools as folders that everything reads. */
import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { join } from 'node:path';
import type { Converted } from '../../engine/convert/convert.ts';
import { print, printJson } from '../terminal/print.ts';

export function register(model: Command): void {
  model.addHelpText('after', '\nExample:\n  agoge model convert checkpoints/global_step_100 my-model\n');
  model
    .command('convert')
    .description(
      "verl's FSDP shards, .pt, .bin and safetensors to a Hugging Face folder; merges LoRA adapters; runs no code of them",
    )
    .argument('<checkpoint>', 'a run, step or actor folder of verl, a Hugging Face folder, a PEFT adapter, or one file')
    .argument('<out>', 'the folder to write')
    .option('--base <folder>', 'the base model of an adapter; or where config.json and the tokenizer are')
    .option('--adapter <folder>', 'a LoRA adapter (PEFT) to merge into the weights')
    .option('--steps <list>', 'of a run’s folder: all, or numbers such as 20,40; each goes into <out>/global_step_…')
    .option('--dtype <type>', 'number type of the weights: keep, f32, bf16, f16', dtype, undefined)
    .option('--file-size <gigabytes>', 'largest file of weights', gigabytes, 5e9)
    .option('--force', 'replace the folder if it exists')
    .option('--json', 'report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agoge model convert checkpoints/global_step_100/actor my-model --dtype bf16     verl's shards, as its own merger writes them
  agoge model convert checkpoints my-models --steps all                           every step of a run in one call
  agoge model convert my-adapter my-model --base Qwen3-1.7B                       an adapter, merged
  agoge eval textcraft --policy hf:my-model
`,
    )
    .action(async (checkpoint, out, options) => {
      const { fileSize, json, steps, ...given } = options;
      if (steps !== undefined) {
        const { convertSteps } = await import('../../engine/convert/steps.ts');
        const reports = await convertSteps(checkpoint, out, steps, { ...given, fileSize });
        if (json === true) printJson(reports);
        else for (const report of reports) print(described(join(out, report.name), report));
        return;
      }
      const { convertModel } = await import('../../engine/convert/convert.ts');
      const report = await convertModel(checkpoint, out, { ...given, fileSize });
      if (json === true) printJson(report);
      else print(described(out, report));
    });
  for (const command of model.commands) command.exitOverride();
}

function described(out: string, { from, tensors, parameters, bytes, merged, dtypes, checked }: Converted): string {
  return [
    `${out}: ${String(tensors)} tensors, ${(parameters / 1e6).toFixed(1)} M parameters, ${(bytes / 1e6).toFixed(1)} MB (${dtypes.join(', ')})`,
    `from ${from}${merged === 0 ? '' : `, ${String(merged)} LoRA pairs merged`}`,
    checked ? 'every tensor of its config.json is there' : 'its architecture is not known here: shapes were not checked',
  ].join('\n');
}

function dtype(text: string): 'F32' | 'F16' | 'BF16' | undefined {
  const types = {
    keep: undefined,
    f32: 'F32',
    f16: 'F16',
    bf16: 'BF16',
    float32: 'F32',
    float16: 'F16',
    bfloat16: 'BF16',
  } as const;
  if (Object.hasOwn(types, text)) return types[text as keyof typeof types];
  throw new InvalidArgumentError('choose keep, f32, bf16 or f16');
}

function gigabytes(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('give a number of gigabytes above 0');
  return value * 1e9;
}
