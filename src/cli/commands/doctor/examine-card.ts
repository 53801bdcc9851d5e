/** What `agoge doctor` and `agoge gpu status` say of a card: which one, its driver, the library, and what of a model fits on it. */
import { AgogeError } from '../../../core/error.ts';
import { cardFit, cardNeed, withAdapters, type CardFit } from '../../../engine/embedded/card-memory.ts';
import { amount } from '../../../engine/embedded/memory.ts';
import type { ModelConfig } from '../../../engine/embedded/network/config.ts';
import { cardsHere, chosenCard, type Card } from '../../../engine/embedded/runtime/cuda/card.ts';
import { heldByOthers, unmetDemands } from '../../../engine/embedded/runtime/cuda/demands.ts';
import { findCudaRuntime, type CudaRuntime } from '../../../engine/embedded/runtime/cuda/find.ts';
import type { Finding } from './examine.ts';

/** `wanted`: a card was asked for, so that its absence is a problem. */
export function examineCard(wanted: boolean): readonly Finding[] {
  const lack = wanted ? 'problem' : 'note';
  try {
    const cards = cardsHere();
    const card = chosenCard(cards);
    if (!card && !wanted) return [{ what: 'card', level: 'ok', found: 'none; the engine computes on the CPU' }];
    return cardFindings(card, findOrSay(), lack, cards.length);
  } catch (thrown) {
    return [finding('card', lack, AgogeError.from(thrown, 'ENGINE_NO_CARD', 'the card cannot be examined'))];
  }
}

/** Pure: what is said of a card and a library, or of their absence. */
export function cardFindings(
  card: Card | undefined,
  runtime: CudaRuntime | AgogeError,
  lack: 'problem' | 'note',
  cards = card ? 1 : 0,
): readonly Finding[] {
  const unmet = unmetDemands(card, { cuda: runtime instanceof AgogeError ? 13 : runtime.cuda }, 'bfloat16');
  const held = card && heldByOthers(card);
  const others = cards > 1 ? `; ${cards} cards in all, CUDA_VISIBLE_DEVICES chooses` : '';
  return [
    ...(card
      ? [
          {
            what: 'card',
            level: 'ok' as const,
            found: `${card.index}: ${card.name}, ${amount(card.total)} (${amount(card.free)} free), compute capability ${card.capability}, driver ${card.driver}${others}`,
          },
        ]
      : []),
    ...unmet.map((error) => finding(error.code === 'ENGINE_GPU_DRIVER' ? 'driver' : 'card', lack, error)),
    ...(held === undefined ? [] : [finding('card memory', 'note', held)]),
    runtime instanceof AgogeError
      ? finding('card library', lack, runtime)
      : {
          what: 'card library',
          level: 'ok',
          found: `ONNX Runtime ${runtime.version} for CUDA ${runtime.cuda} (${runtime.from}: ${runtime.library})`,
        },
  ];
}

/** What of a model fits into so much free memory of a card. */
export function cardModelFindings(config: ModelConfig, free: number): readonly Finding[] {
  const need = cardNeed(config);
  const adapters = withAdapters(config);
  const adapterNeed = cardNeed(adapters);
  const length = Math.min(1024, config.context);
  const report = (what: string, fit: CardFit | undefined, bytes: number, parts: string, remedy: string): Finding => {
    if (!fit) return { what, level: 'note', found: `does not fit into ${amount(free)}: ${parts}`, remedy };
    const training =
      fit.rows === 0
        ? ''
        : `; trained on ${fit.rows} tokens at once${fit.recomputed ? ' (blocks are computed again)' : ''}, a sequence of up to ${fit.context}`;
    return {
      what,
      level: 'ok',
      found: `${amount(bytes)} of ${amount(free)}: ${parts}; ${fit.sequences} sequences of ${length} tokens at once${training}`,
    };
  };
  const keys = `keys and values ${amount(need.keyValueToken * length)} per ${length} tokens`;
  return [
    report(
      'card: to sample',
      cardFit(config, free, { length, train: false }),
      need.weights,
      `weights in bfloat16 ${amount(need.weights)}, ${keys}`,
      'pick a smaller model, a larger card, or an engine on several (docs/cluster.md)',
    ),
    report(
      'card: all weights',
      cardFit(config, free, { length }),
      need.weights + need.training,
      `weights ${amount(need.weights)}, masters, gradients, their mark and moments in float32 ${amount(need.training)}, ${keys}, activations ${amount(1024 * need.activationToken)} per 1024 tokens (${amount(1024 * need.recomputedToken)} computed again)`,
      'train adapters (engine.lora) on this card',
    ),
    report(
      'card: adapters',
      cardFit(adapters, free, { length }),
      adapterNeed.weights + adapterNeed.training,
      `LoRA of rank 16: weights in bfloat16 ${amount(adapterNeed.weights)}, merged copy, masters, gradients, their mark and moments ${amount(adapterNeed.training)}, ${keys}`,
      'pick a smaller model, a larger card, or an engine on several (docs/cluster.md)',
    ),
  ];
}

/** The library, or why there is none. */
function findOrSay(): CudaRuntime | AgogeError {
  try {
    return findCudaRuntime();
  } catch (thrown) {
    return AgogeError.from(thrown, 'ENGINE_NO_GPU_LIBRARY', 'the library for a card cannot be examined');
  }
}

/** An error's sentence ends with its remedy, after the last colon. */
function finding(what: string, level: Finding['level'], said: AgogeError | string): Finding {
  const sentence = typeof said === 'string' ? said : said.message;
  const cut = sentence.lastIndexOf(': ');
  return cut < 0
    ? { what, level, found: sentence }
    : { what, level, found: sentence.slice(0, cut), remedy: sentence.slice(cut + 2) };
}
