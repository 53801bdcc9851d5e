/** Actions as players of every kind would send them, valid and not, from a seed. */
import type { Random } from '../core/random/random.ts';
import type { Environment, Episode } from '../envs/environment.ts';

/** Text that no environment should stumble over: empty, blank, control characters, every script, lone surrogates, long. */
export function junk(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return '';
    case 1:
      return random.pick([
        ' ',
        '\n',
        '\t\r\n',
        '\0',
        '\u2028',
        '\ufeff',
        '\ud800',
        '[]',
        '{}',
        '```',
        '</s>',
        "'",
        '"',
        '\\',
        '%s',
        '$1',
      ]);
    case 2:
      return unicode(random, random.between(1, 40));
    case 3:
      return random.pick(['x', ' ', 'ab ', '9', '(', '[[', '界', '\n']).repeat(random.pick([1000, 20_000, 100_000]));
    case 4:
      return String.fromCharCode(...Array.from({ length: random.between(1, 20) }, () => random.below(0x10000)));
    case 5:
      return random.pick([
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'undefined',
        'null',
        'NaN',
        '-1',
        '1e999',
        '00',
      ]);
    default:
      return Array.from({ length: random.between(1, 6) }, () => word(random)).join(' ');
  }
}

/** Junk, half-valid and valid actions: words of what was seen, filled templates, admissible actions. */
export function anyAction(
  random: Random,
  environment: Environment,
  observation: string,
  /** Asked for its actions only when one is to be picked: listing them can cost more than many steps. */
  episode: Pick<Episode, 'actions'>,
): string {
  const kind = random.below(6);
  if (kind === 0) return junk(random);
  const actions = kind <= 2 ? episode.actions : undefined;
  if (actions && actions.length > 0) return random.pick(actions);
  return babble(random, environment, observation);
}

/** What a player who understands nothing says: templates filled with words just seen. */
export function babble(random: Random, environment: Environment, observation: string): string {
  const words = observation.slice(-4000).match(/[\p{L}\p{N}_]+/gu) ?? ['x'];
  const some = (): string => Array.from({ length: random.between(1, 3) }, () => random.pick(words)).join(' ');
  const forms = environment.instructions.actions;
  if (forms.length === 0 || random.below(3) === 0) return some();
  return random.pick(forms).template.replace(/\{[^}]*\}/g, () => (random.below(3) === 0 ? String(random.below(5)) : some()));
}

function word(random: Random): string {
  return Array.from({ length: random.between(1, 8) }, () => String.fromCharCode(97 + random.below(26))).join('');
}

function unicode(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(random.below(0x110000))).join('');
}
