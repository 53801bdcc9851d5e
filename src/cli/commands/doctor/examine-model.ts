/** What `agoge doctor --model` says: how much memory a model needs here, to sample it and to train it, and whether it fits. */
import { availableParallelism } from 'node:os';
import { amount, memoryNeed, type MemoryNeed } from '../../../engine/embedded/memory.ts';
import { readConfig } from '../../../engine/embedded/models/load.ts';
import type { ModelConfig } from '../../../engine/embedded/network/config.ts';
import { layoutOf } from '../../../engine/embedded/network/layout.ts';
import { targetsOf } from '../../../engine/embedded/network/lora.ts';
import { shapeConfig } from '../../../engine/embedded/network/shapes.ts';
import { isSmall } from '../../../engine/embedded/network/size.ts';
import { cardsHere, chosenCard } from '../../../engine/embedded/runtime/cuda/card.ts';
import { calibrates, calibrationFile, calibrationOf, keepsCalibration } from '../../../engine/embedded/sampling/calibration.ts';
import { weightsOf } from '../../../train/run/open-parts.ts';
import { cardModelFindings } from './examine-card.ts';
import { sameBits, type Finding } from './examine.ts';

/** `card`: also what fits on one, the one that is here or one with so many bytes free. */
export async function examineModel(policy: string, card?: { readonly free?: number | undefined }): Promise<readonly Finding[]> {
  const shape = /^shape:(.*)$/.exec(policy)?.[1];
  const config = shape === undefined ? await readConfig(await weightsOf(policy)) : shapeConfig(shape);
  if (card) return [modelFinding(config), ...cardModelFindings(config, card.free ?? freeOnCard())];
  const findings = modelFindings(config, process.availableMemory(), availableParallelism());
  // A model that does not fit is not tried out.
  return findings.some(({ level }) => level !== 'ok') ? findings : [...findings, sameBits(config), lanes(config)];
}

/** Nothing where there is no card: then nothing fits, and examineCard says why. */
function freeOnCard(): number {
  return chosenCard(cardsHere())?.free ?? 0;
}

/** When sampling takes another thread: as it was measured here. */
export function lanes(config: ModelConfig): Finding {
  const what = 'lanes';
  if (!isSmall(layoutOf(config).length)) return { what, level: 'ok', found: 'one, which uses all threads' };
  if (!calibrates()) return { what, level: 'ok', found: 'one for every 4 requests (AGOGE_CALIBRATION=off: not measured)' };
  const known = calibrationOf(config);
  if (!known)
    return {
      what,
      level: 'ok',
      found: 'one for every 4 requests; the first sample of a run measures (AGOGE_CALIBRATION=keep keeps it)',
    };
  const steps = Object.entries(known.steps).map(([rows, time]) => `${rows}: ${time.toFixed(2)}`);
  return {
    what,
    level: 'ok',
    found: `one for every ${known.requests} requests (milliseconds of a step by its rows: ${steps.join(', ')}${keepsCalibration() ? `; ${calibrationFile()}` : ''})`,
  };
}

/** The findings for a machine with so many bytes free and so many threads. */
export function modelFindings(config: ModelConfig, available: number, threads: number): readonly Finding[] {
  const need = memoryNeed(config, { threads });
  return [
    modelFinding(config),
    fits('to sample it', need.sampling, samplingParts(need), available, 'pick a smaller model, or serve it elsewhere (openai:…)'),
    fits(
      'to train it',
      need.training,
      `those, gradient, its mark and moments ${amount(need.optimizer)}, activations of 4096 tokens ${amount(need.activations)}`,
      available,
      'train adapters (engine.lora) or a smaller model here, or this one on a larger machine',
    ),
    adapterFinding(config, available, threads),
  ];
}

function modelFinding(config: ModelConfig): Finding {
  const { family, layers, hidden, vocabulary, context } = config;
  const parameters = layoutOf(config).length;
  const size = parameters < 1e7 ? (parameters / 1e6).toFixed(2) : (parameters / 1e6).toFixed(0);
  return {
    what: 'model',
    level: 'ok',
    found: `${family}, ${size}M parameters: ${layers} layers of ${hidden}, vocabulary ${vocabulary}, context ${context}`,
  };
}

/** Adapters beside weights that stay as a model of this family is published, in bfloat16. */
function adapterFinding(config: ModelConfig, available: number, threads: number): Finding {
  const packRows = 1024;
  const lora = { rank: 16, alpha: 32, targets: targetsOf('all-linear') };
  const need = memoryNeed({ ...config, frozen: 'bfloat16', lora }, { threads, packRows });
  return fits(
    'with adapters',
    need.training,
    `LoRA of rank 16 beside weights in bfloat16: weights ${amount(need.weights)}, packed copy ${amount(need.session)}, keys and values ${amount(need.keyValues)}, gradient, its mark and moments ${amount(need.optimizer)}, activations of ${packRows} tokens ${amount(need.activations)}`,
    available,
    'train a smaller model here, or this one on a larger machine',
  );
}

function samplingParts({ weights, session, keyValues, scratch, sequences, length }: MemoryNeed): string {
  return `weights ${amount(weights)}, packed copy ${amount(session)}, keys and values ${amount(keyValues)} (${sequences} sequences of ${length} tokens, and parked ones), scores of attention ${amount(scratch)}`;
}

function fits(what: string, bytes: number, parts: string, available: number, remedy: string): Finding {
  const found = `${amount(bytes)} of ${amount(available)} free: ${parts}`;
  if (bytes <= available) return { what, level: 'ok', found };
  return { what, level: 'note', found: `does not fit: ${found}`, remedy };
}
