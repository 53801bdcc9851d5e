/**
 * What is known stays known: demonstrations of experts beside the loss by rewards. Which ones come depends on seed, step and optimizer
 * step alone, so a resumed run sees the same.
 */
import type { PromptFormat } from '../../../agent/format.ts';
import type { AnchorConfig } from '../../../config/recipe/rollout-keys.ts';
import type { Datum } from '../../../engine/engine.ts';
import type { Renderer } from '../../../policy/renderer.ts';
import { fitDatum } from '../../sft/conversation-datum.ts';
import { Demonstrations } from '../../sft/demonstrations.ts';
import type { DeckParts } from '../../tasks/deck.ts';

export interface AnchorOptions {
  readonly config: AnchorConfig;
  readonly format: PromptFormat;
  readonly renderer: Renderer;
  /** Longest sequence the engine takes. */
  readonly context: number;
  readonly seed: number;
}

export class Anchor {
  private constructor(
    private readonly demonstrations: Demonstrations,
    private readonly options: AnchorOptions,
  ) {}

  static async open(options: AnchorOptions, parts: DeckParts): Promise<Anchor> {
    const { config, format, renderer, seed } = options;
    const decks = await Promise.all(
      config.experts.map(async (entry) => ({ entry, environment: await parts.environment(entry) })),
    );
    return new Anchor(new Demonstrations({ decks, format, renderer, seed, maxTurns: config.max_turns }), options);
  }

  get weight(): number {
    return this.options.config.weight;
  }

  /** Demonstrations of about so many tokens as the recipe says, for one optimizer step. */
  async batch(step: number, optimizerStep: number): Promise<Datum[]> {
    const { config, context } = this.options;
    const longest = Math.min(context, config.tokens);
    const data: Datum[] = [];
    let used = 0;
    for (let i = 0; used < config.tokens && i < 1000; i++) {
      const { datum } = await this.demonstrations.draw(placeOf(step, optimizerStep, i), 1);
      const fitting = datum && fitDatum(datum, longest, 'cut', 'a demonstration');
      if (!fitting || (data.length > 0 && used + fitting.tokens.length > config.tokens)) break;
      data.push(fitting);
      used += fitting.tokens.length;
    }
    return data;
  }
}

/**
 * The number of a demonstration: as many optimizer steps as a step may have, none is drawn twice. Those beyond the 64th begin where no
 * step of a run comes to.
 */
export function placeOf(step: number, optimizerStep: number, i: number): number {
  const [round, within] = [Math.floor(optimizerStep / 64), optimizerStep % 64];
  return round * 2 ** 40 + (step * 64 + within) * 1000 + i;
}
