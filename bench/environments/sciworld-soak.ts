/**
 * ScienceWorld under load: many sessions at once take turns with inputs of every kind (noise, words of the house, valid commands with words
 * exchanged). Nothing may throw, and a session among others must say what it says alone: every tenth is played again by itself.
 *   npx tsx bench/environments/sciworld-soak.ts [inputs] [sessions]      default 100,000 and 500
 */
import { createHash, type Hash } from 'node:crypto';
import { Random } from '../../src/core/random/random.ts';
import { heldMemory } from '../../src/lint/memory.ts';
import { ALL } from '../../src/envs/sciworld/catalogue.ts';
import { Simulation } from '../../src/envs/sciworld/simulation.ts';

const inputs = Number(process.argv[2] ?? 100_000);
const count = Number(process.argv[3] ?? 500);

interface Session {
  readonly simulation: Simulation;
  readonly commands: readonly string[];
  readonly words: readonly string[];
  readonly random: Random;
  readonly said: Hash;
}

function open(number: number): Session {
  const variation = ALL[Math.floor((number * ALL.length) / count)];
  if (!variation) throw new RangeError(`no session ${number}`);
  const simulation = new Simulation(variation.task.name, variation.number);
  const commands = simulation.peekValidTexts();
  const words = [...new Set(commands.flatMap((command) => command.split(' ')))];
  return { simulation, commands, words, random: Random.of(23, 'soak', number), said: createHash('sha256') };
}

function input({ random, commands, words }: Session): string {
  switch (random.below(4)) {
    case 0:
      return Array.from({ length: random.below(40) }, () => String.fromCharCode(random.below(random.pick([128, 65_536])))).join(
        '',
      );
    case 1:
      return Array.from({ length: random.below(8) }, () => random.pick(words)).join(' ');
    case 2:
      return random.pick(commands);
    default: {
      const command = random.pick(commands).split(' ');
      command[random.below(command.length)] = random.pick(words);
      return command.join(' ');
    }
  }
}

function step(session: Session): void {
  const { observation, score, isCompleted } = session.simulation.step(input(session));
  if (observation.length === 0 || !Number.isFinite(score)) throw new Error(`an empty answer or no score: ${score}`);
  session.said.update(`${observation}\n${score} ${isCompleted}\n`);
}

const before = heldMemory();
const cpu = process.cpuUsage();
const sessions = Array.from({ length: count }, (_, number) => open(number));
const opened = heldMemory();
const lengths = new Map<Session, number>();
const turns = Random.of(23, 'turns');
for (let n = 0; n < inputs; n++) {
  const session = turns.pick(sessions);
  step(session);
  lengths.set(session, (lengths.get(session) ?? 0) + 1);
}
const { user, system } = process.cpuUsage(cpu);
const mebibytes = (bytes: number): string => (bytes / 2 ** 20 / count).toFixed(2);
console.log(
  `${inputs} inputs to ${count} sessions at once: none threw; ${((user + system) / 1e6).toFixed(0)} s of processor time`,
);
console.log(`a session holds ${mebibytes(opened - before)} MiB at its start, ${mebibytes(heldMemory() - before)} MiB at the end`);

let equal = 0;
let checked = 0;
for (let number = 0; number < count; number += 10) {
  const among = sessions[number];
  if (!among) break;
  const alone = open(number);
  for (let n = 0; n < (lengths.get(among) ?? 0); n++) step(alone);
  checked++;
  equal += Number(alone.said.digest('hex') === among.said.digest('hex'));
}
console.log(`${equal} of ${checked} sessions played again alone said the same, byte for byte`);
if (equal !== checked) process.exitCode = 1;
