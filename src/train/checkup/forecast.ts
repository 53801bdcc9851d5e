/**
 * Will a policy learn an environment, and in how many minutes? Pure. From a short probe of imitation: L, the mean −ln p of an expert's
 * reply on tasks that are held out, falls about as a power of time, L(t) = L₂ (t / t₂)^−b. An episode of n replies is then solved with a
 * probability of about exp(−n L / slack): some mistakes can be made good. How far that holds is measured (docs/doctor.md).
 */

/** How unlikely an expert's replies are after so many seconds of imitation. */
export interface CurvePoint {
  readonly seconds: number;
  readonly nats: number;
}

export interface ForecastFacts {
  /** Success that counts as learned. */
  readonly level: number;
  /** Mean success now, and of the best of eight. */
  readonly pass1: number;
  readonly pass8: number;
  /** Share of groups of eight whose rewards differ. */
  readonly signal: number;
  /** Tokens that a conversation may have. */
  readonly context: number;
  /** Absent where there is no expert. */
  readonly expert?: {
    readonly turns: number;
    /** Tokens of an episode: the middle one. */
    readonly tokens: number;
    /** Before, within and after the probe. */
    readonly curve: readonly CurvePoint[];
    /** The kind of turn with the most wrong replies after the probe. */
    readonly wall?: string | undefined;
  };
}

export type Forecast =
  | { readonly verdict: 'there'; readonly success: number }
  | { readonly verdict: 'learns'; readonly minutes: number; readonly level: number }
  | { readonly verdict: 'may-learn'; readonly because: 'signal' }
  | { readonly verdict: 'no'; readonly because: 'context' | 'slow' | 'flat' | 'no-signal'; readonly minutes?: number };

/** Mistakes that can be made good: an episode's success falls as if a reply were so much likelier than it is. */
export const slack = 2;
/** Beyond so many minutes a forecast is no plan. */
export const longestMinutes = 30;
/** A smaller power is no fall. */
const leastPower = 0.1;

export function forecast({ level, pass1, signal, context, expert }: ForecastFacts): Forecast {
  if (pass1 >= level) return { verdict: 'there', success: pass1 };
  if (!expert) return signal >= 0.1 ? { verdict: 'may-learn', because: 'signal' } : { verdict: 'no', because: 'no-signal' };
  if (expert.tokens > context) return { verdict: 'no', because: 'context' };
  const minutes = minutesTo(level, expert.turns, expert.curve);
  if (minutes === undefined)
    return signal >= 0.3 ? { verdict: 'may-learn', because: 'signal' } : { verdict: 'no', because: 'flat' };
  return minutes > longestMinutes ? { verdict: 'no', because: 'slow', minutes } : { verdict: 'learns', minutes, level };
}

/** Success that is expected after so many minutes of imitation; undefined where the curve does not fall. */
export function successAfter(minutes: number, turns: number, curve: readonly CurvePoint[]): number | undefined {
  const fit = powerOf(curve) ?? learnedWhole(curve, turns);
  if (!fit) return undefined;
  const nats = fit.nats * (Math.max(fit.seconds, 60 * minutes) / fit.seconds) ** -fit.power;
  return Math.exp((-turns * nats) / slack);
}

function minutesTo(level: number, turns: number, curve: readonly CurvePoint[]): number | undefined {
  const wanted = (-slack * Math.log(level)) / turns;
  // What the probe has reached needs no fit: a curve that is down early is flat from there on.
  const reached = curve.find(({ seconds, nats }) => seconds > 0 && nats <= wanted);
  if (reached) return reached.seconds / 60;
  const fit = powerOf(curve);
  if (!fit) return undefined;
  return (fit.seconds * Math.max(1, (fit.nats / wanted) ** (1 / fit.power))) / 60;
}

/** The end of a curve that falls no further because an episode is as good as certain. */
function learnedWhole(curve: readonly CurvePoint[], turns: number): (CurvePoint & { readonly power: number }) | undefined {
  const last = curve.at(-1);
  return last && last.seconds > 0 && turns * last.nats < 0.02 ? { ...last, power: 0 } : undefined;
}

/** The power between the last two points after the start; undefined where there is none. */
function powerOf(curve: readonly CurvePoint[]): (CurvePoint & { readonly power: number }) | undefined {
  const [before, last] = curve.filter(({ seconds }) => seconds > 0).slice(-2);
  if (!before || !last || last.nats <= 0) return undefined;
  const power = Math.log(before.nats / last.nats) / Math.log(last.seconds / before.seconds);
  return power < leastPower ? undefined : { ...last, power: Math.min(power, 2) };
}
