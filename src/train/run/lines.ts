/** What a step looks like to a person who reads the log. */

/** Of an RL step. */
export function stepLine(step: number, steps: number | null, metrics: Readonly<Record<string, number>>): string {
  const number = (name: string, digits: number): string => metrics[name]?.toFixed(digits) ?? '–';
  return (
    `step ${step}${steps === null ? '' : `/${steps}`} · reward ${number('critic/score/mean', 3)} · success ${number('train/success', 3)}` +
    ` · turns ${number('num_turns/mean', 1)} · grad ${number('actor/grad_norm', 3)} · ${number('timing_s/step', 2)} s` +
    ` (sampling ${number('timing_s/gen', 2)}, update ${number('timing_s/update_actor', 2)})`
  );
}

/** Of an SFT step. */
export function sftLine(step: number, metrics: Readonly<Record<string, number>>): string {
  const number = (name: string, digits: number): string => metrics[name]?.toFixed(digits) ?? '–';
  const level = metrics['train/difficulty'] === undefined ? '' : ` · difficulty ${number('train/difficulty', 2)}`;
  const validation = metrics['val/loss'] === undefined ? '' : ` · validation ${number('val/loss', 4)}`;
  return (
    `step ${step} · loss ${number('train/loss', 4)} · tokens right ${number('train/token_accuracy', 3)} · replies right ${number('train/reply_accuracy', 3)}` +
    `${validation}${level} · ${number('perf/throughput', 0)} tokens/s · ${millions(metrics['train/total_tokens'])}`
  );
}

/** Of a step of a reward model. */
export function rewardLine(step: number, metrics: Readonly<Record<string, number>>): string {
  const number = (name: string): string => metrics[name]?.toFixed(3) ?? '–';
  return `step ${step} · loss ${number('train/loss')} · ranked right ${number('train/accuracy')} · held out ${number('val/accuracy')}`;
}

function millions(tokens: number | undefined): string {
  return tokens === undefined ? '–' : `${(tokens / 1e6).toFixed(2)}M`;
}
